from django.urls import include, path

urlpatterns = [
    path("", include("annotation.urls")),
    path("p/<slug:slug>/", include("contracts.urls")),
    path("p/<slug:slug>/", include("evaluation.urls")),
    path("api/v1/projects/<slug:slug>/", include("evaluation.api")),
]
handler500 = "annotation.views.errors.server_error"
