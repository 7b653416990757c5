// Opens the guideline of one topic beside the work: whatever has data-open-topic asks for it by a
// click, other scripts by the event "open-topic" with {topic} as its detail.
function openTopic(topic) {
  const found = document.querySelector(`.beside [data-topic="${CSS.escape(topic)}"]`);
  if (!found) return;
  found.closest(".beside").open = true;
  found.open = true;
  found.querySelector("summary").focus({ preventScroll: true });
  found.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  const asking = event.target.closest("[data-open-topic]");
  if (asking) openTopic(asking.dataset.openTopic);
});
document.addEventListener("open-topic", (event) => openTopic(event.detail.topic));
