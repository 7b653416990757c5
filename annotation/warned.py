"""What the live checks say to who writes, one sentence a warning."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.checks import RewriteWarning

_SENTENCES: dict[str, Callable[[int], str]] = {
    "same": lambda _n: _("This is the request again, word for word."),
    "near-own": lambda _n: _("This is nearly what you wrote before, for:"),
    "drops-number": lambda n: ngettext(
        "A number of the request is missing:", "Numbers of the request are missing:", n
    ),
    "drops-name": lambda n: ngettext(
        "A name of the request is missing:", "Names of the request are missing:", n
    ),
    "drops-quote": lambda n: ngettext(
        "A quoted phrase of the request is missing:",
        "Quoted phrases of the request are missing:",
        n,
    ),
}


@dataclass(frozen=True)
class WarningShown:
    """A warning for its writer: the sentence leads to the words, which may be none."""

    code: str
    mark: str
    sentence: str
    words: tuple[str, ...]
    meant: bool = False

    def __str__(self) -> str:
        return " ".join([self.sentence, "; ".join(self.words)]).strip()


def shown(warning: RewriteWarning, *, meant: bool = False) -> WarningShown:
    """The warning in the writer's language."""
    sentence = _SENTENCES.get(warning.code)
    said = sentence(len(warning.words)) if sentence else _names_answer(warning)
    return WarningShown(warning.code, warning.mark, said, warning.words, meant)


def _names_answer(warning: RewriteWarning) -> str:
    if warning.words:
        return _("This uses the words of the answer:")
    # The answer itself must not be repeated to somebody who is not meant to know it.
    return _("This names the answer. Ask for it without saying it.")
