from evaluation.reports.verdict.rewriting_rows import rewriting_cell
from evaluation.scoring.rewriting import WAYS


def row(arm="cand", **counts):
    return {"arm": arm, "rewriting": {**dict.fromkeys(WAYS, 0), **counts}}


def test_a_fallback_is_shown_with_all_assessed_requests_as_its_denominator():
    cell = rewriting_cell("fell_back", row(rewritten=15, fell_back=3, unchanged=1, unknown=1))
    assert (cell.text, cell.of) == ("15.0 %", "3 of 20")


def test_the_rewritten_share_leaves_fallbacks_out_and_names_the_rest():
    cell = rewriting_cell("rewritten", row(rewritten=1, fell_back=1, unchanged=1, failed=1))
    assert (cell.of, cell.note) == ("1 of 4", "1 left as it was · 1 failed")


def test_the_original_arm_rewrites_nothing():
    assert rewriting_cell("rewritten", row("original", unchanged=2)).missing


def test_an_arm_without_an_assessed_request_has_no_share():
    assert rewriting_cell("fell_back", row()).missing
