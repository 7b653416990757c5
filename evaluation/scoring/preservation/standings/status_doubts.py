"""Words of a rewrite that may say a status which no list knows: what forbids a sure "dropped"."""

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.standings.statuses import families, may_be_status
from evaluation.scoring.preservation.text import Text, Word, read_text
from evaluation.scoring.preservation.wording import content_roots, part_of_bound, without_prefix

Mention = tuple[Text, int, int]
_BEING = ("is", "are", "was", "were", "be", "been", "being", "still", "stay", "stays", "remain",
          "remains", "remained", "that", "which", "now", "already", "left")  # fmt: skip


def free(constraint: ConstraintTerms, reading: Reading, found: list[Mention]) -> list[Mention]:
    """The mentions whose words neither the request nor another constraint has."""
    texts = [
        read_text(str(form))
        for other in reading.others(constraint)
        for form in (other.value.get("value"), *(other.value.get("rivals") or ()))
    ]
    texts += [reading.asked, *reading.turns]
    return [
        one for one in found
        if not any(text.find(read_text(one[0].quote(one[1], one[2]))) for text in texts)
    ]  # fmt: skip


def possible_synonym(constraint: ConstraintTerms, reading: Reading, value: str) -> str:
    """A word that the request lacks and that a status may be put in; "" where there is none.

    That is another status word of the lists; a participle on a word of the request; and, for a
    value that no list has, any word in its very place.
    """
    names = lexicon.phrases("status_families")
    heads = _heads(constraint, reading)
    denied = _denied_roots(constraint, reading)
    for text in reading.queries:
        for hit in names.all_in(text):
            if without_prefix(text.words[hit.end - 1].stem) in denied:
                continue
            place = _place_of(reading, text, hit.first, hit.end)
            if text.words[hit.end - 1].text.endswith("ing") and place == "after":
                continue
            if place and free(constraint, reading, [(text, hit.first, hit.end)]):
                return text.quote(hit.first, hit.end)
        for at, word in enumerate(text.words):
            if text.roots[at] in reading.granted_roots or not word.text.isalpha():
                continue
            if without_prefix(word.stem) in denied:
                continue
            if word.text in lexicon.words("fillers"):
                continue
            if _abbreviates(word, value) and not text.raw.isupper():
                return text.quote(at, at + 1)
            place = _place_of(reading, text, at, at + 1)
            if may_be_status(text, at) and _holds(text, at, place):
                return text.quote(at, at + 1)
            bare = word.text in lexicon.words("stopwords") or word.capital and at > 0
            if families(value) or bare:
                continue
            if place == "before" and text.roots[at + 1] in heads or place == "predicate":
                return text.quote(at, at + 1)
    return ""


def _denied_roots(constraint: ConstraintTerms, reading: Reading) -> frozenset[str]:
    """The roots of what the contract denies: "unpaid" says "not paid", and no status."""
    targets = (
        str(other.value.get("target") or "")
        for other in reading.contract.constraints
        if other is not constraint and other.kind == "polarity"
    )
    return frozenset(root for target in targets for root in content_roots(read_text(target)))


def _abbreviates(word: Word, value: str) -> bool:
    """Whether capitals that the request lacks may begin with the status ("RN", "registered
    nurse")."""
    return 1 < len(word.raw) < 5 and word.raw.isupper() and word.text[0] == value.casefold()[:1]


def _holds(text: Text, at: int, place: str) -> bool:
    """Whether a participle stands as a status does: "chosen chair", "chair is chosen", "chair
    chosen by vote"; "barns storing hay" does not."""
    if text.words[at].text.endswith("ing"):
        return place == "predicate"
    following = text.words[at + 1].text if at + 1 < len(text) else "by"
    return place in ("before", "predicate") or place == "after" and following in ("by", "under")


def foreign_negation(reading: Reading) -> str:
    """A negation of something, where neither request nor contract denies anything: "houses that
    nobody lives in" for "vacant"."""
    names = lexicon.phrases("negations")
    denying = any(one.kind == "polarity" for one in reading.contract.constraints)
    if denying or any(next(names.all_in(text), None) for text in (*reading.turns, reading.asked)):
        return ""
    hits = [(text, hit) for text in reading.queries for hit in names.all_in(text)]
    found = next(((t, h) for t, h in hits if not part_of_bound(t, h)), None)
    return found[0].quote(found[1].first, found[1].end) if found else ""


def _place_of(reading: Reading, text: Text, first: int, end: int) -> str:
    """How words stand to a word of the request: "before" it, "predicate" of or "after" it; or
    ""."""
    if end < len(text) and text.words[end].gap in ("", "-") and _topic(reading, text, end):
        return "before"
    if first and text.words[first - 1].text in _BEING:
        return "predicate"
    return "after" if not first or _topic(reading, text, first - 1) else ""


def _topic(reading: Reading, text: Text, at: int) -> bool:
    plain = text.words[at].text in lexicon.words("stopwords")
    return text.roots[at] in reading.known_roots and not plain


def _heads(constraint: ConstraintTerms, reading: Reading) -> set[str]:
    """The word that the status stands before in the request."""
    span, text = constraint.span, reading.asked
    if span is None or span.turn != len(reading.turns):
        return set(reading.known_roots)
    after = [i for i, word in enumerate(text.words) if word.start >= span.end]
    plain = after and text.words[after[0]].text not in lexicon.words("stopwords")
    return {text.roots[after[0]]} if plain else set(reading.known_roots)
