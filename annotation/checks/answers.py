"""Does it give the answer away?"""

from collections.abc import Sequence

from annotation.checks.folding import says, spaced
from annotation.checks.written import RewriteWarning, Written

CODE = "names-answer"


def leaked(text: str, answers: Sequence[str], request_texts: Sequence[str]) -> list[int]:
    """Return which answers (by their place) stand in the text as whole words. An answer that the
    request itself says is no leak.
    """
    asked, written = spaced(" ".join(request_texts)), spaced(text)
    return [
        place
        for place, answer in enumerate(answers)
        if says(written, answer) and not says(asked, answer)
    ]


def names_answer(written: Written) -> RewriteWarning | None:
    """Warn of a text that names the answer. Only who was shown the answer reads it again."""
    places = leaked(written.text, written.answers, written.request_texts)
    if not places:
        return None
    if written.kind == "paraphrase":
        return RewriteWarning(CODE, tuple(written.answers[place] for place in places))
    return RewriteWarning(CODE, about=tuple(str(place) for place in places))
