from evaluation.support.base import (
    SupportError,
    SupportJudge,
    build_support_judge,
    support_judge_names,
)

__all__ = ["SupportError", "SupportJudge", "build_support_judge", "support_judge_names"]
