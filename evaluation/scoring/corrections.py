"""What corrections of typing errors did: repaired, left, or damaged. Pure functions of three texts:
the clean one, the one that was entered and the one that came out.

Source: the records of QE-RAG's query correction (`overcorrected`, `fixed`); `entity_changed` is our
own.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from rapidfuzz.distance import OSA

from evaluation.retrieval.tokens import tokenize
from evaluation.rewriters.keywords import split_names

_PUNCTUATION = re.compile(r"[^\w\s]|_")
_NEAR = 0.5  # of the longer word's letters


@dataclass(frozen=True, slots=True)
class Correction:
    """One text: as it should be, as it was entered, as it was corrected."""

    clean: str
    entered: str
    output: str


@dataclass(frozen=True, slots=True)
class CorrectionRates:
    """Counts, and the rates that they give: None where there is nothing to count.

    `fixed` is of the `n_errors` texts that were entered with an error, `overcorrected` of the
    `n_clean` without, `changed_entity` of all.
    """

    n_errors: int
    n_fixed: int
    n_clean: int
    n_overcorrected: int
    n_entity_changed: int

    @property
    def fixed(self) -> float | None:
        return self.n_fixed / self.n_errors if self.n_errors else None

    @property
    def overcorrected(self) -> float | None:
        return self.n_overcorrected / self.n_clean if self.n_clean else None

    @property
    def changed_entity(self) -> float | None:
        n = self.n_errors + self.n_clean
        return self.n_entity_changed / n if n else None

    def to_json(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "fixed": self.fixed,
            "overcorrected": self.overcorrected,
            "changed_entity": self.changed_entity,
        }


def normalised(text: str) -> str:
    """Return the form in which texts are compared: NFKC, case folded, without punctuation, white
    space as single blanks.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_PUNCTUATION.sub(" ", folded.replace("'", "").replace("\u2019", "")).split())


def has_error(one: Correction) -> bool:
    """Whether what was entered differs from the clean text after normalisation."""
    return normalised(one.entered) != normalised(one.clean)


def fixed(one: Correction) -> bool | None:
    """Whether the output equals the clean text after normalisation; None without an error."""
    return normalised(one.output) == normalised(one.clean) if has_error(one) else None


def overcorrected(one: Correction) -> bool | None:
    """Whether a text without an error was changed; None for one with an error."""
    return None if has_error(one) else normalised(one.output) != normalised(one.clean)


def entity_changed(one: Correction) -> bool:
    """Whether the correction lost a name or number of the clean text, or made it another.

    One that was entered rightly must stand in the output. One that was entered with an error may
    stay so; it is changed when the output has a new word like it that the clean text has not.
    Names are the capitalised words of the clean text, as the rewriter "keywords" finds them, so
    there are none in a text in lower case.
    """
    clean, entered, output = (set(tokenize(text)) for text in (one.clean, one.entered, one.output))
    new = output - entered - clean
    lost = _entities(one.clean) - output
    return any(word in entered or any(_near(word, other) for other in new) for word in lost)


def rates(corrections: Iterable[Correction]) -> CorrectionRates:
    """Return the counts over all corrections."""
    rows = list(corrections)
    fixes = [found for one in rows if (found := fixed(one)) is not None]
    changes = [found for one in rows if (found := overcorrected(one)) is not None]
    changed = sum(entity_changed(one) for one in rows)
    return CorrectionRates(len(fixes), sum(fixes), len(changes), sum(changes), changed)


def _entities(text: str) -> set[str]:
    names, _rest = split_names(text)
    numbers = {word for word in tokenize(text) if any(letter.isdigit() for letter in word)}
    return numbers | {word for name in names for word in tokenize(name)}


def _near(word: str, other: str) -> bool:
    return bool(OSA.normalized_distance(word, other) <= _NEAR)
