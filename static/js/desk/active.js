// Time at work: seconds in which the page could be seen and somebody typed, pointed, scrolled or selected during the
// last minute. They go with the next save, or on leaving; the server bounds them by its own clock.
{
  const IDLE = 60000; // ms
  const now = () => performance.now();
  let since = now(); // up to where time was counted
  let last = document.visibilityState === "visible" ? now() : -IDLE; // the last sign of somebody
  let counted = 0; // ms
  let seen = document.visibilityState === "visible";

  const count = () => {
    if (seen) counted += Math.max(0, Math.min(now(), last + IDLE) - since);
    since = now();
  };
  const alive = () => {
    count();
    last = now();
  };

  desk.takeActive = () => {
    count();
    const seconds = Math.floor(counted / 1000);
    counted -= seconds * 1000;
    return seconds;
  };
  desk.giveActive = (seconds) => (counted += seconds * 1000);

  for (const sign of ["keydown", "input", "pointerdown", "pointermove", "wheel"]) {
    document.addEventListener(sign, alive, { capture: true, passive: true });
  }
  document.addEventListener("scroll", alive, { capture: true, passive: true });
  document.addEventListener("selectionchange", alive);

  const report = () => {
    const seconds = desk.left ? 0 : desk.takeActive();
    if (!seconds || !desk.page.active) return;
    const body = new URLSearchParams({ active: seconds, csrfmiddlewaretoken: desk.token() });
    fetch(desk.page.active, { method: "POST", body, keepalive: true, redirect: "manual" }).catch(() => desk.giveActive(seconds));
  };
  document.addEventListener("visibilitychange", () => {
    count();
    seen = document.visibilityState === "visible";
    if (seen) last = now();
    else report();
  });
  window.addEventListener("pagehide", report);
}
