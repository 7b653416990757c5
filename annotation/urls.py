from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LogoutView
from django.urls import include, path, register_converter

from annotation.addresses import KeyConverter
from annotation.views import (
    accounts,
    consent,
    corpus,
    desk,
    erasure,
    exports,
    guidelines,
    health,
    history,
    home,
    importing,
    invitations,
    keys,
    languages,
    ledger,
    paraphrases,
    people,
    projects,
    tokens,
    work,
)
from annotation.views import requests as request_pages
from annotation.views import settings as settings_pages

register_converter(KeyConverter, "key")

GUIDELINE = "guidelines/<slug:address>/"
INVITATION = "invitations/<int:invitation_id>/"
SEAT = "desk/seat/<uuid:seat_id>/"
PARAPHRASE = "desk/paraphrase/<uuid:seat_id>/"

project_pages = [
    path("", projects.project, name="project"),
    path("settings/", settings_pages.project_settings, name="project-settings"),
    path("settings/needs/", settings_pages.project_needs, name="project-needs"),
    path(
        "settings/needs/requests/",
        settings_pages.project_request_needs,
        name="project-request-needs",
    ),
    path(
        "settings/needs/<int:need_id>/remove/",
        settings_pages.project_need_remove,
        name="project-need-remove",
    ),
    path("guidelines/", guidelines.guidelines, name="guidelines"),
    path(GUIDELINE, guidelines.guideline, name="guideline"),
    path(GUIDELINE + "edit/", guidelines.guideline_edit, name="guideline-edit"),
    path(GUIDELINE + "preview/", guidelines.guideline_preview, name="guideline-preview"),
    path(GUIDELINE + "<int:version>/", guidelines.guideline, name="guideline-version"),
    path("consent/", consent.consent_page, name="consent"),
    path("consent/withdraw/", consent.consent_withdraw, name="consent-withdraw"),
    path("invitations/", invitations.invitation_new, name="invitation-new"),
    path(INVITATION + "revoke/", invitations.invitation_revoke, name="invitation-revoke"),
    path("people/", people.people, name="people"),
    path("people/<str:username>/", people.member, name="member"),
    path("people/<str:username>/end/", people.member_end, name="member-end"),
    path("corpus/", corpus.corpus, name="corpus"),
    path("corpus/<int:version>/", corpus.corpus, name="corpus-version"),
    path("corpus/<int:version>/<key:key>/", corpus.document, name="document"),
    path("requests/", request_pages.requests, name="requests"),
    path("requests/<key:key>/", request_pages.request_story, name="request"),
    path("import/", importing.import_page, name="import"),
    path("import/<uuid:job_id>/", importing.import_job, name="import-job"),
    path("import/<uuid:job_id>/progress/", importing.import_progress, name="import-progress"),
    path("import/<uuid:job_id>/cancel/", importing.import_cancel, name="import-cancel"),
    path("import/<uuid:job_id>/here/", importing.import_here, name="import-here"),
    path("import/<uuid:job_id>/faults.csv", importing.import_faults, name="import-faults"),
    path("exports/", exports.exports, name="exports"),
    path("exports/mine/", exports.exports_mine, name="exports-mine"),
    path("exports/mine/<slug:kind>/", exports.export_mine, name="export-mine"),
    path("exports/<slug:kind>/", exports.export, name="export"),
    path("ledger/", ledger.ledger_page, name="ledger"),
    path("work/", work.work, name="work"),
    path("work/requeue/", work.work_requeue, name="work-requeue"),
    path("desk/", desk.desk, name="desk"),
    path("desk/next/", desk.desk_next, name="desk-start"),
    path("desk/next/<slug:kind>/", desk.desk_next, name="desk-next"),
    path(SEAT + "later/", desk.seat_later, name="seat-later"),
    path(SEAT + "again/", desk.seat_again, name="seat-again"),
    path(SEAT + "cannot-judge/", desk.seat_cannot_judge, name="seat-cannot-judge"),
    path(SEAT + "undo/", desk.seat_undo, name="seat-undo"),
    path(SEAT + "redo/", desk.seat_redo, name="seat-redo"),
    path(SEAT + "retract/", desk.seat_retract, name="seat-retract"),
    path(SEAT + "active/", desk.seat_active, name="seat-active"),
    path(SEAT + "work/", desk.seat_work, name="seat-work"),
    path(SEAT + "history/", history.seat_history, name="seat-history"),
    path(SEAT + "conflict/<int:aside_id>/", desk.seat_conflict, name="seat-conflict"),
    path(SEAT + "conflict/<int:aside_id>/keep/", desk.seat_keep, name="seat-keep"),
    path(PARAPHRASE, paraphrases.paraphrase, name="paraphrase"),
    path(PARAPHRASE + "save/", paraphrases.paraphrase_save, name="paraphrase-save"),
    path(PARAPHRASE + "seal/", paraphrases.paraphrase_seal, name="paraphrase-seal"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("log-in/", accounts.LogIn.as_view(), name="log-in"),
    path("log-out/", login_not_required(LogoutView.as_view()), name="log-out"),
    path("account/", accounts.account, name="account"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/<int:token_id>/revoke/", tokens.token_revoke, name="token-revoke"),
    path("account/keys/", keys.keys_page, name="keys"),
    path("language/", languages.language, name="language"),
    path("erase/", erasure.erase, name="erase-person"),
    path("join/<str:token>/", invitations.join, name="join"),
    path("demo/<str:username>/", accounts.demo_log_in, name="demo-log-in"),
    path("healthz", health.healthz, name="healthz"),
    path("projects/new/", home.project_new, name="project-new"),
    path("p/<slug:slug>/", include(project_pages)),
]
