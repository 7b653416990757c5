from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import CHUNK, ExportKind, Wanted, register


@register
class TwinsExport(ExportKind):
    """twins.jsonl: the twin pairs, then the controls, each in the order in which they came."""

    name = "twins"
    order = 70
    label = _("Twin pairs and controls")
    purpose = _("Pairs of requests that differ in one decisive qualifier, and what must pass.")
    columns = ("id", "family", "base", "twin", "constraint", "accepts")

    def count(self, wanted: Wanted) -> int:
        return wanted.project.twin_pairs.count() + wanted.project.controls.count()

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        pairs = wanted.project.twin_pairs.select_related("base", "twin").order_by("pk")
        for pair in pairs.iterator(chunk_size=CHUNK):
            yield {
                "id": pair.key,
                "family": pair.family,
                "base": pair.base.key,
                "twin": pair.twin.key,
                "constraint": pair.constraint,
            }
        controls = wanted.project.controls.select_related("base").order_by("pk")
        for control in controls.iterator(chunk_size=CHUNK):
            yield {
                "id": control.key,
                "family": "control",
                "base": control.base.key,
                "accepts": control.accepts,
            }
