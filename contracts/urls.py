from django.urls import path, register_converter

from annotation.addresses import KeyConverter
from contracts.views import (
    agreement,
    bench,
    bench_acts,
    blindness,
    contract,
    gaps,
    settled,
    sheets,
    standalone,
    suggestions,
    training,
    twin_deciding,
    twin_making,
    twin_picking,
    twins,
)


class TwinKeyConverter(KeyConverter):
    """The id of a pair or control; one that is called like a page beside it is escaped."""

    def to_url(self, value: str) -> str:
        escaped = super().to_url(value)
        return f"%{ord(escaped[0]):02X}{escaped[1:]}" if escaped in ("new", "begin") else escaped


register_converter(TwinKeyConverter, "twin_key")

SHEET = "desk/sheet/<uuid:seat_id>/"
STANDALONE = "desk/standalone/<uuid:seat_id>/"
BENCH = "bench/<int:adjudication_id>/"
TWIN_DRAFT = "twins/drafts/<uuid:draft_id>/"
SNAPSHOT = "agreement/snapshots/<uuid:snapshot_id>/"

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
    path(BENCH + "decide/", bench_acts.bench_decide, name="bench-decide"),
    path(BENCH + "note/", bench_acts.bench_note, name="bench-note"),
    path(BENCH + "take-all/", bench_acts.bench_take_all, name="bench-take-all"),
    path(BENCH + "undo/", bench_acts.bench_undo, name="bench-undo"),
    path(BENCH + "approve/", bench_acts.bench_approve, name="bench-approve"),
    path(BENCH + "confirm/", bench_acts.bench_confirm, name="bench-confirm"),
    path(BENCH + "reason/", bench_acts.bench_reason, name="bench-reason"),
    path(BENCH + "rewrites/", bench_acts.bench_rewrites, name="bench-rewrites"),
    path(BENCH + "send-back/", bench_acts.bench_send_back, name="bench-send-back"),
    path(BENCH + "as-it-was/", bench_acts.bench_as_it_was, name="bench-as-it-was"),
    path(BENCH + "later/", bench_acts.bench_later, name="bench-later"),
    path("bench/gaps/", gaps.bench_gaps, name="bench-gaps"),
    path("bench/gaps/<int:decision_id>/", gaps.bench_gap, name="bench-gap"),
    path(
        "contracts/under/<slug:address>/<int:version>/",
        gaps.contracts_under,
        name="contracts-under",
    ),
    path("desk/settled/", settled.settled, name="settled"),
    path("desk/settled/<uuid:seat_id>/", settled.settled_request, name="settled-request"),
    path("contracts/<int:contract_id>/", contract.contract, name="contract"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("agreement/table.csv", agreement.agreement_csv, name="agreement-csv"),
    path("agreement/pairs/", agreement.agreement_pairs, name="agreement-pairs"),
    path("agreement/pairs.csv", agreement.agreement_pairs_csv, name="agreement-pairs-csv"),
    path("agreement/requests/", agreement.agreement_requests, name="agreement-requests"),
    path("agreement/freeze/", agreement.agreement_freeze, name="agreement-freeze"),
    path(SNAPSHOT, agreement.agreement_snapshot, name="agreement-snapshot"),
    path(SNAPSHOT + "again/", agreement.agreement_recompute, name="agreement-recompute"),
    path(SNAPSHOT + "json/", agreement.agreement_snapshot_json, name="agreement-snapshot-json"),
    path("blindness/", blindness.blindness, name="blindness"),
    path("blindness/check/", blindness.blindness_check, name="blindness-check"),
    path("blindness/admit/<int:sheet_id>/", blindness.blindness_admit, name="blindness-admit"),
    path("training/", training.training, name="training"),
    path("training/items/<uuid:seat_id>/", training.practice_item, name="practice"),
    path("training/items/<uuid:seat_id>/again/", training.practice_again, name="practice-again"),
    path("twins/", twins.twins, name="twins"),
    path("twins/new/", twin_picking.twin_new, name="twin-new"),
    path("twins/begin/", twin_picking.twin_begin, name="twin-begin"),
    path(TWIN_DRAFT, twin_making.twin_draft, name="twin-draft"),
    path(TWIN_DRAFT + "documents/", twin_making.twin_documents, name="twin-documents"),
    path(TWIN_DRAFT + "save/", twin_making.twin_save, name="twin-save"),
    path(TWIN_DRAFT + "propose/", twin_making.twin_propose, name="twin-propose"),
    path(TWIN_DRAFT + "take-back/", twin_making.twin_take_back, name="twin-take-back"),
    path(TWIN_DRAFT + "delete/", twin_making.twin_delete, name="twin-delete"),
    path(TWIN_DRAFT + "restore/", twin_making.twin_restore, name="twin-restore"),
    path(TWIN_DRAFT + "decide/", twin_deciding.twin_decide, name="twin-decide"),
    path(TWIN_DRAFT + "approve/", twin_deciding.twin_approve, name="twin-approve"),
    path(TWIN_DRAFT + "send-back/", twin_deciding.twin_send_back, name="twin-send-back"),
    path("twins/<twin_key:key>/", twins.twin, name="twin"),
]
