"""The checks in the order in which their warnings are shown."""

from collections.abc import Sequence

from annotation.checks import answers, names, near, numbers, quotes, same
from annotation.checks.written import Check, Demand, OwnText, RewriteWarning, Written

CHECKS: dict[str, Check] = {
    same.CODE: same.same_as_original,
    near.CODE: near.near_own_text,
    answers.CODE: answers.names_answer,
    numbers.CODE: numbers.drops_number,
    names.CODE: names.drops_name,
    quotes.CODE: quotes.drops_quote,
}
CODES = tuple(CHECKS)


def check_rewrite(
    kind: str,
    text: str,
    request_texts: Sequence[str],
    answers: Sequence[str] = (),
    own_texts: Sequence[OwnText] = (),
    *,
    demands: Sequence[Demand] = (),
    clarification: bool = False,
) -> tuple[RewriteWarning, ...]:
    """Say what a writer may want to look at again; an empty text is not checked.

    Deterministic, and total: any text gives an answer.
    """
    if not text.strip():
        return ()
    written = Written(
        kind=kind,
        text=text,
        request_texts=tuple(request_texts),
        answers=tuple(answers),
        own_texts=tuple(own_texts),
        demands=tuple(demands),
        clarification=clarification,
    )
    found = (check(written) for check in CHECKS.values())
    return tuple(warning for warning in found if warning is not None)
