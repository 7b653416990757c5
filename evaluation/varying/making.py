"""From a recipe to working makers, and what one maker makes of one request as rows keep it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.models import Request
from evaluation.models import Variation, VariationItem
from evaluation.runs import generation
from evaluation.variations import Maker, Source, Variant, build_maker
from evaluation.variations.base import VARIATIONS, in_catalogue

# The kind that people wrote: it has no maker.
HUMAN = "human"
# What people are asked of it; the other kinds say it themselves.
HUMAN_CATEGORY = in_catalogue("Is it another wording that a person could have used?")
# What a row keeps of how its text came about.
TOLD = ("checks", "rejected", "edited", "flags", "notes")


class RecipeChanged(Exception):
    """A maker is no longer what the recipe says. The text says what to do."""


def maker_for(name: str, parameters: Mapping[str, Any], *, only_described: bool) -> Maker:
    """Return the maker of a kind; raise PartError as `build_maker` does. With `only_described` no
    model is started.
    """
    model = None
    if VARIATIONS.find(name).asks(VARIATIONS.parameters(name, parameters)):
        model = generation.described_generator() if only_described else generation.generator()
    return build_maker(name, parameters, generator=model)


def makers_of(recipe: Mapping[str, Any]) -> dict[str, Maker]:
    """Return the makers of a recipe by kind; raise RecipeChanged where one is another by now."""
    found = {}
    for kind, frozen in recipe["parts"].items():
        maker = maker_for(kind, recipe["parameters"].get(kind, {}), only_described=False)
        now = maker.describe()
        if changed := sorted(key for key in {*now, *frozen} if now.get(key) != frozen.get(key)):
            raise RecipeChanged(
                f"The variation {kind} of this set was begun with another {', '.join(changed)} "
                "than this machine has. Make a new set, or restore what it was begun with."
            )
        found[kind] = maker
    return found


def category_of(kind: str) -> str:
    """Return the question that people answer of a variation of this kind."""
    if kind == HUMAN:
        return _(HUMAN_CATEGORY)
    # of a maker that this installation may no longer have, or whose author asks nothing
    asked = VARIATIONS.find(kind).category if kind in VARIATIONS.names() else ""
    return _(asked) if asked else _("Is it a variation of the kind “%(kind)s”?") % {"kind": kind}


def source_of(request: Request) -> Source:
    """What a variation is made from: the text of now, and the answers for the checks alone."""
    return Source(key=request.key, text=request.text, answers=_texts(request.answers))


def maker_name(maker: Maker) -> str:
    """What made a text, for its row: the kind and mode, and a hash of everything that it is made
    with, so that two settings of one kind share no row.
    """
    return f"{maker.generator_name[:100]} {content_hash(maker.describe())[:12]}"


def there_already(
    makers: Mapping[str, Maker], items: Sequence[VariationItem], seed: int
) -> dict[int, Variation]:
    """Return what earlier sets made of the items' requests in just this way, by the item."""
    found: dict[int, Variation] = {}
    for kind in {item.kind for item in items}:
        of_it = {item.request_id: item for item in items if item.kind == kind}
        maker = makers[kind]
        rows = Variation.objects.filter(
            request__in=list(of_it),
            kind=kind,
            generator=maker_name(maker),
            version=maker.version,
            seed=seed,
        )
        found |= {of_it[row.request_id].pk: row for row in rows}
    return found


def kept_all(
    makers: Mapping[str, Maker], made: Sequence[tuple[VariationItem, Variation | Variant]]
) -> None:
    """Write what came of items. Call inside a transaction, by the process that has the set."""
    new = [(item, found) for item, found in made if isinstance(found, Variant) and found.text]
    Variation.objects.bulk_create(
        [_row(makers[item.kind], item, found) for item, found in new],
        ignore_conflicts=True,  # another set's process may have made it meanwhile
        batch_size=100,
    )
    rows = {item.pk: found for item, found in made if isinstance(found, Variation)}
    for seed in {found.seed for _item, found in new}:
        rows |= there_already(makers, [item for item, _found in new], seed)
    for item, found in made:
        item.variation = rows.get(item.pk)
        if isinstance(found, Variation):
            item.rejected = found.validation.get("rejected", [])
            continue
        item.rejected = [one.to_json() for one in found.rejected]
        if item.variation is None:
            item.why = found.why or "No text could be made of it."
    items = [item for item, _found in made]
    VariationItem.objects.bulk_update(items, ["variation", "rejected", "why"], batch_size=100)


def _row(maker: Maker, item: VariationItem, made: Variant) -> Variation:
    told = made.to_json()
    return Variation(
        request_id=item.request_id,
        kind=made.kind,
        text=made.text or "",
        generator=maker_name(maker),
        version=made.version,
        seed=made.seed,
        attempts=made.attempts,
        validation={name: told[name] for name in TOLD},
    )


def _texts(answers: Any) -> tuple[str, ...]:
    found: Sequence[Any] = answers if isinstance(answers, list) else ()
    return tuple(one for one in found if isinstance(one, str))
