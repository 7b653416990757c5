// Nothing typed is lost with the page: what the server has not confirmed is kept in this tab, under the seat and a mark
// of the account, and comes back with the page. The server decides whether it still fits, and shows both versions if not.
{
  const PREFIX = "desk:";
  const mine = `${PREFIX}${desk.page.account}:`;
  const name = mine + desk.page.seat;

  const stored = (act) => {
    try {
      return act(sessionStorage);
    } catch (refused) {
      return null; // storage may be switched off; the page itself still keeps what was typed
    }
  };
  const names = (storage) => Object.keys(storage).filter((one) => one.startsWith(PREFIX));

  const keep = () => {
    const drafts = desk.left
      ? []
      : desk.drafts().map((draft) => ({
          path: draft.getAttribute("hx-post"),
          values: desk.values(draft),
          once: draft.dataset.once,
        }));
    const open = desk.left ? [] : desk.outbox.open();
    stored((storage) => {
      if (!drafts.length && !open.length) return storage.removeItem(name);
      storage.setItem(name, JSON.stringify({ version: desk.version, drafts, open }));
    });
  };

  const comeBack = () => {
    const kept = stored((storage) => JSON.parse(storage.getItem(name) ?? "null"));
    if (!kept) return;
    const shown = desk.version;
    let differs = false;
    for (const { path, values, once } of kept.drafts) {
      const draft = desk.posts(path);
      if (!draft) {
        desk.orphan(values);
        continue;
      }
      const plain = (all) => JSON.stringify(all.filter(([one]) => !["version", "csrfmiddlewaretoken"].includes(one)));
      if (plain(desk.values(draft)) === plain(values)) continue;
      desk.restore(draft, values);
      if (once) draft.dataset.once = once;
      draft.closest("details")?.setAttribute("open", "");
      differs = true;
    }
    // Written on an older version than the one shown: the server compares them.
    if (differs) desk.version = kept.version;
    if (differs) desk.say("unsaved");
    desk.outbox.take(kept.open);
    desk.outbox.saveAll();
    if (!differs && !kept.open.length) desk.version = shown;
    keep();
  };

  // The page goes: what is typed and not under way is sent so that it outlives the page.
  const away = () => {
    if (desk.left) return keep();
    let version = desk.version + desk.outbox.ahead();
    for (const draft of desk.drafts("typed")) {
      draft.dataset.once ??= desk.uuid();
      const body = new URLSearchParams(new FormData(desk.form(draft)));
      body.set("version", version++);
      body.set("csrfmiddlewaretoken", desk.token());
      const headers = { "X-CSRFToken": desk.token(), "Idempotency-Key": draft.dataset.once };
      fetch(draft.getAttribute("hx-post"), { method: "POST", body, headers, keepalive: true, redirect: "manual" }).catch(() => {});
    }
    keep();
  };

  document.addEventListener("desk-kept", keep);
  window.addEventListener("pagehide", away);
  document.addEventListener("DOMContentLoaded", comeBack);

  window.addEventListener("beforeunload", (event) => {
    if (!desk.left && desk.drafts().some((draft) => !draft.closest("#seal"))) event.preventDefault();
  });

  // Another account on this browser finds nothing, and whoever logs out keeps nothing more.
  stored((storage) => names(storage).filter((one) => !one.startsWith(mine)).forEach((one) => storage.removeItem(one)));
  document.addEventListener("submit", (event) => {
    if (event.target.action?.endsWith("/log-out/")) desk.left = true; // intact.js takes away what is there
  });
}
