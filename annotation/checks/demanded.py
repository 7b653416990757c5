"""What a contract says of a number, a name or a phrase: whether it is asked for, and what else says
the same.
"""

from collections.abc import Sequence

from annotation.checks.folding import says, spaced
from annotation.checks.written import Demand, Written


def asked_for(item: str, demands: Sequence[Demand]) -> bool:
    """Tell whether a constraint names the words."""
    return any(_named(item, demand) for demand in demands)


def said_otherwise(item: str, text: str, demands: Sequence[Demand]) -> bool:
    """Tell whether the text has another wording of a constraint that names the words."""
    written = spaced(text)
    return any(
        says(written, wording)
        for demand in demands
        if _named(item, demand)
        for wording in demand.wordings
    )


def from_turns(written: Written, items: Sequence[str]) -> list[str]:
    """Of words from earlier turns those that the reference must say: the contract names them."""
    return [item for item in items if asked_for(item, written.demands)]


def _named(item: str, demand: Demand) -> bool:
    return any(says(spaced(mention), item) for mention in demand.mentions)
