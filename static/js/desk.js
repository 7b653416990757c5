// The desk: its keys, and the state of the draft. What is typed is saved by htmx; nothing here decides anything.
{
  const FIELD = "input, textarea, select, [contenteditable]";
  // Fields that take letters; on a box to tick the keys stay shortcuts.
  const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';
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

  /* What is typed while a mark is on its way belongs to its first field: it is no shortcut */

  let ahead = null;
  let marking = ""; // the kind
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "mark") return;
    ahead = "";
    marking = event.target.elements.kind.value;
  });
  // By then the new row has taken it; a mark that was refused or lost has no field.
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.pathInfo.requestPath.endsWith("/mark/")) ahead = null;
  });

  const keyAhead = (event) => {
    const mine = event.key.length === 1 || /^(Enter|Escape|Backspace|Arrow.*)$/.test(event.key);
    if (!mine || ((event.ctrlKey || event.metaKey) && event.key !== "Enter")) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // the arrows of words.js wait too
    if (event.key === "Backspace") ahead = ahead.slice(0, -1);
    if (event.key.length === 1) ahead += event.key;
  };

  // A mark that waited behind another save went with the form that the save replaced.
  const markAgain = () => {
    const typed = ahead;
    ahead = null;
    work.querySelector(`[data-mark="${marking}"]`).click();
    if (ahead !== null) ahead = typed; // it is on its way again
  };

  const typeAhead = (field, text) => {
    if (field.matches("select")) {
      const typed = text.trim().toLowerCase();
      const found = [...field.options].find((one) => typed && one.text.toLowerCase().startsWith(typed));
      if (!found) return;
      field.value = found.value;
    } else {
      field.value = text;
    }
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open]")) return;
    if (ahead !== null && !event.target.closest(TYPED)) return keyAhead(event);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      document.activeElement.blur(); // a field that was just typed in saves before the seal
      if (!event.repeat) document.querySelector("[data-final]")?.click();
      return;
    }
    const field = event.target.closest(FIELD);
    if (field?.matches(TYPED) || (field && ["Enter", "Escape"].includes(event.key))) {
      return keyInField(event, field);
    }
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

  let sealing = false;
  document.addEventListener("htmx:beforeRequest", (event) => {
    // A field that could not be saved must not be sealed without what was typed in it.
    const form = event.detail.elt;
    const unsaved = [...document.querySelectorAll("[data-dirty]")].some((one) => !form.contains(one));
    if (form.id !== "seal") return;
    if (unsaved || sealing) event.preventDefault();
    else sealing = true; // a second press waits for nothing: the page changes
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    if (elt.id === "seal" && !(xhr.status >= 200 && xhr.status < 300)) sealing = false;
  });
  // A page from the browser's memory can be sent again.
  window.addEventListener("pageshow", () => (sealing = false));

  // A refused seal leads to the first field that is wrong.
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.target.id !== "faults") return;
    const wrong = document.querySelector("#faults [data-row]")?.dataset;
    const row = wrong && work.querySelector(`details[data-key="${wrong.row}"]`);
    if (!row) return;
    row.open = true;
    (document.getElementById(`${wrong.row}-${wrong.field}`) ?? row.querySelector("summary")).focus();
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
  let removed = -1; // the place of the row that was removed

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
    const going = event.detail.requestConfig.elt.closest("[data-remove]")?.closest(".row");
    removed = [...work.querySelectorAll(".row")].indexOf(going);
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
      if (ahead) typeAhead(fresh, ahead);
    } else if (ahead !== null) {
      setTimeout(markAgain); // once htmx has let go of the save
      return;
    } else if (open) {
      work.querySelector(`details[data-key="${open}"]`)?.setAttribute("open", "");
    }
    ahead = null;
    if (removed < 0) return;
    const left = [...work.querySelectorAll(".row")];
    if (left.length) left[Math.min(removed, left.length - 1)].querySelector("summary").focus();
    else backToWords();
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target !== work) return;
    for (const [id] of kept) htmx.trigger(`#${id}`, "change");
    kept = [];
  });

  showClock();
}
