"""What a run says of other looks at its requests, and of what was known before its rules were."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.models import Arm, Run
from evaluation.reports.verdict.cards import summary
from evaluation.services.brought import REWRITES, brought_before
from evaluation.services.looks import Look, Looks

MOST = 12  # runs that a sentence names: the newest of them


def look_line(looks: Looks | None) -> str:
    """One line; empty where the run's requests have no other verdicts."""
    if looks is None or not looks.others:
        return ""
    said = {"place": looks.place, "of": looks.total}
    return _("This is run %(place)d of %(of)d that gave verdicts on these requests.") % said


def look_sentence(looks: Looks | None) -> str:
    """The same with each other run, and what follows from it."""
    if looks is None or not looks.others:
        return ""
    named = looks.others[-MOST:]
    told = [_look(look, looks.requests) for look in named]
    if more := len(looks.others) - len(named):
        told.append(ngettext("and %(n)d earlier run", "and %(n)d earlier runs", more) % {"n": more})
    return _(
        "This is run %(place)d of %(of)d that gave verdicts on these requests: %(runs)s. Each "
        "further look makes a release by chance likelier; no bound here allows for it."
    ) % {"place": looks.place, "of": looks.total, "runs": ", ".join(told)}


def brought_sentences(run: Run, arm: Arm | None) -> tuple[str, ...]:
    """What of the candidate was in the project before the rules were registered."""
    said = {
        REWRITES: _(
            "The rewrites of %(arm)s were in the project before these rules were registered."
        ),
    }
    logged = _(
        "The logged run of %(arm)s, its hits and answers, was in the project before these rules "
        "were registered."
    )
    found = brought_before(run, arm) if arm else ()
    return tuple(said.get(one.kind, logged) % {"arm": one.arm} for one in found)


def _look(look: Look, requests: int) -> str:
    outcomes = [word for word, n in look.outcomes for _each in range(n)]
    words = summary(outcomes).replace(" · ", ", ")
    if look.void:
        words = _("void: %(words)s") % {"words": words}
    said = {"n": look.run, "protocol": f"{look.protocol} {look.version}", "words": words}
    if look.shared == requests:
        return _("run %(n)d under %(protocol)s (%(words)s)") % said
    return _("run %(n)d under %(protocol)s on %(shared)d of the %(of)d (%(words)s)") % {
        **said,
        "shared": look.shared,
        "of": requests,
    }
