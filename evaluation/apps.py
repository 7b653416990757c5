from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = "Whether a rewrite keeps it"

    def ready(self) -> None:
        from annotation.blindness import facts, routes
        from annotation.places import Place, register
        from annotation.services import ledger
        from contracts import coverage, results
        from evaluation import blind_facts, blind_routes, seals
        from evaluation.importing import rewrites, runs  # noqa: F401 registers the kinds of file
        from evaluation.twins import pairs_wanted, runs_with

        ledger.register(seals.PROTOCOLS, seals.CONDITIONS)
        coverage.register_minima(pairs_wanted)
        results.register_results(runs_with)
        facts.register(*blind_facts.FACTS)
        routes.register(number=blind_routes.runs, pk=blind_routes.numbered)
        register(
            Place("judgements", _("Judgements"), "judge", 30, contracts_only=True),
            Place("runs", _("Runs"), "see_results", 40),
            Place("protocols", _("Protocols"), "see_results", 45, contracts_only=True),
        )
