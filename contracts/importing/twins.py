from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.importing.fields import Fields
from annotation.importing.kinds import FileKind, register
from annotation.importing.problems import Problems
from annotation.importing.reading import Row
from annotation.models import Person, Project
from contracts.importing.rows import Known
from contracts.models import Control, TwinPair
from contracts.models.fixtures import FAMILIES


@register
class TwinsFile(FileKind):
    """twins.jsonl: twin pairs, and controls (family “control”)."""

    name = "twins"
    label = _("Twin pairs and controls (twins.jsonl)")
    columns = ("id", "family", "base", "twin", "constraint", "accepts")

    def check(
        self, project: Project, rows: Sequence[Row], problems: Problems, target: str
    ) -> list[TwinPair | Control]:
        known = Known(project)
        present = set(project.twin_pairs.values_list("key", flat=True)) | set(
            project.controls.values_list("key", flat=True)
        )
        parsed: list[TwinPair | Control] = []
        for row in rows:
            fields = Fields(row, problems)
            key = fields.id("id")
            family = fields.choice("family", (*FAMILIES, "control"))
            base = known.request(fields, "base")
            if key is not None and key in present:
                fields.fault("id", "duplicate_id", f"the id “{key}” is taken.")
            present.add(key or "")
            if family == "control":
                accepts = fields.texts("accepts")
                if accepts is None:
                    fields.fault("accepts", "missing", "a control needs the texts that must pass.")
                elif key and base:
                    parsed.append(Control(project=project, key=key, base=base, accepts=accepts))
                continue
            twin = known.request(fields, "twin")
            constraint = fields.text("constraint")
            if base and twin and base == twin:
                fields.fault("twin", "same_request", "a request is not its own twin.")
            elif key and family and base and twin and constraint:
                parsed.append(
                    TwinPair(
                        project=project,
                        key=key,
                        family=family,
                        base=base,
                        twin=twin,
                        constraint=constraint,
                    )
                )
        return parsed

    def load(self, project: Project, parsed: list[Any], actor: Person, target: str) -> int:
        for fixture in parsed:
            fixture.save()
        return len(parsed)
