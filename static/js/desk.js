// What the scripts of the desk share: the page's own facts, its drafts, and the line that says how they stand.
// A page of work has #save-state, #conflict and #work; in #work, areas with data-draft save themselves, and every
// other form that htmx sends is an act. Two of these are never confused: the address each posts to is its own.
const desk = {
  FIELD: "input, textarea, select, [contenteditable]",
  // Fields that take letters; on a box to tick the keys stay shortcuts.
  TYPED: 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]',
  work: document.getElementById("work"),
  page: { ...document.getElementById("save-state").dataset }, // seat, account, active
  version: Number(document.querySelector('#work [name="version"]')?.value ?? 0),
  left: false, // the page is going: sealed, put aside, or logged out
  at: "", // the id of the element that an undo or a choice changed

  // What the line says; the server's own "saved 14:03:22" comes with its answer.
  say(what, wrong = true) {
    const line = document.getElementById("save-state");
    line.textContent = desk.page[what];
    line.classList.toggle("refused", wrong);
  },

  // Two versions stand side by side: nothing else goes on until one is chosen.
  choosing: () => document.querySelector("#conflict [data-choose]"),

  // The element that posts to an address: after a swap it is another one.
  posts(path) {
    const all = document.querySelectorAll("#work [hx-post], #conflict [hx-post]");
    return [...all].find((one) => one.getAttribute("hx-post") === path);
  },

  // Drafts by how they stand: "typed" until a save is under way, "sent" until the server says that it is kept,
  // "aside" when it kept it beside a newer version. Without a word: all that are not safe yet.
  drafts(how) {
    const wanted = (one) => (how ? one.dataset.dirty === how : ["typed", "sent"].includes(one.dataset.dirty));
    return [...document.querySelectorAll("#work [data-draft]")].filter(wanted);
  },

  form: (draft) => draft.closest("form"),
  values: (draft) => [...desk.form(draft).elements].map((one) => [one.name, one.value, one.checked ?? false]),

  restore(draft, were) {
    for (const [name, value, checked] of were) {
      const field = desk.form(draft).elements.namedItem(name);
      if (!field || !name || ["version", "csrfmiddlewaretoken"].includes(name)) continue;
      field.value = value;
      if ("checked" in field) field.checked = checked;
    }
    draft.dataset.dirty = "typed";
  },

  token: () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "",

  uuid() {
    if (crypto.randomUUID) return crypto.randomUUID(); // only where the page came over TLS or from this machine
    const hex = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0"));
    return `${hex.slice(0, 4).join("")}-${hex.slice(4, 6).join("")}-4${hex[6][1]}${hex[7]}-a${hex[8][1]}${hex[9]}-${hex.slice(10).join("")}`;
  },

  backToWords: () => document.dispatchEvent(new CustomEvent("back-to-words")),

  // The server's clock is shown in the reader's own time zone.
  showClock() {
    for (const time of document.querySelectorAll("time[data-clock]")) {
      time.textContent = new Date(time.dateTime).toLocaleTimeString([], { hour12: false });
    }
  },
};

document.addEventListener("htmx:afterSwap", desk.showClock);
document.addEventListener("htmx:oobAfterSwap", desk.showClock);
desk.showClock();
