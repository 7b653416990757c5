"""The judge: what happened to each constraint of a contract in one rewrite.

Exact and normalised matching, constraint by constraint (acceptance protocol, rules R24, R25, R30
and R31).
It answers `unsure` wherever the words do not decide; a person or a later judge then does.
"""

from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.records import LOST, ConstraintJudgement, JudgedRewrite, RequestText, Rewrite
from evaluation.scoring.preservation import matchers as _registered  # noqa: F401 (fills MATCHERS)
from evaluation.scoring.preservation.additions import find_additions
from evaluation.scoring.preservation.finding import (
    MATCHERS,
    VERSION,
    Finding,
    Reading,
    dropped,
    unsure,
)  # fmt: skip


def judge_rewrite(request: RequestText, contract: ContractTerms, rewrite: Rewrite) -> JudgedRewrite:
    """Judge every constraint of `contract`, in its order, and list what the rewrite added.

    Everything the rewrite emits counts: each sub-query and each filter. A comparison is judged on
    all queries together (R30). Nothing here reads a database, a clock or a network, so equal
    inputs give equal judgements.
    """
    reading = Reading(request, contract, rewrite)
    judgements = _judgements(reading)
    return JudgedRewrite(judgements, find_additions(reading, judgements))


def judge_constraints(
    request: RequestText, contract: ContractTerms, rewrite: Rewrite
) -> tuple[ConstraintJudgement, ...]:
    """Judge every constraint as `judge_rewrite` does, without looking for what was added."""
    return _judgements(Reading(request, contract, rewrite))


def _judgements(reading: Reading) -> tuple[ConstraintJudgement, ...]:
    return tuple(_judge(constraint, reading) for constraint in reading.contract.constraints)


def _judge(constraint: ConstraintTerms, reading: Reading) -> ConstraintJudgement:
    found = _find(constraint, reading)
    return ConstraintJudgement(
        constraint=constraint.id,
        judgement=found.judgement,
        by=f"matcher:{constraint.kind}/{VERSION}",
        quote=found.quote if _emitted(found.quote, reading) else "",
        why=found.why,
    )


def _find(constraint: ConstraintTerms, reading: Reading) -> Finding:
    match = MATCHERS.get(constraint.kind)
    if match is None:
        return unsure("", f"No matcher knows the kind “{constraint.kind}”.")
    if not any(len(text) for text in reading.queries) and not reading.filters:
        return dropped("The rewrite has no query and no filter.")
    found = match(constraint, reading)
    if reading.cut and found.judgement in LOST:
        return unsure(
            found.quote,
            f"{reading.cut}; what follows may say it.",
        )
    return found


def _emitted(quote: str, reading: Reading) -> bool:
    queries = reading.rewrite.queries
    return any(quote in query for query in queries) or any(
        quote in item.shown for item in reading.filters
    )
