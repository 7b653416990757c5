"""Whole numbers in what somebody typed or put into an address. Pure."""

# More digits than any number of a row or a version has, and fewer than any database can hold.
MOST_DIGITS = 9


def whole_number(text: str) -> int | None:
    """The number that ASCII digits write; None where the text is none, or has too many digits."""
    written = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
    return int(text) if written else None
