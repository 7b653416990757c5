// Writing a rewording: the checks below the text change while somebody answers them.
{
  const checks = () => document.getElementById("checks");

  // What was ticked while a save was under way stays ticked.
  let ticked = new Map();
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (event.detail.target?.id !== "checks") return;
    ticked = new Map([...checks().querySelectorAll("[name=meant]")].map((box) => [box.value, box.checked]));
  });
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target?.id !== "checks") return;
    for (const box of checks().querySelectorAll("[name=meant]")) {
      box.checked = ticked.get(box.value) ?? box.checked;
    }
  });

  // A refused seal leads to the first point that waits for an answer.
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt.id !== "seal" || event.detail.xhr.status !== 422) return;
    checks()?.querySelector("[name=meant]:not(:checked)")?.focus();
  });
}
