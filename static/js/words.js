// Marking words: the document's own selection, moved by mouse, word by word with the arrow keys, or letter by letter with
// Alt, becomes a span. Offsets are code points in the stored text; the numbers inside marks are no part of it. No border
// ever falls inside what a reader takes for one letter (a grapheme: an accent stays with its letter, an emoji is whole).
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

  const letters = (text) =>
    Intl.Segmenter
      ? [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map(({ segment }) => segment)
      : (text.match(/\r\n|\P{M}(?:[\p{M}\p{EMod}]|\u200d\P{M})*|\p{M}+/gu) ?? []);

  // Where a mark may begin or end.
  const bordersOf = (turn) => {
    const borders = [0];
    for (const letter of letters(textOf(turn))) borders.push(borders.at(-1) + [...letter].length);
    return borders;
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
      if (start === end && !range.collapsed) continue;
      const borders = bordersOf(turn);
      return {
        turn: Number(turn.dataset.turn),
        start: borders.findLast((border) => border <= start),
        end: start === end ? borders.findLast((border) => border <= start) : borders.find((border) => border >= end),
      };
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
    at = withWords(found);
    if (found.start < found.end) hint(`“${chosen()}”`);
  });

  // The first and the last word that a selection touches: from there the arrows go on.
  const withWords = (found) => {
    const words = wordsOf(turns()[found.turn]);
    const tail = Math.max(0, words.findIndex(([, end]) => end > found.start));
    const head = Math.max(tail, words.findLastIndex(([start]) => start < found.end));
    return { ...found, tail, head };
  };

  // One letter more or less at the end of what is selected, or at its start; one letter always stays.
  const letterwise = (step, atStart) => {
    if (!at) return;
    const borders = bordersOf(turns()[at.turn]);
    const { turn, start, end } = at;
    const from = borders.indexOf(atStart ? start : end);
    const wanted = borders[from + step];
    if (wanted === undefined || (atStart ? wanted >= end : wanted <= start)) return;
    at = withWords(atStart ? { turn, start: wanted, end } : { turn, start, end: wanted });
    show();
    hint(`“${chosen()}”`);
  };

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
    desk.goIn(details);
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || desk.choosing()) return;
    if (event.altKey && !event.key.startsWith("Arrow")) return;
    if (document.querySelector("dialog[open]")) return;
    const box = event.target.matches('[type="checkbox"], [type="radio"]');
    if (!box && event.target.closest("input, textarea, select, [contenteditable]")) return;
    const turn = turns()[at?.turn ?? turns().length - 1];
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      event.preventDefault();
      const step = (event.key === "ArrowRight") === rtl(turn) ? -1 : 1;
      if (event.altKey) letterwise(step, event.shiftKey);
      else sideways(step, event.shiftKey);
    } else if (event.altKey) {
      return;
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

  // Others, such as the suggestions, select words through here, so that the arrows go on from there.
  document.addEventListener("select-words", (event) => {
    const { turn, start, end } = event.detail;
    if (!turns()[turn]) return;
    at = withWords({ turn, start, end });
    show();
    hint(`“${chosen()}”`);
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
    if (shown && !document.activeElement.matches(desk.TYPED)) show();
  });
}
