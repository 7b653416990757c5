"""Every published answer rule under its own name, beside the product's typed rule.

Only `typed_match` decides whether an answer is correct. The published rules are there to compare
with published figures. Those that delete punctuation (SQuAD's, and FlashRAG's `acc`) find "105" in
"10.5" and "5" in "-5", so they are not applied to golds that have a type.
"""

from collections.abc import Callable, Mapping, Sequence

from evaluation.scoring.answers import (
    AnswerScore,
    flashrag_acc,
    gold_type,
    inacc,
    squad_exact_match,
    squad_f1,
    typed_match,
)
from evaluation.scoring.typed_values import mentions

Rule = Callable[[str | None, Sequence[str]], AnswerScore]

TYPED = "typed_match"
# In the order of the scorecard, the product's own first.
RULES: Mapping[str, Rule] = {
    TYPED: typed_match,
    "squad_exact_match": squad_exact_match,
    "squad_f1": squad_f1,
    "inacc": inacc,
    "flashrag_acc": flashrag_acc,
}
# Says anything from 0 to 1; the others say 0 or 1.
GRADED = ("squad_f1",)
DELETES_PUNCTUATION = ("squad_exact_match", "squad_f1", "flashrag_acc")
TYPES = ("yes-no", "date", "number", "entity", "text")


def answer_scores(answer: str | None, golds: Sequence[str]) -> dict[str, AnswerScore]:
    """Return what each rule of `RULES` says of the answer, by the rule's name.

    A rule that is not applied has value None and says why. Raises ValueError for a gold without
    tokens, as `typed_match` does.
    """
    typed = golds_type(golds)
    return {name: _applied(name, rule, answer, golds, typed) for name, rule in RULES.items()}


def golds_type(golds: Sequence[str]) -> str:
    """Return one of `TYPES` for the golds of a request: "text" if all are, else the first other
    type; "" without golds.

    A text that has a number or date in it ("1.4 per hour") is of that type here.
    """
    kinds = [_type(gold) for gold in golds]
    return next((kind for kind in kinds if kind != "text"), "text") if kinds else ""


def _type(gold: str) -> str:
    kind = gold_type(gold)
    found = mentions(gold) if kind == "text" else ()
    return ("date" if found[0].is_date else "number") if found else kind


def _applied(
    name: str, rule: Rule, answer: str | None, golds: Sequence[str], typed: str
) -> AnswerScore:
    if name in DELETES_PUNCTUATION and typed not in ("", "text"):
        why = (
            f"A gold answer is of the type {typed}: {name} deletes punctuation and compares what is"
            f" left, so only {TYPED} is used."
        )
        return AnswerScore(name, None, None, why)
    if name == TYPED:
        return rule(answer, golds)
    try:
        return rule(answer, golds)
    except ValueError as fault:
        return AnswerScore(name, None, None, str(fault))
