from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import register
from annotation.exporting.rewrites import RewritesExport


@register
class StandaloneExport(RewritesExport):
    """standalone.jsonl: the human reference of each request, written from scratch."""

    name = "standalone"
    order = 50
    label = _("Standalone references")
    purpose = _("The human reference arm: each request as a person wrote it to stand alone.")
    columns = ("request", "text", "author", "clarification", "warnings", "sealed_at")
    work = "standalone"
