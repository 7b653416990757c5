"""What rows of suites keep of a paraphrase goes when its author withdraws their consent."""

from collections.abc import Sequence
from typing import Any

from annotation.models import HumanRewrite
from evaluation.models import SuiteRow, SuiteRun
from evaluation.robustness.study import CLEAN
from evaluation.suites.trials import parts_of_key, wording_of

WITHDRAWN = "The person who wrote this wording withdrew their consent: its words were deleted."
# What a row tells of its wording beside the answer, the documents and what they took.
TOLD = ("searches", "shown", "notes", "raw")


def forget(rewrites: Sequence[HumanRewrite]) -> None:
    """Take the words out of the rows that were computed with them; what was found and answered
    stays. Call inside the transaction that withdraws the texts, which are still in `rewrites`.
    """
    written = [rewrite for rewrite in rewrites if rewrite.text]
    projects = {rewrite.request.project_id for rewrite in written}
    # A worker that has the words in memory writes none of them: it loses its run, which is taken up
    # again without them.
    worked_on = SuiteRun.objects.filter(project__in=projects, state__in=SuiteRun.WORKED_ON)
    worked_on.update(worker="", leased_until=None)
    for rewrite in written:
        wording = wording_of(rewrite.text, rewrite.request.text)
        if wording == CLEAN:
            continue  # the words of the request itself
        rows = SuiteRow.objects.filter(request=rewrite.request, key__contains=f"|{wording}")
        changed = []
        for row in rows.iterator():
            if wording in parts_of_key(row.key)[1:]:
                row.content = without_words(row.content, rewrite.text)
                changed.append(row)
        SuiteRow.objects.bulk_update(changed, ["content"], batch_size=100)


def without_words(content: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a row's content without what it tells of its wording."""
    kept = {name: value for name, value in content.items() if name not in TOLD}
    if "searches" in content:
        kept["searches"] = []
    if text in str(kept.get("error", "")):
        kept["error"] = WITHDRAWN
    return {**kept, "notes": {"withdrawn": WITHDRAWN}}
