"""What a variation must leave alone so that the request stays the same request: names, numbers,
quotations, negations, and words of time and comparison.

The five negations and the first words of both other lists are those of the damage flags; what
follows them is of the same kind.
"""

import re
import unicodedata

NEGATIONS = frozenset(
    "not no never without except nor none neither nobody nothing nowhere cannot non".split()
)
TIME = frozenset(
    "before after first last earlier later earliest latest since until during prior previous"
    " previously next former formerly latter now current currently recent recently ago".split()
)
COMPARISON = frozenset(
    "more less increase decrease increases decreases increased decreased increasing decreasing most"
    " least fewer fewest greater greatest higher highest lower lowest larger largest smaller"
    " smallest bigger biggest longer longest shorter shortest older oldest younger youngest newer"
    " newest better best worse worst than over under above below between both same".split()
)
KEPT_WORDS = NEGATIONS | TIME | COMPARISON
NOT = re.compile(r"n\s?['’]\s?t\b", re.IGNORECASE)

# Capitalised only because they begin a sentence.
OPENERS = frozenset(
    "a about after also although am among an and are as at be because before besides between both"
    " but by can could did do does during each every find for from give had has have he her here"
    " his how i identify if in into is it its let like list many may me might must my name need of"
    " on once one or other our out outside over please shall she should show since so some state"
    " tell than that the their then there these they this those though through to two under until"
    " up upon us was we were what when where whether which while who whom whose why will with"
    " within without want would you your".split()
)
# With their marks, one at each end.
QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”|«[^»]+»|(?<!\w)'[^']+'(?!\w)|(?<!\w)‘[^’]+’(?!\w)")

_TOKEN = re.compile(r"\S+")
_PART = re.compile(r"[^\W_]+")


def protected_tokens(text: str) -> frozenset[str]:
    """Return the tokens of `text`, as white space parts them, that are to be left alone.

    These are the tokens with a capital letter, a digit or a combining mark, those in a quotation,
    those with a word of KEPT_WORDS or "n't", and the one before "than".
    """
    quoted = [match.span() for match in QUOTED.finditer(text)]
    found = set()
    before = ""
    for match in _TOKEN.finditer(text):
        token = match.group()
        parts = {part.casefold() for part in _PART.findall(token)}
        in_quotes = any(begin < match.end() and match.start() < end for begin, end in quoted)
        # An accent of its own would stay behind on another letter.
        named = any(c.isupper() or c.isnumeric() or unicodedata.combining(c) for c in token)
        if named or in_quotes or parts & KEPT_WORDS or NOT.search(token):
            found.add(token)
        if "than" in parts and before:
            found.add(before)
        before = token
    return frozenset(found)
