// What every page shares: the theme switch, and that a tab keeps nothing of whoever logged out.
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-theme-switch]")) return;
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch (refused) {
    // Without storage the choice lasts for this page only.
  }
});

document.addEventListener("submit", (event) => {
  if (!event.target.action?.endsWith("/log-out/")) return;
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith("desk:")) sessionStorage.removeItem(name);
  } catch (refused) {
    // Without storage there is nothing to take away.
  }
});
