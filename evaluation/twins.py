"""What evaluations say of twins: how many pairs the newest protocol wants, and which runs tell of a
request.
"""

from annotation.models import Project, Request
from evaluation.models import Case
from evaluation.scoring.protocol import parse_protocol


def pairs_wanted(project: Project) -> dict[tuple[str, str], int]:
    """The least pairs of each class and family under the newest registered protocol; "*" holds for
    every class that it does not name. Nothing is wanted without a protocol.
    """
    newest = project.protocols.order_by("-registered_at", "-pk").first()
    if newest is None:
        return {}
    protocol = parse_protocol(newest.content)
    wanted = {}
    for name in project.request_classes.values_list("name", flat=True):
        rule = protocol.rule_for(name)
        for family, least in (rule.families if rule else {}).items():
            wanted[name, family] = least.min_pairs
    return wanted


def runs_with(request: Request) -> set[str]:
    """The runs in which the request is, as exposures name them."""
    numbers = Case.objects.filter(request=request).values_list("run__number", flat=True)
    return {f"run {number}" for number in numbers.distinct()}
