"""Whether a rewrite keeps what was asked: the rules, the frozen conditions, the runs and their
verdicts.
"""

from evaluation.models.answer_judgements import AnswerJudgement
from evaluation.models.arms import Arm, UploadedRewrite, UploadedRun
from evaluation.models.judgements import AuditItem, Judgement
from evaluation.models.protocol import Conditions, Protocol
from evaluation.models.runs import Call, Case, Run, StageResult
from evaluation.models.suites import (
    SuiteRow,
    SuiteRun,
    VariationItem,
    VariationReview,
    VariationSet,
)
from evaluation.models.variants import Perturbation, Variation
from evaluation.models.verdicts import Verdict

__all__ = [
    "AnswerJudgement",
    "Arm",
    "AuditItem",
    "Call",
    "Case",
    "Conditions",
    "Judgement",
    "Perturbation",
    "Protocol",
    "Run",
    "StageResult",
    "SuiteRow",
    "SuiteRun",
    "UploadedRewrite",
    "UploadedRun",
    "Variation",
    "VariationItem",
    "VariationReview",
    "VariationSet",
    "Verdict",
]
