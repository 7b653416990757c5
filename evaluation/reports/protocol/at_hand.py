"""What a protocol can still decide on in each class."""

from collections import Counter
from datetime import datetime

from annotation.models import Project
from contracts.models import Contract
from evaluation.reports.protocol.planning import AtHand
from evaluation.runs.seen import evaluated, first_results


def at_hand(project: Project, *, until: datetime | None = None) -> dict[str, AtHand]:
    """Count, for each class of the project, the resolved requests with an approved contract that
    had no result (`until` a registration, or so far), and the twin pairs of two such requests. A
    pair may have an unresolved side, and is counted in the class of its base.
    """
    found = first_results(project, until=until)
    requests = evaluated(project).values_list("pk", "request_class__name")
    open_ones = {pk: name for pk, name in requests if pk not in found}
    unresolved = set(
        Contract.objects.current(project)
        .filter(unresolved=True)
        .order_by()
        .values_list("request_id", flat=True)
    )
    resolved = Counter(name for pk, name in open_ones.items() if pk not in unresolved)
    pairs: dict[str, Counter[str]] = {}
    for base, twin, family in project.twin_pairs.values_list("base_id", "twin_id", "family"):
        if base in open_ones and twin in open_ones:
            pairs.setdefault(open_ones[base], Counter())[family] += 1
    names = project.request_classes.order_by("name").values_list("name", flat=True)
    return {name: AtHand(resolved[name], dict(pairs.get(name, {}))) for name in names}
