"""What the page of parts says of each, from the parts' own docstrings."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from evaluation.documenting import PartText, rooms, text_of
from evaluation.offered import Offer, offers
from evaluation.parameters import Setting, settings_of
from evaluation.reports.parts.words import in_words

_TITLES: Mapping[str, str | Promise] = {
    "rewriter": _("Rewriters"),
    "retriever": _("Retrievers"),
    "reader": _("Readers"),
    "pipeline": _("Pipelines"),
    "variation": _("Variations"),
    "support judge": _("Support judges"),
    "constraint judge": _("Constraint judges"),
}
_TYPES: Mapping[str, str | Promise] = {
    "yes_no": _("yes or no"),
    "whole": _("a whole number"),
    "number": _("a number"),
    "text": _("a text"),
    "texts": _("texts, one a line"),
    "other": _("a value"),
}


@dataclass(frozen=True, slots=True)
class SettingText:
    """One parameter: what it may be, its default (or that it must be given) and its meaning."""

    name: str
    type: str
    default: str
    meaning: str


@dataclass(frozen=True, slots=True)
class PartPage:
    offer: Offer
    text: PartText
    settings: tuple[SettingText, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """The parts of one kind; `slug` begins the anchors of its parts on the page."""

    slug: str
    title: str
    parts: tuple[PartPage, ...]


def part_pages() -> list[Room]:
    """Return every part of every kind. Nothing is started or asked."""
    return [
        Room(
            registry.slug,
            str(_TITLES.get(registry.noun, f"{registry.noun.capitalize()}s")),
            tuple(_page(offer) for offer in offers(registry)),
        )
        for registry in rooms()
    ]


def _page(offer: Offer) -> PartPage:
    settings = tuple(_setting(setting) for setting in settings_of(offer.part.Parameters))
    return PartPage(offer, text_of(offer.part), settings)


def _setting(setting: Setting) -> SettingText:
    kind = " · ".join(map(str, setting.choices)) or str(_TYPES[setting.kind])
    default = str(_("must be given")) if setting.must_be_given else in_words(setting.default)
    meaning = setting.meaning[:1].upper() + setting.meaning[1:]
    return SettingText(setting.name, kind, default, meaning)
