"""Items of a set, and its recipe, as the pages show them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from contracts.word_diff import INSERTED, Piece, is_written_anew, word_diff
from evaluation.models import VariationItem, VariationReview, VariationSet
from evaluation.reports.parts.words import differences_in_words
from evaluation.reports.varied.facts import FLAGS
from evaluation.variations.base import VARIATIONS
from evaluation.varying.making import HUMAN

SHOWN: Mapping[str, str | Promise] = {
    "varied": gettext_lazy("everything that is to be varied"),
    "made": gettext_lazy("those made"),
    "failed": gettext_lazy("those that failed"),
    "sampled": gettext_lazy("those that people look at"),
    "doubted": gettext_lazy("those that somebody did not pass"),
    "clean": gettext_lazy("clean requests"),
    "all": gettext_lazy("all requests"),
}


@dataclass(frozen=True, slots=True)
class Said:
    """What one person said of an item, under the name that the study has for them."""

    name: str
    meaning_kept: bool
    category_right: bool
    note: str


@dataclass(frozen=True, slots=True)
class ItemShown:
    """One item: its request's words and what became of them, in pieces. `anew` is whether the
    pieces would not show what changed; `said` is empty for whoever may not know what people said.
    """

    item: VariationItem
    original: str
    pieces: tuple[Piece, ...]
    anew: bool
    flags: tuple[str | Promise, ...]
    failed: bool
    said: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True)
class KindOfRecipe:
    """One kind of a recipe: its weight, what made it and with which parameters."""

    kind: str
    weight: int
    version: str
    parameters: str
    model: str


def chosen(of: VariationSet, *, kind: str, show: str) -> QuerySet[VariationItem]:
    """The items of a set that the page is to show: of a kind ("" for any), and which of those."""
    rows = of.items.select_related("request", "variation").order_by("position")
    if kind:
        rows = rows.filter(kind=kind)
    if show == "made":
        return rows.filter(variation__isnull=False)
    if show == "failed":
        return rows.filter(variation=None).exclude(kind="").exclude(why="")
    if show == "sampled":
        return rows.filter(sampled=True)
    if show == "doubted":
        no = Q(meaning_kept=False) | Q(category_right=False)
        return rows.filter(pk__in=VariationReview.objects.filter(no, item__set=of).values("item"))
    if show == "clean":
        return rows.filter(kind="")
    return rows.exclude(kind="") if show == "varied" else rows


def said_of(of: VariationSet, items: Iterable[VariationItem]) -> dict[int, tuple[Said, ...]]:
    """What people said of the items, by the item, in the order in which they did."""
    rows = list(VariationReview.objects.filter(item__in=[item.pk for item in items]))
    names = dict(of.project.memberships.values_list("person_id", "pseudonym")) if rows else {}
    found: dict[int, list[Said]] = {}
    for row in rows:
        said = Said(names.get(row.person_id, ""), row.meaning_kept, row.category_right, row.note)
        found.setdefault(row.item_id, []).append(said)
    return {pk: tuple(said) for pk, said in found.items()}


def item_shown(item: VariationItem, said: tuple[Said, ...] = ()) -> ItemShown:
    """Return what the page shows of an item."""
    original, row = item.request.text, item.variation
    flags: Mapping[str, Any] = (row.validation.get("flags") or {}) if row else {}
    return ItemShown(
        item=item,
        original=original,
        pieces=word_diff(original, row.text) if row else (),
        anew=row is not None and _hides(original, row.text),
        flags=tuple(label for flag, label in FLAGS.items() if flags.get(flag)),
        failed=bool(item.kind and row is None and item.why),
        said=said,
    )


def compared(item: VariationItem) -> tuple[Piece, ...]:
    """The variation in pieces, with the words marked that the request does not have."""
    text = item.variation.text if item.variation else ""
    return tuple(p for p in word_diff(item.request.text, text) if p.state != "del")


def recipe_facts(of: VariationSet) -> list[KindOfRecipe]:
    """The kinds of a set's recipe, each with what was frozen of its maker."""
    return [_kind(of.recipe, kind, weight) for kind, weight in of.recipe["kinds"].items()]


def _kind(recipe: Mapping[str, Any], kind: str, weight: int) -> KindOfRecipe:
    given = recipe["parameters"].get(kind, {})
    if kind == HUMAN:
        second = given.get("which") == 2
        whose = _("of a second person") if second else _("of the person who wrote first")
        return KindOfRecipe(kind, weight, "", whose, "")
    frozen = recipe["parts"][kind]
    known = kind in VARIATIONS.names()
    words = differences_in_words(VARIATIONS, kind, given) if known else str(given)
    model = (frozen.get("model") or {}).get("model", "")
    return KindOfRecipe(kind, weight, str(frozen["version"]), words, str(model))


def _hides(original: str, text: str) -> bool:
    """Whether the pieces alone would not let a reader see what changed: a text that was written
    anew, or one of which only marks or capitals differ.
    """
    same = all(piece.state != INSERTED for piece in word_diff(original, text))
    return is_written_anew(original, text) or (same and original != text)
