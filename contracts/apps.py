from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ContractsConfig(AppConfig):
    name = "contracts"
    verbose_name = "What a request demands"

    def ready(self) -> None:
        from annotation import columns, desk, places, progress
        from annotation.places import Place
        from annotation.services import ledger
        from contracts import kinds, seals
        from contracts.importing import (  # noqa: F401 registers the kinds of file
            contracts,
            sheets,
            standalone,
            twins,
        )
        from contracts.stories import contract_part, contract_versions, contracts_approved

        desk.register(kinds.SHEET)
        desk.register(kinds.STANDALONE)
        ledger.register(seals.SHEETS, seals.CONTRACTS, seals.REFERENCES)
        places.register(
            Place("bench", _("Bench"), "adjudicate", 20, contracts_only=True),
        )
        progress.register_count(_("Contracts, approved"), contracts_approved)
        columns.register_column(_("Contract"), contract_versions)
        columns.register_section(_("Contract"), "contracts/_section.html", contract_part)
