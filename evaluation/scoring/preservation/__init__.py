"""Whether a rewrite keeps each constraint of a contract."""

from evaluation.scoring.preservation.judge import judge_constraints, judge_rewrite

__all__ = ["judge_constraints", "judge_rewrite"]
