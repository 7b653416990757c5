"""Is it the request again?"""

from annotation.checks.folding import folded
from annotation.checks.written import RewriteWarning, Written

CODE = "same"


def same_as_original(written: Written) -> RewriteWarning | None:
    """Warn when the text is the request's own, apart from case, spaces and punctuation."""
    if folded(written.text) != folded(written.original):
        return None
    return RewriteWarning(CODE)
