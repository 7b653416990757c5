"""Direction: more or less, rising or falling, earlier or later, a rate or a count; of polarity see
`negation`.
"""

from collections.abc import Iterator

from contracts.twins.flips import Asked, Flip, Known
from contracts.twins.negation import propose_negation
from contracts.twins.opposites import Opposites, Row, turned
from contracts.twins.words import only_place, places, replaced

MOVES = Opposites((
    ("increase", "decrease"), ("increases", "decreases"), ("increased", "decreased"),
    ("increasing", "decreasing"), ("rise", "fall"), ("rises", "falls"), ("rose", "fell"),
    ("risen", "fallen"), ("rising", "falling"), ("grow", "shrink"), ("grows", "shrinks"),
    ("grew", "shrank"), ("grown", "shrunk"), ("growing", "shrinking"), ("growth", "decline"),
    ("go up", "go down"), ("goes up", "goes down"), ("went up", "went down"),
    ("gone up", "gone down"), ("going up", "going down"), ("climb", "drop"), ("climbs", "drops"),
    ("climbed", "dropped"), ("gain", "loss"), ("gained", "lost"), ("higher", "lower"),
    ("highest", "lowest"), ("more", "less"), ("more", "fewer"), ("most", "least"),
    ("most", "fewest"), ("larger", "smaller"), ("greater", "smaller"), ("bigger", "smaller"),
    ("largest", "smallest"), ("biggest", "smallest"), ("longer", "shorter"),
    ("longest", "shortest"), ("older", "younger"), ("oldest", "youngest"), ("faster", "slower"),
    ("fastest", "slowest"), ("better", "worse"), ("best", "worst"), ("above", "below"),
    ("over", "under"), ("earlier", "later"), ("sooner", "later"), ("earliest", "latest"),
    ("first", "last"), ("steigt", "sinkt"), ("stieg", "sank"), ("gestiegen", "gesunken"),
    ("höher", "niedriger"), ("mehr", "weniger"), ("größer", "kleiner"), ("früher", "später"),
))  # fmt: skip
# The direction of the words of side 0, and of those against them.
DIRECTIONS = (("increase", "decrease"), ("higher", "lower"), ("earlier", "later"))
_TIMES = frozenset("earlier later sooner earliest latest first last früher später".split())

BOUNDS = Opposites((
    ("more than", "less than"), ("more than", "fewer than"), ("greater than", "less than"),
    ("higher than", "lower than"), ("larger than", "smaller than"), ("over", "under"),
    ("above", "below"), ("exceed", "fall below"), ("exceeds", "falls below"),
    ("exceeded", "fell below"), ("exceeding", "falling below"), ("longer than", "shorter than"),
    ("older than", "younger than"), (">", "<"), ("at least", "at most"),
    ("no less than", "no more than"), ("no fewer than", "no more than"),
    ("not less than", "not more than"), ("a minimum of", "a maximum of"), ("or more", "or less"),
    ("or more", "or fewer"), ("or above", "or below"), ("or higher", "or lower"),
    ("or older", "or younger"), ("or longer", "or shorter"), (">=", "<="), ("≥", "≤"),
    ("mehr als", "weniger als"), ("mindestens", "höchstens"), ("plus de", "moins de"),
    ("au moins", "au plus"), ("más de", "menos de"),
))  # fmt: skip
OPERATORS = ((">", "<"), (">=", "<="))

# The words, and the aggregation that a quantity says with them.
COUNTS: tuple[Row, ...] = (
    ("number of", "count", "rate of", "rate"), ("count", "count", "rate", "rate"),
)  # fmt: skip


def propose_direction(asked: Asked, known: Known) -> Iterator[Flip]:
    """The opposite of what a comparison, a quantity or a polarity demands."""
    if asked.constraint.kind == "comparison":
        yield from _opposite(asked, MOVES, "direction", DIRECTIONS)
        yield from _measure(asked)
    elif asked.constraint.kind == "quantity":
        yield from _opposite(asked, BOUNDS, "operator", OPERATORS)
        yield from _count_or_rate(asked)
    else:
        yield from propose_negation(asked, MOVES)


def _opposite(
    asked: Asked, table: Opposites, field: str, values: tuple[tuple[str, str], ...]
) -> Iterator[Flip]:
    """The one word of the span that says the direction, for what stands against it."""
    hit = table.only_hit(asked.text, asked.span.start, asked.span.end)
    said = asked.value[field]
    pair = next((pair for pair in values if said in pair), None)
    if not hit or not pair or pair.index(said) not in hit.sides:
        return
    if field == "direction" and (hit.word in _TIMES) != (pair == ("earlier", "later")):
        return
    turn = {field: pair[1 - pair.index(said)]}
    for other in hit.others:
        edits = [asked.edit(hit.start, hit.end, other)]
        whole = replaced(hit.word, other)
        yield from asked.flip("direction", edits, turn, carry=table.carry, carry_whole=whole)


def _count_or_rate(asked: Asked) -> Iterator[Flip]:
    """The number of things for their rate."""
    said = str(asked.value.get("aggregation"))
    for start, end, other, told in turned(COUNTS, said, asked.text, asked.span):
        if not _said_so(asked.text, start, end):
            continue
        carry = replaced(asked.text[start:end], other)
        edits, turn = [asked.edit(start, end, other)], {"aggregation": told}
        yield from asked.flip("direction", edits, turn, carry=carry)


def _said_so(text: str, start: int, end: int) -> bool:
    """The injury rate may be a count; the rate of injuries is their number."""
    return " " in text[start:end] or not text[end:].lower().lstrip().startswith("of ")


def _measure(asked: Asked) -> Iterator[Flip]:
    """The rate that is compared for the count: "injury rate" for "injury count"."""
    measure = asked.value.get("measure") or ""
    for words, _said, other, _told in (row for one in COUNTS for row in (one, one[2:] + one[:2])):
        at = only_place(words, asked.text, asked.span)
        held = places(words, measure)
        if not at or len(held) != 1 or not _said_so(measure, *held[0]):
            continue
        carry = replaced(words, other)
        edits, turn = [asked.edit(*at, other)], {"measure": carry(measure)}
        yield from asked.flip("direction", edits, turn, carry=carry)
