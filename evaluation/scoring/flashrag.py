"""FlashRAG's answer measures under their own names, to compare with figures that were published
with them; its `acc` stands beside the other published rules in `answers`.

They delete punctuation, so that "10.5" equals "105": `typed_match` is what decides elsewhere.
"""

from collections import Counter
from collections.abc import Sequence

from evaluation.scoring.answer_text import squad_normalise
from evaluation.scoring.answers import AnswerScore

# An answer that is one of these equals itself alone, whatever else a gold shares with it.
_WHOLE = ("yes", "no", "noanswer")


def flashrag_exact_match(answer: str | None, golds: Sequence[str]) -> AnswerScore:
    """Return 1 if a gold equals the answer after SQuAD normalisation, else 0 (FlashRAG, `em`).

    Value None without a gold.
    """
    given = squad_normalise(answer or "")
    scored = [(float(squad_normalise(gold) == given), gold) for gold in golds]
    return _best("flashrag_em", scored)


def flashrag_f1(answer: str | None, golds: Sequence[str]) -> AnswerScore:
    """Return the best F1 of the token multisets over the golds after SQuAD normalisation
    (FlashRAG, `f1`).

    No token in common is 0, so two empty sides are 0 too (SQuAD 2.0 says 1). Where one side is
    yes, no or noanswer and the other is not the same, that gold is 0.
    """
    given = squad_normalise(answer or "")
    return _best("flashrag_f1", [(_f1(given, squad_normalise(gold)), gold) for gold in golds])


def _f1(given: str, gold: str) -> float:
    if given != gold and (given in _WHOLE or gold in _WHOLE):
        return 0.0
    said, wanted = given.split(), gold.split()
    common = sum((Counter(said) & Counter(wanted)).values())
    if not common:
        return 0.0
    precision, recall = common / len(said), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


def _best(rule: str, scored: Sequence[tuple[float, str]]) -> AnswerScore:
    if not scored:
        return AnswerScore(rule, None, None, "The request has no gold answer.")
    value, gold = max(scored, key=lambda each: each[0])
    return AnswerScore(rule, value, gold, f"{value:.3g} against {gold!r}.")
