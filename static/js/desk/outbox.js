// The outbox: every save and act of this page goes to the server one after another, under a key of its own. What gets
// no answer is sent again, with the same key and the same words, until the server answers: it tells a repeat by its key.
{
  const PAUSE = 600; // ms without typing
  const PATIENCE = 20000; // ms without an answer: then the same thing is sent again
  const LONGEST = 30000; // ms between two tries
  const waiting = []; // acts with what their form held, drafts without: those are read when their turn comes
  let going = null; // sent, or to be sent again
  let letting = null; // the element whose turn it is
  let again = 0; // the timer of the next try
  let pause = 0; // the timer of the next save
  let tries = 0;

  const path = (elt) => elt.getAttribute("hx-post");

  // What changes the draft or ends the work on it; other forms beside the work are none of ours.
  const ofTheSeat = (elt) =>
    elt.matches('[data-draft], [hx-swap="none"]') || Boolean(elt.querySelector('[name="version"]'));

  const add = (elt, submitter) => {
    const one = { path: path(elt), save: elt.matches("[data-draft]"), chosen: Boolean(elt.closest("#conflict")) };
    // An act that shows nothing here leads to another page.
    one.leaves = !one.save && elt.getAttribute("hx-swap") === "none";
    const same = (other) => other?.path === one.path;
    if (one.save && (elt.dataset.dirty !== "typed" || waiting.some(same))) return;
    if (one.leaves && (same(going) || waiting.some(same))) return; // a second click
    if (!one.save && elt.matches("form")) one.fields = [...new FormData(elt, submitter ?? null)];
    if (!one.save && !one.chosen) saveAll(); // what was typed goes before what was pressed after it
    waiting.push(one);
    run();
  };

  const saveAll = () => desk.drafts("typed").forEach((draft) => add(draft));

  const run = () => {
    if (going || desk.left) return;
    const next = desk.choosing() ? waiting.findIndex((one) => one.chosen) : 0;
    const [one] = next < 0 ? [] : waiting.splice(next, 1);
    if (one) return begin(one);
    document.dispatchEvent(new CustomEvent("desk-kept"));
  };

  const begin = (one) => {
    const elt = desk.posts(one.path);
    if (!elt || elt.querySelector("button:not([type=button])")?.disabled) return run();
    if (one.leaves) {
      const unsaved = desk.drafts().filter((draft) => !elt.contains(draft));
      if (unsaved.some((draft) => draft.dataset.dirty === "typed")) {
        waiting.unshift(one);
        unsaved.forEach((draft) => waiting.unshift({ path: path(draft), save: true }));
        return run();
      }
      if (unsaved.length) return mend(unsaved[0]);
    }
    send(one, elt);
  };

  // What could not be saved is not left behind.
  const mend = (draft) => {
    desk.say("mend");
    draft.closest("details")?.setAttribute("open", "");
    draft.querySelector(`:is(${desk.FIELD}):not([type="hidden"])`)?.focus();
    run();
  };

  const send = (one, elt) => {
    going = one;
    going.unknown = going.sent = false;
    letting = elt;
    htmx.trigger(elt, one.save ? "change" : "submit");
    letting = null;
    if (!going?.sent) {
      going = null;
      run();
    }
  };

  const bodyOf = (elt, data, one) => {
    const fields = new Map();
    for (const [name, value] of data) fields.set(name, [...(fields.get(name) ?? []), value]);
    for (const name of new Set((one.fields ?? []).map(([known]) => known))) {
      fields.set(name, one.fields.filter(([known]) => known === name).map(([, value]) => value));
    }
    for (const name of ["csrfmiddlewaretoken", "active", "key"]) fields.delete(name);
    if (fields.has("version") && !one.chosen) fields.set("version", [String(desk.version)]);
    return [...fields].flatMap(([name, values]) => values.map((value) => [name, value]));
  };

  document.addEventListener("htmx:confirm", (event) => {
    const { elt, verb, triggeringEvent } = event.detail;
    if (verb !== "post" || !elt.closest("#work, #conflict") || letting === elt || !ofTheSeat(elt)) return;
    event.preventDefault();
    add(elt, triggeringEvent?.submitter);
  });

  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, headers, formData } = event.detail;
    // Whoever logged in again in another tab has a new token; what they typed here must still be saved.
    if (desk.token()) headers["X-CSRFToken"] = desk.token();
    if (!going || elt !== letting) {
      if (desk.token()) event.detail.parameters.csrfmiddlewaretoken = desk.token();
      return;
    }
    going.elt = elt;
    going.key ??= elt.dataset.once || desk.uuid();
    if (!going.body) {
      going.body = bodyOf(elt, formData, going);
      if (going.save) elt.dataset.dirty = "sent"; // what is typed before it is sent again is not in it
    }
    delete elt.dataset.once;
    headers["Idempotency-Key"] = going.key;
    const body = new FormData();
    for (const [name, value] of going.body) body.append(name, value);
    body.set("csrfmiddlewaretoken", desk.token());
    going.seconds = desk.takeActive?.() ?? 0;
    if (going.seconds) body.set("active", going.seconds);
    event.detail.parameters = body;
    event.detail.timeout = PATIENCE;
  });

  document.addEventListener("htmx:beforeSend", (event) => {
    if (!going || event.detail.requestConfig.elt !== going.elt) return;
    going.sent = true;
    desk.say("saving", false);
    document.dispatchEvent(new CustomEvent("desk-kept"));
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (!going || requestConfig.elt !== going.elt) return;
    const asked = new URL(requestConfig.path, location).pathname;
    const elsewhere = xhr.responseURL && new URL(xhr.responseURL).pathname !== asked;
    if (elsewhere) return later("loggedOut"); // the log-in page came instead
    if (!xhr.status || xhr.status === 429 || xhr.status >= 500) return later(xhr.status ? "failed" : "offline");
    answered(xhr.status);
  });

  const later = (why) => {
    desk.say(why);
    desk.giveActive?.(going.seconds);
    going.unknown = true;
    clearTimeout(again);
    again = setTimeout(resend, Math.min(1000 * 2 ** tries++, LONGEST));
    document.dispatchEvent(new CustomEvent("desk-kept"));
  };

  const resend = () => {
    clearTimeout(again);
    const elt = going?.unknown && desk.posts(going.path);
    if (elt) send(going, elt);
  };

  const answered = (status) => {
    const { elt, save, leaves, chosen } = going;
    const [well, dirty] = [status < 300, save && elt.dataset.dirty === "sent"];
    going = null;
    tries = 0;
    if (status === 409) desk.say(desk.choosing() ? "choose" : "closed");
    if (dirty && status === 409) elt.dataset.dirty = "aside";
    else if (dirty && !well && status !== 422) elt.dataset.dirty = "typed";
    if (!well && ![409, 422].includes(status)) desk.say("failed");
    if (well && chosen) document.getElementById("conflict").replaceChildren();
    if (well && leaves) return document.dispatchEvent(new CustomEvent("desk-left"));
    if (well && desk.drafts("typed").length) desk.say("unsaved");
    queueMicrotask(run); // once htmx has let go
  };

  document.addEventListener("desk-left", () => {
    desk.left = true;
    waiting.length = 0;
    document.dispatchEvent(new CustomEvent("desk-kept"));
  });
  // A page from the browser's memory can be sent again.
  window.addEventListener("pageshow", () => (desk.left = false));

  document.addEventListener("draft-saved", (event) => {
    const { version, undo, redo, at } = event.detail;
    if (event.target.dataset.dirty === "sent") delete event.target.dataset.dirty;
    desk.version = version;
    desk.at = at ?? "";
    for (const input of document.querySelectorAll('input[name="version"]')) input.value = version;
    for (const [name, open] of [["undo", undo], ["redo", redo]]) {
      const button = document.querySelector(`#${name} button`);
      if (button && open !== undefined) button.disabled = !open;
    }
  });
  document.addEventListener("seat-again", () => {
    setTimeout(() => document.getElementById("save-state").append(` · ${desk.page.again}`)); // after the swap
  });

  document.addEventListener("input", (event) => {
    const draft = event.target.closest("[data-draft]");
    if (!draft) return;
    draft.dataset.dirty = "typed";
    delete draft.dataset.once;
    clearTimeout(pause);
    pause = setTimeout(saveAll, PAUSE); // htmx has its own, which a save that is sent again takes away
    desk.say(desk.choosing() ? "choose" : "unsaved", Boolean(desk.choosing()));
    document.dispatchEvent(new CustomEvent("desk-kept"));
  });

  // Whoever comes back, from no network or from logging in elsewhere: what is unsaved is tried at once.
  const comeBack = () => {
    if (document.visibilityState === "hidden") return;
    resend();
    saveAll();
  };
  for (const name of ["focus", "online"]) window.addEventListener(name, comeBack);
  document.addEventListener("visibilitychange", () => (document.visibilityState === "hidden" ? saveAll() : comeBack()));

  // The choice between two versions: the other one is fetched, which is no act.
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    if (!elt.closest?.("#conflict") || event.detail.requestConfig.verb !== "get" || xhr.status !== 200) return;
    document.getElementById("conflict").replaceChildren();
    queueMicrotask(run);
  });

  desk.outbox = {
    add,
    run,
    saveAll,
    // What has no answer yet, to be kept by the tab; acts that lead away are not done again behind anybody's back.
    open: () =>
      [going, ...waiting]
        .filter((one) => one && !one.leaves && !one.chosen && (one === going || !one.save))
        .map(({ path, save, key, body, fields }) => ({ path, save, key, body, fields })),
    take(ones) {
      const [first, ...rest] = ones;
      if (first?.key) going = { ...first, unknown: true, leaves: false, chosen: false };
      else if (first) rest.unshift(first);
      waiting.push(...rest);
      if (going) resend();
      else run();
    },
    ahead: () => (going ? 1 : 0),
  };
}
