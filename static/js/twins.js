// Twins: one key starts a proposal, goes to a side, or decides; nothing of it while somebody writes.
{
  const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';
  const KEYS = [..."123456789oabwjk"];
  const first = (selector) => document.querySelector(selector);
  let sent = false; // a page is sent once: a second press is the same one
  window.addEventListener("pageshow", () => (sent = false)); // from the browser's memory

  const press = (button) => {
    if (!button || button.disabled || sent) return;
    button.click();
  };

  // The button of the form in which somebody writes, else the page's own.
  const decide = (field) => {
    const own = field?.closest("form")?.querySelector("[data-ctrl-enter]");
    press(own ?? first("[data-ctrl-enter]"));
  };

  const act = (key) => {
    if (/^[1-9]$/.test(key)) return press(first(`[data-nth="${key}"]`));
    if (key === "o") return first("[data-own]")?.click();
    if (key === "a" || key === "b") return first(`[data-side="${key}"]`)?.focus();
    if (key === "w") return document.getElementById("words")?.focus();
    if (key !== "j" && key !== "k") return;
    const all = [...document.querySelectorAll("[data-nth], .proposals [data-own]")];
    all[all.indexOf(document.activeElement) + (key === "j" ? 1 : -1)]?.focus();
  };

  // A document that was found becomes a required item, on a line of its own.
  document.addEventListener("click", (event) => {
    const found = event.target.closest("[data-add]");
    const field = document.getElementById("id_evidence");
    if (!found || !field) return;
    const lines = field.value.split("\n").filter((line) => line.trim());
    if (!lines.includes(found.dataset.add)) lines.push(found.dataset.add);
    field.value = lines.join("\n");
    field.dispatchEvent(new Event("change", { bubbles: true }));
    field.focus();
  });

  // What could not be saved is said, and sent again until it is; a refusal has its own words.
  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt;
    const { status } = event.detail.xhr;
    if (form.id !== "draft" || (status >= 200 && status < 300) || [409, 422].includes(status)) return;
    document.getElementById("save-state").textContent = form.dataset.unsaved;
    setTimeout(() => form.dispatchEvent(new Event("change", { bubbles: true })), 2000);
  });

  document.addEventListener("submit", () => (sent = true));
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open]")) return;
    const field = event.target.closest(TYPED);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!event.repeat) decide(field);
    } else if (field) {
      if (event.key === "Escape") field.blur();
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
      const key = event.key.toLowerCase();
      if (!KEYS.includes(key)) return;
      event.preventDefault(); // or the letter would be typed into the field that it leads to
      if (!event.repeat) act(key);
    }
  });
}
