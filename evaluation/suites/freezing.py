"""Everything that decides the result of a suite run, written down and hashed before it runs."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.models import Corpus, Project
from annotation.services.projects import Refused
from evaluation.models import VariationSet
from evaluation.pipelines.base import Kit, Pipeline
from evaluation.readers.base import Reader
from evaluation.registry import PartError
from evaluation.robustness.study import CLEAN_SET, Settings
from evaluation.runs.code import code_sha256
from evaluation.runs.freezing import MAX_K
from evaluation.runs.generation import described_generator
from evaluation.runs.inputs import clusters_of
from evaluation.runs.parts import reader_for, retriever_for, rewriter_for
from evaluation.suites.pipelines import (
    Wanted,
    asks_model,
    asks_tokens,
    chosen,
    described,
    tokens_of,
)
from evaluation.suites.reading import family_of, rate_of

SUITE = "variations"
SCHEMA = "suite-run/1"
_MOST_DRAWN = 20_000_000  # requests x resamples


def freeze(
    *,
    project: Project,
    sets: Sequence[VariationSet],
    pipelines: Sequence[Wanted],
    retriever: str,
    retriever_parameters: Mapping[str, Any],
    reader: str,
    reader_parameters: Mapping[str, Any],
    k: int,
    four_conditions: bool,
) -> tuple[Corpus, dict[str, Any]]:
    """Return the corpus and the content of a run over made sets: equal content, equal hash.

    Raises Refused, a sentence, for what cannot be run.
    """
    corpus = Corpus.objects.latest_of(project)
    if corpus is None:
        raise Refused(_("Import a corpus first: there is nothing to search."))
    if not 1 <= k <= MAX_K:
        raise Refused(_("k must be from 1 to 1000."))
    if not sets:
        raise Refused(_("Choose at least one variation set."))
    for one in sets:
        _require_made(one)
    parts = chosen(pipelines, {"name": reader, "parameters": reader_parameters})
    requests = _requests(project, sets)
    try:
        searching = retriever_for(corpus, retriever, retriever_parameters).describe()
        reading = reader_for(reader, reader_parameters, only_described=True)
        told = [{"label": label, **described(part)} for label, part in parts]
        kit = _kit(reading, [part for _label, part in parts], min(k, corpus.document_count))
    except PartError as fault:
        raise Refused(str(fault)) from fault
    return corpus, {
        "schema": SCHEMA,
        "suite": SUITE,
        "code": {"version": settings.VERSION, "sha256": code_sha256()},
        "corpus": {"sha256": corpus.sha256, "version": corpus.version},
        "reference_date": project.reference_date.isoformat() if project.reference_date else None,
        "requests": requests,
        "twins": _twins(project, requests),
        "sets": [
            {
                "number": one.number,
                "name": one.name,
                "sha256": one.sha256,
                "rate": rate_of(one),
                "family": family_of(one),
            }
            for one in sets
        ],
        "retriever": searching,
        "reader": kit["reader"],
        "pipelines": told,
        "kit": kit,
        "k": min(k, corpus.document_count),
        "four_conditions": four_conditions,
        "statistics": Settings(resamples=draws_for(len(requests))).to_json(),
    }


def draws_for(requests: int) -> int:
    """How often to resample: 10,000 times, of more than 2,000 requests fewer times, but at least
    2,000. A result is to take a worker minutes, not hours.

    >>> draws_for(1000), draws_for(4000), draws_for(100_000)
    (10000, 5000, 2000)
    """
    return max(2_000, min(Settings().resamples, _MOST_DRAWN // max(requests, 1)))


def _require_made(one: VariationSet) -> None:
    if one.state != VariationSet.State.MADE:
        raise Refused(
            _("The set “%(name)s” is %(state)s: a run needs sets that are made.")
            % {"name": one.name, "state": one.get_state_display()}
        )
    if one.name == CLEAN_SET:
        raise Refused(
            _("A set is called “%(name)s”, which stands for every request in its own words.")
            % {"name": one.name}
        )


def _requests(project: Project, sets: Sequence[VariationSet]) -> dict[str, str]:
    rows = project.requests.filter(pk__in=_items(sets)).values_list("key", "sha256")
    found = dict(rows)
    if not found:
        raise Refused(_("The chosen sets have no request."))
    return found


def _items(sets: Sequence[VariationSet]) -> Any:
    items = sets[0].items.model.objects.filter(set__in=[one.pk for one in sets])
    return items.order_by().values("request")


def _twins(project: Project, requests: Mapping[str, str]) -> dict[str, str]:
    """Each twin's base among the requests: they are drawn and flipped together."""
    rows = project.twin_pairs.order_by("key").values_list("twin__key", "base__key")
    found = clusters_of(rows)
    return {t: base for t, base in found.items() if t in requests and base in requests}


def _kit(reader: Reader, pipelines: Sequence[Pipeline], k: int) -> dict[str, Any]:
    """What decides the pipelines' outcomes beside themselves: the models that they ask."""
    kit = Kit(
        k=k,
        search=lambda _queries, _k: [],
        reader=reader,
        rewriter=partial(rewriter_for, only_described=True),
        generator=described_generator() if asks_model(pipelines) else None,
        tokens=tokens_of(reader.describe()) if asks_tokens(pipelines) else None,
    )
    return kit.describe()
