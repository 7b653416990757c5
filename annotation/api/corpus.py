"""The frozen documents."""

from django.shortcuts import get_object_or_404
from rest_framework import serializers

from annotation.api.fields import MAX_INTEGER, Filters, PageFilters, Shown
from annotation.api.operations import Call, operation
from annotation.api.pagination import Page
from annotation.models import Corpus, Document


class CorpusShown(Shown):
    version = serializers.IntegerField()
    sha256 = serializers.CharField()
    document_count = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class DocumentShown(Shown):
    """One line of corpus.jsonl."""

    _id = serializers.CharField(source="key")
    title = serializers.CharField()
    text = serializers.CharField()
    metadata = serializers.DictField()


def _version() -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_INTEGER, help_text="Without it the newest."
    )


class DocumentFilters(PageFilters):
    version = _version()


class DocumentFilter(Filters):
    version = _version()


@operation("GET", scope="read", act="see_corpus", answer=CorpusShown, paged=True)
def corpora(call: Call) -> Page:
    """The versions of the corpus, the newest first."""
    return call.page(call.project.corpora.all(), "version", newest=True)


@operation(
    "GET",
    scope="read",
    act="see_corpus",
    query=DocumentFilters,
    answer=DocumentShown,
    paged=True,
)
def documents(call: Call) -> Page:
    """The documents of a version, in their order."""
    return call.page(_shown(call).documents.all(), "position")


@operation("GET", scope="read", act="see_corpus", query=DocumentFilter, answer=DocumentShown)
def document(call: Call, key: str) -> Document:
    """One document."""
    return get_object_or_404(_shown(call).documents, key=key)


def _shown(call: Call) -> Corpus:
    versions = call.project.corpora.order_by("-version")
    if "version" in call.query:
        versions = versions.filter(version=call.query["version"])
    found = versions.first()
    if found is None:
        raise Corpus.DoesNotExist
    return found
