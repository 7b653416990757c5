"""Who judged and what the audit found, in words with their denominators."""

from typing import Any

from evaluation.reports.judging.who_judged import (
    counted_by,
    judge_unchecked,
    judging_lines,
    judging_shown,
)
from evaluation.scoring.audit import Item, Tally


def result(*items: Item, judges: int = 1) -> dict[str, Any]:
    tally = Tally()
    for item in items:
        tally.add(item)
    return {"judging": tally.to_json(0.95, judges=judges)}


def item(kind: str = "time", label: str = "stated", arm: str = "cand", **more: Any) -> Item:
    return Item(arm, "dated-fact", kind, label, more.pop("by", f"matcher:{kind}/1"), **more)


AUDITED = result(
    *(item(drawn=True, decided="stated") for _ in range(19)),
    item(drawn=True, decided="dropped"),
    item("status", label="dropped", drawn=True, decided="altered"),
    item("status", by="model:m/0a1b2c3d", drawn=True),
    item(label="unsure"),
    item(arm="original"),
)


def test_each_arm_has_everybody_who_judged_with_what_it_is_of() -> None:
    shown = judging_shown(AUDITED, ["original", "human", "cand"], "cand", waiting=1)
    assert shown is not None
    assert [(row.name, row.matcher, row.people, row.model, row.open) for row in shown.arms] == [
        ("original", "1 of 1", "0 of 1", "0 of 1", "0 of 1"),
        ("cand", "0 of 23", "21 of 23", "1 of 23", "1 of 23"),
    ]


def test_each_kind_of_the_audit_has_counts_rate_and_bound() -> None:
    shown = judging_shown(AUDITED, ["cand"], "cand", waiting=1)
    assert shown is not None
    rows = {row.kind: row for row in shown.audit}
    time, model = rows["time"], rows["model"]
    assert (time.population, time.checked, time.wrong.of) == ("21", "20 of 20", "1 of 20")
    # statsmodels: proportion_confint(1, 20, alpha=0.1, method="beta")[1] is 0.21611
    assert (time.wrong.text, time.at_most, time.other_word) == ("5.0 %", "21.6 %", "0 of 20")
    assert (rows["status"].wrong.text, rows["status"].other_word) == ("0.0 %", "1 of 1")
    assert (model.checked, model.wrong.text, model.at_most) == ("0 of 1", "not checked yet", "")
    assert (rows[""].checked, rows[""].wrong.of) == ("21 of 22", "1 of 21")


def test_the_lead_says_that_nobody_checked_the_judge() -> None:
    said = judge_unchecked(result(*(item(drawn=i < 2) for i in range(5))), ["cand"])
    assert said == (
        "0 of 5 judgements by people; 0 of 2 drawn checks done: the judge's error is unknown."
    )
    assert judge_unchecked(result(item()), ["cand"]).endswith(
        "no check was drawn: the judge's error is unknown."
    )


def test_once_checks_are_done_the_lead_has_the_bound() -> None:
    # statsmodels: proportion_confint(1, 21, alpha=0.1, method="beta")[1] is 0.20673
    assert judge_unchecked(AUDITED, ["cand"]) == (
        "21 of 23 judgements by people; 21 of 22 drawn checks done, 1 wrong: "
        "the judge's error is at most 20.7 % with 95 % confidence. "
        "Nothing was checked of: settled by a model."
    )


def test_results_without_an_audit_have_no_lead() -> None:
    assert judge_unchecked({}, ["cand"]) == judge_unchecked(AUDITED, ["human"]) == ""


def test_figures_from_before_the_last_word_are_stale() -> None:
    waits = judging_shown(AUDITED, ["cand"], "cand", waiting=1)
    judged = judging_shown(AUDITED, ["cand"], "cand", waiting=0)
    known = judging_shown(result(item(drawn=True, decided="stated")), ["cand"], "cand", waiting=0)
    assert waits and judged and known
    assert (waits.stale, judged.stale, known.stale) == (False, True, False)


def test_one_kind_alone_has_no_row_for_all_together() -> None:
    shown = judging_shown(result(item(drawn=True)), ["cand"], "cand", waiting=1)
    assert shown is not None and [row.kind for row in shown.audit] == ["time"]


def test_agreement_is_a_sentence_with_its_denominators() -> None:
    pairs = (("stated", "stated"), ("stated", "filtered"), ("dropped", "stated"))
    told = result(*(item(people=pair) for pair in pairs), judges=2)
    shown = judging_shown(told, ["cand"], "cand", waiting=0)
    assert shown is not None and shown.agreement.startswith(
        "Two people judged each of 3 items: they said the same in 1 of 3 (33.3 %), and both kept or"
        " both lost in 2 of 3. Krippendorff's alpha is "
    )


def test_an_alpha_below_zero_has_a_minus_sign() -> None:
    pairs = (("stated", "dropped"), ("dropped", "stated"))
    told = result(*(item(people=pair) for pair in pairs), judges=2)
    shown = judging_shown(told, ["cand"], "cand", waiting=0)
    # Both items differ: D_o = 1, D_e = 2·2·2 / (4·3) = 2/3, alpha = 1 − 3/2 (Krippendorff 2011)
    assert shown is not None and shown.agreement.endswith("Krippendorff's alpha is −0.50.")


def test_agreement_that_cannot_be_told_says_why() -> None:
    alone = judging_shown(result(item()), ["cand"], "cand", waiting=0)
    same = judging_shown(
        result(item(people=("stated", "stated")), judges=2), ["cand"], "cand", waiting=0
    )
    assert alone is not None and same is not None
    assert alone.agreement == (
        "One person judges each item, so no two people's words can be compared."
    )
    assert "Krippendorff's alpha is not defined: no variation" in same.agreement


def test_a_model_is_told_with_what_people_said_of_it() -> None:
    row = item(by="model:m/0a1b2c3d", decided="stated")
    shown = judging_shown(result(row, item(by=row.by)), ["cand"], "cand", waiting=0)
    assert shown is not None
    assert [(m.name, m.settled, m.checked, m.agreed) for m in shown.models] == [
        ("m/0a1b2c3d", 2, "1 of 2", "1 of 1")
    ]


def test_results_of_earlier_versions_say_nothing() -> None:
    assert judging_shown({}, ["cand"], "cand", waiting=0) is None
    assert (counted_by({}, "cand"), judging_lines({})) == (None, [])


def test_a_terminal_is_told_the_same() -> None:
    lines = judging_lines(AUDITED)
    assert lines[0] == (
        "cand: judged by the judge 0 of 23, people 21 of 23, a model 1 of 23; open 1 of 23."
    )
    assert (
        "Audit of the judge, time: 20 of 20 drawn were checked; 1 of 20 wrong (5.0 %, at most "
        "21.6 % with 95 % confidence), 0 of 20 with another word on the same side."
    ) in lines
    assert "Audit of the judge, model: 0 of 1 drawn were checked." in lines
