"""The shapes of contracts.jsonl, as they are answered."""

from typing import Any

from rest_framework import serializers

from annotation.api.fields import Shown
from contracts.terms import KINDS, MATERIALITIES


class SpanShown(Shown):
    turn = serializers.IntegerField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()


class ConstraintShown(Shown):
    id = serializers.CharField()
    kind = serializers.ChoiceField(KINDS)
    materiality = serializers.ChoiceField(MATERIALITIES)
    span = SpanShown(allow_null=True)
    value = serializers.DictField()
    admissible = serializers.ListField(child=serializers.CharField())


class AmbiguityShown(Shown):
    unresolved = serializers.BooleanField()
    readings = serializers.ListField(child=serializers.CharField())


class TermsShown(Shown):
    request = serializers.CharField()
    sha256 = serializers.CharField()
    constraints = ConstraintShown(many=True)
    ambiguity = AmbiguityShown()


class SheetShown(TermsShown):
    """`id` is the seat on which it was sealed; `annotator` a pseudonym, or null for whoever is not
    told who annotated.
    """

    id = serializers.UUIDField(allow_null=True)
    annotator = serializers.CharField(allow_null=True)
    sealed_at = serializers.DateTimeField()


class ContractShown(TermsShown):
    """One line of contracts.jsonl, with pseudonyms for people."""

    version = serializers.IntegerField()
    admissible_rewrites = serializers.ListField(child=serializers.CharField())
    annotators = serializers.ListField(child=serializers.CharField(), allow_null=True)
    adjudicator = serializers.CharField(allow_null=True)
    approved_at = serializers.DateTimeField()


Line = dict[str, Any]
