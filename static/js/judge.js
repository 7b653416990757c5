// Keys 1 to 4 press the judgement's buttons; a second press before the page changes does nothing.
const form = document.querySelector("[data-judge]");
if (form) {
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
  // A page from the browser's memory can be sent again.
  addEventListener("pageshow", () => (sent = false));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select')) return;
    const button = form.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!button) return;
    event.preventDefault();
    form.requestSubmit(button);
  });
}
