"""Who was shown results? Contracts know no run: a higher room registers how to tell under which
names the ledger has the results that tell of a request.
"""

from collections.abc import Callable

from annotation.models import Person, Request
from annotation.services.exposure import exposures

# What the exposures of a request call a thing that comes out of a run.
OUT_OF_RUNS = ("results", "rewrite")

Subjects = Callable[[Request], set[str]]
SUBJECTS: list[Subjects] = []


def register_results(subjects: Subjects) -> None:
    """Name the subjects of exposures (such as “run 3”) whose results tell of a request. Called
    from an app's `ready`.
    """
    SUBJECTS.append(subjects)


def results_shown(person: Person, request: Request) -> str:
    """The first result of the request that the person was shown, as the ledger names it (“run 3”,
    or the request itself); empty for who is blind to results.
    """
    told = {request.key}.union(*(subjects(request) for subjects in SUBJECTS))
    shown = exposures(person=person, project=request.project).filter(
        subject__in=sorted(told), content__what__in=OUT_OF_RUNS
    )
    first = shown.order_by("sequence").first()
    return first.subject if first else ""
