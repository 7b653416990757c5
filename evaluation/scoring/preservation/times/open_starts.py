"""The start of a range that leaves its year to the end: `28 May to 3 June 2019`."""

from dataclasses import dataclass

from evaluation.scoring.preservation.text import Text
from evaluation.scoring.preservation.times import dates
from evaluation.scoring.preservation.times.dates import Period
from evaluation.scoring.preservation.times.period_words import integer, month_number, word_at

_SUFFIXES = ("st", "nd", "rd", "th")


@dataclass(frozen=True, slots=True)
class OpenStart:
    """A month, or a day of it, without its year; its words end at `end`. `sure` is false where a
    word before it may name the day.
    """

    end: int
    month: int
    day: int | None = None
    sure: bool = True

    def before(self, end: Period | None) -> Period | None:
        """Return the start with the year of the range's end, or the year before where its month
        comes later in the year ("20 December to 3 January 2019").

        None where that is no period, or the two are not both days or both months.
        """
        if end is None or not self.sure or end.grain != ("month" if self.day is None else "day"):
            return None
        year = end.first.year - (self.month > end.first.month)
        if self.day is None:
            return dates.month(self.month, year)
        return dates.day(self.day, self.month, year)


def open_start_at(text: Text, at: int) -> OpenStart | None:
    """Return the day or month without a year that begins at word `at`: "3 June", "3rd of June",
    "June 3", "June"; None where there is none.
    """
    if month := month_number(text, at):
        if day := integer(text, at + 1, 1, 31):
            return OpenStart(_after_day(text, at + 1), month, day)
        return OpenStart(at + 1, month, sure=word_at(text, at - 1) != "of")
    day = integer(text, at, 1, 31)
    if day is None:
        return None
    place = _after_day(text, at)
    place += word_at(text, place) == "of"
    month = month_number(text, place)
    return OpenStart(place + 1, month, day) if month else None


def _after_day(text: Text, at: int) -> int:
    return at + 1 + (word_at(text, at + 1) in _SUFFIXES)
