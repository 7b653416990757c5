"""What became of the rewriting: a fallback is counted, and never as a rewrite that succeeded."""

from evaluation.scoring.rewriting import count_rewriting
from evaluation.scoring.scorecard import scorecard
from evaluation.scoring.verdict import decide
from tests.evaluation.scoring.building import arm, case, protocol


def fallen(request="r1", **fields):
    return case(request, rewrite_kind="unchanged", fell_back=True, query_texts=("a",), **fields)


def verdict(candidate):
    original = arm("original", "+" * len(candidate))
    rules = protocol(min_requests=1, completeness_floor=0.5, regression_ceiling=1.0)
    return decide(rules, "dated-fact", "candidate", original, candidate, [])


def test_every_assessed_case_is_counted_once():
    cases = [
        case("r1", rewrite_kind="standalone", query_texts=("a",)),
        case("r2", rewrite_kind="unchanged", query_texts=("b",)),
        fallen("r3"),
        case("r4", rewrite_kind="clarification", asked=True, status="abstained"),
        case("r5", rewrite_kind="error", status="abstained"),
        case("r6"),
        case("r7", rewrite_kind="standalone", status="timed_out"),
    ]
    assert count_rewriting(cases) == {
        "rewritten": 1,
        "unchanged": 1,
        "fell_back": 1,
        "asked": 1,
        "failed": 1,
        "unknown": 1,
    }


def test_a_rewrite_that_also_asks_in_its_answer_is_rewritten():
    kept = case("r1", rewrite_kind="standalone", asked=True, query_texts=("a",))
    assert count_rewriting([kept])["rewritten"] == 1


def test_the_scorecard_has_the_counts_of_every_arm_and_scope():
    card = scorecard([*arm("original", "++"), fallen("r000"), case("r001")], resamples=100)
    counts = card.arm("candidate", "dated-fact").to_json()["rewriting"]
    assert (counts["fell_back"], counts["unknown"]) == (1, 1)
    assert card.arm("original").rewriting["fell_back"] == 0


def test_a_fallback_is_scored_as_the_search_that_it_was():
    card = scorecard([*arm("original", "+"), fallen("r000")], resamples=100)
    assert card.arm("candidate").scores["supported_correct"].estimate.value == 1.0


def test_a_release_names_its_fallbacks_in_a_rule_that_decides_nothing():
    found = verdict([fallen("r000"), *arm("candidate", "++")[1:]])
    rule = next(rule for rule in found.rules if rule.name == "fell_back")
    assert (found.outcome, rule.passed, rule.numerator, rule.denominator) == ("release", None, 1, 2)
    assert "In 1 of 2 requests the rewriter failed and the original was searched" in found.sentence


def test_a_fallback_verdict_names_them_beside_its_evidence():
    lost = [fallen("r000"), *(case(f"r{n:03}", "candidate", "dropped") for n in range(1, 9))]
    found = verdict(lost)
    assert found.outcome == "fallback"
    assert "points over 9 requests). In 1 of 9 requests the rewriter failed" in found.sentence


def test_without_a_fallback_no_rule_speaks_of_one():
    found = verdict(arm("candidate", "++"))
    assert "fell_back" not in {rule.name for rule in found.rules}


def test_the_hash_of_a_verdicts_inputs_knows_its_fallbacks():
    plain = [case("r000", rewrite_kind="unchanged", query_texts=("a",))]
    assert verdict([fallen("r000")]).inputs_sha256 != verdict(plain).inputs_sha256
