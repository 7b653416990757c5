"""Why cases have no score, in short words beside a number. Knows no model."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

FAILURES: Mapping[str, str | Promise] = {
    "rate_limited": gettext_lazy("turned away"),
    "timed_out": gettext_lazy("timed out"),
    "truncated": gettext_lazy("cut short"),
    "provider_error": gettext_lazy("service failed"),
    "judge_error": gettext_lazy("judge failed"),
    "not_run": gettext_lazy("not run"),
}
_LEFT_OUT: Mapping[str, str | Promise] = {
    "unresolved request": gettext_lazy("unresolved request"),
    "no gold answer": gettext_lazy("no right answer recorded"),
    "original unjudged": gettext_lazy("original not judged"),
    "candidate unjudged": gettext_lazy("candidate not judged"),
}


def left_out(why: str) -> str:
    """Return in words why a request is left out of the paired comparison, as
    `evaluation.scoring.comparison` names it; a name that it does not know stays as it is.
    """
    arm, _space, status = why.partition(" ")
    if status in FAILURES and arm == "original":
        return _("original %(why)s") % {"why": FAILURES[status]}
    if status in FAILURES and arm == "candidate":
        return _("candidate %(why)s") % {"why": FAILURES[status]}
    return str(_LEFT_OUT.get(why, why))
