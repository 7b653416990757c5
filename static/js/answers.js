// y, n and c answer the first open question (or the one in focus), Enter saves, u takes back.
const typing = 'input:not([type="checkbox"], [type="radio"]), textarea, select';

function press(key) {
  const form = document.querySelector("[data-answer]");
  const questions = form ? [...form.querySelectorAll("[data-question]")] : [];
  const inside = document.activeElement?.closest("[data-question]");
  const open = questions.find((question) => !question.querySelector(":checked"));
  const asked = inside && !inside.querySelector(":checked") ? inside : open || inside || questions.at(-1);
  const chosen = asked?.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!chosen) return false;
  chosen.click();
  const next = questions.find((question) => !question.querySelector(":checked"));
  (next ? next.querySelector("input") : form.querySelector("button")).focus();
  return true;
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest(typing)) return;
  if (event.key === "Enter" && !event.target.closest("a, button, summary")) {
    document.querySelector("[data-answer]")?.requestSubmit();
  } else if (event.key === "u") {
    document.querySelector('button[data-key="u"]')?.click();
  } else if (!press(event.key)) {
    return;
  }
  event.preventDefault();
});
