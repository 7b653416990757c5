"""Amounts from which something is taken: "net of tax", "after tax", "before tax"."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Finding, altered, stated
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import has_cue

# What may stand right before a thing that an amount is taken before or after.
_TAKEN = ("after", "post", "less", "deducting")
_STILL_IN = ("before", "pre", "gross", "including", "inclusive")
_PUTTING = (*_TAKEN, "before", "pre", "gross")
_LEADING = ("the", "any", "its", "all", "of", "deduction", "deductions", "deducting", "for")


def deducted(text: Text, roots: list[str], asked: str) -> Finding | None:
    """For a request that asks for an amount net of the target: "after tax" and "less tax" take it
    off, "before tax" and "including tax" leave it in. None for other requests and other words."""
    own = read_text(asked)
    net = any(lexicon.phrases("exclusions").ending_at(own, at + 2) for at in own.find(_NET))
    said = {word.text for word in text.words}
    both = bool(said & {"after", "post"} and said & {"before", "pre", "gross"})
    if not net or both or has_cue(text):
        return None
    at = next((i for i, one in enumerate(text.roots) if one == roots[0]), None)
    if at is None or list(text.roots[at : at + len(roots)]) != roots:
        return None
    place = _led_by(text, at)
    word = text.words[place].text if place >= 0 else ""
    first = place if word in (*_TAKEN, *_STILL_IN) else at
    quote = text.quote(first, at + len(roots))
    following = text.words[at + len(roots)].text if at + len(roots) < len(text) else ""
    if word in _STILL_IN:
        return altered(quote, "The target is still in the amount.")
    if word in _TAKEN or following == "deducted":
        return stated(quote, "The target is taken off the amount.")
    return None


def taken_before_or_after(text: Text, roots: list[str]) -> bool:
    """Whether an amount may be taken before or after the target, or less it: "profit before
    subsidies", "profit after applying subsidies"."""
    for at, one in enumerate(text.roots):
        place = _led_by(text, at)
        place -= place > 0 and text.words[place].text.endswith("ing")
        if one in roots and place >= 0 and text.words[place].text in _PUTTING:
            return True
    return False


def _led_by(text: Text, at: int) -> int:
    """The word right before a thing, without what only leads to it; -1 where there is none."""
    place = at - 1
    while place >= 0 and text.words[place].text in _LEADING:
        ahead = text.words[place - 1].text if place else ""
        if text.words[place].text == "deducting" and ahead not in ("after", "before"):
            break
        place -= 1
    return place


_NET = read_text("net of")
