"""The guard as a library: its act, its reasons, and that it needs nothing but Python."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms
from evaluation.guard import VERSION, GuardResult, RequestText, Rewrite, Turn, guard

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guard.md"
STUDY = ROOT / "evaluation" / "demo" / "study"
ASKED = RequestText("r", "What did Alder Foods earn in 2022, excluding one-off items?")


def rewritten(*queries: str, request: RequestText = ASKED, **more: object) -> GuardResult:
    return guard(request, Rewrite("standalone", queries), **more)  # type: ignore[arg-type]


def year(materiality: str = "critical") -> ContractTerms:
    value = {"relation": "on", "start": "2022", "end": "2022", "calendar": "calendar"}
    return ContractTerms((ConstraintTerms("c1", "time", materiality, value),))


def test_the_guard_imports_no_django() -> None:
    said = "import sys, evaluation.guard; print([m for m in sys.modules if 'django' in m])"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", said], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


# ---------------------------------------------------------------- pass


def test_a_rewrite_that_keeps_everything_passes() -> None:
    found = rewritten("Alder Foods earnings 2022 excluding one-off items")
    assert (found.act, found.sentence) == (
        "pass",
        "Search with the rewrite: 3 of 3 critical constraints are kept.",
    )


def test_the_request_itself_passes_without_being_judged() -> None:
    found = rewritten("  What did Alder Foods earn in 2022,  excluding one-off items?")
    assert found.act == "pass" and found.judgements == ()


def test_what_was_not_checked_is_said() -> None:
    found = rewritten("reason of the delay", request=RequestText("r", "Why so late?"))
    assert found.sentence == ("Search with the rewrite: there was no critical constraint to check.")


# ---------------------------------------------------------------- fall back


@pytest.mark.parametrize(
    ("query", "kind", "judgement"),
    [
        ("Alder Foods earnings 2021 excluding one-off items", "time", "altered"),
        ("Alder Foods earnings excluding one-off items", "time", "dropped"),
        ("Alder Foods earnings 2022", "polarity", "dropped"),
        ("Norrby Ferries earnings 2022 excluding one-off items", "referent", "altered"),
    ],
)
def test_a_lost_constraint_falls_back_and_says_which(query: str, kind: str, judgement: str) -> None:
    found = rewritten(query)
    lost = [
        (j.kind, j.judgement) for j in found.judgements if j.judgement in ("altered", "dropped")
    ]
    assert found.act == "fall_back" and (kind, judgement) in lost
    assert f"{kind} “" in found.sentence


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Which sites use more than 30 tonnes of salt?", "sites using less than 30 tonnes of salt"),
        ("Which sites use more than 30 tonnes of salt?", "sites using more than 40 tonnes of salt"),
        ("What does the draft policy of Alder Foods say?", "approved policy of Alder Foods"),
        ("Which tariffs of Alder Foods increased?", "tariffs of Alder Foods that decreased"),
        ("Who wrote “The Last Light”?", "author of The First Light"),
        ("Which staff wait more than 90 days on average?", "staff wait over 90 days in the median"),
    ],
)
def test_each_certain_kind_of_value_counts(text: str, query: str) -> None:
    assert rewritten(query, request=RequestText("r", text)).act == "fall_back"


def test_an_added_restriction_falls_back() -> None:
    request = RequestText("r", "What did Alder Foods earn?")
    found = rewritten("Alder Foods earnings 2021", request=request)
    assert (found.act, [one.kind for one in found.added]) == ("fall_back", ["time"])


def test_a_name_may_come_from_a_conversation_and_from_nowhere_else() -> None:
    asked, turns = "Which tariffs rose?", (Turn("user", "Who sells heat?"), Turn("agent", "A few."))
    alone = rewritten("Which tariffs of Alder Foods rose?", request=RequestText("r", asked))
    follow_up = rewritten(
        "Which tariffs of Alder Foods rose?", request=RequestText("r", asked, turns)
    )
    assert (follow_up.act, alone.act) == ("pass", "fall_back")
    assert [one.kind for one in alone.added] == ["referent"]


@pytest.mark.parametrize("rewrite", [Rewrite("error"), Rewrite("standalone", ("", " "))])
def test_nothing_to_search_with_falls_back(rewrite: Rewrite) -> None:
    assert guard(ASKED, rewrite).act == "fall_back"


# ---------------------------------------------------------------- clarify


def test_a_rewrite_that_asks_back_is_passed_on_as_a_question() -> None:
    assert guard(ASKED, Rewrite("clarification", clarification="Which year?")).act == "clarify"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "What did it earn in 2021?",
        "What is the population there?",
        "How much does that one cost?",
        "When was it founded, and by whom?",
    ],
)
def test_a_request_that_points_to_nothing_is_to_be_clarified(text: str) -> None:
    assert rewritten("Alder Foods earnings", request=RequestText("r", text)).act == "clarify"


@pytest.mark.parametrize(
    "text",
    [
        "Did Alder Foods raise its dividend?",
        "Which companies raised their dividends?",
        "How long does it take to fly to Rome?",
        "What time is it in Tokyo?",
        "Is there a museum in Rome?",
        "In Rome, how many people live there?",
        "When it opened, what did the works cost?",
    ],
)
def test_words_that_the_text_settles_or_that_mean_nothing_are_not(text: str) -> None:
    assert rewritten("something else", request=RequestText("r", text)).act != "clarify"


def test_an_earlier_turn_settles_whom_a_pronoun_means() -> None:
    turns = (Turn("user", "Who runs Alder Foods?"),)
    request = RequestText("r", "What did it earn in 2021?", turns)
    assert rewritten("Alder Foods earnings 2021", request=request).act == "pass"
    assert rewritten("Norrby Ferries earnings 2021", request=request).act == "fall_back"


def test_a_contract_that_is_unresolved_asks_whatever_the_rewrite() -> None:
    contract = ContractTerms(ambiguity=Ambiguity(True, ("a", "b")))
    assert guard(ASKED, Rewrite("unchanged", (ASKED.text,)), contract).act == "clarify"


# ---------------------------------------------------------------- contracts and doubt


def test_a_contract_is_judged_in_place_of_proposals() -> None:
    found = rewritten("Norrby Ferries earnings 2022", contract=year())
    assert found.act == "pass"  # whom it is about, this contract does not say
    assert [(j.constraint, j.proposed) for j in found.judgements] == [("c1", False)]


def test_a_minor_constraint_may_be_lost() -> None:
    assert rewritten("Alder Foods earnings", contract=year("minor")).act == "pass"


def test_an_addition_of_a_kind_that_is_minor_in_the_contract_does_not_fall_back() -> None:
    referent = ConstraintTerms("c1", "referent", "critical", {"name": "Alder Foods"})
    request = RequestText("r", "What did Alder Foods earn?")
    found = rewritten(
        "Alder Foods earnings 2021", request=request, contract=ContractTerms((referent,))
    )
    assert found.act == "pass" and [one.kind for one in found.added] == ["time"]


@pytest.mark.parametrize(
    ("unsure", "given", "proposed"),
    [
        (None, "fall_back", "pass"),
        ("pass", "pass", "pass"),
        ("fall_back", "fall_back", "fall_back"),
    ],
)
def test_what_an_open_judgement_does(unsure: str | None, given: str, proposed: str) -> None:
    """A part of a name is neither kept nor lost."""
    request = RequestText("r", "What did Alder Foods earn?")
    referent = ConstraintTerms("c1", "referent", "critical", {"name": "Alder Foods"})
    rewrite = Rewrite("standalone", ("Alder earnings",))
    with_contract = guard(request, rewrite, ContractTerms((referent,)), unsure=unsure)  # type: ignore[arg-type]
    without = guard(request, rewrite, unsure=unsure)  # type: ignore[arg-type]
    assert [j.judgement for j in without.judgements] == ["unsure"]
    assert (with_contract.act, without.act) == (given, proposed)


def test_another_word_for_unsure_is_refused() -> None:
    with pytest.raises(ValueError, match="must be"):
        rewritten("x", unsure="clarify")


# ---------------------------------------------------------------- the result, and real words


def test_the_result_is_json_with_every_judgement_and_the_version() -> None:
    said = json.loads(json.dumps(rewritten("Alder Foods earnings 2021").to_json()))
    assert set(said) == {"act", "sentence", "judgements", "added", "version"}
    assert said["version"] == VERSION
    assert set(said["judgements"][0]) == {
        "constraint", "kind", "words", "judgement", "quote", "why", "proposed", "critical",
    }  # fmt: skip


def test_equal_calls_give_equal_results() -> None:
    assert rewritten("Alder Foods 2021") == rewritten("Alder Foods 2021")


@pytest.mark.parametrize(
    "text", ["\0", "¿" * 6000, "it " * 3000, "أ" * 50, "“" * 90, "2022 " * 500]
)
def test_any_text_is_answered(text: str) -> None:
    assert rewritten(text[::-1], request=RequestText("r", text)).act in (
        "pass",
        "fall_back",
        "clarify",
    )


@pytest.mark.parametrize(
    ("text", "query"),
    [
        # Talk about the talk, of conversations that people had (MTRAG, CAsT 2022).
        ("ok, you don't get it. any additional charge?", "Is there a charge for the service?"),
        ("OK, so it's not good for animals, but what is the impact on us?", "impact on humans"),
    ],
)
def test_a_negation_about_the_talk_is_no_constraint(text: str, query: str) -> None:
    turns = (Turn("user", "Tell me about the service."),)
    assert rewritten(query, request=RequestText("r", text, turns)).act == "pass"


def test_on_the_demo_study_hardly_a_human_reference_falls_back_and_most_twins_do() -> None:
    """The bounds of the table in docs/guard.md: a person's rewrite raises no alarm, a twin's text
    in the place of the request's does.
    """

    def lines(name: str) -> list[dict[str, object]]:
        return [json.loads(x) for x in (STUDY / name).read_text(encoding="utf-8").splitlines()]

    asked = {str(r["id"]): RequestText.from_json(r) for r in lines("requests.jsonl")}
    resolved = {c["request"] for c in lines("contracts.jsonl") if not c["ambiguity"]["unresolved"]}  # type: ignore[index]
    references = [r for r in lines("standalone.jsonl") if r["request"] in resolved]
    alarms = [
        r["request"]
        for r in references
        if rewritten(str(r["text"]), request=asked[str(r["request"])]).act != "pass"
    ]
    pairs = [(str(t["base"]), str(t["twin"])) for t in lines("twins.jsonl") if "twin" in t]
    swaps = [
        (asked[one], asked[other].text)
        for pair in pairs
        for one, other in (pair, pair[::-1])
        if asked[one].text != asked[other].text
    ]
    caught = sum(rewritten(text, request=one).act == "fall_back" for one, text in swaps)
    assert len(references) == 99 and len(alarms) <= 2, alarms
    assert len(swaps) == 88 and caught >= 66


# ---------------------------------------------------------------- the page's example


def test_the_example_of_the_page_searches_with_what_the_guard_says() -> None:
    blocks = re.findall(r"```python\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    example: dict[str, Any] = {}
    exec(blocks[0], example)  # noqa: S102 our own page
    search_guarded = example["search_guarded"]

    def searched(text: str, rewritten: str) -> object:
        return search_guarded(text, (), lambda _: rewritten, lambda found: found, lambda why: why)

    assert searched(ASKED.text, "Alder Foods 2022 excluding one-off items") == (
        "Alder Foods 2022 excluding one-off items",
    )
    assert searched(ASKED.text, "Alder Foods 2021") == (ASKED.text,)
    assert str(searched("What did it earn?", "Alder Foods")).startswith("Ask the user")
