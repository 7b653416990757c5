"""Is it what the same person wrote before?"""

from rapidfuzz import fuzz

from annotation.checks.folding import folded
from annotation.checks.written import OwnText, RewriteWarning, Written

CODE = "near-own"
# Of 100, rapidfuzz's ratio (indels over both lengths). At 90 about one word in ten differs: the
# same sentence with a word exchanged.
NEAR = 90.0


def near_own_text(written: Written) -> RewriteWarning | None:
    """Name the request for which the person wrote nearly the same. Requests that are as near to
    each other themselves, as twins are, may have such texts.
    """
    text, original = folded(written.text), folded(written.original)
    for own in written.own_texts:
        if _near(text, folded(own.text)) and not _twins(original, own):
            return RewriteWarning(CODE, (own.key,))
    return None


def _twins(original: str, own: OwnText) -> bool:
    asked = folded(own.request_text)
    return asked != original and _near(original, asked)


def _near(one: str, other: str) -> bool:
    return fuzz.ratio(one, other, score_cutoff=NEAR) >= NEAR
