"""Builders of outcomes for the scoring tests."""

from evaluation.scoring.outcomes import CaseOutcome, Judged
from evaluation.scoring.pairs import PairResult
from evaluation.scoring.protocol import parse_protocol


def judged(*judgements, kind="time", critical=True):
    return tuple(Judged(f"c{i}", kind, critical, j) for i, j in enumerate(judgements, start=1))


def case(request="r1", arm="candidate", *judgements, right=True, **fields):
    """A case with one critical constraint, stated, and a right answer, unless told otherwise."""
    defaults = {
        "request_class": "dated-fact",
        "judgements": judged(*(judgements or ("stated",))),
        "evidence_hit": 1,
        "evidence_required": 1,
        "answer_correct": right,
        "supported": True,
    }
    return CaseOutcome(request=request, arm=arm, **(defaults | fields))


def arm(name, rights, **fields):
    """One case a letter: "+" for a supported-correct answer, "-" for a wrong one."""
    return [case(f"r{i:03d}", name, right=r == "+", **fields) for i, r in enumerate(rights)]


def pair(number, passed, family="date", **fields):
    defaults = {"rewrite": passed, "evidence": None, "answer": None, "why": "Test."}
    ends = {"worst": passed, "best": passed}
    sides = {"base": f"r{number}", "twin": f"r{number}-twin"}
    identity = {"request_class": "dated-fact", "arm": "candidate", **sides}
    return PairResult(id=f"t{number}", family=family, **(identity | defaults | ends | fields))


def protocol_data(**rule):
    default = {"completeness_floor": 0.95, "regression_ceiling": 0.05, "min_requests": 10}
    return {
        "name": "gate",
        "alpha": 0.05,
        "resamples": 1000,
        "seed": 7,
        "correction": "holm",
        "test": "mcnemar_exact",
        "judging": "human_for_critical",
        "classes": {"*": default | rule},
    }


def protocol(**rule):
    return parse_protocol(protocol_data(**rule))
