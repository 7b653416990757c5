from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "People and their words"

    def ready(self) -> None:
        from annotation.importing import corpus, requests  # noqa: F401 registers the kinds of file
        from annotation.places import Place, register

        register(
            Place("project", _("Study"), "see_project", 0),
            Place("desk", _("My work"), "annotate", 10),
            Place("requests", _("Requests"), "see_requests", 50),
            Place("corpus", _("Corpus"), "see_corpus", 60),
            Place("import", _("Import"), "import", 70),
            Place("ledger", _("Ledger"), "see_ledger", 80),
            Place("people", _("People"), "manage_people", 90),
            Place("project-settings", _("Settings"), "manage_project", 95),
        )
