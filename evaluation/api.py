"""The first of the REST API: a run with its verdicts as JSON, for pipelines that wait."""

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework.decorators import api_view
from rest_framework.response import Response

from annotation.access import open_project
from evaluation.reports.summary import run_json
from evaluation.services.runs import progress


@api_view(["GET"])
def run_detail(request: HttpRequest, slug: str, number: int) -> Response:
    """One run: its state, its progress, and once it is concluded its result and its verdicts."""
    project = open_project(request, slug, "see_results")
    run = get_object_or_404(project.runs.select_related("protocol", "conditions"), number=number)
    counted = progress(run)
    return Response(
        {
            **run_json(run),
            "progress": {
                "total": counted.total,
                "done": counted.done,
                "failed": counted.failed,
            },
        }
    )


urlpatterns = [path("runs/<int:number>/", run_detail, name="api-run")]
