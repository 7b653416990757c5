from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = "Whether a rewrite keeps it"

    def ready(self) -> None:
        from evaluation.importing import rewrites, runs  # noqa: F401 registers the kinds of file
