// The desk: its keys, and the state of the draft. What is typed is saved by htmx; nothing here decides anything.
{
  const FIELD = "input, textarea, select, [contenteditable]";
  const work = document.getElementById("work");

  const say = (what) => {
    const line = document.getElementById("save-state");
    line.textContent = line.dataset[what];
    line.classList.toggle("refused", what !== "unsaved");
  };

  // The server's clock is shown in the reader's own time zone.
  const showClock = () => {
    for (const time of document.querySelectorAll("time[data-clock]")) {
      time.textContent = new Date(time.dateTime).toLocaleTimeString([], { hour12: false });
    }
  };

  const backToWords = () => document.dispatchEvent(new CustomEvent("back-to-words"));

  /* Keys */

  const onward = (field) => {
    const fields = [...field.form.elements].filter((one) => one.matches(FIELD) && one.type !== "hidden");
    const following = fields[fields.indexOf(field) + 1];
    if (following) return following.focus();
    field.blur();
    backToWords();
  };

  const keyInField = (event, field) => {
    if (event.key === "Escape") {
      event.preventDefault();
      field.blur();
      field.closest("details.aside")?.removeAttribute("open");
      backToWords();
    } else if (event.key === "Enter" && field.closest("form.value") && !field.matches("textarea")) {
      event.preventDefault();
      onward(field);
    }
  };

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      document.activeElement.blur(); // a field that was just typed in saves before the seal
      if (!event.repeat) document.querySelector("[data-final]")?.click();
      return;
    }
    const field = event.target.closest(FIELD);
    if (field) return keyInField(event, field);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = CSS.escape(event.key.toLowerCase());
    const control = document.querySelector(`[data-shortcut="${key}"], [data-digit="${key}"]`);
    if (!control) return;
    event.preventDefault();
    if (event.repeat) return;
    if (control.matches("summary")) control.focus();
    control.click();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest('[data-shortcut="?"]')) document.getElementById("keys").showModal();
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("#ambiguity input:checked")) {
      event.target.form.querySelector("textarea").focus();
    }
  });

  document.addEventListener(
    "toggle",
    (event) => {
      // Only who opened it wants to go in; a row that is open again after a swap takes no focus.
      if (event.target.matches("details[open]") && event.target.contains(document.activeElement)) {
        event.target.querySelector(`form :is(${FIELD}):not([type="hidden"])`)?.focus();
      }
    },
    true,
  );

  /* The draft: "typed" until a save is under way, "sent" until the server says that it is kept */

  document.addEventListener("input", (event) => {
    const draft = event.target.closest("[data-draft]");
    if (!draft) return;
    draft.dataset.dirty = "typed";
    say("unsaved");
  });

  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, headers, parameters } = event.detail;
    if (elt.dataset.dirty) elt.dataset.dirty = "sent";
    // Whoever logged in again in another tab has a new token; what they typed here must still be saved.
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
    if (!token) return;
    headers["X-CSRFToken"] = token;
    parameters.csrfmiddlewaretoken = token;
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    // A field that could not be saved must not be sealed without what was typed in it.
    const form = event.detail.elt;
    const unsaved = [...document.querySelectorAll("[data-dirty]")].some((one) => !form.contains(one));
    if (form.id === "seal" && unsaved) event.preventDefault();
  });

  document.addEventListener("draft-saved", (event) => {
    if (event.target.dataset.dirty === "sent") delete event.target.dataset.dirty;
    for (const input of document.querySelectorAll('input[name="version"]')) {
      input.value = event.detail.version;
    }
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr } = event.detail;
    if (xhr.status >= 200 && xhr.status < 300 && work.querySelector('[data-dirty="typed"]')) say("unsaved");
  });

  document.addEventListener("htmx:sendError", (event) => {
    const { elt } = event.detail;
    say("offline");
    setTimeout(() => {
      if (elt.isConnected) htmx.trigger(elt, elt.matches("[data-draft]") ? "change" : "submit");
    }, 3000);
  });
  document.addEventListener("htmx:responseError", () => say("failed"));
  document.addEventListener("htmx:oobAfterSwap", showClock);

  // Whoever comes back from another tab, perhaps from logging in there: what is unsaved is tried again.
  window.addEventListener("focus", () => {
    for (const draft of document.querySelectorAll("[data-dirty]")) htmx.trigger(draft, "change");
  });

  window.addEventListener("beforeunload", (event) => {
    const leaving = document.querySelector("[data-dirty]");
    if (leaving && !leaving.closest("#seal")) event.preventDefault();
  });

  /* When the whole work is shown anew: what was typed meanwhile, and the row that was open, stay */

  let kept = [];
  let open = "";

  const values = (form) => [...form.elements].map((one) => [one.name, one.value, one.checked]);
  const restore = (form, were) => {
    for (const [name, value, checked] of were) {
      const field = form.elements.namedItem(name);
      if (!field || ["version", "csrfmiddlewaretoken"].includes(name)) continue;
      field.value = value;
      field.checked = checked;
    }
    form.dataset.dirty = "typed";
  };

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, pathInfo } = event.detail;
    if (new URL(xhr.responseURL).pathname !== new URL(pathInfo.finalRequestPath, location).pathname) {
      event.detail.shouldSwap = false; // the log-in page came instead
      return say("loggedOut");
    }
    open = work.querySelector("details[data-key][open]")?.dataset.key ?? "";
    kept = [...work.querySelectorAll("form[data-dirty]")].map((form) => [form.id, values(form)]);
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target !== work) return;
    htmx.process(work); // at once: a fast hand does not wait until htmx settles
    kept = kept.filter(([id]) => document.getElementById(id)); // its row may be gone
    for (const [id, were] of kept) restore(document.getElementById(id), were);
    const fresh = work.querySelector(`[data-fresh] :is(${FIELD}):not([type="hidden"])`);
    if (fresh) {
      fresh.closest("details").open = true; // rows exclude each other, the one before was still there
      fresh.focus();
      fresh.select?.();
    } else if (open) {
      work.querySelector(`details[data-key="${open}"]`)?.setAttribute("open", "");
    }
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target !== work) return;
    for (const [id] of kept) htmx.trigger(`#${id}`, "change");
    kept = [];
  });

  showClock();
}
