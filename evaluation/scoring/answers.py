"""Is an answer correct? Three published rules under their own names, and the product's typed
rule."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.scoring.answer_text import (
    denied,
    find_sublist,
    inacc_tokens,
    is_name,
    placed_tokens,
    squad_normalise,
)
from evaluation.scoring.preservation.text import read_text
from evaluation.scoring.support import Support, supported
from evaluation.scoring.typed_values import Mention, mentions

__all__ = [
    "AnswerScore",
    "Support",
    "flashrag_acc",
    "gold_type",
    "inacc",
    "squad_exact_match",
    "squad_f1",
    "supported",
    "typed_match",
]

_YES_NO = {"yes": True, "no": False}
# What may stand beside a value without changing it: "about 5 km", "14 December 1972 UTC".
_AROUND = re.compile(r"(?:about|approximately|around|roughly|circa|ca|utc|gmt|in|on|[~≈(),.\s])*")
_UNIT_WORD = re.compile(r"\s*-?([a-z]+)")
# A unit word may stand a few words after its number: "3 league goals" for "3 goals".
_UNIT_WINDOW = 3
_Placed = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """What `rule` says: `value` in [0, 1], or None without a gold answer; `gold` is the one that
    decided."""

    rule: str
    value: float | None
    gold: str | None
    why: str

    @property
    def correct(self) -> bool | None:
        return None if self.value is None else self.value == 1.0

    def to_json(self) -> dict[str, Any]:
        return {"rule": self.rule, "value": self.value, "gold": self.gold, "why": self.why}


def squad_exact_match(answer: str | None, golds: Sequence[str]) -> AnswerScore:
    """Return 1 if a gold equals the answer after SQuAD normalisation (Rajpurkar et al. 2016 and
    2018).

    A blank gold means "no answer" and equals only an empty answer; any other gold that normalises
    to nothing is refused with ValueError. Compare numbers with `typed_match`: here "10.5" equals
    "105".
    """
    given = squad_normalise(answer or "")
    return _best("squad_exact_match", golds, lambda gold: float(_squad(gold) == given))


def squad_f1(answer: str | None, golds: Sequence[str]) -> AnswerScore:
    """Return the best F1 over golds of the token multisets after SQuAD normalisation.

    If either side is empty it is 1 only when both are (SQuAD 2.0). Same errors as
    `squad_exact_match`.
    """
    given = squad_normalise(answer or "").split()
    return _best("squad_f1", golds, lambda gold: _f1(given, _squad(gold).split()))


def inacc(answer: str | None, golds: Sequence[str]) -> AnswerScore:
    """Return 1 if the tokens of a gold are a contiguous part of the answer's (in-accuracy; higher
    is better).

    Raises ValueError for a gold without tokens: it would match every answer.
    """
    tokens = inacc_tokens(answer or "")
    return _best(
        "inacc", golds, lambda gold: float(find_sublist(_tokens(gold), tokens) is not None)
    )


def flashrag_acc(answer: str | None, golds: Sequence[str]) -> AnswerScore:
    """Return 1 if a gold is a substring of the answer after SQuAD normalisation (FlashRAG's `acc`).

    Kept to reproduce published numbers: "art" is found in "the earth". Raises ValueError as
    `inacc`.
    """
    given = squad_normalise(answer or "")

    def rule(gold: str) -> float:
        wanted = squad_normalise(gold)
        _require_content(gold, wanted)
        return float(wanted in given)

    return _best("flashrag_acc", golds, rule)


def typed_match(answer: str | None, golds: Sequence[str]) -> AnswerScore:
    """Return 1 if the answer says one of the golds; the product's default, formula id
    "typed_match/2".

    A gold that is as a whole yes/no, a number, an amount, a percentage or a date is compared as
    that value with the values found in the answer: thousands separators, scale words, currencies
    and units are read ("EUR 1.2 billion" is "1,200 million euros"), so "105" is never found in
    "10.5". An answer's date must be at least as precise as the gold. A gold's unit or currency must
    be said, unless the answer is the bare number. A gold written as a name must be said in full:
    all its words in a row, without case, diacritics and possessives. Any other gold follows
    `inacc`. Nowhere does an occurrence count that the words right before it deny ("not in Paris",
    "rather than 5"). `rule` names what decided: "yes-no", "date", "number", "entity", "inacc", or
    "abstained" without an answer. Raises ValueError for a gold without tokens.
    """
    for gold in golds:
        _tokens(gold)
    if golds and (answer is None or not answer.strip()):
        return AnswerScore("abstained", 0.0, None, "There is no answer.")
    misses: list[AnswerScore] = []
    for gold in golds:
        score = _typed(answer or "", gold)
        if score.value == 1.0:
            return score
        misses.append(score)
    return misses[0] if misses else _not_applicable("typed_match")


def _best(rule: str, golds: Sequence[str], score: Callable[[str], float]) -> AnswerScore:
    if not golds:
        return _not_applicable(rule)
    values = [score(gold) for gold in golds]
    best = max(range(len(golds)), key=values.__getitem__)
    why = f"{rule} gives {values[best]:.3g} for the gold {golds[best]!r}."
    return AnswerScore(rule, values[best], golds[best], why)


def _not_applicable(rule: str) -> AnswerScore:
    return AnswerScore(rule, None, None, "The request has no gold answer.")


def _squad(gold: str) -> str:
    wanted = squad_normalise(gold)
    if gold.strip():
        _require_content(gold, wanted)
    return wanted


def _tokens(gold: str) -> tuple[str, ...]:
    tokens = inacc_tokens(gold)
    _require_content(gold, tokens)
    return tokens


def _require_content(gold: str, normalised: object) -> None:
    if not normalised:
        raise ValueError(
            f"The gold answer {gold!r} is nothing once articles and punctuation are removed, so it"
            " would match anything: reword or remove it."
        )


def _f1(given: list[str], wanted: list[str]) -> float:
    if not given or not wanted:
        return float(given == wanted)
    common = sum((Counter(given) & Counter(wanted)).values())
    if not common:
        return 0.0
    precision, recall = common / len(given), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


def gold_type(gold: str) -> str:
    """Return how `typed_match` compares `gold`: "yes-no", "date", "number", "entity" or "text"."""
    tokens = inacc_tokens(gold)
    if len(tokens) == 1 and tokens[0] in _YES_NO:
        return "yes-no"
    value = _whole_value(gold)
    if value is not None:
        return "date" if value[0].is_date or _is_year(*value) else "number"
    return "entity" if is_name(gold) else "text"


def _typed(answer: str, gold: str) -> AnswerScore:
    kind = gold_type(gold)
    if kind == "yes-no":
        return _yes_no(answer, gold)
    value = _whole_value(gold)
    if value is None:
        return _name(answer, gold) if kind == "entity" else _text(answer, gold)
    mention, unit = value
    found = mentions(answer)
    for candidate in found:
        said = answer[candidate.start : candidate.end]
        if denied(answer[: candidate.start]):
            continue
        if _same(mention, unit, candidate, answer):
            return AnswerScore(kind, 1.0, gold, f"The answer says {said!r}, which is {gold!r}.")
    said = ", ".join(repr(answer[m.start : m.end]) for m in found) or "no number or date"
    return AnswerScore(kind, 0.0, gold, f"The gold is {gold!r}; the answer says {said}.")


def _yes_no(answer: str, gold: str) -> AnswerScore:
    wanted = inacc_tokens(gold)[0]
    first = next(iter(inacc_tokens(answer)), "")
    if first not in _YES_NO:
        return AnswerScore("yes-no", 0.0, gold, "The answer does not begin with yes or no.")
    return AnswerScore("yes-no", float(first == wanted), gold, f"The answer begins with {first!r}.")


def _name(answer: str, gold: str) -> AnswerScore:
    """Look for the whole name, folded; its articles do not count."""
    wanted, said = _folded(gold), _folded(answer)
    return _found_in("entity", answer, gold, wanted or placed_tokens(gold), said)


def _folded(text: str) -> tuple[tuple[str, int], ...]:
    words = ((word.text, word.start) for word in read_text(text).words)
    return tuple((word, start) for word, start in words if word not in ("a", "an", "the"))


def _text(answer: str, gold: str) -> AnswerScore:
    return _found_in("inacc", answer, gold, placed_tokens(gold), placed_tokens(answer))


def _found_in(rule: str, answer: str, gold: str, wanted: _Placed, said: _Placed) -> AnswerScore:
    """Return 1 if the tokens of `wanted` stand in a row in `said`, somewhere undenied."""
    needle, hay = tuple(t for t, _ in wanted), tuple(t for t, _ in said)
    position = find_sublist(needle, hay)
    if position is None:
        return AnswerScore(rule, 0.0, gold, f"The answer does not say {gold!r}.")
    while position is not None:
        if not denied(answer[: said[position][1]]):
            return AnswerScore(rule, 1.0, gold, f"The answer says {gold!r}.")
        position = find_sublist(needle, hay, position + 1)
    return AnswerScore(rule, 0.0, gold, f"The answer says not {gold!r}.")


def _whole_value(gold: str) -> tuple[Mention, str | None] | None:
    """Return the value that is all of `gold`, with a lower-case unit word of its own, if any."""
    found = mentions(gold)
    if len(found) != 1:
        return None
    mention = found[0]
    before, after = gold[: mention.start], gold[mention.end :]
    if not _AROUND.fullmatch(before.lower()):
        return None
    if _AROUND.fullmatch(after.lower()):
        return mention, None
    unit = _UNIT_WORD.fullmatch(after.rstrip(". "))
    return (mention, unit[1]) if unit and not mention.is_date else None


def _is_year(mention: Mention, unit: str | None) -> bool:
    number = mention.number
    plain = unit is None and mention.dimension is None and mention.currency is None
    return plain and number is not None and number == int(number) and 1000 <= number <= 2100


def _same(gold: Mention, unit: str | None, found: Mention, answer: str) -> bool:
    if gold.is_date:
        parts = ("year", "month", "day", "quarter")
        return found.is_date and all(
            getattr(gold, part) in (None, getattr(found, part)) for part in parts
        )
    if found.is_date:
        return _is_year(gold, unit) and found.year == gold.number
    if gold.dimension and gold.dimension == found.dimension:
        return gold.in_base_unit == found.in_base_unit
    if found.number != gold.number or found.dimension == "percent":
        return False
    if gold.dimension:
        return _bare(found, answer)
    if gold.currency and found.currency != gold.currency:
        return found.currency is None and _bare(found, answer)
    return unit is None or _bare(found, answer) or _has_unit(unit, found, answer)


def _bare(found: Mention, answer: str) -> bool:
    around = answer[: found.start] + answer[found.end :]
    return found.dimension is None and bool(_AROUND.fullmatch(around.lower()))


def _has_unit(unit: str, found: Mention, answer: str) -> bool:
    words = inacc_tokens(answer[found.end :])[:_UNIT_WINDOW]
    return unit.rstrip("s") in (word.rstrip("s") for word in words)
