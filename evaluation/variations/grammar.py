"""The request with one grammar error, by a named rule that makes an error for certain."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from evaluation.variations import english, grammar_checker, language_tool
from evaluation.variations.base import CannotVary, Check, Maker, Proposal, Source, register
from evaluation.variations.base import in_catalogue as _
from evaluation.variations.checks import shared_checks
from evaluation.variations.english import check_english, parse_english
from evaluation.variations.grammar_checker import Dialect, Finding
from evaluation.variations.grammar_rules import errors, with_error

if TYPE_CHECKING:  # the client brings its HTTP library, which most parts never need
    from evaluation.generation.client import ChatClient


@dataclass(frozen=True, slots=True)
class GrammarParameters:
    """Which checker gives a second opinion, and whether it decides.

    `checker`: Harper, which runs here; a LanguageTool server, at INTACT_LANGUAGETOOL_URL; or none.
    Only findings about grammar count, never those about spelling.
    `dialect`: the English that the checker expects.
    `must_be_found`: whether a text stands only if the checker finds more in it than in the request,
    as the source asks of LanguageTool; without it that is recorded alone, as a checker misses many
    errors.
    `similarity`: whether the cosine with the request is recorded; it decides nothing.
    """

    checker: Literal["harper", "languagetool", "none"] = "harper"
    dialect: Dialect = "american"
    must_be_found: bool = False
    similarity: bool = False

    def __post_init__(self) -> None:
        if self.must_be_found and self.checker == "none":
            raise ValueError("must_be_found needs a checker, and checker is none.")


@register("grammar", version="1")
class GrammarMaker(Maker):
    """One grammar error: agreement, article, tense after did, number or preposition.

    The draws choose a rule among those that apply, then a place. Every rule makes an error by how
    it is built, and leaves out where it is not sure. A grammar checker's second opinion is
    recorded.

    Source: Jang et al. 2026, arXiv 2604.10745, where a language model makes the errors and
    LanguageTool must report one; rules whose error is certain stand for it here.
    """

    Parameters = GrammarParameters
    parameters: GrammarParameters
    category = _("Does it have a grammar error that the original does not have?")

    def __init__(self, parameters: Any, generator: "ChatClient | None") -> None:
        super().__init__(parameters, generator)
        if parameters.checker == "languagetool":
            language_tool.check_address()  # refused before anything is made

    def model(self) -> Mapping[str, Any] | None:
        """A LanguageTool server is frozen by its address; its version is in every check."""
        if self.parameters.checker != "languagetool":
            return None
        return {"endpoint": language_tool.address()}

    def libraries(self) -> Mapping[str, str]:
        if self.parameters.checker != "harper":
            return english.libraries()
        return {**english.libraries(), grammar_checker.LIBRARY: grammar_checker.library_version()}

    @classmethod
    def unavailable(cls) -> str:
        return english.unavailable()

    def propose(self, source: Source, draws: random.Random) -> Proposal:
        line = check_english(source.text)
        parsed = parse_english(line)
        possible = errors(line, parsed)
        if not possible:
            raise CannotVary(
                "No rule makes a grammar error in the request for certain: it has no verb, "
                "article, number or preposition that a rule is sure of."
            )
        rule = draws.choice(sorted(possible))
        error = draws.choice(possible[rule])
        notes = {
            "rule": error.rule,
            "token": error.token,
            "from": parsed.tokens[error.token].text,
            "to": error.becomes,
        }
        return Proposal(with_error(line, parsed, error), (error.token,), notes)

    def checks(self, source: Source, made: Proposal) -> Sequence[Check]:
        shared = shared_checks(source, made.text, similarity=self.parameters.similarity)
        if self.parameters.checker == "none":
            return shared
        return [*shared, self._second_opinion(source.text, made.text)]

    def _second_opinion(self, before: str, after: str) -> Check:
        """A checker finds more wrong with the grammar of the text than with that of the request."""
        known, _ = self._findings(before)
        found, its_version = self._findings(after)
        more = len(found) > len(known)
        why = "" if more else "The grammar checker finds no more errors in it than in the request."
        values = {
            "found": len(found),
            "source_found": len(known),
            "rules": [finding.rule for finding in found],
            "dialect": self.parameters.dialect,
        }
        decides = self.parameters.must_be_found
        return Check(self.parameters.checker, its_version, more, why, values, decides=decides)

    def _findings(self, text: str) -> tuple[tuple[Finding, ...], str]:
        dialect = self.parameters.dialect
        if self.parameters.checker == "languagetool":
            said = language_tool.opinion(text, dialect=dialect)
            return said.findings, said.version
        return (
            grammar_checker.findings(text, dialect=dialect),
            grammar_checker.library_version(),
        )
