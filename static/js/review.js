// y and n answer the question that is open: the meaning, then the category; the second answer sends both. c writes a note.
// What is sent, and when a new item hears keys, is in judge.js.
(() => {
  const page = document.getElementById("judging");
  const keys = document.getElementById("keys");
  const TYPED = "textarea, select, input:not([type='radio'])";
  const form = () => page.querySelector("[data-review]");
  const open = () => {
    const all = [...form().querySelectorAll(".question")];
    return all.find((one) => !one.querySelector(":checked")) ?? all.at(-1);
  };
  const show = () => {
    if (!form()) return;
    const now = open();
    form().querySelectorAll(".question").forEach((one) => one.classList.toggle("open", one === now));
  };
  const answer = (value) => {
    const now = open();
    now.querySelector(`[value="${value}"]`).checked = true;
    show();
    if ([...form().querySelectorAll(".question")].every((one) => one.querySelector(":checked"))) {
      form().requestSubmit(form().querySelector(".keep button"));
    }
  };

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing || keys.open) return;
    if (!form() || event.target.closest(TYPED)) return;
    if (event.key === "c") document.getElementById("remark").focus();
    else if (event.key === "Backspace") {
      form().querySelectorAll(".question :checked").forEach((one) => (one.checked = false));
      show();
    } else if (event.key !== "y" && event.key !== "n") return;
    else if ("hears" in form().dataset) answer(event.key === "y" ? "yes" : "no");
    event.preventDefault();
  });
  page.addEventListener("change", show);
  document.addEventListener("htmx:afterSwap", show);
  show();
})();
