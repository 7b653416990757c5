// The bench: one key for each decision, on the row that has the focus or else the first undecided one.
{
  const FIELD = "input, textarea, select, [contenteditable]";
  // Fields that take letters; on a box to tick the keys stay shortcuts.
  const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';
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
    field.closest(".pair").focus();
  };

  // Why nothing is approved is said in the row itself: the bar below may be out of sight.
  const leadTo = (row) => {
    const line = row.querySelector(".settled");
    line.setAttribute("role", "alert");
    line.classList.replace("soft", "refused");
    line.textContent = document.getElementById("undecided").textContent;
    row.focus();
  };

  const approveOrSave = (field) => {
    const editing = field?.closest("form[data-edit]");
    if (editing) return editing.requestSubmit();
    const waiting = rows().find(undecided);
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

  const act = (key) => {
    if (key === "j" || key === "arrowdown") return move(1);
    if (key === "k" || key === "arrowup") return move(-1);
    if (key === "e") return edit(current());
    if (key === "z") return document.getElementById("undo")?.click();
    if (key === "?") return document.getElementById("keys").showModal();
    const row = current();
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
      if (!["j", "k", "arrowdown", "arrowup", "a", "b", "n", "e", "z", "?"].includes(key)) return;
      event.preventDefault();
      if (!event.repeat || key.length > 1) act(key);
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
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "bench") return;
    htmx.process(event.target); // at once: a fast hand does not wait until htmx settles
    const all = rows();
    const following = all.slice(from + 1).find(undecided) ?? all.find(undecided) ?? all[from];
    following?.focus();
  });
  rows().find(undecided)?.focus({ preventScroll: true });
}
