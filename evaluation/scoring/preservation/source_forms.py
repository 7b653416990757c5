"""Other wordings of the source asked for: a twin of its noun, a word put into it."""

import re
from collections.abc import Iterable
from functools import lru_cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.text import Text, find_run, read_text
from evaluation.scoring.preservation.wording import content, content_roots

# Codes of forms that firms file: 10-K, 8-K, 20-F.
_CODE = re.compile(r"\b(\d{1,2})-([A-Za-z])\b")


@lru_cache(maxsize=1_000)
def twin_forms(form: str) -> tuple[str, ...]:
    """Return a source of several words with each twin of its last noun, "police files" for "police
    records", under its other names, "news release" for "press release", or turned round."""
    text, table = read_text(form), lexicon.table("source_twins")
    if named := lexicon.phrases("same_sources").starting_at(text, 0):
        if named.end == len(text):
            return tuple(
                " ".join(words)
                for words, group in lexicon.phrases("same_sources").entries
                if group == named.meaning and words != tuple(word.text for word in text.words)
            )
    if len(text) > 2 and text.words[1].text in ("with", "of", "by", "from"):
        rest = form[text.words[2].start :].removeprefix("the ")
        return (f"{rest} {text.words[0].raw}",)  # "nurse interviews" for "interviews with nurses"
    if len(content(text)) < 2 or content(text)[-1] != len(text) - 1:
        return ()
    last = text.words[-1]
    groups = set(table.get(last.stem, "").split())
    others = [one for one, names in table.items() if groups & {*names.split()} - {""}]
    return tuple(form[: last.start] + one for one in others if one != last.stem)


def other_form(forms: Iterable[str], texts: Iterable[Text]) -> str:
    """The code of another filed form ("10-Q" or "8-K" for "10-K"), where the one asked for has a
    code and stands nowhere; or ""."""
    own = {code for form in forms for code in _codes(form)}
    found = [(one, (number, letter)) for text in texts for one, number, letter in _quoted(text)]
    if not own or any(code in own for _, code in found):
        return ""
    numbers, letters = {number for number, _ in own}, {letter for _, letter in own}
    return next((q for q, code in found if code[0] in numbers or code[1] in letters), "")


def _codes(form: str) -> list[tuple[str, str]]:
    return [(number, letter) for _, number, letter in _quoted(read_text(form))]


def _quoted(text: Text) -> list[tuple[str, str, str]]:
    return [(hit[0], hit[1], hit[2].upper()) for hit in _CODE.finditer(text.raw)]


def filled_runs(text: Text, form: str) -> list[tuple[int, int]]:
    """Where a source stands with a harmless word or a year put into it ("council meeting minutes",
    "audited 2019 accounts"): first word and end."""
    fillers = lexicon.words("source_fillers")
    places = [
        at for at in content(text) if text.words[at].text not in fillers and not _year(text, at)
    ]
    wanted = content_roots(read_text(form))
    if len(wanted) < 2 or len(places) == len(content(text)):
        return []
    found = find_run([text.roots[at] for at in places], wanted)
    return [(places[at], places[at + len(wanted) - 1] + 1) for at in found]


def _year(text: Text, at: int) -> bool:
    raw = text.words[at].raw
    return len(raw) == 4 and raw.isdecimal() and raw[:2] in ("17", "18", "19", "20")
