"""What the study asks of its annotators, as it stands now."""

from rest_framework import serializers

from annotation.api.fields import Shown
from annotation.api.operations import Call, operation
from annotation.api.pagination import Page
from annotation.models import Guideline


class GuidelineShown(Shown):
    """`topic` is "" for all, else a kind of work or of constraint; `text` is Markdown."""

    topic = serializers.CharField(allow_blank=True)
    version = serializers.IntegerField()
    text = serializers.CharField(allow_blank=True)
    sha256 = serializers.CharField()
    created_at = serializers.DateTimeField()


@operation("GET", scope="read", act="see_project", answer=GuidelineShown, paged=True)
def guidelines(call: Call) -> Page:
    """The newest version of each topic."""
    return call.page(Guideline.objects.current(call.project), "topic")
