from evaluation.constraint_judges.base import (
    ConstraintJudge,
    ConstraintJudgeError,
    build_constraint_judge,
    constraint_judge_names,
)

__all__ = [
    "ConstraintJudge",
    "ConstraintJudgeError",
    "build_constraint_judge",
    "constraint_judge_names",
]
