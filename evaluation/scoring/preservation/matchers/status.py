"""Status: a qualifier such as "approved", with the rivals that would change the meaning."""

from contracts.terms import ConstraintTerms
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import (
    Finding,
    Reading,
    altered,
    dropped,
    filtered,
    matcher,
    stated,
    unsure,
)  # fmt: skip
from evaluation.scoring.preservation.standings.status_doubts import (
    foreign_negation,
    free,
    possible_synonym,
)
from evaluation.scoring.preservation.standings.statuses import (
    families,
    of_families,
    opposites,
    slips,
)  # fmt: skip
from evaluation.scoring.preservation.text import Text, Word, near, read_text, root
from evaluation.scoring.preservation.wording import (
    content,
    denied,
    denies,
    occurrences,
    traces,
    without_prefix,
)  # fmt: skip

Mention = tuple[Text, int, int]


@matcher("status")
def match_status(constraint: ConstraintTerms, reading: Reading) -> Finding:
    """Look for the value, then for a rival; a denied value is altered, a denied rival undecided."""
    value = str(constraint.value.get("value") or "")
    rivals = [str(rival) for rival in constraint.value.get("rivals") or ()]
    forms = (value, *constraint.admissible, *_own_wording(constraint, reading, value))
    if not read_text(value).words:
        return unsure("", "The contract gives no status.")
    said = list(occurrences(reading.queries, forms))
    rival = list(occurrences(reading.queries, rivals))
    if not said and not rival:
        said, rival = _other_words(constraint, reading, forms, rivals)
    # A rival that contains the value ("not approved") is no mention of the value.
    said = _outside(said, rival)
    rival = _outside(rival, said)
    carried = _from_filters(constraint, reading, forms, rivals)
    if said:
        return _said(constraint, reading, said, rival, carried)
    if rival:
        return _rival(reading, value, rivals, rival, carried)
    return carried or _absent(constraint, reading, forms, rivals)


def _own_wording(constraint: ConstraintTerms, reading: Reading, value: str) -> tuple[str, ...]:
    """The request's own words for the status, where they are another form of the value ("did the
    board approve" for "approved")."""
    own = reading.span_text(constraint)
    return (own,) if own and read_text(own).roots == read_text(value).roots else ()


def _other_words(
    constraint: ConstraintTerms, reading: Reading, forms: tuple[str, ...], rivals: list[str]
) -> tuple[list[Mention], list[Mention]]:
    """Where words stand that mean the status, or a rival or its opposite, without naming it."""
    said = [one for form in forms for one in slips(reading.queries, form, reading.known_roots)]
    same = frozenset(name for form in forms for name in families(form))
    against = frozenset(name for rival in rivals for name in families(rival))
    against |= opposites(forms[0])
    said += free(constraint, reading, of_families(reading.queries, same - against))
    rival = [one for form in rivals for one in slips(reading.queries, form, reading.known_roots)]
    rival += free(constraint, reading, of_families(reading.queries, against - same))
    return said, rival + _turned(constraint, reading, forms)


def _turned(constraint: ConstraintTerms, reading: Reading, forms: tuple[str, ...]) -> list[Mention]:
    """Where the value stands with its negating prefix put on or taken off: "unratified"."""
    text = read_text(forms[0])
    if len(text) != 1:
        return []
    value = text.words[0].stem
    bare = without_prefix(value) if value.startswith("un") else ""
    found: list[Mention] = []
    for query in reading.queries:
        for at, word in enumerate(query.words):
            added = word.stem.startswith("un") and without_prefix(word.stem) == root(value)
            if added and word.stem != value or bare and query.roots[at] == bare:
                found.append((query, at, at + 1))
    return free(constraint, reading, found)


def _rival(
    reading: Reading, value: str, rivals: list[str], rival: list[Mention], carried: Finding | None
) -> Finding:
    text, first, end = rival[0]
    quote = text.quote(first, end)
    if denies(reading, text, first, end):
        before = text.words[first - 1].text if first else ""
        if before in ("not", "never", "non") and without_prefix(value) == text.roots[first]:
            return stated(text.quote(first - 1, end), "The denied rival is the status itself.")
        return unsure(quote, "A rival status is there, but denied.")
    if carried and carried.judgement != "altered":
        return unsure(quote, "A filter carries the status, but a query names a rival.")
    if all(_elsewhere(reading, *one) for one in rival):
        return unsure(quote, "A rival status word is there, but may qualify another thing.")
    if _asked_too(reading, rivals):
        return unsure(quote, "The rival status is a word of the request itself.")
    return altered(quote, f"A rival status stands in the place of “{value}”.")


def _outside(places: list[Mention], others: list[Mention]) -> list[Mention]:
    """The places that lie inside no larger one of `others` in the same text."""
    ends: dict[tuple[int, int], int] = {}
    for text, first, end in others:
        ends[id(text), first] = max(end, ends.get((id(text), first), 0))
    longest = max((end - first for _, first, end in others), default=0)

    def inside(one: Mention) -> bool:
        text, first, end = one
        near_by = ((at, ends.get((id(text), at), 0)) for at in range(first - longest, first + 1))
        return any(end <= other and other - at > end - first for at, other in near_by)

    return [one for one in places if not inside(one)]


def _asked_too(reading: Reading, rivals: list[str]) -> bool:
    return next(occurrences((reading.asked,), rivals), None) is not None


def _said(
    constraint: ConstraintTerms,
    reading: Reading,
    said: list[Mention],
    rival: list[Mention],
    carried: Finding | None,
) -> Finding:
    """The value is there: it counts unless it is denied, or a rival or a filter speaks against
    it."""
    plain = [one for one in said if not denies(reading, *one)]
    text, first, end = (plain or said)[0]
    quote = text.quote(first, end)
    if not plain:
        # "not approved" asks for the opposite; a looser negation may belong to something else.
        before = [word.text for word in text.words[max(0, first - 2) : first]]
        close = before[-1:] in (["not"], ["non"], ["never"]) or before == ["not", "yet"]
        if close and not denied(reading.asked, *_place(reading, said)):
            return altered(text.quote(first - 1, end), "The status is denied.")
        return unsure(quote, "The status is named near a negation.")
    owned = next((one for one in plain if not _elsewhere(reading, *one)), None)
    if owned is None:
        return unsure(quote, "The status word is there, but may qualify another thing.")
    text, first, end = owned
    quote = text.quote(first, end)
    if carried and carried.judgement != "filtered":
        return unsure(quote, "A query names the status, but a filter carries another value.")
    rivals = [str(r) for r in constraint.value.get("rivals") or ()]
    if rival and not _asked_too(reading, rivals) and not _compared(text, first, end):
        return unsure(quote, "The status and a rival are both there.")
    return stated(quote, "The status is named.")


def _compared(text: Text, first: int, end: int) -> bool:
    """Whether the status is set against something else: its rival belongs to that."""
    words = lexicon.phrases("comparing")
    return any(hit.first >= end or hit.end <= first for hit in words.all_in(text)) and not any(
        word.text in ("or", "and") for word in text.words[first : end + 2]
    )


def _elsewhere(reading: Reading, text: Text, first: int, end: int) -> bool:
    """Whether a status word is a part of a compound ("pre-approved"), or stands before a noun that
    the request does not know ("final exam")."""
    known = reading.granted_roots
    if first and text.words[first].gap == "-" and text.roots[first - 1] not in known:
        return True
    if _not_yet(reading, text, first):
        return True
    if end >= len(text) or text.words[end].gap not in ("", "-"):
        return False
    follower = text.words[end]
    plain = follower.text in lexicon.words("stopwords") or follower.is_number
    neutral = plain or follower.stem in lexicon.words("status_carriers")
    neutral = neutral or follower.text in lexicon.words("negations")
    lists = ("statuses", "operators_before", "time_before", "source_openers", "comparing")
    neutral = neutral or any(lexicon.phrases(name).starting_at(text, end) for name in lists)
    if neutral or not follower.text.isalpha():
        return False
    root = text.roots[end]
    return root not in known and not any(near(root, one) for one in known)


def _not_yet(reading: Reading, text: Text, first: int) -> bool:
    """Whether a status is to come, past or partial: "soon to be approved", "formerly approved"."""
    before = text.words[max(0, first - 3) : first]
    said = [word.text for word in before]
    qualified = any(
        word.text in lexicon.words("status_qualifiers") and word.text not in reading.asked.stems
        for word in before
    )
    return qualified or said[-2:] == ["to", "be"] and not reading.asked.find(read_text("to be"))


def _place(reading: Reading, said: list[Mention]) -> tuple[int, int]:
    """Where the request itself has the found words; (0, 0) where it has not."""
    text, first, end = said[0]
    found = reading.asked.find(read_text(text.quote(first, end)))
    return (found[0], found[0] + end - first) if found else (0, 0)


def _from_filters(
    constraint: ConstraintTerms, reading: Reading, forms: tuple[str, ...], rivals: list[str]
) -> Finding | None:
    """What the filters say: a value that equals the status or a rival, or a yes/no field named
    so."""
    found: list[Finding] = []
    wanted = {read_text(form).stems for form in forms}
    against = {read_text(rival).stems for rival in rivals}
    for term in reading.filters:
        ours, theirs = term.text.stems in wanted, term.text.stems in against
        if isinstance(term.value, bool):
            names = {term.name.stems, term.name.stems[1:]}
            ours, theirs = bool(names & wanted), bool(names & against)
            if not term.value and theirs:
                found.append(unsure(term.shown, "A filter leaves a rival status out."))
                continue
            ours, theirs = (ours, theirs) if term.value else (theirs, ours)
        if not (ours or theirs):
            continue
        out = term.operator == "!="
        # Leaving a rival out does not yet ask for the value.
        if term.optional or term.operator not in ("=", "!=") or (theirs and out):
            found.append(unsure(term.shown, "The filter admits the status among others."))
        elif (term.operator == "=") == ours:
            found.append(filtered(term.shown, f"The filter on {term.field} carries the status."))
        else:
            found.append(altered(term.shown, f"The filter on {term.field} carries a rival status."))
    if len({one.judgement for one in found}) > 1:
        return unsure(found[0].quote, "The filters contradict each other about the status.")
    return found[0] if found else _other_status(reading)


def _other_status(reading: Reading) -> Finding | None:
    """A filter called "status" with a value that no constraint knows may be another word for
    ours."""
    known = {
        read_text(str(value)).stems
        for other in reading.contract.constraints
        if other.kind == "status"
        for value in (other.value.get("value"), *(other.value.get("rivals") or ()))
    }
    for term in reading.filters:
        named = {word.text for word in term.name.words} & {"status", "state", "stage", "version"}
        if named and term.text.stems not in known:
            return unsure(term.shown, "A filter on the status has a value that the contract lacks.")
    return None


def _absent(
    constraint: ConstraintTerms, reading: Reading, forms: tuple[str, ...], rivals: list[str]
) -> Finding:
    words = [w.stem for form in (*forms, *rivals) for w in _meaning(form)]
    trace = traces(reading, words)
    if trace:
        return unsure(trace, "A related word is there, but not the status itself.")
    roots = {read_text(word).roots[0] for word in words}
    own = {read_text(word.stem).roots[0] for word in _meaning(forms[0])}
    for text in reading.queries:
        for at, word in enumerate(text.words):
            built = any(len(one) > 3 and word.stem.startswith(one) for one in own)
            if without_prefix(word.stem) in roots or built:
                return unsure(text.quote(at, at + 1), "A word built on the status is there.")
    if cue := foreign_negation(reading):
        return unsure(cue, "A negation that the request lacks may say the status in other words.")
    doubt = possible_synonym(constraint, reading, forms[0])
    if doubt:
        return unsure(doubt, "This word may be another word for the status, or for its opposite.")
    return dropped("Neither the status nor a rival nor a related word is there.")


def _meaning(form: str) -> list[Word]:
    text = read_text(form)
    return [text.words[at] for at in content(text)]
