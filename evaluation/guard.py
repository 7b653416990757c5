"""The judge in front of a retriever: search with this rewrite, fall back to the request, or ask?

Pure: no Django, no database, no network, no clock. `guard` may be called from any thread of a
production service; what it promises and what not is in docs/guard.md.

    from evaluation.guard import RequestText, Rewrite, guard, warm_up

Similarity never certifies that a constraint was kept (acceptance protocol, rules R24 and R25): the
matchers compare values, and where the words do not decide, a contract's critical constraint is not
kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from contracts import language as languages
from contracts.terms import ConstraintTerms, ContractTerms
from evaluation.proposals import CERTAIN, Proposal, contract_of, propose, unresolved_words
from evaluation.records import KEPT, LOST, Addition, JudgedRewrite, RequestText, Rewrite, Turn
from evaluation.scoring.preservation import judge_rewrite
from evaluation.scoring.preservation.finding import VERSION as MATCHERS

__all__ = ["GuardResult", "GuardJudgement", "RequestText", "Rewrite", "Turn", "guard", "warm_up"]

Act = Literal["pass", "fall_back", "clarify"]
Doubt = Literal["pass", "fall_back"]
VERSION = f"guard/1 matcher/{MATCHERS}"


@dataclass(frozen=True, slots=True)
class GuardJudgement:
    """What happened to one constraint. `words` are those of the request, `quote` those of the
    rewrite that decided it. `critical` ones decide: those of the contract, or the proposed ones
    with a certain value.
    """

    constraint: str
    kind: str
    words: str
    judgement: str
    quote: str
    why: str
    proposed: bool
    critical: bool

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class GuardResult:
    """What to do with a rewrite, why in one sentence, and every judgement behind it."""

    act: Act
    sentence: str
    judgements: tuple[GuardJudgement, ...] = ()
    added: tuple[Addition, ...] = ()
    version: str = VERSION

    def to_json(self) -> dict[str, Any]:
        return {
            "act": self.act,
            "sentence": self.sentence,
            "judgements": [one.to_json() for one in self.judgements],
            "added": [one.to_json() for one in self.added],
            "version": self.version,
        }


def warm_up() -> None:
    """Load the language models now, once a process, so that no call waits for them: some seconds,
    200 MB.
    """
    languages.load()


def guard(
    request: RequestText,
    rewrite: Rewrite,
    contract: ContractTerms | None = None,
    *,
    unsure: Doubt | None = None,
) -> GuardResult:
    """Say whether to search with a rewrite (`pass`), with the request as it was (`fall_back`), or
    to ask the user (`clarify`).

    `clarify`: the rewrite asks, the request is empty, its contract says that it is unresolved, or
    it points to something that nothing names. `fall_back`: there is nothing to search with, a
    critical constraint is altered or dropped, or a restriction of a critical kind was added.
    Without a contract, constraints are proposed from the current text, and those with a certain
    value count as critical.

    `unsure` says what a critical constraint does of which the words do not decide: by default a
    contract's falls back, as the original cannot have lost it, and a proposed one passes.
    Raises ValueError for an `unsure` that is none of these.
    """
    if unsure not in (None, "pass", "fall_back"):
        raise ValueError(f"unsure must be “pass”, “fall_back” or None, not {unsure!r}.")
    early = _before_judging(request, rewrite, contract)
    if early is not None:
        return early
    if contract is not None:
        judged = judge_rewrite(request, contract, rewrite)
        rows = tuple(_contracts(request, contract, judged))
        kinds = {row.kind for row in rows if row.critical}
        return _decided(rows, judged.added, kinds, unsure or "fall_back")
    words = unresolved_words(request)
    if words:
        sentence = f"Ask the user: nothing says what “{words}” means in the request."
        return GuardResult("clarify", sentence)
    proposals = propose(request)
    judged = judge_rewrite(request, contract_of(proposals), rewrite)
    rows = tuple(_proposed(proposals, judged))
    # A name is what a rewriter brings in from a conversation; which is right, the proposals say.
    brought = {"referent"} if request.turns else set()
    return _decided(rows, judged.added, set(CERTAIN) - brought, unsure or "pass")


def _before_judging(
    request: RequestText, rewrite: Rewrite, contract: ContractTerms | None
) -> GuardResult | None:
    """What needs no judge, in this order."""
    if rewrite.asks:
        return GuardResult("clarify", "Ask the user: the rewriter asks back instead of rewriting.")
    if not request.text.strip():
        return GuardResult("clarify", "Ask the user: the request is empty.")
    if contract is not None and contract.ambiguity.unresolved:
        return GuardResult("clarify", "Ask the user: the contract marks the request as unresolved.")
    emitted = [query for query in rewrite.queries if query.strip()]
    if rewrite.kind == "error" or not (emitted or rewrite.filters):
        return GuardResult("fall_back", "Search with the request: the rewrite has no query.")
    same = {" ".join(query.split()) for query in emitted} == {" ".join(request.text.split())}
    if same and not rewrite.filters:
        return GuardResult("pass", "Search with it: the rewrite is the request.")
    return None


def _contracts(
    request: RequestText, contract: ContractTerms, judged: JudgedRewrite
) -> list[GuardJudgement]:
    return [
        GuardJudgement(
            constraint=constraint.id,
            kind=constraint.kind,
            words=_words(request, constraint),
            judgement=found.judgement,
            quote=found.quote,
            why=found.why,
            proposed=False,
            critical=constraint.critical,
        )
        for constraint, found in zip(contract.constraints, judged.judgements, strict=True)
    ]


def _words(request: RequestText, constraint: ConstraintTerms) -> str:
    span, texts = constraint.span, request.texts
    if span is None or not 0 <= span.turn < len(texts):
        return ""
    return texts[span.turn][span.start : span.end]


def _proposed(proposals: Sequence[Proposal], judged: JudgedRewrite) -> list[GuardJudgement]:
    """A row for each proposal; one without a value could not be judged."""
    found: Mapping[str, Any] = {one.constraint: one for one in judged.judgements}
    rows = []
    for one in proposals:
        said = found.get(one.id)
        rows.append(
            GuardJudgement(
                constraint=one.id,
                kind=one.kind,
                words=one.words,
                judgement=said.judgement if said else "unsure",
                quote=said.quote if said else "",
                why=said.why if said else one.why,
                proposed=True,
                critical=one.certain,
            )
        )
    return rows


def _decided(
    rows: tuple[GuardJudgement, ...],
    added: tuple[Addition, ...],
    kinds: set[str],
    unsure: Doubt,
) -> GuardResult:
    """A loss before an addition before a doubt; the first of them in the order of the contract."""
    critical = [row for row in rows if row.critical]
    for row in critical:
        if row.judgement in LOST:
            return GuardResult("fall_back", _instead(row), rows, added)
    for one in added:
        if one.kind in kinds:
            sentence = f"Search with the request: the rewrite adds a {one.kind}, “{one.quote}”."
            return GuardResult("fall_back", sentence, rows, added)
    doubtful = [row for row in critical if row.judgement not in KEPT]
    if doubtful and unsure == "fall_back":
        return GuardResult("fall_back", _instead(doubtful[0]), rows, added)
    return GuardResult("pass", _kept(rows, critical, len(doubtful)), rows, added)


def _instead(row: GuardJudgement) -> str:
    what = f"{row.kind} “{row.words}”" if row.words else f"{row.kind} {row.constraint}"
    said = "perhaps not kept" if row.judgement == "unsure" else row.judgement
    return f"Search with the request: the {what} is {said}. {row.why}"


def _kept(rows: Sequence[GuardJudgement], critical: Sequence[GuardJudgement], doubtful: int) -> str:
    """Passing says how much stands behind it, and that nothing does where that is so."""
    if not critical:
        others = f"; {len(rows)} other constraint(s) decide nothing" if rows else ""
        return f"Search with the rewrite: there was no critical constraint to check{others}."
    kept = f"{len(critical) - doubtful} of {len(critical)} critical constraints are kept"
    still_open = f", {doubtful} open" if doubtful else ""
    return f"Search with the rewrite: {kept}{still_open}."
