// The bench: one key for each decision, on the row that has the focus or else the first undecided one.
{
  const FIELD = "input, textarea, select, [contenteditable]";
  // Fields that take letters; on a box to tick the keys stay shortcuts.
  const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';
  const KEYS = [..."jkabmneczgsroiwfl?", "arrowdown", "arrowup"];
  const rows = () => [...document.querySelectorAll("#bench .pair[data-item]")];
  const undecided = (row) => row.dataset.decided !== "yes";
  const current = () =>
    document.activeElement.closest(".pair[data-item]") ?? rows().find(undecided) ?? rows()[0];

  const move = (step) => {
    const all = rows();
    const from = document.activeElement.closest(".pair[data-item]");
    const wanted = from ? all[all.indexOf(from) + step] : current();
    wanted?.focus();
  };

  const keyInField = (event, field) => {
    const leaves = event.key === "Escape" || (event.key === "Enter" && field.name === "note");
    if (!leaves) return;
    event.preventDefault();
    noting = "";
    const back = field.closest(".pair") ?? current();
    back ? back.focus() : field.blur();
  };

  // Why nothing is approved is said in the row itself: the bar below may be out of sight.
  const leadTo = (row, said = document.getElementById("undecided").textContent) => {
    const line = row.querySelector(".settled");
    line.setAttribute("role", "alert");
    line.classList.remove("soft");
    line.classList.add("refused");
    line.textContent = said;
    row.focus();
  };

  const approveOrSave = (field) => {
    const editing = field?.closest("form[data-edit]");
    if (editing) return editing.requestSubmit();
    const waiting = rows().find(undecided);
    const waits = document.getElementById("waits");
    if (!waiting && waits) return waits.querySelector("button").focus();
    if (waiting) return leadTo(waiting);
    document.activeElement.blur();
    document.getElementById("approve")?.click();
  };

  const edit = (row) => {
    const details = row?.querySelector("details");
    if (!details) return;
    details.open = true;
    details.querySelector(`:is(${FIELD}):not([type="hidden"])`)?.focus();
  };

  // A reason is for the row in focus if it is decided, else for the decision just made.
  const giveReason = (key) => {
    const focused = document.activeElement.closest(".pair[data-item]");
    const row = focused?.querySelector("[data-reason]")
      ? focused
      : document.querySelector("#bench .pair[data-last]");
    row?.querySelector(`[data-reason="${CSS.escape(key)}"]`)?.click();
  };

  const open = (id) => {
    const part = document.getElementById(id);
    if (!part) return;
    part.open = true;
    part.querySelector(`:is(${FIELD}):not([type="hidden"])`)?.focus();
  };

  // The note that a key opened: letters are its words until it is left, whatever is swapped meanwhile.
  let noting = "";
  const noted = () => noting && document.getElementById(noting);
  const note = (row) => {
    const field = row?.querySelector("input.note");
    noting = field?.id ?? "";
    field?.focus();
  };

  const merge = (row) => {
    const said = row?.dataset.noMerge;
    if (said) return leadTo(row, said);
    row?.querySelector('[data-key="m"]')?.click();
  };

  const act = (key, shift) => {
    if (shift && (key === "a" || key === "b")) {
      return document.querySelector(`#bench [data-all="${key}"]`)?.click();
    }
    if (key === "j" || key === "arrowdown") return move(1);
    if (key === "k" || key === "arrowup") return move(-1);
    if (key === "e") return edit(current());
    if (key === "z") return document.getElementById("undo")?.click();
    if (key === "?") return document.getElementById("keys").showModal();
    if (key === "l") return document.getElementById("later")?.click();
    if (key === "w") return open("send-back-part");
    if (key === "f") return open("rewrites-part");
    if ("gsro".includes(key)) return giveReason(key);
    const row = current();
    if (key === "i") return note(row);
    if (key === "m") return merge(row);
    if (key === "c") return row?.querySelector('[data-key="c"]')?.click();
    const has = row?.querySelector(`[data-key="${CSS.escape(key)}"]`);
    // As a reviewer has it who has no such constraint: there is none.
    (has ?? row?.querySelector('[data-key="n"]'))?.click();
  };

  // A fast hand is ahead of the server: what acts waits for the answer and then means the row that
  // has the focus by then. What opens a field does not wait, or the letters after it were keys.
  let sent = 0; // requests that are under way
  let ahead = [];
  const actOrWait = (key, shift) => {
    const looks = ["j", "k", "arrowdown", "arrowup"].includes(key) && !ahead.length;
    if (!sent || looks || [..."iewf?"].includes(key)) act(key, shift);
    else ahead.push(() => act(key, shift));
  };
  const saveOrWait = (field) => {
    if (!sent || (field && !field.id)) approveOrSave(field);
    else ahead.push(() => approveOrSave(field && document.getElementById(field.id)));
  };
  const goOn = () => {
    while (!sent && ahead.length) ahead.shift()();
  };

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open]")) return;
    const field = event.target.closest(FIELD);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!event.repeat) saveOrWait(field);
    } else if (field?.matches(TYPED) || (field && ["Escape", "Enter"].includes(event.key))) {
      keyInField(event, field);
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
      // Focused before the letter is written, the field gets it.
      if (noted() && event.key.length === 1) return noted().focus();
      const key = event.key.toLowerCase();
      if (!KEYS.includes(key)) return;
      event.preventDefault();
      if (!event.repeat || key.length > 1) actOrWait(key, event.shiftKey);
    }
  });

  const leave = () => (noting = "");
  document.addEventListener("pointerdown", leave);
  document.addEventListener("keydown", (event) => event.key === "Tab" && leave());

  document.addEventListener("click", (event) => {
    if (event.target.closest('[data-shortcut="?"]')) document.getElementById("keys").showModal();
  });

  // After a decision the next undecided row has the focus; after an undo the first one.
  let from = -1;
  let approving = false;
  document.addEventListener("htmx:afterRequest", (event) => {
    sent = Math.max(0, sent - 1);
    const { status } = event.detail.xhr;
    if (!(status >= 200 && status < 300)) {
      approving = false;
      ahead = [];
    }
    setTimeout(goOn);
  });
  window.addEventListener("pageshow", () => (approving = false)); // from the browser's memory
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.querySelector("#approve")) {
      if (approving) return event.preventDefault();
      approving = true;
    }
    sent += 1;
    from = rows().indexOf(event.detail.elt.closest(".pair[data-item]"));
  });
  // What somebody wrote outlives the answer to any other act: the field in hand, and those that are
  // left but not stored yet (htmx drops what waits in the queue once its field is replaced).
  const WRITTEN = `#bench form :is(${FIELD}):not([type="hidden"])[id]`;
  let written = null;
  const ticked = (field) => field.type === "checkbox" || field.type === "radio";
  const stands = (field) => (ticked(field) ? field.checked : field.value);
  const asDrawn = (field) => {
    if (ticked(field)) return field.defaultChecked;
    if (field.tagName !== "SELECT") return field.defaultValue;
    return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value;
  };
  const difference = (field) => field.closest(".pair")?.dataset.item;
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "bench") return;
    const sender = event.detail.requestConfig.elt;
    const stored = (field) => field.name !== "note" && field.form.contains(sender);
    const fields = [...document.querySelectorAll(WRITTEN)];
    const kept = fields.filter((field) => stands(field) !== asDrawn(field) && !stored(field));
    const { activeElement: at } = document;
    written = {
      at: at.matches(WRITTEN) && !stored(at) ? at.id : null,
      fields: kept.map((field) => ({ id: field.id, item: difference(field), value: stands(field) })),
    };
  });
  const store = (field) => field.dispatchEvent(new Event("change", { bubbles: true }));
  const writeOn = () => {
    for (const { id, item, value } of written.fields) {
      const field = document.getElementById(id);
      if (!field || difference(field) !== item || stands(field) === value) continue;
      if (ticked(field)) field.checked = value;
      else field.value = value;
      field.closest("details")?.setAttribute("open", "");
      if (id === written.at) field.dataset.restored = "yes";
      else if (field.name === "note") setTimeout(() => store(field)); // once htmx has let go
    }
    const field = written.at && document.getElementById(written.at);
    field?.closest("details")?.setAttribute("open", "");
    field?.focus();
    return Boolean(field);
  };
  // The browser tells of no change in what a script put back.
  document.addEventListener("focusout", (event) => {
    if (event.target.dataset?.restored !== "yes") return;
    delete event.target.dataset.restored;
    store(event.target);
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "bench") return;
    htmx.process(event.target); // at once: a fast hand does not wait until htmx settles
    if (written && writeOn()) return;
    if (noted()) return noted().focus();
    const all = rows();
    const following = all.slice(from + 1).find(undecided) ?? all.find(undecided) ?? all[from];
    following?.focus();
  });
  rows().find(undecided)?.focus({ preventScroll: true });
}
