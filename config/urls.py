from django.urls import include, path

urlpatterns = [
    path("", include("annotation.urls")),
    path("p/<slug:slug>/", include("contracts.urls")),
    path("p/<slug:slug>/", include("evaluation.urls")),
]
