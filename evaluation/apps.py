from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = "Whether a rewrite keeps it"

    def ready(self) -> None:
        from annotation import withheld_entries
        from annotation.blindness import facts, routes
        from annotation.places import Place, register
        from annotation.services import ledger
        from annotation.services.rewrites import register_copies
        from contracts import coverage, results
        from evaluation import blind_facts, blind_routes, seals
        from evaluation.importing import rewrites, runs  # noqa: F401 registers the kinds of file
        from evaluation.services.open_words import entries_hidden_from
        from evaluation.suites import copies
        from evaluation.twins import pairs_wanted, runs_with
        from evaluation.varying import human

        self._check_settings()
        ledger.register(seals.PROTOCOLS, seals.CONDITIONS, seals.VARIATIONS)
        register_copies(human.forget)
        register_copies(copies.forget)
        coverage.register_minima(pairs_wanted)
        results.register_results(runs_with)
        facts.register(*blind_facts.FACTS)
        withheld_entries.register(entries_hidden_from)
        routes.register(
            number=blind_routes.runs,
            pk=blind_routes.numbered,
            arm_name=blind_routes.arms,
            form=blind_routes.forms,
        )
        register(
            Place(
                "judgements", _("Judgements"), "judge", 30, contracts_only=True, also=("answers",)
            ),
            Place(
                "variation-review",
                _("Variations to review"),
                "review_variations",
                35,
                not_annotating=True,
                also=("variation-review", "variation-review-say"),
            ),
            Place("runs", _("Runs"), "see_results", 40),
            Place("suites", _("Suites"), "see_results", 41),
            Place("arms", _("Arms"), "see_results", 42),
            Place("protocols", _("Protocols"), "see_results", 45, contracts_only=True),
        )

    def _check_settings(self) -> None:
        """Refuse to start with settings that could only fail once a run calls out."""
        import os

        from django.core.exceptions import ImproperlyConfigured

        from evaluation.gates import GateSettingsError, most_connections
        from evaluation.generation.endpoints import Endpoint, EndpointSettingsError

        try:
            most_connections(os.environ)
            Endpoint.from_environment(os.environ)
        except (GateSettingsError, EndpointSettingsError) as fault:
            raise ImproperlyConfigured(str(fault)) from fault
