// "/" goes to the search box, as in lists elsewhere; in a field it is a letter like any other.
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  const find = document.getElementById("find");
  if (!find) return;
  event.preventDefault();
  find.focus();
  find.select();
});

// Enter sends what is typed at once; what was typed just before it is then not sent once more.
addEventListener("htmx:confirm", (event) => {
  const form = event.detail.elt.closest("form.filters");
  if (!form) return;
  const wanted = new URLSearchParams(new FormData(form)).toString();
  if (event.detail.elt.id === "find" && form.dataset.asked === wanted) event.preventDefault();
  form.dataset.asked = wanted;
});
