// One key judges one item: 1 to 4 choose the word, n writes a note, s puts the item off, z takes the last word back, ? lists the keys.
const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea, select';
// For so long after an item came, a press still means the one before; a word is never given by accident twice.
const DEAF_MS = 350;
const PATIENCE_MS = 600; // after which it is said that a word is still on its way

const page = document.getElementById("judging");
const said = document.getElementById("said");
const keys = document.getElementById("keys");
const forms = () => page.querySelectorAll("[data-judge]");
const hear = () => forms().forEach((form) => (form.dataset.hears = ""));

// What is sent twice, or too soon after a new item came, is not sent.
addEventListener("submit", (event) => {
  if (!event.target.matches("[data-judge]")) return;
  if ("hears" in event.target.dataset) {
    forms().forEach((form) => delete form.dataset.hears);
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target !== page) return;
  page.querySelector("h1").focus(); // what is asked now is read out
  setTimeout(hear, DEAF_MS);
});
// What was not kept is said, and the same key sends it again: the item and the note still stand there.
const tell = (why) => {
  said.textContent = said.dataset[why];
  hear();
};
document.addEventListener("htmx:responseError", () => tell("failed"));
for (const fault of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(fault, () => tell("unsent"));
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig } = event.detail;
  if (new URL(xhr.responseURL).pathname === new URL(requestConfig.path, location).pathname) return;
  event.detail.shouldSwap = false; // the log-in page came instead
  tell("loggedOut");
});
const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
document.addEventListener("htmx:configRequest", (event) => {
  if (token()) event.detail.parameters.csrfmiddlewaretoken = token(); // logged in again in another tab: it is a new one
});
// A slow server is no broken page.
let waits = 0;
document.addEventListener("htmx:beforeRequest", () => {
  clearTimeout(waits);
  waits = setTimeout(() => (said.textContent = said.dataset.sending), PATIENCE_MS);
});
document.addEventListener("htmx:beforeOnLoad", () => clearTimeout(waits));
document.addEventListener("htmx:afterRequest", () => clearTimeout(waits));
// A page from the browser's memory can be sent again.
addEventListener("pageshow", hear);

document.querySelector('.top [data-key="?"]')?.addEventListener("click", () => keys.showModal());

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing || keys.open) return;
  if (event.target.closest(TYPED)) {
    if (event.key === "Escape") page.querySelector("h1").focus();
    return;
  }
  const button = page.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (event.key === "?") keys.showModal();
  else if (event.key === "n") document.getElementById("note")?.focus();
  else if (button?.disabled) said.textContent = document.getElementById(button.getAttribute("aria-describedby")).textContent;
  else if (button) button.click(); // htmx sends the name of what was clicked
  else return;
  event.preventDefault();
});
