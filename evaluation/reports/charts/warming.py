"""Draws the charts of a finished run before anybody asks for them."""

import time

from django.conf import settings
from django.utils import translation

from evaluation.models import Arm, Run
from evaluation.reports.charts.result_charts import charts
from evaluation.reports.verdict.report import candidates, shown_arms
from evaluation.reports.verdict.scorecard_table import scopes


def draw_ahead(run_id: int, *, seconds: float = 20.0) -> int:
    """Draw what the verdict page of a finished run shows first: every candidate in every language,
    all classes before single ones. Stops after `seconds`; the rest is drawn when it is asked for.
    Returns how many pages' charts stand.
    """
    run = Run.objects.filter(pk=run_id, state=Run.State.FINISHED).first()
    if run is None or not run.result:
        return 0
    arms = list(run.arms.all())
    wanted: list[Arm | None] = list(candidates(arms)) or [None]
    until = time.monotonic() + seconds
    done = 0
    for scope in scopes(run.result):
        for candidate in wanted:
            columns = [arm.name for arm in shown_arms(arms, candidate)]
            for language, _name in settings.LANGUAGES:
                if time.monotonic() > until:
                    return done
                with translation.override(language):
                    charts(run.result, columns, candidate.name if candidate else None, scope)
                done += 1
    return done
