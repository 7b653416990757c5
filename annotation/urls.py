from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LogoutView
from django.urls import include, path, register_converter

from annotation.addresses import KeyConverter
from annotation.views import accounts, corpus, health, home, importing, ledger, people, projects
from annotation.views import requests as request_pages

register_converter(KeyConverter, "key")

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
