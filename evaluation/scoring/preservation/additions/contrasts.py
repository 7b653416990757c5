"""Comparisons that the request does not make: "versus unfinished shafts", "than in Hungary"."""

from collections.abc import Iterator

from evaluation.records import Addition
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.additions.known import Known
from evaluation.scoring.preservation.additions.listed import hits
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.text import Text

WHY = "The request makes no such comparison."
_REACH = 4
_MORE = ("more", "less", "fewer")
_PLACED = ("in", "at", "on", "for", "among", "with")
_BOUNDING = ("more", "fewer", "less", "later", "earlier", "older", "younger", "above", "below",
             "over", "under", "higher", "lower", "not")  # fmt: skip


def in_queries(reading: Reading, known: Known) -> Iterator[Addition]:
    if any(c.kind == "comparison" for c in reading.contract.constraints) or _compares(known):
        return
    for text in reading.queries:
        for hit in hits("contrasts", text):
            if hit.first == 0:
                continue
            end = _other_side(text, hit, known)
            if end:
                first = hit.first - (hit.meaning == "than")
                yield Addition("comparison", text.quote(max(0, first), end), WHY)


def _compares(known: Known) -> bool:
    """Whether the request compares or chooses itself."""
    return any(
        hits("comparing", text)
        or any(_sets_apart(text, hit) for hit in hits("contrasts", text))
        or any(
            w.text in ("better", "prefer") or _offers(text, at) for at, w in enumerate(text.words)
        )
        for text in known.asked
    )


def _offers(text: Text, at: int) -> bool:
    """Whether an "or" offers two things ("A or B"); "2 or fewer" bounds. So do "better" and
    "prefer"."""
    if text.words[at].text in ("better", "prefer"):
        return True
    following = text.words[at + 1].text if at + 1 < len(text) else ""
    return text.words[at].text == "or" and following not in _BOUNDING


def _sets_apart(text: Text, hit: lexicon.Found) -> bool:
    """Whether a word of contrast compares: in "more than 300" it only bounds."""
    bounds = hit.end < len(text) and (
        text.words[hit.end].is_number or text.words[hit.end].text in lexicon.table("numbers")
    )
    return not (hit.meaning == "than" and bounds)


def _other_side(text: Text, hit: lexicon.Found, known: Known) -> int:
    """Where the other side of a comparison ends, or 0 where it is no thing that the request lacks.
    After "than" a number is a bound and "expected" no thing."""
    stop = lexicon.words("stopwords")
    if hit.meaning == "than" and not _compared(text, hit):
        return 0
    end, fresh = hit.end, False
    while end < min(hit.end + _REACH, len(text)):
        word = text.words[end]
        if any(sign in word.gap for sign in ",;.:?!()") or word.is_number and end == hit.end:
            break
        plain = word.text.isalpha() and word.text not in stop
        if hit.meaning == "than" and plain and not fresh and not _thing(text, hit.end, end):
            return 0
        fresh |= plain and not known.says_plainly(word.stem)
        end += 1
        if plain and end < len(text) and text.words[end].text in stop:
            break
    return _with_place(text, end) if fresh else 0


def _with_place(text: Text, end: int) -> int:
    """Where "other mills in Kent" ends: the place belongs to the other side."""
    if end < len(text) and text.words[end].text in ("in", "at", "of", "near"):
        end += 1
        while end < len(text) and text.words[end].capital and not text.words[end].gap:
            end += 1
    return end


def _compared(text: Text, hit: lexicon.Found) -> bool:
    """ "higher than", "more expensive than", "more bugs in Varn than in Kelz"."""
    if text.words[hit.first - 1].text.endswith("er"):
        return True
    if hit.first > 1 and text.words[hit.first - 2].text in _MORE:
        return True
    after = text.words[hit.end].text if hit.end < len(text) else ""
    before = text.words[max(0, hit.first - 8) : hit.first]
    return after in _PLACED and any(
        one.text in _MORE and any(two.text == after for two in before[at:])
        for at, one in enumerate(before)
    )


def _thing(text: Text, first: int, at: int) -> bool:
    """Whether what follows "than" is surely a thing: a name, or "in …", "the …", "that of …"."""
    opened = first < at and text.words[first].text in ("in", "the", "those", "that", "a", "an")
    return text.words[at].capital or opened
