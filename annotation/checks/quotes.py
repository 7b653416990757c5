"""Is a quoted phrase missing?"""

import re

from annotation.checks.demanded import from_turns, said_otherwise
from annotation.checks.folding import folded, says, spaced
from annotation.checks.written import RewriteWarning, Written

CODE = "drops-quote"
PAIRS = ("“”", "„“", "„”", '""', "«»", "»«", "‹›", "‚‘", "‘’", "「」", "『』")
LONGEST = 300  # letters between two marks; more is no phrase but an odd number of marks


def _pattern(pair: str) -> str:
    opens, closes = pair[0], pair[1]
    inside = rf"{opens}([^{opens}{closes}]{{1,{LONGEST}}}){closes}"
    # A single mark is also an apostrophe: it opens only before a word and closes only after one.
    return rf"(?<!\w){inside}(?!\w)" if opens in "‚‘" else inside


_QUOTED = re.compile("|".join(_pattern(pair) for pair in PAIRS))


def quoted_phrases(text: str) -> list[str]:
    """The phrases between quotation marks of any style, once each, without the marks."""
    inside = (next(group for group in m.groups() if group) for m in _QUOTED.finditer(text))
    return list(dict.fromkeys(phrase.strip() for phrase in inside if folded(phrase)))


def without_quotes(text: str) -> str:
    """The text with its quoted phrases left out; what follows is no new sentence."""
    return _QUOTED.sub(" , ", text)


def drops_quote(written: Written) -> RewriteWarning | None:
    """Name the quoted phrases of the request that the text does not have, in marks or without."""
    if written.clarification:
        return None
    phrases = quoted_phrases(written.original)
    for turn in written.turns:
        phrases += from_turns(written, quoted_phrases(turn))
    text = spaced(written.text)
    missing = [
        phrase
        for phrase in dict.fromkeys(phrases)
        if not says(text, phrase) and not said_otherwise(phrase, written.text, written.demands)
    ]
    return RewriteWarning(CODE, tuple(missing)) if missing else None
