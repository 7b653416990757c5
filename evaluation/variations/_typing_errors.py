"""What the makers of spelling, keyboard and visual errors share: how they propose a text, and what
is checked of it. Source of the three errors and their shares: QE-RAG; of "protect": our own.
"""

import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from evaluation.parameters import differences
from evaluation.variations import _nlpaug
from evaluation.variations.base import CannotVary, Check, Maker, Proposal, Source
from evaluation.variations.checks import answer_not_leaked
from evaluation.variations.damage import Damage, damage
from evaluation.variations.inputs import check_text
from evaluation.variations.protection import protected_tokens

Mode = Literal["paper", "protect"]
_MUST_STAND = {
    "number_changed": "a number",
    "entity_token_changed": "a name",
    "negation_changed": "a negation",
    "temporal_or_comparative_changed": "a word of time or comparison",
}


@dataclass(frozen=True, slots=True)
class WordParameters:
    """Which words get an error.

    `mode`: "paper" does as the library does by itself, with any word; "protect" leaves names,
    numbers, quotations, negations and words of time and comparison alone, and the spacing as it is.
    `word_share`: the share of words that get an error, above 0 and at most 1; at least one word and
    at most ten.
    """

    mode: Mode = "paper"
    word_share: float = 0.3

    def __post_init__(self) -> None:
        if not 0 < self.word_share <= 1:
            raise ValueError(f"word_share must be above 0 and at most 1, not {self.word_share}.")


@dataclass(frozen=True, slots=True)
class CharacterParameters(WordParameters):
    """Which words get an error, and how much of each.

    `character_share`: the share of characters that change in such a word, above 0 and at most 1; at
    least one (two for visual errors as in the paper) and at most ten.
    """

    character_share: float = 0.3

    def __post_init__(self) -> None:
        WordParameters.__post_init__(self)
        if not 0 < self.character_share <= 1:
            raise ValueError(
                f"character_share must be above 0 and at most 1, not {self.character_share}."
            )


class TypingErrors(Maker):
    """A maker whose errors come from nlpaug."""

    parameters: WordParameters
    # The sentence for a text in which no word can get this error.
    nothing_to_change: ClassVar[str]

    @abstractmethod
    def settings(self) -> _nlpaug.Settings:
        """Return how nlpaug is set for these parameters."""

    @property
    def generator_name(self) -> str:
        """The kind, its mode, and the parameters that are not the default."""
        others = differences(self.parameters)
        mode = others.pop("mode", "paper")
        return "".join([f"{self.name}/{mode}", *(f" {n}={v:g}" for n, v in others.items())])

    def libraries(self) -> Mapping[str, str]:
        return _nlpaug.libraries()

    def propose(self, source: Source, draws: random.Random) -> Proposal:
        check_text(source.text)
        protects = self.parameters.mode == "protect"
        protected = protected_tokens(source.text) if protects else frozenset[str]()
        settings = self.settings()
        if not _nlpaug.can_edit(source.text, settings, protected):
            raise CannotVary(self.nothing_to_change)
        made = _nlpaug.edit(source.text, settings, draws, protected)
        notes: dict[str, Any] = {"tokens": len(made.tokens)}
        if protects:
            notes["protected"] = sorted(protected)
        return Proposal(made.text, made.edited, notes)

    def checks(self, source: Source, made: Proposal) -> Sequence[Check]:
        found = damage(source.text, made.text, source.answers)
        checks = [_error_made(found), answer_not_leaked(source, made.text)]
        if self.parameters.mode == "protect":
            checks.append(_protected_kept(found))
        return checks


def _error_made(found: Damage) -> Check:
    """Something other than white space differs from the source."""
    same = found.unchanged or found.spacing_only
    why = "No word came out changed." if same else ""
    return Check("error_made", "1", not same, why, {"edit_distance": found.edit_distance})


def _protected_kept(found: Damage) -> Check:
    """No name, number, negation, or word of time or comparison is gone or is new."""
    lost = [words for flag, words in _MUST_STAND.items() if getattr(found, flag)]
    why = f"The error changed {' and '.join(lost)}." if lost else ""
    return Check("protected_kept", "1", not lost, why)
