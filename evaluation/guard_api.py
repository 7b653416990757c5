"""The guard over HTTP: what a pipeline asks before it searches. It reads no project, and stores and
records nothing.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.urls import path
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.response import Response

from annotation.api.fields import Anything, Choice, Flag, Sent, Shown, Text, Whole
from annotation.api.operations import Call, operation, resource
from annotation.api.problems import Problem
from contracts.checking import terms_faults
from contracts.terms import KINDS, MATERIALITIES, ContractTerms
from evaluation.guard import guard
from evaluation.records import JUDGEMENTS, REWRITE_KINDS, RequestText, Rewrite

LONGEST = 20_000  # characters of one text
CONSTRAINTS, QUERIES, TURNS, FORMS = 50, 50, 50, 50
# Characters of everything together: what one call may cost.
ALL_TEXTS = 40_000
LONGEST_ID = 200


class LongText(Text):
    """A text of a request or of a rewrite."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST, **options)


class Texts(serializers.ListField):
    """A list of texts."""

    def __init__(self, most: int, **options: Any) -> None:
        super().__init__(child=LongText(), max_length=most, required=False, default=list, **options)


class TurnSent(Sent):
    role = Text(max_length=40)
    text = LongText(allow_blank=True)


class RequestSent(Sent):
    """The current text and the turns before it, the oldest first; `reference_date` is the day on
    which it was asked (2024-03-31).
    """

    id = Text(max_length=LONGEST_ID, required=False, default="")
    text = LongText(allow_blank=True)
    turns = serializers.ListField(child=TurnSent(), required=False, default=list, max_length=TURNS)
    reference_date = Text(max_length=10, required=False, allow_null=True, default=None)

    def validate_reference_date(self, value: str | None) -> str | None:
        try:
            return value and date.fromisoformat(value).isoformat()
        except ValueError as fault:
            message = _("Give a day as 2024-03-31, or null.")
            raise serializers.ValidationError(message, "not_a_day") from fault


class RewriteSent(Sent):
    """What the rewriter gave: a line of rewrites.jsonl without its request."""

    kind = Choice(choices=REWRITE_KINDS, required=False, default="standalone")
    queries = Texts(QUERIES)
    filters = Anything(required=False, default=dict)
    clarification = LongText(required=False, allow_null=True, allow_blank=True, default=None)


class SpanSent(Sent):
    turn = Whole()
    start = Whole()
    end = Whole()


class ConstraintSent(Sent):
    id = Text(max_length=LONGEST_ID)
    kind = Choice(choices=KINDS)
    materiality = Choice(choices=MATERIALITIES)
    span = SpanSent(required=False, allow_null=True, default=None)
    value = Anything()
    admissible = Texts(FORMS)


class AmbiguitySent(Sent):
    unresolved = Flag(required=False, default=False)
    readings = Texts(FORMS)


class ContractSent(Sent):
    """What `contracts/{request}/` answers may be sent as `constraints` and `ambiguity`."""

    constraints = serializers.ListField(child=ConstraintSent(), max_length=CONSTRAINTS)
    ambiguity = AmbiguitySent(required=False, default=dict)
    admissible_rewrites = Texts(FORMS)


class GuardSent(Sent):
    """Without a contract, constraints are proposed. `unsure` says what a critical constraint does
    of which the words do not decide; null: a contract's falls back, a proposed one passes.
    """

    request = RequestSent()
    rewrite = RewriteSent()
    contract = ContractSent(required=False, allow_null=True, default=None)
    unsure = Choice(choices=("pass", "fall_back"), required=False, allow_null=True, default=None)


class JudgedShown(Shown):
    constraint = serializers.CharField()
    kind = serializers.ChoiceField(KINDS)
    words = serializers.CharField()
    judgement = serializers.ChoiceField(JUDGEMENTS)
    quote = serializers.CharField()
    why = serializers.CharField()
    proposed = serializers.BooleanField()
    critical = serializers.BooleanField()


class AddedShown(Shown):
    kind = serializers.CharField()
    quote = serializers.CharField()
    why = serializers.CharField()


class GuardShown(Shown):
    act = serializers.ChoiceField(("pass", "fall_back", "clarify"))
    sentence = serializers.CharField()
    judgements = JudgedShown(many=True)
    added = AddedShown(many=True)
    version = serializers.CharField()


@operation("POST", scope="read", body=GuardSent, answer=GuardShown)
def guard_rewrite(call: Call) -> Any:
    """Say whether to search with a rewrite, with the request as it was, or to ask the user. Nothing
    of it is stored, and no project is read.
    """
    body = call.body
    if _characters(body) > ALL_TEXTS:
        detail = _("The texts have more than %(n)d characters together: send less at once.")
        raise Problem(413, detail % {"n": ALL_TEXTS})
    request = RequestText.from_json(body["request"])
    rewrite = Rewrite.from_json(body["rewrite"])
    contract = _contract(body["contract"], request.texts)
    found = guard(request, rewrite, contract, unsure=body["unsure"])
    return Response(found.to_json())  # in the shape of GuardShown; to read it again costs 1 ms


def _contract(sent: dict[str, Any] | None, texts: Sequence[str]) -> ContractTerms | None:
    """The contract, if it fits the request."""
    if sent is None:
        return None
    terms = ContractTerms.from_json(sent)
    faults = [str(fault) for fault in terms_faults(terms, texts)]
    if faults:
        errors = [{"pointer": "/contract", "code": "unfit", "message": one} for one in faults]
        raise Problem(422, _("The contract does not fit the request."), errors=errors)
    return terms


def _characters(sent: Any) -> int:
    if isinstance(sent, str):
        return len(sent)
    if isinstance(sent, dict):
        return sum(len(str(name)) + _characters(part) for name, part in sent.items())
    return sum(map(_characters, sent)) if isinstance(sent, list | tuple) else 0


urlpatterns = [path("guard/", resource(guard_rewrite), name="api-guard")]
