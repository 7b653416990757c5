"""What a check reads, and what it says."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class OwnText:
    """Another rewording by the same person: for which request (its key and its text)."""

    key: str
    request_text: str
    text: str


@dataclass(frozen=True)
class Demand:
    """One constraint of a contract in words: `mentions` is every word of its value, `wordings` are
    those of which one in the text is enough.
    """

    mentions: tuple[str, ...] = ()
    wordings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Written:
    """A rewording in the making. `kind` is that of the HumanRewrite; `request_texts` are the turns
    in order, the current text last.
    """

    kind: str
    text: str
    request_texts: tuple[str, ...]
    answers: tuple[str, ...] = ()
    own_texts: tuple[OwnText, ...] = ()
    demands: tuple[Demand, ...] = ()
    clarification: bool = False

    @property
    def original(self) -> str:
        return self.request_texts[-1] if self.request_texts else ""

    @property
    def turns(self) -> tuple[str, ...]:
        return self.request_texts[:-1]


@dataclass(frozen=True)
class RewriteWarning:
    """One warning: a stable code and the words concerned, never words that only its writer wrote.

    `about` stands in for words that the writer must not read.
    """

    code: str
    words: tuple[str, ...] = ()
    about: tuple[str, ...] = ()

    @property
    def mark(self) -> str:
        """What "I mean it" confirms: other words give another mark, so that they ask again."""
        concerned = "\x1f".join(self.about or self.words)
        return f"{self.code}:{hashlib.sha256(concerned.encode('utf-8', 'replace')).hexdigest()[:8]}"


Check = Callable[[Written], RewriteWarning | None]
