"""Sets of variations as JSON, for programs that use what was made."""

from dataclasses import replace
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import serializers

from annotation.api.fields import Shown
from annotation.api.operations import Call, operation, resource
from annotation.api.pagination import Page
from evaluation.models import VariationItem, VariationSet
from evaluation.services.variations import require_shown
from evaluation.varying.sealing import row_of, sealed_of


class VariationSetLine(Shown):
    """A set, its recipe, and where it stands; `error` says why it could not be made."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(VariationSet.State.values)
    error = serializers.CharField(allow_blank=True)
    recipe = serializers.DictField()
    created_at = serializers.DateTimeField()
    made_at = serializers.DateTimeField(allow_null=True)


class VariationSetShown(VariationSetLine):
    """The same with its hash and its manifest, which names every text by its hash."""

    sha256 = serializers.CharField(allow_blank=True)
    manifest = serializers.DictField(allow_null=True)


class VariationRow(Shown):
    """One request of a made set: what was sealed of it, and the words. `kind` is empty for a clean
    one; `text` is null where no variation could stand, or where its author withdrew it.
    """

    position = serializers.IntegerField()
    request = serializers.CharField()
    request_sha256 = serializers.CharField()
    kind = serializers.CharField(allow_blank=True)
    text_sha256 = serializers.CharField(allow_null=True)
    generator = serializers.CharField(allow_blank=True)
    version = serializers.CharField(allow_blank=True)
    seed = serializers.IntegerField(allow_null=True)
    attempts = serializers.IntegerField(allow_null=True)
    paraphrase_sha256 = serializers.CharField(allow_null=True)
    rejected = serializers.IntegerField()
    failed = serializers.BooleanField()
    sampled = serializers.BooleanField()
    original = serializers.CharField()
    text = serializers.CharField(allow_null=True)
    why = serializers.CharField(allow_blank=True)
    rejected_texts = serializers.ListField(child=serializers.DictField())
    checks = serializers.ListField(child=serializers.DictField())
    edited = serializers.ListField(child=serializers.IntegerField())
    flags = serializers.DictField()
    notes = serializers.DictField()


@operation("GET", scope="read", act="see_results", answer=VariationSetLine, paged=True)
def variation_sets(call: Call) -> Page:
    """Every set of variations, the newest first."""
    return call.page(call.project.variation_sets.defer("manifest"), "number", newest=True)


@operation("GET", scope="read", act="see_results", answer=VariationSetShown)
def variation_set(call: Call, number: int) -> VariationSet:
    """One set with its manifest, which is recorded as shown. Refused while one of its requests is
    open to whoever asks.
    """
    found = _set_of(call, number)
    require_shown(actor=call.person, of=found)
    return found


@operation("GET", scope="read", act="see_results", answer=VariationRow, paged=True)
def variation_rows(call: Call, number: int) -> Page:
    """The requests of a set in their order, each with what was made of it."""
    found = _set_of(call, number)
    require_shown(actor=call.person, of=found)
    sealed = {one["position"]: one for one in (found.manifest or {}).get("items", ())}

    def row(item: VariationItem) -> dict[str, Any]:
        return row_of(item, sealed.get(item.position) or sealed_of(item))

    rows = found.items.select_related("request", "variation")
    page = call.page(rows, "position")
    return replace(page, results=[row(item) for item in page.results])


def _set_of(call: Call, number: int) -> VariationSet:
    found: VariationSet = get_object_or_404(call.project.variation_sets, number=number)
    found.project = call.project  # whose roles are read already
    return found


urlpatterns = [
    path("variation-sets/", resource(variation_sets), name="api-variation-sets"),
    path("variation-sets/<int:number>/", resource(variation_set), name="api-variation-set"),
    path("variation-sets/<int:number>/rows/", resource(variation_rows), name="api-variation-rows"),
]
