from django.urls import include, path, re_path

from annotation.api.operations import Nowhere
from annotation.api.schema import SchemaView

urlpatterns = [
    path("", include("annotation.urls")),
    path("p/<slug:slug>/", include("contracts.urls")),
    path("p/<slug:slug>/", include("evaluation.urls")),
    path("api/v1/", include("annotation.api.urls")),
    path("api/v1/", include("evaluation.guard_api")),
    path("api/v1/projects/<slug:slug>/", include("contracts.api.urls")),
    path("api/v1/projects/<slug:slug>/", include("evaluation.api")),
    path("api/schema/", SchemaView.as_view(), name="api-schema"),
    re_path(r"^api/", Nowhere.as_view(), name="api-nowhere"),
]
handler500 = "annotation.api.problems.server_error"
