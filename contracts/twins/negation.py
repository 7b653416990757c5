"""The part of the family direction that flips a polarity. Pure.

The values of a polarity say what is denied or left out; nothing says what is affirmed. So
"excluding X" turns into "including only X", which leaves out everything but X, and a denied thing
into its opposite, denied.
"""

from collections.abc import Iterator

from contracts.twins.flips import Asked, Flip
from contracts.twins.opposites import Opposites
from contracts.twins.words import only_place, replaced

EXCLUSIONS = Opposites((
    ("excluding", "including only"), ("not counting", "counting only"),
    ("not including", "including just"), ("leaving out", "taking only"), ("excluded", "only"),
    ("left out", "only"),
    ("without", "with only"),
))  # fmt: skip
ALL_BUT = "everything but"

QUALIFIERS = Opposites((
    ("temporary", "permanent"), ("part-time", "full-time"), ("domestic", "foreign"),
    ("internal", "external"), ("public", "private"), ("paid", "unpaid"), ("direct", "indirect"),
    ("fixed", "variable"), ("urban", "rural"), ("onshore", "offshore"), ("inbound", "outbound"),
    ("imports", "exports"), ("import", "export"), ("short-term", "long-term"),
    ("residential", "commercial"), ("new", "existing"), ("current", "former"), ("male", "female"),
    ("men", "women"), ("children", "adults"), ("insured", "uninsured"),
    ("licensed", "unlicensed"), ("approved", "rejected"), ("open", "closed"),
    ("accepted", "refused"), ("included", "excluded"), ("passed", "failed"), ("won", "lost"),
))  # fmt: skip


def propose_negation(asked: Asked, moves: Opposites) -> Iterator[Flip]:
    """All but X for X alone, and what is denied for its opposite."""
    if asked.value["mode"] == "exclude":
        yield from _all_but_or_only(asked)
    yield from _target(asked, QUALIFIERS)
    if asked.value["mode"] == "negate":
        yield from _target(asked, moves)


def _all_but_or_only(asked: Asked) -> Iterator[Flip]:
    target = " ".join(asked.value["target"].split())
    only = target.lower().startswith(f"{ALL_BUT} ")
    kept = target[len(ALL_BUT) + 1 :] if only else target
    hit = EXCLUSIONS.only_hit(asked.text, asked.span.start, asked.span.end)
    if not hit or int(only) not in hit.sides or not only_place(kept, asked.text, asked.span):
        return
    # "An airline without a licence" lacks one; only of several things can some be left out.
    if "with" in hit.word and not kept.lower().endswith("s"):
        return
    turn = {"target": kept if only else f"{ALL_BUT} {kept}"}
    before, after = asked.text[asked.span.start : hit.start], asked.text[hit.end : asked.span.end]
    for other in hit.others:
        whole = replaced(asked.words, before + other + after)
        edits = [asked.edit(hit.start, hit.end, other)]
        yield from asked.flip("direction", edits, turn, carry=EXCLUSIONS.carry, carry_whole=whole)


def _target(asked: Asked, table: Opposites) -> Iterator[Flip]:
    """ "Not temporary" for "not permanent": one word of the target, and the same in the span."""
    target = asked.value["target"]
    hit = table.only_hit(target)
    at = only_place(hit.word, asked.text, asked.span) if hit else None
    if not hit or not at:
        return
    for other in hit.others:
        carry = replaced(hit.word, other)
        edits = [asked.edit(*at, carry(asked.text[slice(*at)]) or other)]
        yield from asked.flip("direction", edits, {"target": carry(target)}, carry=carry)
