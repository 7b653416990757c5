"""The kind “human”: paraphrases that people wrote of a request, as they stand.

A copy of a text is kept in a Variation while the text stands, and goes when its author withdraws
their consent: the item then says so, and the set keeps the hash alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.models import HumanRewrite, Request, Seat
from annotation.services import seats
from evaluation.models import Variation, VariationItem
from evaluation.varying.making import HUMAN

GENERATOR = "person"
WITHDRAWN = "The person who wrote it withdrew their consent, so that the text was deleted."


@dataclass(frozen=True, slots=True)
class Parameters:
    """Whose paraphrase of a request is taken.

    `which`: 1 for that of the person who wrote first, 2 for that of another person.
    """

    which: int = 1

    def __post_init__(self) -> None:
        if self.which not in (1, 2):
            raise ValueError(f"which is {self.which}: it must be 1 or 2.")


def standing(requests: Iterable[Request], which: int) -> dict[int, HumanRewrite]:
    """Return for each request that has one the standing paraphrase of its `which`-th person, in
    the order in which they wrote. One person has one of a request: two are of two people.
    """
    rows = HumanRewrite.objects.standing().filter(
        request__in=requests, kind=HumanRewrite.Kind.PARAPHRASE
    )
    found: dict[int, list[HumanRewrite]] = {}
    for row in rows.order_by("request_id", "sealed_at", "pk"):
        found.setdefault(row.request_id, []).append(row)
    return {pk: of_it[which - 1] for pk, of_it in found.items() if len(of_it) >= which}


def none_there(which: int) -> str:
    """Why a request has no variation of this kind."""
    if which == 1:
        return "Nobody wrote a paraphrase of it that stands."
    return "No second person wrote a paraphrase of it that stands."


def copied(rewrites: Sequence[HumanRewrite]) -> dict[int, Variation]:
    """Keep copies of the paraphrases, by request: they are read now, so that none of them can be
    retracted. Call inside a transaction, after `lock`, in which they were found to stand.
    """
    seats.mark_read(seats=Seat.objects.filter(human_rewrites__in=rewrites))
    found = {}
    for rewrite in rewrites:
        found[rewrite.request_id], _new = Variation.objects.get_or_create(
            request_id=rewrite.request_id,
            kind=HUMAN,
            generator=GENERATOR,
            version=version_of(rewrite),
            seed=0,
            defaults={
                "text": rewrite.text,
                "validation": {"paraphrase": rewrite.pk, "paraphrase_sha256": rewrite.sha256},
            },
        )
    return found


def version_of(rewrite: HumanRewrite) -> str:
    return f"paraphrase {rewrite.pk}"


def forget(rewrites: Sequence[HumanRewrite]) -> None:
    """Delete the copies of paraphrases whose author withdrew their consent. Call inside the
    transaction that does so.
    """
    versions = [version_of(rewrite) for rewrite in rewrites]
    copies = Variation.objects.filter(kind=HUMAN, generator=GENERATOR, version__in=versions)
    pks = list(copies.values_list("pk", flat=True))
    VariationItem.objects.filter(variation__in=pks).update(variation=None, why=WITHDRAWN)
    Variation.objects.filter(pk__in=pks).delete()
