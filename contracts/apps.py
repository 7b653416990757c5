from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ContractsConfig(AppConfig):
    name = "contracts"
    verbose_name = "What a request demands"

    def ready(self) -> None:
        from annotation import columns, desk, guidelines, keys, person_columns, places, progress
        from annotation.blindness import facts, routes
        from annotation.places import Place
        from annotation.services import ledger
        from annotation.views import history
        from contracts import (
            blind_facts,
            kinds,
            seals,
            tasks,  # noqa: F401 Celery finds them here
            training_kind,
        )
        from contracts.exporting import registered  # noqa: F401 registers the kinds of export
        from contracts.importing import (  # noqa: F401 registers the kinds of file
            contracts,
            gold,
            sheets,
            standalone,
            twins,
        )
        from contracts.qualification import outside_the_study
        from contracts.services.agreement import SNAPSHOTS, snapshot_ids
        from contracts.stories import (
            contract_part,
            contract_versions,
            contracts_approved,
            silent_found,
        )
        from contracts.views.gaps import contracts_approved_under
        from contracts.views.shown import KINDS_SHOWN, SHEET_ACTS, SHEET_SAVES
        from contracts.views.suggestions import SUGGESTION_ACTS

        desk.register(kinds.SHEET)
        desk.register(kinds.STANDALONE)
        desk.register(training_kind.QUALIFICATION)
        keys.register(*SHEET_ACTS, *SUGGESTION_ACTS)
        history.SAID.update(SHEET_SAVES)
        guidelines.register_topics(*(guidelines.Topic(k.name, k.label) for k in KINDS_SHOWN))
        guidelines.register_use(contracts_approved_under)
        ledger.register(seals.SHEETS, seals.CONTRACTS, seals.REFERENCES, seals.TWINS, SNAPSHOTS)
        places.register(
            Place(
                *("blindness", _("Blindness"), "manage_work", 82),
                contracts_only=True,
                not_annotating=True,
            ),
            Place("bench", _("Bench"), "adjudicate", 20, contracts_only=True),
            Place(
                *("twins", _("Twins"), "build_twins", 25), contracts_only=True, not_annotating=True
            ),
            Place(
                *("agreement", _("Agreement"), "see_agreement", 21),
                contracts_only=True,
                not_annotating=True,
            ),
            Place(
                *("training", _("Training"), "manage_work", 16),
                contracts_only=True,
                not_annotating=True,
            ),
        )
        facts.register(*blind_facts.FACTS)
        further = ("adjudicator", "engineer", "owner")
        facts.still_open.update(dict.fromkeys(further, blind_facts.open_with_a_seat))
        routes.register(
            adjudication_id=blind_facts.adjudications,
            contract_id=blind_facts.contracts,
            sheet_id=blind_facts.sheets,
            snapshot_id=snapshot_ids,
            draft_id=blind_facts.twin_drafts,
        )
        progress.register_outside(outside_the_study)
        person_columns.register_person_column(_("Silent items, found of wanted"), silent_found)
        progress.register_count(_("Contracts, approved"), contracts_approved)
        columns.register_column(_("Contract"), contract_versions)
        columns.register_section(_("Contract"), "contracts/_section.html", contract_part)
