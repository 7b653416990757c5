// Marking words: the document's own selection, moved by mouse or word by word with the arrow keys, becomes a span.
// Offsets are code points in the stored text; the numbers inside marks are no part of it.
{
  const turns = () => [...document.querySelectorAll("#work [data-turn]")];
  const rtl = (turn) => getComputedStyle(turn).direction === "rtl";

  // The selection in code points, and the first and the last word that the keys took; it outlives a swap.
  let at = null; // {turn, start, end, tail, head}

  const textOf = (node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll("sup").forEach((number) => number.remove());
    return copy.textContent;
  };

  const offset = (turn, node, within) => {
    const range = document.createRange();
    range.selectNodeContents(turn);
    range.setEnd(node, within);
    return [...textOf(range.cloneContents())].length;
  };

  const point = (turn, wanted) => {
    const walker = document.createTreeWalker(turn, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement.closest("sup") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    let left = wanted;
    let last = [turn, 0];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const letters = [...node.data];
      if (left <= letters.length) return [node, letters.slice(0, left).join("").length];
      left -= letters.length;
      last = [node, node.data.length];
    }
    return last;
  };

  // Words are the stops of the keys; marks of punctuation on their own are none, signs such as % and emoji are.
  const wordsOf = (turn) => {
    const text = textOf(turn);
    const pieces = Intl.Segmenter
      ? [...new Intl.Segmenter(document.documentElement.lang, { granularity: "word" }).segment(text)]
      : [...text.matchAll(/\s+|[^\s]+/gu)].map((found) => ({ segment: found[0] }));
    const words = [];
    let start = 0;
    for (const { segment } of pieces) {
      const end = start + [...segment].length;
      if (/[\p{L}\p{N}\p{S}%]/u.test(segment)) words.push([start, end]);
      start = end;
    }
    return words;
  };

  const read = () => {
    const selection = getSelection();
    if (!selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    for (const turn of turns()) {
      if (!range.intersectsNode(turn)) continue;
      const { startContainer, startOffset, endContainer, endOffset } = range;
      const start = turn.contains(startContainer) ? offset(turn, startContainer, startOffset) : 0;
      const end = turn.contains(endContainer)
        ? offset(turn, endContainer, endOffset)
        : [...textOf(turn)].length;
      if (start < end || range.collapsed) return { turn: Number(turn.dataset.turn), start, end };
    }
    return null;
  };

  const show = () => {
    const turn = turns()[at.turn];
    getSelection().setBaseAndExtent(...point(turn, at.start), ...point(turn, at.end));
    turn.scrollIntoView({ block: "nearest" });
  };

  const chosen = () => (at ? [...textOf(turns()[at.turn])].slice(at.start, at.end).join("") : "");

  const hint = (text) => {
    document.getElementById("selected").textContent = text;
  };

  document.addEventListener("selectionchange", () => {
    const found = read();
    if (!found || (at && found.turn === at.turn && found.start === at.start && found.end === at.end)) return;
    const words = wordsOf(turns()[found.turn]);
    const tail = Math.max(0, words.findIndex(([, end]) => end > found.start));
    const head = Math.max(tail, words.findLastIndex(([start]) => start < found.end));
    at = { ...found, tail, head };
    if (found.start < found.end) hint(`“${chosen()}”`);
  });

  const go = (turn, tail, head) => {
    const words = wordsOf(turns()[turn]);
    if (!words.length) return;
    const [from, to] = [Math.min(tail, head), Math.max(tail, head)];
    at = { turn, tail, head, start: words[from][0], end: words[to][1] };
    show();
    hint(`“${chosen()}”`);
  };

  const sideways = (step, extend) => {
    const turn = at?.turn ?? turns().length - 1;
    const last = wordsOf(turns()[turn]).length - 1;
    if (!at) return go(turn, step > 0 ? 0 : last, step > 0 ? 0 : last);
    const started = at.start < at.end; // a bare caret takes its own word first
    const head = Math.min(last, Math.max(0, at.head + (started ? step : 0)));
    go(turn, extend ? at.tail : head, head);
  };

  const openRow = () => {
    const node = getSelection().anchorNode;
    const mark = node && (node.parentElement.closest("mark") || node.nextSibling?.closest?.("mark"));
    const number = mark?.dataset.rows.split(" ").at(-1);
    const details = number && document.querySelectorAll("#work .row details")[Number(number) - 1];
    if (!details) return false;
    details.querySelector("summary").focus();
    details.open = true;
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const box = event.target.matches('[type="checkbox"], [type="radio"]');
    if (!box && event.target.closest("input, textarea, select, [contenteditable]")) return;
    const turn = turns()[at?.turn ?? turns().length - 1];
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      event.preventDefault();
      sideways((event.key === "ArrowRight") === rtl(turn) ? -1 : 1, event.shiftKey);
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const wanted = Number(turn.dataset.turn) + (event.key === "ArrowDown" ? 1 : -1);
      if (!turns()[wanted]) return; // nothing there: the page may scroll
      event.preventDefault();
      go(wanted, 0, 0);
    } else if (event.key === "Enter" && !box && !event.target.closest("button, summary, a")) {
      if (openRow()) event.preventDefault();
    }
  });

  document.addEventListener("focusin", (event) => {
    const turn = event.target.closest?.("[data-turn]");
    if (turn && turn.matches(":focus-visible") && at?.turn !== Number(turn.dataset.turn)) {
      go(Number(turn.dataset.turn), 0, 0);
    }
  });

  document.addEventListener("back-to-words", () => {
    if (at) show();
    turns()[at?.turn ?? turns().length - 1].focus({ preventScroll: true });
  });

  // A press on a kind's button must not take the selection away before it is read.
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[data-mark]")) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-mark]");
    if (!button) return;
    if (!at || at.start === at.end) return hint(document.getElementById("selected").dataset.none);
    const fields = document.getElementById("mark").elements;
    fields.kind.value = button.dataset.mark;
    fields.turn.value = at.turn;
    fields.start.value = at.start;
    fields.end.value = at.end;
    fields.words.value = chosen();
    button.form.requestSubmit();
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    const shown = event.target.id === "work" && at && at.start < at.end;
    if (shown && !event.target.querySelector("[data-fresh]")) show();
  });
}
