"""Ids and names that a person cannot tell apart. No Django here.

The table of letters that look like Latin ones is a part of Unicode Technical Standard 39,
confusables.txt: the Cyrillic and Greek letters drawn as Latin ones in most typefaces.
"""

import unicodedata
from collections.abc import Iterable

from annotation.importing.fields import Fields
from annotation.importing.showing import quoted

_LOOKS_LATIN = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧον",
    "ABEKMHOPCTYXIJSaeopcyxijshdqwlABEZHIKMNOPTYXov",
)


def look_alike_key(value: str) -> str:
    """Ids with the same key look the same to a person; two of them in one project are refused."""
    folded = unicodedata.normalize("NFKC", value.strip()).casefold()
    return folded if folded.isascii() else unicodedata.normalize("NFKC", folded)


def drawn_key(value: str) -> str:
    """Names with the same key can hardly be told apart when read: as `look_alike_key`, and dashes,
    blanks, what is not drawn at all and letters drawn as Latin ones count alike.
    """
    shown = "".join(_plain(c) for c in unicodedata.normalize("NFKC", value))
    return look_alike_key(" ".join(shown.translate(_LOOKS_LATIN).split()))


def _plain(c: str) -> str:
    category = unicodedata.category(c)
    if category == "Pd" or c == "\u2212":  # a minus is drawn as a dash
        return "-"
    return "" if category == "Cf" and c not in "\u200c\u200d" else c


class NewNames:
    """The ids (or names) that the rows of one file give to new things, beside those present."""

    def __init__(self, present: Iterable[str] = (), what: str = "row") -> None:
        self._what = what
        self._present = {look_alike_key(key): key for key in present}
        self._first: dict[str, tuple[str, int]] = {}
        self._drawn = {_drawn(key): (key, "") for key in self._present.values()}

    def check(self, fields: Fields, column: str, key: str) -> None:
        """Refuse an id that stands already or only looks different from one that does; warn of
        one whose letters are those of another script.
        """
        folded = look_alike_key(key)
        known = self._present.get(folded)
        if known is not None:
            sentence = f"the project has a {self._what} “{known}” already."
            fields.fault(column, "present_id", sentence)
        earlier, row = self._first.setdefault(folded, (key, fields.row))
        if row != fields.row and earlier == key:
            sentence = f"the id {quoted(key)} stands on row {row} already."
            fields.fault(column, "duplicate_id", sentence)
        elif row != fields.row:
            sentence = f"the id {quoted(key)} looks like {quoted(earlier)} on row {row}."
            fields.fault(column, "look_alike_id", sentence)
        elif known is None:
            self._warn(fields, column, key)

    def _warn(self, fields: Fields, column: str, key: str) -> None:
        twin, place = self._drawn.setdefault(_drawn(key), (key, f" on row {fields.row}"))
        if twin != key:
            sentence = f"{quoted(key)} is drawn like {quoted(twin)}{place} but has other letters."
            fields.warn(column, "homoglyph", sentence)
        elif not key.isascii() and (found := foreign_letters(key)):
            said = ", ".join(f"“{c}” {unicodedata.name(c).capitalize()}" for c in found)
            fields.warn(column, "homoglyph", f"{quoted(key)} mixes scripts: {said}.")


def foreign_letters(value: str) -> list[str]:
    """Return the letters of a Latin word that only look Latin."""
    if not any(c.isascii() and c.isalpha() for c in value):
        return []
    return sorted({c for c in value if ord(c) in _LOOKS_LATIN})


def _drawn(value: str) -> str:
    return look_alike_key(value if value.isascii() else value.translate(_LOOKS_LATIN))
