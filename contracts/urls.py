from django.urls import path

from contracts.views import bench, contract, sheets, standalone, suggestions, training

SHEET = "desk/sheet/<uuid:seat_id>/"
STANDALONE = "desk/standalone/<uuid:seat_id>/"
BENCH = "bench/<int:adjudication_id>/"

urlpatterns = [
    path(SHEET, sheets.sheet, name="sheet"),
    path(SHEET + "mark/", sheets.sheet_mark, name="sheet-mark"),
    path(SHEET + "<slug:key>/value/", sheets.sheet_value, name="sheet-value"),
    path(SHEET + "<slug:key>/materiality/", sheets.sheet_materiality, name="sheet-materiality"),
    path(SHEET + "<slug:key>/remove/", sheets.sheet_remove, name="sheet-remove"),
    path(SHEET + "ambiguity/", sheets.sheet_ambiguity, name="sheet-ambiguity"),
    path(SHEET + "seal/", sheets.sheet_seal, name="sheet-seal"),
    path(SHEET + "suggestions/", suggestions.sheet_suggestions, name="sheet-suggestions"),
    path(
        SHEET + "suggestions/hide/",
        suggestions.sheet_suggestions_hide,
        name="sheet-suggestions-hide",
    ),
    path(STANDALONE, standalone.standalone, name="standalone"),
    path(STANDALONE + "save/", standalone.standalone_save, name="standalone-save"),
    path(STANDALONE + "seal/", standalone.standalone_seal, name="standalone-seal"),
    path("bench/", bench.bench, name="bench"),
    path("bench/open/<int:request_id>/", bench.bench_open, name="bench-open"),
    path(BENCH, bench.bench_request, name="bench-request"),
    path(BENCH + "decide/", bench.bench_decide, name="bench-decide"),
    path(BENCH + "note/", bench.bench_note, name="bench-note"),
    path(BENCH + "take-all/", bench.bench_take_all, name="bench-take-all"),
    path(BENCH + "undo/", bench.bench_undo, name="bench-undo"),
    path(BENCH + "approve/", bench.bench_approve, name="bench-approve"),
    path("contracts/<int:contract_id>/", contract.contract, name="contract"),
    path("training/", training.training, name="training"),
    path("training/items/<uuid:seat_id>/", training.practice_item, name="practice"),
    path("training/items/<uuid:seat_id>/again/", training.practice_again, name="practice-again"),
]
