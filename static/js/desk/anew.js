// When the whole work is shown anew: what was typed meanwhile, the row that was open, and the focus stay with the person.
{
  const { work, FIELD } = desk;
  const seen = `:is(${FIELD}):not([type="hidden"])`;
  let kept = [];
  let open = "";
  let removed = -1; // the place of the row that was removed

  // Words whose row is gone are shown once more, to be taken from there.
  desk.orphan = (values) => {
    const words = values.filter(([name, value]) => value.trim() && !["version", "csrfmiddlewaretoken"].includes(name));
    if (!words.length) return;
    const box = document.createElement("section");
    box.className = "card orphan";
    box.setAttribute("role", "status");
    box.append(Object.assign(document.createElement("p"), { textContent: desk.page.orphan }));
    for (const [, value] of words) {
      box.append(Object.assign(document.createElement("p"), { className: "words-s", dir: "auto", textContent: value }));
    }
    document.getElementById("conflict").after(box);
  };

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig, target } = event.detail;
    if (new URL(xhr.responseURL).pathname !== new URL(requestConfig.path, location).pathname) {
      event.detail.shouldSwap = false; // the log-in page came instead
      return;
    }
    if (target !== work) return;
    const going = requestConfig.elt.closest("[data-remove]")?.closest(".row");
    removed = [...work.querySelectorAll(".row")].indexOf(going);
    open = work.querySelector("details[data-key][open]")?.dataset.key ?? "";
    kept = desk.drafts().map((draft) => [draft.getAttribute("hx-post"), desk.values(draft)]);
  });

  const comeBack = () => {
    for (const [path, were] of kept) {
      const draft = desk.posts(path);
      if (draft) desk.restore(draft, were);
      else if (removed < 0) desk.orphan(were);
    }
    const more = kept.length;
    kept = [];
    if (more) setTimeout(desk.outbox.saveAll); // once htmx has let go of the last save
  };

  // The row that an undo or a choice changed, or the field of a refused seal. Whoever pressed a letter stays outside of
  // fields that take letters, so that the same letter can be pressed again.
  const lead = (id, outside = false) => {
    const there = document.getElementById(id);
    const row = there?.closest(".row");
    if (!there || (outside && !row)) return desk.backToWords();
    if (there.matches(FIELD)) there.closest("details")?.setAttribute("open", "");
    (outside && there.matches(desk.TYPED) ? row.querySelector("summary") : there).focus();
  };

  const focusRowBeside = (place) => {
    const left = [...work.querySelectorAll(".row")];
    if (left.length) left[Math.min(place, left.length - 1)].querySelector("summary").focus();
    else desk.backToWords();
  };

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id === "conflict") return document.getElementById("conflict-box")?.focus();
    if (event.target !== work) return;
    htmx.process(work); // at once: a fast hand does not wait until htmx settles
    comeBack();
    const fresh = work.querySelector(`[data-fresh] ${seen}`);
    const act = event.detail.requestConfig.elt;
    if (fresh) desk.marked(fresh);
    else if (open) work.querySelector(`details[data-key="${open}"]`)?.setAttribute("open", "");
    if (removed >= 0) focusRowBeside(removed);
    else if (["undo", "redo"].includes(act.id)) lead(desk.at, desk.byLetter);
    else if (act.closest("#conflict")) lead(desk.at);
    removed = -1;
  });
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.target.id === "conflict") event.target.querySelector("[data-calm]")?.focus();
    // A refused seal leads to the first field that is wrong.
    const wrong = event.target.id === "faults" && document.querySelector("#faults [data-row]")?.dataset;
    if (!wrong) return;
    const field = `${wrong.row}-${wrong.field}`;
    lead(document.getElementById(field) ? field : `what-${wrong.row}`);
  });
}
