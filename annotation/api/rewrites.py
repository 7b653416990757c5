"""What people wrote: paraphrases and standalone references that stand."""

from typing import Any

from rest_framework import serializers

from annotation.api.fields import PageFilters, Shown
from annotation.api.operations import Call, operation
from annotation.api.pagination import Page
from annotation.api.whose import pseudonyms_for, sees_others
from annotation.models import HumanRewrite
from annotation.services.rewrites import read_rewrites


class RewriteShown(Shown):
    """`author` is a pseudonym, and null for whoever is not told who wrote what."""

    request = serializers.CharField(source="request.key")
    kind = serializers.ChoiceField(HumanRewrite.Kind.values)
    author = serializers.CharField(allow_null=True)
    text = serializers.CharField()
    clarification = serializers.BooleanField()
    sealed_at = serializers.DateTimeField()
    sha256 = serializers.CharField()


class RewriteFilters(PageFilters):
    kind = serializers.ChoiceField(HumanRewrite.Kind.values, required=False)


@operation(
    "GET",
    scope="read",
    act="see_project",
    query=RewriteFilters,
    answer=RewriteShown,
    paged=True,
)
def human_rewrites(call: Call) -> Page:
    """One's own for whoever annotates, everybody's for whoever may list the requests."""
    rows = HumanRewrite.objects.standing().filter(request__project=call.project)
    if not sees_others(call.person, call.project):
        rows = rows.filter(author=call.person)
    if "kind" in call.query:
        rows = rows.filter(kind=call.query["kind"])
    page = call.page(rows.select_related("request"), "pk")
    read_rewrites(actor=call.person, project=call.project, rewrites=page.results)
    names = pseudonyms_for(call.person, call.project)
    return Page([_line(row, names) for row in page.results], page.next, page.previous)


def _line(row: HumanRewrite, names: dict[int, str]) -> dict[str, Any]:
    told = ("request", "kind", "text", "clarification", "sealed_at", "sha256")
    return {name: getattr(row, name) for name in told} | {"author": names.get(row.author_id)}
