"""What has come to an end: "stopped grinding" for "no longer grind"."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Finding, stated
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import all_present, has_cue

_NO_LONGER = (("no", "longer"), ("any", "longer"), ("any", "more"), ("anymore",))
_ENDED = (("stopped",), ("ceased",), ("discontinued",), ("given", "up"), ("gave", "up"))
# With one of these it has not come to its end, or not for sure.
_NOT_YET = frozenset(
    "will would may might could should shall almost nearly temporarily briefly soon about if "
    "before until till unless since again".split()
)


def ended(text: Text, roots: list[str], asked: str) -> Finding | None:
    """For a request that says "no longer": the target stands right after "stopped", "ceased" or
    "given up", and nothing else denies or puts it off."""
    if not _has(read_text(asked), _NO_LONGER) or has_cue(text) or not all_present(text, roots):
        return None
    words = [word.text for word in text.words]
    if _NOT_YET & set(words):
        return None
    first = text.roots.index(roots[0])
    last = max(at for at, one in enumerate(text.roots) if one in roots)
    place = first - (words[first - 1 : first] == ["to"])
    for phrase in _ENDED:
        begin = place - len(phrase)
        if begin >= 0 and tuple(words[begin:place]) == phrase and last - first < 2 * len(roots):
            return stated(text.quote(begin, last + 1), "What is denied has come to an end.")
    return None


def over_in_other_words(text: Text, known: Text) -> str:
    """The words that may say that something is over, and that the request lacks: "used to"; or
    ""."""
    for hit in lexicon.phrases("reversing_phrases").all_in(text):
        words = read_text(text.quote(hit.first, hit.end))
        if not known.find(words):
            return text.quote(hit.first, hit.end)
    return ""


def _has(text: Text, phrases: tuple[tuple[str, ...], ...]) -> bool:
    words = [word.text for word in text.words]
    return any(
        tuple(words[at : at + len(phrase)]) == phrase
        for phrase in phrases
        for at in range(len(words))
    )
