"""What a worker keeps of the Conditions of its run: the parts, without the hash of each request.

Those hashes are most of what Conditions are and grow with the requests; a worker compares them only
where it takes stages over from an earlier run.
"""

from typing import Any

from django.db.models import Func, JSONField

from evaluation.models import Conditions, Run

PER_REQUEST = ("requests", "contracts")


class _WithoutPerRequest(Func):
    """The content without the keys of `PER_REQUEST`, cut by the database."""

    function = "JSON_REMOVE"
    output_field = JSONField()
    template = "JSON_REMOVE(%(expressions)s, '$.requests', '$.contracts')"

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "(%(expressions)s - 'requests' - 'contracts')"
        return super().as_sql(compiler, connection, template=template, **context)


def run_without_requests(run_id: int) -> Run:
    """The run with all that its work reads, its Conditions without the hashes of single requests.
    Raises Run.DoesNotExist.
    """
    rows = Run.objects.select_related("project", "conditions__corpus", "protocol")
    run = rows.defer("conditions__content").get(pk=run_id)
    conditions = Conditions.objects.filter(pk=run.conditions_id)
    run.conditions.content = conditions.values_list(_WithoutPerRequest("content"), flat=True).get()
    return run


def whole_content(run: Run) -> dict[str, Any]:
    """All that the Conditions of the run say, read anew."""
    content: dict[str, Any] = Conditions.objects.only("content").get(pk=run.conditions_id).content
    return content
