"""What an answer says, claim by claim, and the sentences that support it. Knows no model."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from evaluation.scoring.support import ClaimSupport

_WORDS: Mapping[bool | None, tuple[str, str | Promise]] = {
    True: ("holds", gettext_lazy("supported")),
    False: ("fails", gettext_lazy("not supported")),
    None: ("silent", gettext_lazy("could not be told")),
}


@dataclass(frozen=True, slots=True)
class ClaimShown:
    """One thing that the answer says; `quote` of `document` supports or contradicts it. `anchor` is
    the place of that hit on the page, empty where it is none.
    """

    text: str
    state: str
    word: str | Promise
    document: str
    anchor: str
    quote: str
    why: str


def claims_shown(
    support: Mapping[str, Any] | None, anchors: Mapping[str, str]
) -> tuple[ClaimShown, ...]:
    """Return the claims that the run's support judge kept; none where it kept none."""
    rows = [ClaimSupport.from_json(row) for row in (support or {}).get("claims", ())]
    return tuple(
        ClaimShown(
            row.text,
            *_WORDS[row.supported],
            row.passage or "",
            anchors.get(row.passage or "", ""),
            row.quote,
            row.why,
        )
        for row in rows
    )
