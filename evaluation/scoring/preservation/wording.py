"""How a constraint may be worded, and whether words of a text are denied or left out."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.text import Text, find_run, near, read_text, root, stem

# How many words a negation reaches forward, articles and the like not counted.
REACH = 3
_KNOWN_LISTS = (
    "fillers", "openers", "operators_vocabulary",
    "negations", "exclusions", "exclusions_after", "units", "currencies",
    "scales", "months", "numbers", "sources", "comparing", "time_before", "time_after",
    "relative_time", "operators_before", "operators_after", "orders",
)  # fmt: skip
# Words whose roots are those of others by accident ("not", "note").
_KNOWN_SMALL = ("not", "no", "non", "on", "one", "use", "used")
_BEING = ("is", "are", "was", "were", "be", "been", "being", "for")
_SETTING = ("set", "sets", "setting", "put", "puts", "putting", "lay", "lays", "laid")
# Exclusions that end in a full stop which ends no sentence.
_ABBREVIATED = ("excl", "exc")
_CLAUSE_ENDS = (",", ";", ".", ":", "?", "!", "(", ")")


def content(text: Text) -> list[int]:
    """Return the indexes of the words that carry meaning. An acronym is never a stop word
    ("IT")."""
    stop = lexicon.words("stopwords")
    return [
        i
        for i, word in enumerate(text.words)
        if word.text not in stop or (len(word.raw) > 1 and word.raw.isupper())
    ]


def content_roots(text: Text) -> list[str]:
    return [text.roots[i] for i in content(text)]


@lru_cache(maxsize=4_000)
def trimmed(form: str) -> Text:
    """Return a form without a leading article."""
    text = read_text(form)
    if len(text) > 1 and text.words[0].text in ("the", "a", "an"):
        return read_text(form[text.words[1].start :])
    return text


def occurrences(texts: Iterable[Text], forms: Iterable[str]) -> Iterator[tuple[Text, int, int]]:
    """Yield where a form stands in a text, by its words up to plurals: text, first word, end."""
    held = list(forms)
    for text in texts:
        for form in held:
            words = trimmed(form)
            for at in text.find(words):
                yield text, at, at + len(words)


def traces(reading: Reading, words: Iterable[str]) -> str:
    """Return the first emitted word with the root of, or one slip from, any of the words; else
    ""."""
    wanted = {root(stem(word)) for word in words}
    for text in (*reading.queries, *(item.text for item in reading.filters)):
        for at, found in enumerate(text.roots):
            if text.words[at].text in _KNOWN_SMALL:
                continue
            if found in wanted or (
                found not in reading.known_roots
                and any(near(text.words[at].stem, one) for one in words)
            ):
                return text.quote(at, at + 1)
            if any(_shares_start(found, one) for one in wanted):
                return text.quote(at, at + 1)
    return ""


def _shares_start(one: str, other: str) -> bool:
    """Derived words ("possible", "possibility") share at least five letters, and more than half
    of the longer one; "contract" and "control" do not."""
    if one[:5] != other[:5] or min(len(one), len(other)) < 5:
        return False
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return shared is None or 2 * shared > max(len(one), len(other))


def novel_words(reading: Reading, extra: Iterable[str] = ()) -> list[str]:
    """Return the emitted content words that neither request, turns nor contract have. Where there
    are any, a paraphrase that no list knows is possible."""
    known = set(reading.known_roots)
    for constraint in reading.contract.constraints:
        for form in (*constraint.admissible, *_value_words(constraint)):
            known.update(read_text(form).roots)
    known.update(root(stem(word)) for word in extra)
    ignored = known_vocabulary()
    slips: dict[str, bool] = {}

    def may_be_a_slip(one: str) -> bool:
        if one not in slips:
            slips[one] = any(near(one, other) for other in known)
        return slips[one]

    return [
        text.words[at].raw
        for text in reading.queries
        for at in content(text)
        if text.roots[at] not in known
        and not text.words[at].is_number
        and text.words[at].text not in ignored
        and text.words[at].stem not in ignored
        and text.words[at].text.isalpha()
        and not may_be_a_slip(text.roots[at])
    ]


@cache
def known_vocabulary() -> frozenset[str]:
    """Words whose meaning the lists know: they paraphrase nothing that a list does not."""
    known: set[str] = set()
    for name in _KNOWN_LISTS:
        known.update(word for words, _ in lexicon.phrases(name).entries for word in words)
    return frozenset(known)


def _value_words(constraint: ConstraintTerms) -> Iterator[str]:
    for value in constraint.value.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from (item for item in value if isinstance(item, str))


def denied(text: Text, first: int, end: int) -> str:
    """Return the quote of the negation or exclusion that covers words `first` up to `end`, or
    ""."""
    if excluded_by_sign(text, first):
        return text.quote(first, end)
    return _denied_before(text, first, ("negations", "exclusions")) or _denied_after(text, end)


def denies(reading: Reading, text: Text, first: int, end: int) -> str:
    """Return what `denied` does, but for a negation that is spent on the target of a polarity
    constraint, or on a status, before it reaches the words: "no sprinkler, fire log"."""
    found = denied(text, first, end)
    if not found or excluded_by_sign(text, first):
        return found
    cues = cues_before(text, first)
    if not cues:
        return found
    targets = {
        one
        for constraint in reading.contract.constraints
        if constraint.kind in ("polarity", "status")
        for form in (
            constraint.value.get("target"),
            constraint.value.get("value"),
            *(constraint.value.get("rivals") or ()),
        )
        for one in content_roots(read_text(str(form or "")))
    }
    spent = targets & set(text.roots[cues[0].end : first])
    return (_denied_after(text, end) if spent else "") or ("" if spent else found)


def excluded_by_sign(text: Text, first: int) -> bool:
    """Whether a minus sign stands right before a word ("-Tokaj"), as search engines exclude."""
    before = text.raw[max(0, text.words[first].start - 3) : text.words[first].start]
    return re.search(r"(?:^|[\s(])[-−–][\"“(]?$", before) is not None


def opens_line(text: Text, first: int) -> bool:
    """Whether a word is the first of its line, where a minus sign may be the dash of a list."""
    line = text.raw[: text.words[first].start].rpartition("\n")[2]
    return not any(sign.isalnum() for sign in line)


def cues_before(text: Text, first: int) -> list[lexicon.Found]:
    """The negations and exclusions within reach before a word, nearest first. Two of them
    cancel."""
    return _cues_before(text, first, ("negations", "exclusions"))


def _denied_before(text: Text, first: int, names: tuple[str, ...]) -> str:
    cues = _cues_before(text, first, names)
    return text.quote(cues[0].first, first + 1) if cues else ""


def _cues_before(text: Text, first: int, names: tuple[str, ...]) -> list[lexicon.Found]:
    """The cues within reach before a word, nearest first, none beyond the end of a clause."""
    stop, spent, place = lexicon.words("stopwords"), 0, first
    cues: list[lexicon.Found] = []
    while place > 0 and spent <= REACH:
        gap = text.words[place].gap if place < len(text) else ""
        ended = any(sign in gap for sign in _CLAUSE_ENDS)
        if ended and not (gap.strip() == "." and text.words[place - 1].text in _ABBREVIATED):
            break
        if text.words[place - 1].text in lexicon.words("turns") and not any(
            lexicon.phrases(name).ending_at(text, place) for name in names
        ):
            if place > 1 and text.words[place - 2].text in lexicon.words("indefinites"):
                # "nobody but", "anywhere but" leave out; any other "but" begins a new thought.
                cues.append(lexicon.Found(place - 1, place, ""))
                place -= 1
                continue
            break
        hits = [hit for name in names if (hit := lexicon.phrases(name).ending_at(text, place))]
        if hits:
            hit = max(hits, key=lambda found: found.end - found.first)
            # "non-galvanised tanks" denies the next word only, "no more than 3" no word at all.
            narrow = text.words[hit.first].text in ("non", "un") and hit.end != first
            if not narrow and not part_of_bound(text, hit):
                cues.append(hit)
            place = hit.first
            continue
        place -= 1
        spent += text.words[place].text not in stop
    return cues


def negator_before(text: Text, at: int, *kinds: str) -> lexicon.Found | None:
    """The negation that ends right before word `at`: one of the `kinds` of the list ("verb": "not",
    "never", "didn't"; "noun": "no"; "prefix": "non"), of any where none is given; or None."""
    hit = lexicon.phrases("negations").ending_at(text, at)
    return hit if hit and (not kinds or hit.meaning in kinds) else None


def part_of_bound(text: Text, hit: lexicon.Found) -> bool:
    """Whether a negation belongs to a bound: "no more than", "not exceeding"."""
    if text.words[hit.first].text not in ("no", "not", "never"):
        return False
    following = [word.text for word in text.words[hit.end : hit.end + 2]]
    if following == ["other", "than"]:
        return False
    return following[1:] == ["than"] or following[:1] in (
        ["exceeding"], ["over"], ["above"], ["under"], ["below"]
    )  # fmt: skip


def merely_free(text: Text, hit: lexicon.Found) -> bool:
    """Whether "free" says what something is ("parking is free") and not what it lacks."""
    before = text.words[hit.first - 1].text if hit.first else ""
    return text.words[hit.first].text == "free" and before in _BEING


def _denied_after(text: Text, end: int) -> str:
    for place in range(end, min(end + 3, len(text))):
        if any(sign in text.words[place].gap for sign in (";", ".", "?", "!", ",")):
            return ""
        hit = lexicon.phrases("exclusions_after").starting_at(text, place)
        if hit and hit.end - hit.first == 1 and text.words[place - 1].text in _SETTING:
            continue  # "sets aside", "set free"
        if hit and merely_free(text, hit):
            continue
        if hit and place > end and text.words[place].gap == "-":
            continue  # "in 2014, pesticide-free fields"
        if hit:
            return text.quote(end - 1, hit.end)
    return ""


def has_cue(text: Text) -> bool:
    """Whether anything in a text denies or leaves out."""
    names = ("negations", "exclusions", "exclusions_after")
    return any(next(lexicon.phrases(name).all_in(text), None) for name in names)


def without_prefix(word: str) -> str:
    """Return the root of a word without "un-", "non-", "dis-"…, or "" where it has none."""
    for prefix in sorted(lexicon.words("negating_prefixes"), key=len, reverse=True):
        if word.startswith(prefix) and len(word) - len(prefix) >= 4:
            return root(word[len(prefix) :])
    return ""


def all_present(text: Text, roots: Iterable[str]) -> bool:
    held = set(text.roots)
    return all(one in held for one in roots)


def runs(text: Text, form: str) -> list[int]:
    """Where a form's content stands in a text in its order, loosely, stop words skipped."""
    places = content(text)
    found = find_run([text.roots[i] for i in places], content_roots(read_text(form)))
    return [places[i] for i in found]
