"""What every page, file and command says of a run whose rules a newer registration superseded."""

from collections.abc import Iterable
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from annotation.languages import STORED
from evaluation.models import Run
from evaluation.reports.protocol.sentences import void_sentence
from evaluation.services.protocols import void_by


def void_said(run: Run) -> list[str]:
    """The one sentence, in the reader's language; nothing while the run's decisions stand."""
    newer = void_by(run.protocol)
    return [void_sentence(newer.version, newer.registered_at)] if newer else []


def voids_said(runs: Iterable[Run]) -> list[str]:
    """The same of several runs, each once and by its number."""
    by_number = {run.number: run for run in runs}
    return [
        _("Run %(n)d: %(sentence)s") % {"n": number, "sentence": sentence}
        for number, run in sorted(by_number.items())
        for sentence in void_said(run)
    ]


def void_stored(run: Run) -> str:
    """The sentence as files and commands have it, in English; "" while the decisions stand."""
    with translation.override(STORED):
        return " ".join(void_said(run))


def void_json(run: Run) -> dict[str, Any] | None:
    """The newer registration that voids the run's decisions; None while they stand."""
    newer = void_by(run.protocol)
    if newer is None:
        return None
    return {"version": newer.version, "registered_at": newer.registered_at.isoformat()}


def void_cell(run: Run) -> str:
    """The same in a column: `version 2`, or "" while the decisions stand."""
    newer = void_by(run.protocol)
    return f"version {newer.version}" if newer else ""
