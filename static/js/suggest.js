// Suggestions: a key steps through them and selects their words in the text; Enter marks what is selected.
// Marking goes through the form by which people mark: a suggestion only fills it in.
{
  const all = () => [...document.querySelectorAll("#suggestions [data-suggested]")];
  const place = (form) => ["turn", "start", "end"].map((name) => Number(form.elements[name].value));
  const after = (one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2];

  let at = null; // the place of the suggestion that was stepped to last; it outlives the list
  let current = null;

  // words.js keeps the selection: it is asked to move it.
  const select = (form) => {
    const [turn, start, end] = place(form);
    document.dispatchEvent(new CustomEvent("select-words", { detail: { turn, start, end } }));
  };

  const leave = () => {
    current?.querySelector("button").removeAttribute("aria-current");
    current = null;
  };

  const show = (form) => {
    leave();
    current = form;
    at = place(form);
    form.querySelector("button").setAttribute("aria-current", "true");
    const list = form.closest("ol");
    list.scrollTop = Math.max(0, form.offsetTop - list.offsetTop - list.clientHeight / 2);
    select(form);
  };

  const step = () => {
    const forms = all();
    const following = at && forms.find((form) => after(place(form), at) > 0);
    const next = following ?? forms[0];
    if (next) show(next);
  };

  const accept = (form, kind = form.elements.kind.value) => {
    const fields = document.getElementById("mark").elements;
    show(form);
    for (const name of ["turn", "start", "end", "words"]) {
      fields[name].value = form.elements[name].value;
    }
    fields.kind.value = kind;
    leave();
    document.getElementById("mark").requestSubmit();
  };

  // A kind's letter while a suggestion is selected: its words, whether or not the browser has told of the selection.
  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("[data-mark]");
      if (!button || !current?.isConnected) return;
      event.stopImmediatePropagation();
      accept(current, button.dataset.mark);
    },
    true,
  );

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-suggest-next]")) step();
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-suggested]") || !document.getElementById("mark")) return;
    event.preventDefault();
    accept(event.target);
  });

  // Before the desk's own keys: while a suggestion is selected, Enter and Esc are about it.
  document.addEventListener(
    "keydown",
    (event) => {
      if (!current?.isConnected || event.isComposing || document.querySelector("dialog[open]")) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key.startsWith("Arrow")) return leave();
      const elsewhere = "input, textarea, select, button, summary, a, [contenteditable]";
      if (!["Enter", "Escape"].includes(event.key) || event.target.closest(elsewhere)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.key === "Enter" && !event.repeat) accept(current);
      else leave();
    },
    true,
  );
  for (const going of ["pointerdown", "focusin"]) {
    document.addEventListener(going, (event) => {
      if (event.target.closest?.("[data-turn]")) leave();
    });
  }

  // A list that could not be loaded says nothing about the draft: the desk's "not saved" is not for it.
  for (const trouble of ["htmx:responseError", "htmx:sendError"]) {
    document.addEventListener(
      trouble,
      (event) => {
        if (event.detail.elt.id === "suggestions") event.stopImmediatePropagation();
      },
      true,
    );
  }
}
