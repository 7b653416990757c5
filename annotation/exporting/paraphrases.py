from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import register
from annotation.exporting.rewrites import RewritesExport


@register
class ParaphrasesExport(RewritesExport):
    """paraphrases.jsonl: what people wrote from scratch. What was retracted or withdrawn is not in
    it.
    """

    name = "paraphrases"
    order = 60
    label = _("Paraphrases")
    purpose = _("Other wordings of the requests by people, for the questions about robustness.")
    columns = ("request", "kind", "text", "author", "warnings", "sealed_at")
    work = "paraphrase"
