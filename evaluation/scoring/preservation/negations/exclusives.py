"""Exclusives: "only X" leaves out everything but X."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Finding, Reading, dropped, stated, unsure
from evaluation.scoring.preservation.text import read_text
from evaluation.scoring.preservation.wording import (
    all_present,
    content_roots,
    novel_words,
    traces,
)  # fmt: skip


def judge_only(kept: str, reading: Reading, carried: Finding | None) -> Finding:
    """ "Only X" leaves out everything but X."""
    roots = content_roots(read_text(kept))
    bare = ""
    for text in reading.queries:
        if not all_present(text, roots):
            continue
        hit = next(lexicon.phrases("only").all_in(text), None)
        places = [i for i, one in enumerate(text.roots) if one in roots]
        near_by = hit and min(abs(i - hit.first) for i in places) <= len(roots) + 2
        if hit and near_by:
            first, end = min(hit.first, places[0]), max(hit.end, places[-1] + 1)
            return stated(text.quote(first, end), "Only the named things are asked for.")
        bare = bare or text.quote(places[0], places[-1] + 1)
    if bare:
        return unsure(bare, "The things are named without “only”.")
    if carried:
        return carried
    trace = traces(reading, roots)
    if trace and not _only_kind(trace, roots, reading):
        return unsure(trace, "Some words of what is asked for are there.")
    return dropped("What alone is asked for is not named.")


def only_others(reading: Reading) -> str:
    """The word that asks for something alone ("breakfast only"), where the request has none; or
    ""."""
    listed = lexicon.phrases("only")
    if any(next(listed.all_in(text), None) for text in (*reading.turns, reading.asked)):
        return ""
    found = ((text, hit) for text in reading.queries for hit in listed.all_in(text))
    return next((text.quote(hit.first, hit.end) for text, hit in found), "")


def _only_kind(trace: str, roots: list[str], reading: Reading) -> bool:
    """Whether of "night trains" nothing but "trains" is left, and no word that may say the rest."""
    kind = len(roots) > 1 and read_text(trace).roots[:1] == (roots[-1],)
    said = any(
        next(lexicon.phrases("only").all_in(text), None) or any(w.is_number for w in text.words)
        for text in reading.queries
    ) or bool(reading.filters)  # fmt: skip
    return kind and not said and not traces(reading, roots[:-1]) and not novel_words(reading)
