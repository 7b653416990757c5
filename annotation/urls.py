from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LogoutView
from django.urls import include, path, register_converter

from annotation.addresses import KeyConverter
from annotation.views import (
    accounts,
    corpus,
    desk,
    health,
    home,
    importing,
    ledger,
    people,
    projects,
)
from annotation.views import requests as request_pages

register_converter(KeyConverter, "key")

SEAT = "desk/seat/<uuid:seat_id>/"

project_pages = [
    path("", projects.project, name="project"),
    path("settings/", projects.project_settings, name="project-settings"),
    path("people/", people.people, name="people"),
    path("people/<str:username>/", people.member, name="member"),
    path("people/<str:username>/end/", people.member_end, name="member-end"),
    path("corpus/", corpus.corpus, name="corpus"),
    path("corpus/<int:version>/", corpus.corpus, name="corpus-version"),
    path("corpus/<int:version>/<key:key>/", corpus.document, name="document"),
    path("requests/", request_pages.requests, name="requests"),
    path("requests/<key:key>/", request_pages.request_story, name="request"),
    path("import/", importing.import_page, name="import"),
    path("ledger/", ledger.ledger_page, name="ledger"),
    path("desk/", desk.desk, name="desk"),
    path("desk/next/<slug:kind>/", desk.desk_next, name="desk-next"),
    path(SEAT + "later/", desk.seat_later, name="seat-later"),
    path(SEAT + "again/", desk.seat_again, name="seat-again"),
    path(SEAT + "cannot-judge/", desk.seat_cannot_judge, name="seat-cannot-judge"),
    path(SEAT + "undo/", desk.seat_undo, name="seat-undo"),
    path(SEAT + "redo/", desk.seat_redo, name="seat-redo"),
    path(SEAT + "retract/", desk.seat_retract, name="seat-retract"),
    path(SEAT + "active/", desk.seat_active, name="seat-active"),
    path(SEAT + "conflict/<int:aside_id>/", desk.seat_conflict, name="seat-conflict"),
    path(SEAT + "conflict/<int:aside_id>/keep/", desk.seat_keep, name="seat-keep"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("log-in/", accounts.LogIn.as_view(), name="log-in"),
    path("log-out/", login_not_required(LogoutView.as_view()), name="log-out"),
    path("account/", accounts.account, name="account"),
    path("demo/<str:username>/", accounts.demo_log_in, name="demo-log-in"),
    path("healthz", health.healthz, name="healthz"),
    path("projects/new/", home.project_new, name="project-new"),
    path("p/<slug:slug>/", include(project_pages)),
]
