from django.urls import path

from annotation.api.operations import resource
from contracts.api import contracts, sheets

urlpatterns = [
    path("sheets/", resource(sheets.sheets), name="api-sheets"),
    path("sheets/<uuid:seat_id>/", resource(sheets.sheet), name="api-sheet"),
    path("contracts/", resource(contracts.contracts), name="api-contracts"),
    path("contracts/<key:key>/", resource(contracts.contract), name="api-contract"),
]
