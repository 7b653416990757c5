"""Where a word that a reader looks for stands: in a request, a rewrite, or a constraint."""

from collections.abc import Set
from typing import Any

from django.db.models import F, Q, QuerySet, TextField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from annotation.models import Request, Turn
from contracts.models import Constraint
from evaluation.models import Arm, Run, StageResult
from evaluation.reports.matrix.search_words import is_plain, plain_part, text_pattern, value_pattern


def requests_with(run: Run, arm: Arm, word: str) -> Set[int]:
    """The requests that have the word in their key, in a turn, or in the arm's rewrite."""
    requests = Request.objects.filter(project=run.project_id).order_by()
    turns = Turn.objects.filter(request__project=run.project_id).order_by()
    rewrites = StageResult.objects.filter(
        case__run=run, case__arm=arm, stage=StageResult.Stage.REWRITE
    ).order_by()
    emitted = _that_may(rewrites.alias(whole=Cast(F("content"), TextField())), "whole", word)
    emitted = emitted.alias(queries=KT("content__queries"), asks=KT("content__clarification"))
    asked = _that_may(requests, "text", word).filter(_has("text", word))
    return {
        *requests.filter(_has("key", word)).values_list("pk", flat=True),
        *asked.values_list("pk", flat=True),
        *_that_may(turns, "text", word)
        .filter(_has("text", word))
        .values_list("request", flat=True),
        *emitted.filter(_has("queries", word) | _has("asks", word)).values_list(
            "case__request", flat=True
        ),
    }


def constraints_with(run: Run, arm: Arm, word: str) -> Set[int]:
    """The constraints whose value says the word."""
    rows = Constraint.objects.filter(contract__cases__run=run, contract__cases__arm=arm).order_by()
    rows = _that_may(rows.alias(said=Cast(F("value"), TextField())), "said", word)
    says = Q(said__regex=value_pattern(word))
    return set(rows.filter(says).values_list("pk", flat=True))


def _has(column: str, word: str) -> Q:
    """Databases find a plain word in a text by themselves, and much faster than by a pattern."""
    if is_plain(word):
        return Q(**{f"{column}__icontains": word})
    return Q(**{f"{column}__regex": text_pattern(word)})


def _that_may(rows: QuerySet[Any], column: str, word: str) -> QuerySet[Any]:
    """Leave out what lacks the plain part of the word, and so cannot have it."""
    part = plain_part(word)
    return rows.filter(**{f"{column}__icontains": part}) if part else rows
