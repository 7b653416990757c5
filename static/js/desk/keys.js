// The keys of the desk. Which key does what stands in the page, as data-shortcut, for everybody's own choice of keys.
{
  const { FIELD, TYPED, work } = desk;
  const TOGETHER = 900; // ms between the two digits of one row

  const inComposition = (event) => event.isComposing || event.keyCode === 229;
  const command = (event) => (event.ctrlKey || event.metaKey) && !event.altKey;

  const onward = (field) => {
    const fields = [...field.form.elements].filter((one) => one.matches(FIELD) && one.type !== "hidden");
    const following = fields[fields.indexOf(field) + 1];
    if (following) return following.focus();
    field.blur();
    desk.backToWords();
  };

  const keyInField = (event, field) => {
    if (event.key === "Escape") {
      event.preventDefault();
      field.blur();
      field.closest("details.aside")?.removeAttribute("open");
      desk.backToWords();
    } else if (event.key === "Enter" && field.closest("form.value") && !field.matches("textarea")) {
      event.preventDefault();
      onward(field);
    }
  };

  /* What is typed while a mark is on its way belongs to its first field: it is no shortcut */

  const marks = []; // on their way, each with what was typed for it
  const ahead = () => (marks.at(-1)?.over === false ? marks.at(-1) : null);
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "mark" || !(event instanceof SubmitEvent)) return; // htmx's own comes later
    marks.push({ text: "", over: false });
  });
  // A mark that was refused has no field. One without an answer is sent again.
  let taken = false;
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.requestConfig.path.endsWith("/mark/") || !detail.xhr.status) return;
    if (detail.xhr.status < 500 && !taken) marks.shift();
    taken = false;
  });

  const keyAhead = (event, mark) => {
    const mine = event.key.length === 1 || /^(Enter|Escape|Backspace|Arrow.*)$/.test(event.key);
    if (!mine || ((event.ctrlKey || event.metaKey) && event.key !== "Enter")) return false;
    event.preventDefault();
    event.stopImmediatePropagation(); // the arrows of words.js wait too
    if (event.key === "Escape") mark.over = true; // out of the field before it is there
    if (event.key === "Backspace") mark.text = mark.text.slice(0, -1);
    if (event.key.length === 1) mark.text += event.key;
    return true;
  };

  const typeInto = (field, text) => {
    if (field.matches("select")) {
      const wanted = text.trim().toLowerCase();
      const found = [...field.options].find((one) => wanted && one.text.toLowerCase().startsWith(wanted));
      if (!found) return;
      field.value = found.value;
    } else {
      field.value = text;
    }
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // The new row is there: its first field takes the focus and what was typed ahead.
  desk.marked = (field) => {
    const mark = marks.shift() ?? { text: "", over: false };
    taken = true;
    field.closest("details").open = !mark.over; // rows exclude each other, the one before was still there
    if (!mark.over) {
      field.focus();
      field.select?.();
    }
    if (mark.text) typeInto(field, mark.text);
  };

  /* Undo and redo: one order of things, in a field as outside */

  const step = (name) => {
    const form = document.getElementById(name);
    if (!form) return false;
    const button = form.querySelector("button");
    if (name === "undo" && desk.drafts().length) button.disabled = false; // the save that goes first can be undone
    desk.outbox.saveAll();
    if (!button.disabled) button.click();
    return true;
  };
  const stepOf = (event) => {
    if (!command(event)) return "";
    const key = event.key.toLowerCase();
    if (key === "z") return event.shiftKey ? "redo" : "undo";
    return key === "y" && !event.shiftKey ? "redo" : "";
  };
  document.addEventListener("beforeinput", (event) => {
    const name = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
    if (name && event.target.closest?.("[data-draft]") && step(name)) event.preventDefault();
  });

  /* Rows: a digit turns one from critical into minor and back, Delete takes the one in focus away */

  let digits = "";
  let timer = 0;
  const settleDigits = () => {
    clearTimeout(timer);
    if (!digits) return;
    const row = work.querySelector(`[data-digit="${Number(digits)}"]`);
    digits = "";
    row?.click();
  };
  const keyOfRow = (event) => {
    if (!/^[0-9]$/.test(event.key)) {
      settleDigits();
      return false;
    }
    event.preventDefault();
    if (event.repeat) return true;
    clearTimeout(timer);
    digits += event.key;
    const longer = [...work.querySelectorAll("[data-digit]")].some(
      ({ dataset }) => dataset.digit.length > digits.length && dataset.digit.startsWith(digits),
    );
    if (longer) timer = setTimeout(settleDigits, TOGETHER);
    else settleDigits();
    return true;
  };

  const inRow = (selector) => document.activeElement.closest?.("#work .row")?.querySelector(selector);

  /* The rest: what has the pressed key */

  const swapped = (key) => (key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase());
  const controlOf = (event) => {
    const caps = event.getModifierState?.("CapsLock") && event.key.length === 1;
    const exact = caps ? swapped(event.key) : event.key;
    for (const key of [exact, exact.toLowerCase()]) {
      const found = document.querySelector(`[data-shortcut="${CSS.escape(key)}"]`);
      if (found && key) return found;
    }
    return null;
  };

  document.addEventListener("keydown", (event) => {
    if (inComposition(event) || document.querySelector("dialog[open]")) return;
    const field = event.target.closest(FIELD);
    const name = stepOf(event);
    if (name) {
      desk.byLetter = false;
      if (field && !field.closest("[data-draft]")) return; // the reason of “cannot judge” has its own undo
      if (document.getElementById(name)) event.preventDefault();
      if (!event.repeat) step(name);
      return;
    }
    if (ahead() && !event.target.closest(TYPED) && keyAhead(event, ahead())) return;
    if (event.key === "Enter" && command(event)) {
      event.preventDefault();
      document.activeElement.blur(); // a field that was just typed in saves before the seal
      if (!event.repeat) document.querySelector("[data-final]")?.click();
      return;
    }
    if (field?.matches(TYPED) || (field && ["Enter", "Escape"].includes(event.key))) {
      return keyInField(event, field);
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !work || event.key === "Shift") return;
    if (desk.choosing()) return;
    if (keyOfRow(event)) return;
    const remove = ["Delete", "Backspace"].includes(event.key) && inRow("[data-remove] button");
    const control = remove || controlOf(event);
    if (!control) return;
    event.preventDefault();
    if (event.repeat) return;
    if (control.matches("summary")) control.focus();
    desk.byLetter = true;
    control.click();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-help]")) document.getElementById("keys").showModal();
    if (event.target.closest("[data-materiality]")) inRow("[data-digit]")?.click();
    if (event.target.closest("[data-guidelines]")) showGuidelines();
  });

  // The guideline of the row in focus, or all of them; once more, and they are closed.
  const showGuidelines = () => {
    const beside = document.querySelector("details.beside");
    if (!beside) return;
    const kind = document.activeElement.closest?.("#work .row")?.dataset.kind;
    if (kind && beside.querySelector(`[data-topic="${kind}"]`)) {
      return document.dispatchEvent(new CustomEvent("open-topic", { detail: { topic: kind } }));
    }
    const inside = beside.contains(document.activeElement);
    beside.open = !(beside.open && inside);
    if (!beside.open) return desk.backToWords();
    beside.querySelector("summary").focus();
    beside.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("change", (event) => {
    if (event.isTrusted && event.target.matches("#ambiguity input:checked")) {
      event.target.form.querySelector("textarea").focus();
    }
  });

  // Only who opens something wants to go in; a row that is open again after a swap takes no focus.
  desk.goIn = (details) => {
    details.open = true;
    details.querySelector(`form :is(${FIELD}):not([type="hidden"])`)?.focus();
  };
  document.addEventListener("click", (event) => {
    const details = event.target.closest("#work summary")?.parentElement;
    if (!details || details.open) return;
    event.preventDefault();
    desk.goIn(details);
  });

  // Tab walks through all rows: one that it comes to opens, so that its fields are next.
  let byTab = false;
  document.addEventListener("keydown", (event) => (byTab = event.key === "Tab"), true);
  document.addEventListener("pointerdown", () => (byTab = false), true);
  document.addEventListener("focusin", (event) => {
    if (byTab && event.target.matches("#work .row summary")) event.target.parentElement.open = true;
  });
}
