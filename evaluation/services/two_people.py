"""How far two people agree who judged the same items of a run, each without the other's word."""

from itertools import groupby
from typing import Any

from evaluation.models import Judgement, Run
from evaluation.scoring.audit import agreement


def agreement_of(run: Run) -> dict[str, Any]:
    """Compare the first two people's words on every item of the run that has two; a third one's
    word, asked for only where they differ, would bias it. The keys are those of
    `evaluation.scoring.audit.agreement`: percent agreement as `raw`, Krippendorff's `alpha`, and
    the counts behind them; what is undefined has no value and a reason.
    """
    rows = (
        Judgement.objects.words()
        .filter(case__run=run)
        .order_by("case_id", "constraint_id", "pk")
        .values_list("case_id", "constraint_id", "judgement")
    )
    grouped = groupby(rows.iterator(chunk_size=2000), key=lambda row: row[:2])
    words = [[word for *_item, word in found] for _item, found in grouped]
    return agreement([(found[0], found[1]) for found in words if len(found) >= 2])
