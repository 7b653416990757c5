"""Which requests of a set get a variation, and of which kind; what the set is then said to be.

The choice is nested. One order of all requests comes from the seed; a rate takes its first ones,
and the kinds are handed out along that order. So the 20 % set lies inside the 40 % set, and a
request that is in both has the same kind in both, and therefore the same text.

How the kinds are handed out, and what holds (w the share of a kind, n how many have one so far):

- After every n, each kind has been given n * w rounded up or down. So where n * w is whole for
  every kind, the counts are exactly those: 200 requests at 3:1:1 are 120, 40 and 40.
- With one or two kinds, with equal weights, and at 3:1:1, the counts are those of the largest
  remainder at every n.
- With other weights they can differ from the largest remainder's by one where n * w is not whole.
  No rule could do better: the largest remainder itself may take a request away from a kind when n
  grows (the Alabama paradox), so it is not nested.

The rule is the one for the chairman assignment problem (R. Tijdeman, Discrete Mathematics 32, 1980,
323-330): with k kinds, none is ever further than 1 - 1 / (2k - 2) from its n * w, and no rule can
promise less. Ties go to the larger weight, then by the kind's name, so that the order in which the
kinds were written down counts for nothing.
"""

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from annotation.canonical import content_hash
from evaluation.variations.base import Variant

FORMAT = "variation-set/1"


class SetError(ValueError):
    """A set cannot be planned as asked. The text is a sentence."""


@dataclasses.dataclass(frozen=True, slots=True)
class Planned:
    """What is to be made of one request: a variation of a kind, or nothing where `kind` is ""."""

    key: str
    kind: str


@dataclasses.dataclass(frozen=True, slots=True)
class Member:
    """What came of one request: its text, the kind that was planned ("" for a clean one), and the
    variation, whose text is None where none could stand.
    """

    key: str
    original: str
    kind: str = ""
    variant: Variant | None = None

    @property
    def text(self) -> str:
        """The text with which the request goes into the set."""
        made = self.variant.text if self.variant is not None else None
        return self.original if made is None else made


@dataclasses.dataclass(frozen=True, slots=True)
class TableOne:
    """The statistics of a set beside its clean form, as in Table 1 of QE-RAG.

    Characters are code points; words are what white space parts. The means are over the whole set,
    None for an empty one; `delta_*` is the set's mean less that of the clean texts. `changed` is
    the number of texts that differ.
    """

    n: int
    changed: int
    mean_characters: float | None
    mean_words: float | None
    delta_characters: float | None
    delta_words: float | None

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def plan(
    keys: Sequence[str], *, rate: float, mix: Mapping[str, int], seed: int
) -> tuple[Planned, ...]:
    """Return what is to be made of each request, in the order of `keys`.

    `rate` is the share of requests with a variation, 0 to 1, rounded to whole requests (a half goes
    up); `mix` the whole-numbered weights of the kinds. A key's place in the seeded order depends on
    no other key and not on the order of `keys`. Raises SetError.
    """
    if len(set(keys)) < len(keys):
        twice = next(key for key, count in Counter(keys).items() if count > 1)
        raise SetError(f'The request "{twice}" is named twice. Name each request once.')
    count = how_many(len(keys), rate)
    if not count:
        return tuple(Planned(key, "") for key in keys)
    kinds = dict(zip(in_seeded_order(keys, seed), nested_kinds(count, mix), strict=False))
    return tuple(Planned(key, kinds.get(key, "")) for key in keys)


def how_many(requests: int, rate: float) -> int:
    """Return how many of `requests` a rate is: the nearest whole number, a half up."""
    if not 0 <= rate <= 1:
        raise SetError(f"The rate must lie between 0 and 1, not {rate}.")
    return int(Fraction(str(float(rate))) * requests + Fraction(1, 2))


def in_seeded_order(keys: Iterable[str], seed: int) -> list[str]:
    """Return the keys in the order whose first ones are taken: that of their hash with the seed."""
    return sorted(keys, key=lambda key: (hashlib.sha256(f"{seed}\0{key}".encode()).digest(), key))


def nested_kinds(count: int, mix: Mapping[str, int]) -> list[str]:
    """Return the kinds of the first `count` requests; those of a smaller count are its beginning.

    The rule is in the head of this module. Raises SetError on weights that give nothing.
    """
    kinds = _by_weight(mix)
    total = sum(mix[kind] for kind in kinds)
    if len(kinds) == 1:
        return kinds * count
    slack = Fraction(1, 2 * len(kinds) - 2)
    shares = {kind: Fraction(mix[kind], total) for kind in kinds}
    given = dict.fromkeys(kinds, 0)
    found = []
    for place in range(1, count + 1):
        due = {kind: place * shares[kind] - given[kind] for kind in kinds}
        # Of those that may have one more now, the one that could least wait for it.
        ready = [kind for kind in kinds if due[kind] >= slack]
        chosen = min(ready, key=lambda kind: (1 - slack - due[kind]) / shares[kind])
        given[chosen] += 1
        found.append(chosen)
    return found


def largest_remainder(count: int, mix: Mapping[str, int]) -> dict[str, int]:
    """Return how many of `count` each kind gets by the largest remainder (Hamilton's rule), with
    the ties of this module. It says what a set of exactly `count` would be; it is not nested.
    """
    kinds = _by_weight(mix)
    total = sum(mix[kind] for kind in kinds)
    given = {kind: count * mix[kind] // total for kind in kinds}
    left = count - sum(given.values())
    for kind in sorted(kinds, key=lambda kind: -(count * mix[kind] % total))[:left]:
        given[kind] += 1
    return given


def table_one(original: Sequence[str], texts: Sequence[str]) -> TableOne:
    """Return the statistics of `texts`, each beside its clean form at the same place."""
    if len(original) != len(texts):
        raise SetError(f"There are {len(original)} clean texts and {len(texts)} of the set.")
    n = len(texts)
    changed = sum(a != b for a, b in zip(original, texts, strict=True))
    if not n:
        return TableOne(0, 0, None, None, None, None)
    characters, words = sum(map(len, texts)), sum(len(text.split()) for text in texts)
    more_characters = characters - sum(map(len, original))
    more_words = words - sum(len(text.split()) for text in original)
    return TableOne(n, changed, characters / n, words / n, more_characters / n, more_words / n)


def manifest_of(
    members: Sequence[Member],
    *,
    seed: int,
    rate: float,
    mix: Mapping[str, int],
    parts: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    """Return the manifest of a set, JSON-able, the same for the same set.

    `parts` is what each kind's maker says of itself (`Part.describe()`), by kind. Items stand in
    the order of `members`. `counts` has, by kind, how many were planned, made, and why the others
    were not.
    """
    return {
        "format": FORMAT,
        "seed": seed,
        "rate": rate,
        "mix": {kind: mix[kind] for kind in sorted(mix)},
        "parts": {kind: dict(parts[kind]) for kind in sorted(parts)},
        "counts": _counts(members),
        "table_one": table_one([m.original for m in members], [m.text for m in members]).to_json(),
        "items": [_item(member) for member in members],
    }


def manifest_sha256(manifest: Mapping[str, Any]) -> str:
    """Return the hash of a manifest's canonical JSON, in 64 hex digits."""
    return content_hash(manifest)


def _by_weight(mix: Mapping[str, int]) -> list[str]:
    """The kinds with a weight, in the order in which ties are broken."""
    for kind, weight in mix.items():
        if weight < 0:
            raise SetError(f'The weight of "{kind}" is {weight}; it must be 0 or more.')
    kinds = sorted((kind for kind in mix if mix[kind]), key=lambda kind: (-mix[kind], kind))
    if not kinds:
        raise SetError("No kind of variation has a weight. Give at least one kind the weight 1.")
    return kinds


def _counts(members: Sequence[Member]) -> dict[str, dict[str, Any]]:
    counts: dict[str, dict[str, Any]] = {}
    for kind in sorted({member.kind for member in members if member.kind}):
        ours = [member for member in members if member.kind == kind]
        none = Counter(m.variant.why for m in ours if m.variant and m.variant.text is None)
        made = sum(m.variant is not None and m.variant.text is not None for m in ours)
        flags = Counter(
            flag for m in ours if m.variant for flag, up in m.variant.flags.items() if up is True
        )
        counts[kind] = {
            "planned": len(ours),
            "made": made,
            "none": dict(sorted(none.items())),
            "flags": dict(sorted(flags.items())),
        }
    return counts


def _item(member: Member) -> dict[str, Any]:
    item: dict[str, Any] = {"key": member.key, "kind": member.kind, "clean": member.original}
    if (variant := member.variant) is None:
        return item
    item |= {
        "varied": variant.text,
        "generator": variant.generator,
        "version": variant.version,
        "seed": variant.seed,
        "attempts": variant.attempts,
        "edited": list(variant.edited),
        "flags": dict(variant.flags),
    }
    return item | ({"why": variant.why} if variant.text is None else {})
