from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "People and their words"

    def ready(self) -> None:
        from annotation import desk, kinds, queue, seals  # noqa: F401 queue registers its check
        from annotation.exporting import registered  # noqa: F401 registers the kinds of export
        from annotation.importing import (  # noqa: F401 registers the kinds of file
            beir,
            corpus,
            earlier_ledger,
            paraphrases,
            requests,
        )
        from annotation.places import Place, register
        from annotation.services import guidelines, ledger

        desk.register(kinds.PARAPHRASE)
        ledger.register(guidelines.GUIDELINES, seals.PARAPHRASES)
        register(
            Place("project", _("Study"), "see_project", 0),
            Place("desk", _("My work"), "annotate", 10),
            Place("guidelines", _("Guidelines"), "see_project", 45),
            Place("work", _("Work"), "manage_work", 15, not_annotating=True),
            Place("requests", _("Requests"), "see_requests", 50),
            Place("corpus", _("Corpus"), "see_corpus", 60),
            Place("import", _("Import"), "import", 70),
            Place("exports", _("Exports"), "export", 75),
            Place("exports-mine", _("My exports"), "annotate", 76),
            Place("ledger", _("Ledger"), "see_ledger", 80),
            Place("people", _("People"), "manage_people", 90),
            Place("project-settings", _("Settings"), "manage_project", 95),
        )
