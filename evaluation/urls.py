from django.urls import path, register_converter

from annotation.addresses import KeyConverter
from evaluation.views import conditions, judgements, matrix, protocols, runs

register_converter(KeyConverter, "case_key")

RUN = "runs/<int:number>/"

urlpatterns = [
    path("protocols/", protocols.protocols, name="protocols"),
    path("protocols/new/", protocols.protocol_new, name="protocol-new"),
    path("protocols/<int:pk>/", protocols.protocol, name="protocol"),
    path("runs/", runs.runs, name="runs"),
    path("runs/conditions/new/", conditions.conditions_new, name="conditions-new"),
    path("runs/conditions/<int:pk>/", conditions.conditions, name="conditions"),
    path(RUN, runs.run, name="run"),
    path(RUN + "progress/", runs.run_progress, name="run-progress"),
    path(RUN + "resume/", runs.run_resume, name="run-resume"),
    path(RUN + "matrix/", matrix.matrix, name="matrix"),
    path(RUN + "cases/<case_key:key>/", matrix.case, name="case"),
    path("judgements/", judgements.judgements, name="judgements"),
    path("judgements/next/", judgements.judgement_next, name="judgement-next"),
    path("judgements/<int:pk>/", judgements.judgement_settle, name="judgement-settle"),
]
