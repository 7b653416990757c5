"""Sets of variations for tests: makers whose texts are known, and a study with paraphrases."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

import pytest
from django.utils import timezone

from annotation.models import HumanRewrite, Person, Project, Request
from annotation.services.rewrites import record_rewrites, sealed_rewrite
from evaluation.models import VariationSet
from evaluation.services.variations import fill, make_set
from evaluation.variations.base import VARIATIONS, CannotVary, Check, Maker, Proposal, Source


class Loud(Maker):
    """Writes the text in capitals."""

    name = "loud"
    version = "1"
    category: ClassVar[str] = "Is it written in capitals?"

    def propose(self, source: Source, draws: Random) -> Proposal:
        return Proposal(source.text.upper(), (0,))

    def checks(self, source: Source, made: Proposal) -> Sequence[Check]:
        return [Check("differs", "1", made.text != source.text)]

    def flags(self, source: Source, made: Proposal) -> dict[str, Any]:
        return {"entity_token_changed": True, "unchanged": False, "edit_distance": 4}


class Picky(Loud):
    """Makes a text of no request but a, and of b none that may stand."""

    name = "picky"

    def propose(self, source: Source, draws: Random) -> Proposal:
        if source.key not in ("a", "b"):
            raise CannotVary("It has nothing to be picky about.")
        return Proposal(source.text + " Please?")

    def checks(self, source: Source, made: Proposal) -> Sequence[Check]:
        return [Check("picky", "1", source.key == "a", "It may not be b.")]


@pytest.fixture
def makers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two kinds more than the product has; nothing is sent to a worker."""
    for part in (Loud, Picky):
        monkeypatch.setitem(VARIATIONS._parts, part.name, part)
    from evaluation.varying.tasks import fill_variation_set

    monkeypatch.setattr(fill_variation_set, "delay", lambda set_id: None)


def begun(
    engineer: Person, project: Project, kinds: dict[str, int] | None = None, **more: Any
) -> VariationSet:
    """A set of every request, of one kind, that nobody has worked on."""
    given = {"name": "first", "kinds": kinds or {"loud": 1}, "rate": 1.0, "seed": 7, **more}
    return make_set(actor=engineer, project=project, **given)


def made(
    engineer: Person, project: Project, kinds: dict[str, int] | None = None, **more: Any
) -> VariationSet:
    """The same, made."""
    found = begun(engineer, project, kinds, **more)
    fill(found)
    found.refresh_from_db()
    return found


def paraphrase(project: Project, author: Person, key: str, text: str) -> HumanRewrite:
    """A sealed paraphrase by the person, as the desk leaves it."""
    rewrite = sealed_rewrite(
        request=Request.objects.get(project=project, key=key),
        author=author,
        kind="paraphrase",
        text=text,
        warnings=[],
        sealed_at=timezone.now(),
    )
    record_rewrites(project=project, rewrites=[rewrite], actor=author)
    return rewrite
