"""Which rows of the constraint matrix an address asks for."""

import re
from collections.abc import Callable
from html import escape, unescape

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Person, Project
from contracts.models import Contract
from evaluation.models import Judgement, Run, StageResult
from tests.bench.verdict_study import concluded
from tests.evaluation.runs import fixtures
from tests.evaluation.views.worlds import KEPT, LOSSY, run_with

study = fixtures.study
MATRIX = reverse("matrix", args=["study", 1])
EVERY = [("a", "c1"), ("a", "c2"), ("b", "c1"), ("b", "c2"), ("c", "c1")]
# The last turn of c says “it”; the candidate names what is meant.
GAINED = [("c", "c1")]
Rows = list[tuple[str, str]]
Shown = Callable[..., Rows]


@pytest.fixture
def shown(run: Run, engineer: Person, client_of: Callable[[Person], Client]) -> Shown:
    """The rows (request, constraint) of the page with these filters, in their order."""

    def rows(**filters: str) -> Rows:
        found = client_of(engineer).get(MATRIX, filters).context["groups"]
        return [(group.request, row.constraint) for group in found for row in group.rows]

    return rows


def says(arm: str, request: str, constraint: str, word: str) -> None:
    """Make the judge have said this."""
    rows = Judgement.objects.filter(case__arm__name=arm, case__request__key=request)
    assert rows.filter(constraint__key=constraint).update(judgement=word) == 1


def test_kept_but_lost_by_the_original_is_a_gain(shown: Shown) -> None:
    assert shown(lost="gained") == GAINED
    says("original", "b", "c1", "dropped")
    assert shown(lost="gained") == [("b", "c1"), *GAINED]
    assert shown(lost="new") == [("a", "c2")]


def test_discordant_are_both_ways_in_the_order_of_the_requests(shown: Shown) -> None:
    says("original", "b", "c1", "dropped")
    assert shown(lost="differs") == [("a", "c2"), ("b", "c1"), *GAINED]


def test_what_both_lost_or_one_left_open_is_not_discordant(shown: Shown) -> None:
    says("original", "a", "c2", "dropped")
    says("original", "b", "c1", "unsure")
    assert shown(lost="differs") == GAINED


def test_a_constraint_that_nobody_judged_under_the_original_is_not_discordant(
    shown: Shown,
) -> None:
    Judgement.objects.filter(case__arm__name="original", case__request__key="a").delete()
    assert shown(lost="differs") == GAINED


def test_the_original_is_an_arm_like_any_and_differs_from_itself_in_nothing(shown: Shown) -> None:
    says("original", "b", "c1", "dropped")
    assert shown(arm="original", lost="1") == [("b", "c1"), *GAINED]
    assert shown(arm="original", lost="differs") == []


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("ALDER", EVERY[:4]),  # the requests
        ("alder 2023", EVERY[2:4]),  # each word somewhere
        ('"alder foods" ferry', []),
        ("norrby", EVERY[4:]),  # a turn before
        ("ministry", EVERY[4:]),  # the rewrite of the arm
        ("2021", EVERY[:2]),  # only the rewrite
        ("b", EVERY[2:]),  # the key of one, letters of the other
        ("fiscal", EVERY[:4]),
        ("aliases", []),  # the name of a field
    ],
)
def test_a_search_finds_words_of_requests_turns_constraints_and_rewrites(
    words: str, wanted: Rows, shown: Shown
) -> None:
    assert sorted(shown(lost="0", q=words)) == wanted


def test_a_constraint_that_says_a_word_by_itself_is_found_without_its_request(
    run: Run, shown: Shown
) -> None:
    # No row of another constraint, nor the request's words, has the value's alias.
    from contracts.models import Constraint

    constraint = Constraint.objects.get(contract__request__key="b", key="c1")
    Constraint.objects.filter(pk=constraint.pk).update(
        value={**constraint.value, "aliases": ["Łódź Foods"]}
    )
    assert shown(lost="0", q="łÓDŹ") == [("b", "c1")]


def test_a_request_is_found_by_its_key(study: Project, engineer: Person) -> None:
    run = concluded(3, candidates=1, resamples=1000)
    client = Client()
    client.force_login(Person.objects.get(username="verdict-engineer"))
    page = client.get(reverse("matrix", args=["verdict", run.number]), {"q": "R00001", "lost": "0"})
    assert {group.request for group in page.context["groups"]} == {"r00001"}


@pytest.mark.parametrize(
    ("sort", "wanted"),
    [
        ("", EVERY),
        ("request", EVERY),
        ("class", EVERY),
        ("kind", [("a", "c1"), ("b", "c1"), ("c", "c1"), ("a", "c2"), ("b", "c2")]),
        ("nonsense", EVERY),
    ],
)
def test_rows_come_in_the_order_that_is_asked_for(sort: str, wanted: Rows, shown: Shown) -> None:
    assert shown(lost="0", sort=sort) == wanted


def test_critical_rows_and_early_stages_come_first_where_asked_for(run: Run, shown: Shown) -> None:
    from contracts.models import Constraint

    Constraint.objects.filter(contract__request__key="a", key="c1").update(materiality="minor")
    assert shown(lost="0", sort="materiality")[-1] == ("a", "c1")
    says("cand", "b", "c1", "dropped")
    case = run.cases.get(arm__name="cand", request__key="c")
    outcome = {**(case.outcome or {}), "first_lost": {"stage": "clarification", "why": ""}}
    run.cases.filter(pk=case.pk).update(outcome=outcome)
    assert shown(lost="0", sort="stage")[:3] == [("c", "c1"), ("a", "c1"), ("a", "c2")]


def test_the_sorted_column_says_so(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = client_of(engineer).get(MATRIX, {"lost": "0", "sort": "kind"}).content.decode()
    assert (
        page.count("aria-sort") == 1
        and 'aria-sort="ascending"><a href="?lost=0&amp;sort=kind' in page
    )


def test_the_count_says_of_what(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = client_of(engineer).get(MATRIX)
    assert page.context["found_said"] == "1 of 5 constraints, in 1 request"


def test_what_is_not_scored_is_counted_apart(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    Contract.objects.filter(request__key="c").update(unresolved=True)
    said = {
        lost: client_of(engineer).get(MATRIX, {"lost": lost}).context["found_said"]
        for lost in ("1", "0")
    }
    assert said == {
        "1": "1 of 4 scored constraints, in 1 request (1 of unresolved requests is not scored)",
        "0": "5 of 5 constraints, in 3 requests "
        "(1 of them, of an unresolved request, is not scored)",
    }


def test_a_rewrite_without_struck_words_says_that_it_is_written_anew(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    rows = StageResult.objects.filter(case__arm__name="cand", case__request__key="a")
    far = rows.get(stage="rewrite")
    StageResult.objects.filter(pk=far.pk).update(
        content={**far.content, "queries": ["2021 figures, nothing else"]}
    )
    page = client_of(engineer).get(MATRIX, {"lost": "1"}).content.decode()
    assert "written anew</span>" in page and "not struck where" in page
    near = client_of(engineer).get(MATRIX, {"lost": "0", "request": "b"})
    assert all(group.case.rewrite.strikes for group in near.context["groups"])
    assert "not struck where" not in near.content.decode()


def test_the_request_is_in_its_own_words_beside_its_constraints(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = client_of(engineer).get(MATRIX, {"lost": "1"})
    text = run.cases.filter(request__key="a").first().request.text
    assert f'dir="auto">{escape(text)}</span>' in page.content.decode()


def test_a_wrong_answer_has_its_mark_as_well_as_its_word(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    case = run.cases.get(arm__name="cand", request__key="a")
    wrong = {**case.outcome, "answer": {"value": 0.0, "why": "It is another year."}}
    run.cases.filter(pk=case.pk).update(outcome=wrong)
    for address in (MATRIX, reverse("case", args=["study", 1, "a"])):
        page = client_of(engineer).get(address).content.decode()
        assert re.search(r'<span class="state fails"[^>]*>wrong</span>', page), address


def test_a_card_leads_to_as_many_requests_as_it_says(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    says("cand", "b", "c2", "dropped")
    client = client_of(engineer)
    page = client.get(reverse("run", args=["study", 1])).content.decode()
    found = re.search(r'href="([^"]+)">(\d+) requests lost a critical constraint', page)
    assert found and found[2] == "2"
    assert client.get(unescape(found[1])).context["found"].requests == 2


def test_the_link_of_a_row_opens_on_that_row(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    first = client.get(MATRIX, {"lost": "1", "kind": "time", "q": "alder"}).content.decode()
    address, anchor = re.findall(r'class="place" href="([^"#]+)#([^"]+)"', first)[0]
    assert anchor == "a-c2"
    there = client.get(unescape(address)).content.decode()
    assert f'id="{anchor}"' in there and 'id="b-c1"' not in there


@pytest.mark.parametrize("filters", [{"q": "nothing has this"}, {"lost": "open"}])
def test_an_empty_page_offers_a_way_out(
    filters: dict[str, str], run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    page = client_of(engineer).get(MATRIX, filters).content.decode()
    assert f'href="{MATRIX}?arm=cand&amp;lost=0"' in page


def test_requests_that_fit_and_have_no_constraint_are_named(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    run.cases.filter(request__key="c").update(contract=None)
    page = client_of(engineer).get(MATRIX, {"lost": "0"})
    assert page.context["found"].without == ("c",)
    assert "1 more request fits and has no constraint to show" in page.content.decode()


def test_as_many_requests_stand_behind_each_link_of_the_verdict_page_as_it_says(
    study: Project, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    run_with(engineer, study, {"cand": LOSSY, "calm": KEPT})
    client = client_of(engineer)
    checked = 0
    for arm in ("cand", "calm"):
        page = client.get(reverse("run", args=["study", 1]), {"arm": arm}).content.decode()
        links = re.findall(r'<a href="([^"]*/matrix/\?[^"]*stage=[^"]*)">(\d+)', page)
        for address, number in links:
            found = client.get(unescape(address)).context["found"]
            assert found.requests + found.without_of == int(number), address
            checked += 1
    assert checked > 4


def test_the_words_of_a_loss_are_one_click_from_the_verdict(
    run: Run, engineer: Person, client_of: Callable[[Person], Client]
) -> None:
    client = client_of(engineer)
    verdict = client.get(reverse("run", args=["study", 1])).content.decode()
    address = re.search(r'class="btn s main" href="([^"]+)"', verdict)
    assert address is not None
    page = client.get(unescape(address[1])).content.decode()
    assert "<ins>2021</ins>" in page and "<q" in page
