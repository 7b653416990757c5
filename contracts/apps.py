from django.apps import AppConfig


class ContractsConfig(AppConfig):
    name = "contracts"
    verbose_name = "What a request demands"

    def ready(self) -> None:
        from contracts import work  # noqa: F401 registers the kinds of work
        from contracts.importing import (  # noqa: F401 registers the kinds of file
            contracts,
            sheets,
            standalone,
            twins,
        )
