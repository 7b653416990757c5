"""From a recipe to working makers, and what one maker makes of one request as rows keep it."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.canonical import content_hash
from annotation.models import Request
from evaluation.models import Variation
from evaluation.runs import generation
from evaluation.variations import Maker, Source, Variant, build_maker
from evaluation.variations.base import VARIATIONS

# The kind that people wrote: it has no maker.
HUMAN = "human"
# What people are asked of it; the other kinds say it themselves.
HUMAN_CATEGORY = "is another wording that a person could have used"


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
    """Return the sentence of a kind that people say is right or wrong of a variation."""
    said = HUMAN_CATEGORY
    if kind != HUMAN:  # of a maker that this installation may no longer have
        said = VARIATIONS.find(kind).category if kind in VARIATIONS.names() else ""
    said = said or f"is a variation of the kind {kind}"
    return said if said.endswith(("?", ".")) else f"It {said}."


def source_of(request: Request) -> Source:
    """What a variation is made from: the text of now, and the answers for the checks alone."""
    return Source(key=request.key, text=request.text, answers=_texts(request.answers))


def maker_name(maker: Maker) -> str:
    """What made a text, for its row: the kind and mode, and a hash of everything that it is made
    with, so that two settings of one kind share no row.
    """
    return f"{maker.generator_name[:100]} {content_hash(maker.describe())[:12]}"


def there_already(maker: Maker, request: Request, seed: int) -> Variation | None:
    """Return what an earlier set made of the request in just this way, if it did."""
    return Variation.objects.filter(
        request=request,
        kind=maker.name,
        generator=maker_name(maker),
        version=maker.version,
        seed=seed,
    ).first()


def kept(maker: Maker, request: Request, made: Variant) -> Variation:
    """Write a text that was made, or return the row that is there. Call inside a transaction."""
    row, _new = Variation.objects.get_or_create(
        request=request,
        kind=made.kind,
        generator=maker_name(maker),
        version=made.version,
        seed=made.seed,
        defaults={
            "text": made.text or "",
            "attempts": made.attempts,
            "validation": {
                key: value
                for key, value in made.to_json().items()
                if key in ("checks", "rejected", "edited", "flags", "notes")
            },
        },
    )
    return row


def _texts(answers: Any) -> tuple[str, ...]:
    found: Sequence[Any] = answers if isinstance(answers, list) else ()
    return tuple(one for one in found if isinstance(one, str))
