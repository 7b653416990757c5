"""Paired tests, intervals and corrections over requests. Pure functions: values in, `Estimate`s
out."""

from evaluation.statistics.bootstrap import bootstrap_interval
from evaluation.statistics.corrections import benjamini_hochberg, holm
from evaluation.statistics.estimate import Estimate
from evaluation.statistics.paired import mcnemar_exact, mcnemar_midp, sign_flip
from evaluation.statistics.proportions import (
    clean_requests_needed,
    clopper_pearson,
    wilson,
    zero_failure_upper,
)

__all__ = [
    "Estimate",
    "benjamini_hochberg",
    "bootstrap_interval",
    "clean_requests_needed",
    "clopper_pearson",
    "holm",
    "mcnemar_exact",
    "mcnemar_midp",
    "sign_flip",
    "wilson",
    "zero_failure_upper",
]
