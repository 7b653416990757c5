"""What the page of a run shows of its progress, in words and rows."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import Case, Run, StageResult
from evaluation.services.runs import ArmProgress, Progress, progress
from evaluation.services.runs.losses import left_out, losses
from evaluation.services.runs.progress import STAGES

WORKER_SHOULD_HAVE_COME = timedelta(seconds=5)
MOST_KEPT = 100
WORKER_COMMAND = "python -m celery -A config worker"


def watched(run: Run) -> dict[str, Any]:
    """The context of the moving part: counts, losses by their sentence, and what is said aloud."""
    counted = progress(run)
    late = timezone.now() - run.created_at > WORKER_SHOULD_HAVE_COME
    idle = run.is_worked_on and not counted.workers and not counted.recent
    return {
        "progress": counted,
        "stage_names": [StageResult.Stage(stage).label for stage in STAGES],
        "rows": [_row(_("all arms"), counted.all), *(_row(a.arm, a) for a in counted.arms)],
        "losses": losses(run) if counted.lost else [],
        "no_worker": idle and late and counted.waiting > 0,
        "worker_command": WORKER_COMMAND,
        "saying": _key(run, counted),
        "said": said(run, counted),
    }


def said(run: Run, counted: Progress) -> str:
    """The progress in a sentence or two, for whoever listens."""
    sentences = [
        _("%(n)d of %(of)d cases closed.") % {"n": counted.closed, "of": counted.total},
    ]
    if counted.lost:
        sentences.append(
            ngettext("%(n)d of them has no result.", "%(n)d of them have no result.", counted.lost)
            % {"n": counted.lost}
        )
    if run.notice:
        sentences.append(run.notice)
    elif counted.estimate:
        sentences.append(_("Still %(time)s.") % {"time": counted.estimate})
    return " ".join(sentences)


def kept(run: Run) -> dict[str, Any]:
    """Of a cancelled run the requests under which it computed anything, the first 100 of them."""
    if run.state != Run.State.CANCELLED:
        return {}
    begun = Q(cases__run=run) & (Q(cases__stages_done__gt=0) | Q(cases__state=Case.State.DONE))
    requests = run.project.requests.filter(begun).order_by("position", "pk").distinct()
    return {"kept": requests[:MOST_KEPT], "kept_of": requests.count()}


def closed_cases(runs: Sequence[Run]) -> dict[int, str]:
    """For each run that has no result how many of its cases are closed, in one query."""
    rows = Case.objects.filter(run__in=runs).order_by().values_list("run_id")
    is_open = Q(state__in=[Case.State.PENDING, Case.State.RUNNING])
    counted = rows.annotate(of=Count("pk"), open=Count("pk", filter=is_open))
    return {
        run: _("%(n)d of %(of)d cases closed") % {"n": of - waiting, "of": of}
        for run, of, waiting in counted
    }


def coverage(run: Run) -> dict[str, Any] | None:
    """What a finished run lacks, by arm, and who decided that it may; None if it has all."""
    if not run.cases.lost().exists():  # from an index: most runs have all, and many cases
        return None
    counted = progress(run)
    entry = left_out(run)
    return {
        "lost": counted.lost,
        "of": counted.total,
        "arms": [arm for arm in counted.arms if arm.lost],
        "reason": entry.content["reason"] if entry else "",
        "who": entry.actor.shown_name if entry and entry.actor else "",
        "losses": losses(run),
    }


def _row(name: str, counted: ArmProgress) -> dict[str, Any]:
    labels = [*(StageResult.Stage(stage).label for stage in STAGES), _("closed")]
    cells = zip(labels, [*counted.stages, counted.closed], strict=True)
    return {"name": name, "cells": list(cells), "of": counted.total, "lost": counted.lost}


def _key(run: Run, counted: Progress) -> str:
    """Changes when something is worth saying aloud: each tenth, a first loss, a notice."""
    tenth = 10 * counted.closed // counted.total if counted.total else 0
    return f"{tenth}{'l' if counted.lost else ''}{'n' if run.notice else ''}"
