"""Whether the counts of a study, as published, can all be true at once. Pure: counts in, sentences
out."""

from collections.abc import Iterator
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCounts:
    """What a study says of its requests under one candidate; None where it says nothing.

    `constraints` are all of the contracts, `preserved` those that the candidate keeps; `critical`
    and `critical_lost` count the critical ones. `incomplete` requests lack a critical constraint or
    have a breaking addition; `vacuous` requests have no critical constraint, and so are complete
    unless an addition breaks them. `answered` counts requests whose answers are judged under both
    arms (all, if not given): `original_correct` and `candidate_correct` of them are right, `lost`
    and `gained` differ.
    """

    requests: int
    constraints: int | None = None
    preserved: int | None = None
    critical: int | None = None
    critical_lost: int | None = None
    breaking_additions: int | None = None
    incomplete: int | None = None
    complete: int | None = None
    vacuous: int | None = None
    answered: int | None = None
    original_correct: int | None = None
    candidate_correct: int | None = None
    lost: int | None = None
    gained: int | None = None


def inconsistencies(counts: PublishedCounts) -> tuple[str, ...]:
    """Return a sentence for everything that cannot be true of `counts`; () if all can be.

    A rule whose counts are not all published is passed over, except that breaking additions and
    vacuous requests of which nothing is said count as none: a study that has them must say so. What
    is left can still be wrong; only that the counts contradict each other is found. Sources: the
    definitions of docs/verdict.md.
    """
    said = {field.name: getattr(counts, field.name) for field in fields(counts)}
    negative = {name: count for name, count in said.items() if count is not None and count < 0}
    if negative:
        return tuple(f"{name} is {n}: no count is negative." for name, n in negative.items())
    rules = (_parts, _losses, _completeness, _coverage, _answers)
    return tuple(sentence for rule in rules for sentence in rule(counts))


def _parts(c: PublishedCounts) -> Iterator[str]:
    """No part is larger than its whole."""
    wholes = (
        ("preserved", "constraints"),
        ("critical", "constraints"),
        ("critical_lost", "critical"),
        ("incomplete", "requests"),
        ("complete", "requests"),
        ("vacuous", "requests"),
        ("answered", "requests"),
    )
    for part, whole in wholes:
        n, of = getattr(c, part), getattr(c, whole)
        if n is not None and of is not None and n > of:
            yield f"{part} is {n} of {of} {whole}: a part cannot exceed its whole."
    if c.complete is not None and c.incomplete is not None:
        if c.complete + c.incomplete != c.requests:
            yield (
                f"{c.complete} complete and {c.incomplete} incomplete requests are not the"
                f" {c.requests} there are."
            )


def _losses(c: PublishedCounts) -> Iterator[str]:
    """The critical losses are among all losses."""
    if c.constraints is None or c.preserved is None or c.critical_lost is None:
        return
    lost = c.constraints - c.preserved
    if c.critical_lost > lost >= 0:
        yield f"{c.critical_lost} critical constraints are lost, but only {lost} of all."
    if c.critical is not None and lost - c.critical_lost > c.constraints - c.critical >= 0:
        yield (
            f"{lost - c.critical_lost} constraints that are not critical are lost, but there are"
            f" only {c.constraints - c.critical}."
        )


def _completeness(c: PublishedCounts) -> Iterator[str]:
    """Every incomplete request takes a lost critical constraint or a breaking addition."""
    incomplete = _incomplete(c)
    if incomplete is None:
        return
    added = c.breaking_additions or 0
    lost = _most_critical_lost(c)
    if lost is not None and lost + added < incomplete:
        yield (
            f"{incomplete} requests are incomplete, but {_of_losses(c, lost)} and {added} breaking"
            f" additions make at most {lost + added} so: at least {incomplete - lost} additions"
            " would have to break completeness."
        )
    if incomplete == 0 and (c.critical_lost or added):
        yield (
            f"No request is incomplete, but {c.critical_lost or 0} critical constraints are lost"
            f" and {added} additions break completeness."
        )
    if c.vacuous is not None and incomplete > c.requests - c.vacuous + added >= 0:
        yield (
            f"{incomplete} requests are incomplete, but only {c.requests - c.vacuous} have a"
            f" critical constraint to lose and {added} additions break completeness."
        )


def _coverage(c: PublishedCounts) -> Iterator[str]:
    """Requests without a critical constraint are those that the critical ones do not reach."""
    if c.critical is None:
        return
    least, vacuous = max(0, c.requests - c.critical), c.vacuous or 0
    if vacuous < least:
        said = f"only {vacuous} are" if c.vacuous is not None else "none is"
        yield (
            f"{c.critical} critical constraints cover at most {c.critical} of {c.requests}"
            f" requests, so at least {least} are vacuous (have none to lose), but {said} said to"
            " be."
        )
    if c.critical and vacuous >= c.requests:
        yield f"{c.critical} constraints are critical, but no request is left to have them."


def _answers(c: PublishedCounts) -> Iterator[str]:
    """Right before, less the lost, with the gained, is right after."""
    n = c.requests if c.answered is None else c.answered
    right = c.original_correct
    if right is not None:
        wrong = n - right
        if wrong < 0:
            yield f"The original answers {right} of {n} requests correctly."
        if c.lost is not None and c.lost > right:
            yield f"{c.lost} answers are lost, but the original answers only {right} correctly."
        if c.gained is not None and c.gained > wrong >= 0:
            yield f"{c.gained} answers are gained, but the original misses only {wrong}."
    if c.candidate_correct is not None and c.candidate_correct > n:
        yield f"The candidate answers {c.candidate_correct} of {n} requests correctly."
    if None not in (right, c.lost, c.gained, c.candidate_correct):
        after = (right or 0) - (c.lost or 0) + (c.gained or 0)
        if after != c.candidate_correct:
            yield (
                f"{right} correct answers less {c.lost} lost and with {c.gained} gained are"
                f" {after}, but the candidate answers {c.candidate_correct} correctly."
            )


def _incomplete(c: PublishedCounts) -> int | None:
    if c.incomplete is None and c.complete is not None:
        return c.requests - c.complete
    return c.incomplete


def _most_critical_lost(c: PublishedCounts) -> int | None:
    """The critical constraints lost, or the most that can be."""
    if c.critical_lost is not None:
        return c.critical_lost
    if c.constraints is None or c.preserved is None:
        return None
    lost = c.constraints - c.preserved
    return lost if c.critical is None else min(lost, c.critical)


def _of_losses(c: PublishedCounts, lost: int) -> str:
    if c.critical_lost is not None:
        return f"{lost} lost critical constraints"
    if lost == c.critical:
        return f"{lost} critical constraints, were all of them lost,"
    return f"{lost} lost constraints, were all of them critical,"
