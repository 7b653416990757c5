"""What the pages say of a set of variations: how many of each kind, what was damaged, how the texts
differ from the clean ones, what people said.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.models import Person
from evaluation.models import VariationItem, VariationReview, VariationSet
from evaluation.reports.varied.agreement import OfKind, OfPerson, Review, by_kind, by_person
from evaluation.services.variation_reviews import waiting_for
from evaluation.variations.sets import TableOne, table_one
from evaluation.varying.filling import open_items
from evaluation.varying.making import category_of

FLAGS: Mapping[str, str | Promise] = {
    "unchanged": _("unchanged"),
    "spacing_only": _("only white space differs"),
    "digits_changed": _("digits changed"),
    "number_changed": _("a number changed"),
    "entity_token_changed": _("a name changed"),
    "negation_changed": _("a negation changed"),
    "temporal_or_comparative_changed": _("a word of time or comparison changed"),
    "answer_leak": _("gives an answer away"),
}


@dataclass
class KindFacts:
    """One kind of a set: its weight, how many of its items are made, failed and open, how many of
    those made have each flag, and the mean edit distance of those that have one.
    """

    kind: str
    weight: int
    made: int = 0
    failed: int = 0
    left: int = 0
    flags: Counter[str] = field(default_factory=Counter)
    flagged: int = 0  # those made of which flags are known
    distance: float | None = None
    category: str = ""

    @property
    def planned(self) -> int:
        return self.made + self.failed + self.left


@dataclass(frozen=True)
class SetFacts:
    """Everything that is counted of one set; `table` only when it is made."""

    total: int
    clean: int
    kinds: tuple[KindFacts, ...]
    flags: tuple[tuple[str, str | Promise], ...]  # those that any kind knows
    table: TableOne | None

    @property
    def varied(self) -> int:
        return sum(kind.made for kind in self.kinds)

    @property
    def failed(self) -> int:
        return sum(kind.failed for kind in self.kinds)

    @property
    def done(self) -> int:
        return self.varied + self.failed

    @property
    def planned(self) -> int:
        return sum(kind.planned for kind in self.kinds)


def counted(of: VariationSet) -> SetFacts:
    """Count a set, in few queries however many items it has; its texts only once it is made."""
    kinds = {
        kind: KindFacts(kind, weight, category=category_of(kind))
        for kind, weight in of.recipe["kinds"].items()
    }
    left = dict(open_items(of).order_by().values_list("kind").annotate(n=Count("pk")))
    rows = (
        of.items.order_by()
        .values_list("kind")
        .annotate(n=Count("pk"), made=Count("pk", filter=Q(variation__isnull=False)))
    )
    clean = 0
    for kind, n, made in rows:
        if not kind:
            clean = n
            continue
        one = kinds[kind]
        one.made, one.left = made, left.get(kind, 0)
        one.failed = n - made - one.left
    table = None
    if of.state == VariationSet.State.MADE:
        _count_flags(of, kinds)
        table = _table(of)
    known = {flag for one in kinds.values() for flag in one.flags}
    return SetFacts(
        total=clean + sum(one.planned for one in kinds.values()),
        clean=clean,
        kinds=tuple(kinds.values()),
        flags=tuple((flag, label) for flag, label in FLAGS.items() if flag in known),
        table=table,
    )


def _count_flags(of: VariationSet, kinds: Mapping[str, KindFacts]) -> None:
    distances: dict[str, list[int]] = {}
    rows = of.items.filter(variation__isnull=False).order_by()
    for kind, notes in rows.values_list("kind", "variation__validation").iterator():
        flags: Mapping[str, Any] = notes.get("flags") or {}
        if flags:
            kinds[kind].flagged += 1
        for flag in FLAGS:
            if flag in flags:
                kinds[kind].flags[flag] += bool(flags[flag])
        if isinstance(flags.get("edit_distance"), int):
            distances.setdefault(kind, []).append(flags["edit_distance"])
    for kind, found in distances.items():
        kinds[kind].distance = sum(found) / len(found)


def _table(of: VariationSet) -> TableOne:
    """As in Table 1 of QE-RAG: the set beside its clean form. What failed stays clean."""
    rows = of.items.order_by("position").values_list("request__text", "variation__text")
    pairs = [(original, text or original) for original, text in rows.iterator()]
    return table_one([original for original, _text in pairs], [text for _original, text in pairs])


# ---------------------------------------------------------------- what people said


@dataclass(frozen=True)
class Reviewed:
    """What people said of a set's sample. None of it while something of it waits for whoever asks:
    then `waiting` is how much.
    """

    drawn: int
    done: int  # items that two people looked at
    waiting: int
    kinds: tuple[OfKind, ...] = ()
    people: tuple[tuple[str, OfPerson], ...] = ()

    @property
    def notes(self) -> list[str]:
        """Why coefficients are not defined, each reason once."""
        answers = [one for kind in self.kinds for one in kind.answers]
        found = [c.reason for a in answers for c in (a.kappa, a.ac1, a.alpha) if c.value is None]
        return list(dict.fromkeys(found))


def reviewed(of: VariationSet, actor: Person, *, may_review: bool) -> Reviewed:
    """How many of the sample passed, and how far two people agree, as far as the actor may know."""
    sample = of.items.filter(sampled=True, variation__isnull=False).order_by()
    drawn = {kind: 0 for kind in of.recipe["kinds"]}
    drawn |= dict(sample.values_list("kind").annotate(n=Count("pk")))
    said = _reviews(sample)
    twice = sum(n >= 2 for n in Counter(one.item for one in said).values())
    waiting = 0
    if may_review:
        waiting = waiting_for(actor=actor, project=of.project).filter(set=of).count()
    if waiting or not said:
        return Reviewed(sum(drawn.values()), twice, waiting)
    names = dict(
        of.project.memberships.filter(person__in={one.person for one in said}).values_list(
            "person_id", "pseudonym"
        )
    )
    people = tuple((names.get(one.person, ""), one) for one in by_person(said))
    return Reviewed(sum(drawn.values()), twice, waiting, by_kind(drawn, said), people)


def _reviews(sample: Iterable[VariationItem]) -> list[Review]:
    rows = VariationReview.objects.filter(item__in=sample).order_by("pk")
    return [
        Review(*row)
        for row in rows.values_list(
            "item_id", "item__kind", "person_id", "meaning_kept", "category_right"
        )
    ]
