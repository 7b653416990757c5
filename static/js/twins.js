// Twins: one key starts a proposal, goes to a side, or decides; nothing of it while somebody writes.
{
  const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';
  const KEYS = [..."123456789oabwjkcn/"];
  const first = (selector) => document.querySelector(selector);
  const draft = document.getElementById("draft");
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

  const move = (step) => {
    const all = [...document.querySelectorAll("[data-nth], [data-row], .proposals [data-own]")];
    all[all.indexOf(document.activeElement) + step]?.focus();
  };

  const act = (key) => {
    if (/^[1-9]$/.test(key)) return press(first(`[data-nth="${key}"]`));
    if (key === "o") return first("[data-own]")?.click();
    if (key === "n") return first("[data-make]")?.click();
    if (key === "c") return first("[data-next]")?.click();
    if (key === "/") return first("[data-find]")?.focus();
    if (key === "a" || key === "b") return first(`[data-side="${key}"]`)?.focus();
    if (key === "w") return document.getElementById("words")?.focus();
    move(key === "j" ? 1 : -1);
  };

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

  // ---------------------------------------------------------------- the draft saves itself

  // What is typed is kept in this tab until the server has said that it has it, and comes back with the page: whoever
  // was logged out, or whose browser went down, goes on where they were. The server decides whether it still fits.
  const name = draft && `desk:${draft.dataset.account}:twin:${draft.dataset.draft}`;
  const REASON = 'textarea[name^="reason-"]';
  let typed = false; // not under way yet
  let going = false; // a save is under way
  let held = null; // the button that was pressed meanwhile
  let tries = 0;
  let again = 0;

  const stored = (act) => {
    try {
      return act(sessionStorage);
    } catch (refused) {
      return null; // storage may be switched off; the page itself still keeps what was typed
    }
  };
  const fields = () => [...draft.elements].filter((one) => one.name && one.type !== "submit" && one.id !== "find");
  const written = () =>
    fields()
      .filter((one) => one.name !== "csrfmiddlewaretoken")
      .map((one) => [one.name, one.value, one.checked ?? false]);
  const keep = () => stored((storage) => storage.setItem(name, JSON.stringify(written())));
  const letGo = () => stored((storage) => storage.removeItem(name));
  const store = () => draft.dispatchEvent(new Event("change", { bubbles: true }));
  const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
  const say = (what) => {
    const line = document.getElementById("save-state");
    line.textContent = draft.dataset[what];
    line.classList.add("refused");
  };

  // A reason whose fault is gone for now stays with the draft.
  const keepReason = (field) => {
    const kept = Object.assign(document.createElement("input"), { type: "hidden", name: field.name, value: field.value });
    draft.append(kept);
  };
  const backToReasons = () => {
    for (const kept of draft.querySelectorAll('input[type="hidden"][name^="reason-"]')) {
      const field = document.getElementById(kept.name);
      if (!field) continue;
      field.value ||= kept.value;
      kept.remove();
    }
  };

  const comeBack = () => {
    const kept = stored((storage) => JSON.parse(storage.getItem(name) ?? "null"));
    if (!kept) return;
    const plain = (all) => JSON.stringify(all.filter(([one]) => !["version", "tab"].includes(one)));
    if (plain(kept) === plain(written())) return letGo();
    for (const [one, value, checked] of kept) {
      const field = draft.elements.namedItem(one);
      if (!field && one.startsWith("reason-") && value) keepReason({ name: one, value });
      if (!field || field instanceof RadioNodeList) continue;
      field.value = value;
      if ("checked" in field) field.checked = checked;
    }
    typed = true;
    say("unsaved");
    setTimeout(store); // once htmx knows the form
  };

  const later = (why) => {
    typed = true;
    held = null;
    say(why);
    clearTimeout(again);
    again = setTimeout(store, Math.min(1000 * 2 ** tries++, 30000));
  };

  const answered = (xhr, elsewhere) => {
    going = false;
    if (elsewhere) return later("loggedOut");
    if (xhr.status === 409) return (held = null); // both versions are kept, the page says how to settle it
    if (!(xhr.status >= 200 && xhr.status < 300)) return later("unsaved");
    tries = 0;
    if (!typed) letGo();
    const button = held;
    held = null;
    if (button) setTimeout(() => draft.requestSubmit(button)); // once htmx has let go
  };

  const watch = () => {
    const write = (event) => {
      if (event.target.id === "find") return;
      typed = true;
      keep();
    };
    draft.addEventListener("input", write);
    draft.addEventListener("change", write);
    // The page goes: what is not under way is sent so that it outlives the page.
    window.addEventListener("pagehide", () => {
      if (!typed || sent) return;
      const body = new URLSearchParams(new FormData(draft));
      body.set("csrfmiddlewaretoken", token());
      fetch(draft.action, { method: "POST", body, keepalive: true, redirect: "manual" }).catch(() => {});
    });
    window.addEventListener("beforeunload", (event) => {
      if (typed && tries && !sent) event.preventDefault(); // the server did not answer: it would only be in this tab
    });
    // Whoever comes back, from no network or from logging in elsewhere: what is unsaved is tried at once.
    for (const back of ["focus", "online"]) window.addEventListener(back, () => typed && tries && store());
    comeBack();
  };

  const elsewhere = ({ xhr, requestConfig }) =>
    Boolean(xhr.responseURL) &&
    new URL(xhr.responseURL).pathname !== new URL(requestConfig.path, location).pathname;

  // Nothing saves itself behind a page that was sent: the two would meet on the server in any order.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt !== draft) return;
    if (sent) return event.preventDefault();
    going = true;
    typed = false;
  });
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, headers, parameters } = event.detail;
    if (token()) headers["X-CSRFToken"] = token(); // logged in again in another tab: it is a new one
    if (elt !== draft) return;
    if (token()) parameters.csrfmiddlewaretoken = token();
    // htmx takes address and value of the button that has the focus: a save would propose or delete the draft.
    event.detail.path = draft.getAttribute("hx-post");
    parameters.version = draft.querySelector('input[name="version"]').value;
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = event.detail;
    if (elsewhere(event.detail)) {
      event.detail.shouldSwap = false; // the log-in page came instead
      if (draft) say("loggedOut");
    } else if (target.id === "beside") {
      const gone = (field) => field.value.trim() && !xhr.responseText.includes(`id="${field.id}"`);
      [...target.querySelectorAll(REASON)].filter(gone).forEach(keepReason);
    }
  });
  document.addEventListener("htmx:afterSwap", (event) => event.target.id === "beside" && backToReasons());
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt === draft) answered(event.detail.xhr, elsewhere(event.detail));
  });
  document.addEventListener("submit", (event) => {
    if (event.target === draft && (going || typed) && event.submitter?.name !== "version") {
      event.preventDefault(); // first what was typed, then what was pressed: a save that fails leads nowhere
      held = event.submitter;
      if (!going) store();
      return;
    }
    if (event.target === draft) keep();
    sent = true;
  });

  // A document that was found becomes a required item, on a line of its own; Ctrl+Z takes it out again.
  document.addEventListener("click", (event) => {
    const found = event.target.closest("[data-add]");
    const field = document.getElementById("id_evidence");
    if (!found || !field) return;
    const { length } = field.value;
    field.focus();
    if (field.value.split("\n").some((line) => line.trim() === found.dataset.add)) return;
    field.setSelectionRange(length, length);
    const line = (field.value && !field.value.endsWith("\n") ? "\n" : "") + found.dataset.add;
    if (!document.execCommand("insertText", false, line)) field.setRangeText(line, length, length, "end");
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });

  if (draft) watch();
}
