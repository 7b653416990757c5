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

  const note = (row) => row?.querySelector("input.note")?.focus();

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

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open]")) return;
    const field = event.target.closest(FIELD);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!event.repeat) approveOrSave(field);
    } else if (field?.matches(TYPED) || (field && ["Escape", "Enter"].includes(event.key))) {
      keyInField(event, field);
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
      const key = event.key.toLowerCase();
      if (!KEYS.includes(key)) return;
      event.preventDefault();
      if (!event.repeat || key.length > 1) act(key, event.shiftKey);
    }
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest('[data-shortcut="?"]')) document.getElementById("keys").showModal();
  });

  // After a decision the next undecided row has the focus; after an undo the first one.
  let from = -1;
  let approving = false;
  document.addEventListener("htmx:afterRequest", (event) => {
    const { status } = event.detail.xhr;
    if (!(status >= 200 && status < 300)) approving = false;
  });
  window.addEventListener("pageshow", () => (approving = false)); // from the browser's memory
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.querySelector("#approve")) {
      if (approving) return event.preventDefault();
      approving = true;
    }
    from = rows().indexOf(event.detail.elt.closest(".pair[data-item]"));
  });
  // What somebody types while an earlier act is under way outlives its answer.
  let typing = null;
  const ticked = (field) => field.type === "checkbox" || field.type === "radio";
  document.addEventListener("htmx:beforeSwap", (event) => {
    const form = document.activeElement.closest("#bench form");
    const sent = event.detail.requestConfig.elt;
    typing = null;
    if (!document.activeElement.matches(TYPED) || sent === form || form.contains(sent)) return;
    const fields = [...form.elements].filter((field) => field.id);
    typing = {
      at: document.activeElement.id,
      values: fields.map((field) => [field.id, ticked(field) ? field.checked : field.value]),
    };
  });
  const typeOn = () => {
    for (const [id, value] of typing.values) {
      const field = document.getElementById(id);
      if (!field) continue;
      if (typeof value === "boolean") field.checked = value;
      else field.value = value;
    }
    const field = document.getElementById(typing.at);
    if (!field) return false;
    field.closest("details")?.setAttribute("open", "");
    field.dataset.restored = "yes";
    field.focus();
    return true;
  };
  // The browser tells of no change in what a script put back.
  document.addEventListener("focusout", (event) => {
    if (event.target.dataset?.restored !== "yes") return;
    delete event.target.dataset.restored;
    event.target.dispatchEvent(new Event("change", { bubbles: true }));
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "bench") return;
    htmx.process(event.target); // at once: a fast hand does not wait until htmx settles
    if (typing && typeOn()) return;
    const all = rows();
    const following = all.slice(from + 1).find(undecided) ?? all.find(undecided) ?? all[from];
    following?.focus();
  });
  rows().find(undecided)?.focus({ preventScroll: true });
}
