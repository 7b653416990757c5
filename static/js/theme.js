// Runs before the first paint, so that a chosen theme does not flash.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch (refused) {
  // Storage may be switched off; the system's theme then applies.
}
