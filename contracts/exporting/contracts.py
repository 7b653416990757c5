from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.exporting.kinds import ExportKind, Wanted, register
from annotation.exporting.names import Names, sorted_names
from contracts.exporting.terms import current_contracts, in_order, terms_written, with_contract
from contracts.models import Contract


@register
class ContractsExport(ExportKind):
    """contracts.jsonl: the contract in force of each request."""

    name = "contracts"
    order = 40
    label = _("Contracts")
    purpose = _("What each request asks, as approved: the newest version of every contract.")
    columns = (
        "request", "version", "sha256", "constraints", "ambiguity", "admissible_rewrites",
        "annotators", "adjudicator",
    )  # fmt: skip
    of_people = True

    def count(self, wanted: Wanted) -> int:
        return current_contracts(wanted).count()

    def rows(self, wanted: Wanted) -> Iterator[dict[str, Any]]:
        requests = wanted.project.requests.filter(contracts__isnull=False).distinct()
        for request in in_order(with_contract(requests.only("key", "position", "project"), wanted)):
            for contract in request.shown_contracts:
                yield contract_line(request.key, contract, wanted.names)


def contract_line(key: str, contract: Contract, names: Names) -> dict[str, Any]:
    """One line of contracts.jsonl."""
    return {
        "request": key,
        "version": contract.version,
        "sha256": contract.sha256,
        **terms_written(contract.terms),
        "annotators": sorted_names(names.of(person.pk) for person in contract.annotators.all()),
        "adjudicator": names.of(contract.adjudicator_id),
    }
