"""Runs: started, controlled, extended, watched. What they compute is in `evaluation.runs`."""

from evaluation.services.arms import arm_named
from evaluation.services.runs.control import (
    cancel_run,
    conclude_without_failed,
    pause_run,
    resume_or_start,
    resume_run,
    retry_failed,
)
from evaluation.services.runs.extending import Newer, extend_run, newer_than
from evaluation.services.runs.progress import ArmProgress, Progress, progress
from evaluation.services.runs.starting import latest_run, reconclude, send, start_run

__all__ = [
    "ArmProgress",
    "Newer",
    "Progress",
    "arm_named",
    "cancel_run",
    "conclude_without_failed",
    "extend_run",
    "latest_run",
    "newer_than",
    "pause_run",
    "progress",
    "reconclude",
    "resume_or_start",
    "resume_run",
    "retry_failed",
    "send",
    "start_run",
]
