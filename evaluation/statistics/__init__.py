"""Paired tests, intervals and corrections over requests. Pure functions: values in, `Estimate`s
out."""

from evaluation.statistics.bootstrap import bootstrap_interval, bootstrap_intervals
from evaluation.statistics.corrections import benjamini_hochberg, holm
from evaluation.statistics.estimate import Estimate
from evaluation.statistics.paired import mcnemar_exact, mcnemar_midp, sign_flip
from evaluation.statistics.power import (
    largest_passing,
    mcnemar_power,
    release_power,
    smallest_detectable,
)
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
    "bootstrap_intervals",
    "clean_requests_needed",
    "clopper_pearson",
    "holm",
    "largest_passing",
    "mcnemar_exact",
    "mcnemar_midp",
    "mcnemar_power",
    "release_power",
    "sign_flip",
    "smallest_detectable",
    "wilson",
    "zero_failure_upper",
]
