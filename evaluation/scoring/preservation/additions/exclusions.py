"""Exclusions that the request lacks: "excluding wholesale", "without late ones"."""

from collections.abc import Iterator

from evaluation.records import Addition
from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.additions.known import Known, kin
from evaluation.scoring.preservation.additions.listed import hits
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import content, excluded_by_sign, has_cue, opens_line

WHY = "The request leaves no such thing out."
# How many words after the exclusion may name what it leaves out.
_REACH = 5
_AUXILIARIES = ("is", "are", "was", "were", "do", "does", "did", "have", "has", "had", "can")


def in_queries(reading: Reading, known: Known) -> Iterator[Addition]:
    denied = denies(known)
    for text in reading.queries:
        for hit in hits("exclusions_plain", text):
            # A request that denies or leaves out may do so in other words here: only "excluding"
            # and its like are plain enough then, and only for what it never mentions.
            doubtful = denied and "polarity" not in known.kept
            if (hit.meaning == "loose" and doubtful) or _is_said(text, hit, known):
                continue
            if hit.meaning == "loose" and not (
                _picks_out(text, hit) or _narrows(text, hit, reading, known)
            ):
                continue
            end = _target(text, hit.end, known, strict=denied or hit.meaning == "loose")
            if end:
                yield Addition("polarity", text.quote(hit.first, end), WHY)
        if not denied or "polarity" in known.kept:
            yield from _after(text, known)
        if not denied:
            yield from _relative(text, reading, known)
        for at in range(1, len(text)):
            minus = excluded_by_sign(text, at) and not opens_line(text, at)
            if minus and not denied and not known.says(text.words[at].stem):
                yield Addition("polarity", text.quote(at, at + 1), WHY)


def _picks_out(text: Text, hit: lexicon.Found) -> bool:
    """Whether "without" leaves some of the things out ("without late ones"); "without electricity"
    may only say what they are like."""
    ahead = {word.text for word in text.words[hit.end : hit.end + _REACH]}
    return bool(ahead & {"those", "ones"}) or "," in text.words[hit.first].gap


def _relative(text: Text, reading: Reading, known: Known) -> Iterator[Addition]:
    """ "inns that are not heated", where the rewrite has all that the request says."""
    for at in range(1, len(text) - 3):
        words = [word.text for word in text.words[at : at + 3]]
        opens = words[0] in ("that", "which", "who") and words[1] in _AUXILIARIES
        if not opens or words[2] not in ("not", "never"):
            continue
        lacking = lexicon.Found(at, at + 3, "")
        end = _target(text, at + 3, known, strict=True)
        if end and not text.words[at].gap and _narrows(text, lacking, reading, known):
            yield Addition("polarity", text.quote(at, end), WHY)


def _narrows(text: Text, hit: lexicon.Found, reading: Reading, known: Known) -> bool:
    """Whether "with no X" follows a word of the request, and the rewrite has all else that the
    request says: then it is no other wording of that ("off-grid", "vacant")."""
    if not hit.first or text.words[hit.first].gap or not known.says(text.stems[hit.first - 1]):
        return False
    if any(c.kind == "status" for c in reading.contract.constraints) and (
        "status" not in known.kept
    ):
        return False
    asked, emitted = reading.asked, [stem for one in reading.queries for stem in one.stems]
    return all(
        asked.roots[at] in reading.emitted_roots
        or known.belongs_to_another(asked.words[at].start, ())
        or any(kin(asked.stems[at], stem) for stem in emitted)
        for at in content(asked)
    )


def denies(known: Known) -> bool:
    """Whether the request or the contract denies, leaves out or lacks anything."""
    return known.denies or any(
        has_cue(text)
        or any(w.text.endswith("less") or w.text in lexicon.words("only") for w in text.words)
        for text in known.asked
    )


def _is_said(text: Text, hit: lexicon.Found, known: Known) -> bool:
    """Whether the request itself has the words of exclusion."""
    words = text.stems[hit.first : hit.end]
    return (
        any(asked.find(_part(text, hit)) for asked in known.asked)
        or len(words) == 1
        and (words[0] in known.stems)
    )


def _part(text: Text, hit: lexicon.Found) -> Text:
    return read_text(text.quote(hit.first, hit.end))


def _target(text: Text, at: int, known: Known, *, strict: bool) -> int:
    """Where the words end that name what is left out, or 0 where the request may name it."""
    stop = lexicon.words("stopwords")
    end, seen, fresh = at, 0, 0
    while end < min(at + _REACH, len(text)):
        word = text.words[end]
        if end > at and any(sign in word.gap for sign in ",;.:?!()"):
            break
        if word.text in stop or not word.text.isalpha():
            if seen and word.text in lexicon.words("name_openers"):
                break
        else:
            seen += 1
            fresh += not known.says(word.stem)
        end += 1
    if not fresh or (strict and fresh < seen):
        return 0
    while end > at and text.words[end - 1].text in stop and text.words[end - 1].text != "ones":
        end -= 1
    return end


def _after(text: Text, known: Known) -> Iterator[Addition]:
    """ "paintings excluded"."""
    for hit in hits("exclusions_behind", text):
        at = hit.first - 1
        if at < 0 or any(sign in text.words[hit.first].gap for sign in ",;.:?!()"):
            continue
        word = text.words[at]
        plain = word.text.isalpha() and word.text not in lexicon.words("stopwords")
        # A clause of its own: "loans, paintings excluded" and not "who was excluded".
        opened = any(
            sign in text.words[i].gap for i in range(max(0, at - 2), at + 1) for sign in ",;("
        )
        if plain and opened and not known.says(word.stem) and not _is_said(text, hit, known):
            yield Addition("polarity", text.quote(at, hit.end), WHY)
