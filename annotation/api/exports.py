"""Files on their way out, as from the page of exports."""

from typing import Any

from django.http import Http404, StreamingHttpResponse
from rest_framework import serializers

from annotation.api.fields import Choice, Flag, Sent, Shown
from annotation.api.operations import Call, operation
from annotation.exporting.kinds import EXPORT_KINDS
from annotation.exporting.writing import CONTENT_TYPES
from annotation.services.exports import begin_export, may_export
from annotation.views.exports import streamed


class FileShown(Shown):
    """One kind of file. `all`: everybody's rows may be had; `own`: one's own rows."""

    kind = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment] # a field of that name
    purpose = serializers.CharField()
    formats = serializers.ListField(child=serializers.CharField())
    columns = serializers.ListField(child=serializers.CharField())
    all = serializers.BooleanField()
    own = serializers.BooleanField()


class FilesShown(Shown):
    results = FileShown(many=True)


class ExportSent(Sent):
    """`own`: one's own rows alone; `named`: user names instead of pseudonyms, owners only."""

    format = Choice(choices=tuple(CONTENT_TYPES), required=False)
    own = Flag(required=False, default=False)
    named = Flag(required=False, default=False)


@operation("GET", scope="export", act="see_project", answer=FilesShown)
def exports(call: Call) -> dict[str, Any]:
    """The kinds of file that I may have."""
    shown = [
        {
            "kind": kind.name,
            "label": kind.label,
            "purpose": kind.purpose,
            "formats": kind.forms,
            "columns": kind.columns,
            "all": may_export(call.person, call.project, kind, named=False).allowed,
            "own": kind.for_own,
        }
        for kind in EXPORT_KINDS.values()
    ]
    return {"results": [file for file in shown if file["all"] or file["own"]]}


@operation(
    "POST", scope="export", act="see_project", body=ExportSent, file=tuple(CONTENT_TYPES.values())
)
def export(call: Call, kind: str) -> StreamingHttpResponse:
    """Get one file, streamed. What went out is written down; a key is not needed."""
    known = EXPORT_KINDS.get(kind)
    own = call.body["own"]
    if known is None or (own and not known.for_own):
        raise Http404
    file = begin_export(
        actor=call.person,
        project=call.project,
        kind_name=kind,
        form=call.body.get("format", ""),
        named=call.body["named"],
        own=own,
    )
    return streamed(file)
