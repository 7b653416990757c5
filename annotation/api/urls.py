"""The addresses of the API that belong to this app; the others add theirs in config/urls.py."""

from django.urls import include, path

from annotation.api import (
    corpus,
    exports,
    guidelines,
    imports,
    people,
    projects,
    requests,
    rewrites,
    work,
)
from annotation.api.operations import resource

SEAT = "seats/<uuid:seat_id>/"

of_a_project = [
    path("", resource(projects.project), name="api-project"),
    path("progress/", resource(projects.progress), name="api-progress"),
    path("requests/", resource(requests.requests), name="api-requests"),
    path("requests/<key:key>/", resource(requests.request), name="api-request"),
    path(
        "requests/<key:key>/exposure/",
        resource(requests.request_exposure),
        name="api-request-exposure",
    ),
    path("corpus/", resource(corpus.corpora), name="api-corpora"),
    path("corpus/documents/", resource(corpus.documents), name="api-documents"),
    path("corpus/documents/<key:key>/", resource(corpus.document), name="api-document"),
    path("guidelines/", resource(guidelines.guidelines), name="api-guidelines"),
    path("work/<slug:kind>/next/", resource(work.work_next), name="api-work-next"),
    path("seats/", resource(work.own_seats), name="api-seats"),
    path(SEAT, resource(work.seat), name="api-seat"),
    path(SEAT + "draft/", resource(work.draft, work.draft_saved), name="api-draft"),
    path(SEAT + "undo/", resource(work.seat_undone), name="api-seat-undo"),
    path(SEAT + "redo/", resource(work.seat_redone), name="api-seat-redo"),
    path(SEAT + "seal/", resource(work.seat_sealed), name="api-seat-seal"),
    path(SEAT + "retract/", resource(work.seat_retracted), name="api-seat-retract"),
    path(SEAT + "later/", resource(work.seat_later), name="api-seat-later"),
    path(SEAT + "again/", resource(work.seat_again), name="api-seat-again"),
    path(SEAT + "cannot-judge/", resource(work.seat_cannot_judge), name="api-seat-cannot-judge"),
    path("human-rewrites/", resource(rewrites.human_rewrites), name="api-human-rewrites"),
    path("imports/", resource(imports.imports, imports.file_imported), name="api-imports"),
    path("imports/<uuid:job_id>/", resource(imports.import_job), name="api-import"),
    path(
        "imports/<uuid:job_id>/cancel/",
        resource(imports.import_cancelled),
        name="api-import-cancel",
    ),
    path("exports/", resource(exports.exports), name="api-exports"),
    path("exports/<slug:kind>/", resource(exports.export), name="api-export"),
    path("people/", resource(people.people), name="api-people"),
    path(
        "people/<str:username>/",
        resource(people.member, people.member_set, people.member_ended),
        name="api-member",
    ),
]

urlpatterns = [
    path("me/", resource(projects.me), name="api-me"),
    path("projects/", resource(projects.projects), name="api-projects"),
    path("projects/<slug:slug>/", include(of_a_project)),
]
