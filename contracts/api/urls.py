from django.urls import path

from annotation.api.operations import resource
from contracts.api import contracts, sheets, twins

urlpatterns = [
    path("sheets/", resource(sheets.sheets), name="api-sheets"),
    path("sheets/<uuid:seat_id>/", resource(sheets.sheet), name="api-sheet"),
    path("contracts/", resource(contracts.contracts), name="api-contracts"),
    path("contracts/<key:key>/", resource(contracts.contract), name="api-contract"),
    path("twins/", resource(twins.twins), name="api-twins"),
    path("twins/<key:key>/", resource(twins.twin), name="api-twin"),
    path("controls/", resource(twins.controls), name="api-controls"),
    path("controls/<key:key>/", resource(twins.control), name="api-control"),
]
