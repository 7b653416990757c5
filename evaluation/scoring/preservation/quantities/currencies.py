"""Which currency stands before or after a number, and whether it is the one asked for."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.text import Text

# Wording that names one of several currencies.
CURRENCY_FAMILIES = {
    "DOLLAR": {"USD", "CAD", "AUD", "NZD", "SGD", "HKD"},
    "YEN": {"JPY", "CNY"},
    "POUND": {"GBP"},
    "KRONE": {"DKK", "NOK", "SEK"},
    "FRANC": {"CHF"},
    "RUPEE": {"INR", "PKR", "LKR", "NPR"},
    "PESO": {"MXN", "ARS", "CLP", "COP", "PHP", "UYU"},
    "LIRA": {"TRY", "ITL"},
    "DIRHAM": {"AED", "MAD"},
}
# Letters or a nation say that it is another currency than the sign alone, but not which.
UNKNOWN_CURRENCY = "?"


def currency_before(text: Text, at: int) -> lexicon.Found | None:
    found = lexicon.phrases("currencies").ending_at(text, at)
    return _with_prefix(text, found) if found else None


def currency_after(text: Text, at: int) -> lexicon.Found | None:
    found = lexicon.phrases("currencies").starting_at(text, at)
    # In "500 A$" the sign is the second word.
    if found is None and at + 1 < len(text) and text.words[at + 1].adjacent:
        found = lexicon.phrases("currencies").starting_at(text, at + 1)
        return _with_prefix(text, found) if found and text.words[found.first].raw == "$" else None
    return found


def _with_prefix(text: Text, found: lexicon.Found) -> lexicon.Found:
    """Letters glued to a currency sign, or capitals before it, name another currency: "A$"."""
    sign = text.words[found.first]
    before = text.words[found.first - 1] if found.first else None
    if sign.raw.isalnum() or before is None or not before.raw.isalpha():
        return found
    if sign.adjacent:
        meaning = lexicon.table("dollar_prefixes").get(before.text) if sign.raw == "$" else None
        return lexicon.Found(found.first - 1, found.end, meaning or UNKNOWN_CURRENCY)
    capitals = before.raw.isupper() and len(before.raw) in (2, 3) and not sign.gap
    shouted = text.raw.isupper()
    return found._replace(meaning=UNKNOWN_CURRENCY) if capitals and not shouted else found


def nation_after(text: Text, at: int) -> bool:
    """Whether "$500" goes on with "Canadian": the first word of a currency's longer name."""
    word = text.words[at].text if at < len(text) else ""
    entries = lexicon.phrases("currencies").entries
    return any(len(words) > 1 and words[0] == word and word.isalpha() for words, _ in entries)


def currencies_agree(asked: str, found: str | None) -> bool | None:
    """True or False, or None where the wording names one of several currencies or none at all."""
    if found is None or found == UNKNOWN_CURRENCY:
        return None
    if found == asked:
        return True
    family = CURRENCY_FAMILIES.get(found)
    if family is None:
        return False
    if asked not in family:
        return False
    # A bare "$" or "dollars" is read as US dollars; any other dollar has to say so.
    return True if asked in ("USD", "GBP") or len(family) == 1 else None
