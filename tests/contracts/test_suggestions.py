"""Suggestions come from the request's own words, in their order, at the right places."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.models import HumanRewrite, Person, Project, Request, Seat
from annotation.services.drafts import Sent
from contracts.services import sheets
from contracts.services.sheets import drafted
from contracts.suggestions import ANALYSED, MOST, not_yet_marked, suggest
from contracts.terms import ConstraintTerms, Span
from tests.contracts.conftest import BEFORE, TEXT, TURNS, Sealer, make_request, marked, take

HTMX = {"HX-Request": "true"}
TEXTS = [*(words for _role, words in TURNS), TEXT]


def found(text: str) -> list[tuple[str, str]]:
    return [(one.kind, one.words) for one in suggest([text], [0])]


# ---------------------------------------------------------------- what is found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What did Siemens sell before 30 June 2022?", ("time", "before 30 June 2022")),
        ("Was it approved in Q1 2023?", ("time", "Q1 2023")),
        ("Which plans were approved?", ("status", "approved")),
        ("Who paid between 2019 and 2021?", ("time", "between 2019 and 2021")),
        ("What happened last year?", ("time", "last year")),
        ("Who had at least 12 employees?", ("quantity", "at least 12 employees")),
        ("Who paid more than EUR 1.2 billion?", ("quantity", "more than EUR 1.2 billion")),
        ("Costs excluding one-off items?", ("polarity", "excluding one-off items")),
        ("Which sites did not report?", ("polarity", "not report")),
        ("Which sites didn't report?", ("polarity", "didn't report")),
        ("Is it higher than the budget?", ("comparison", "higher than the budget")),
        ("How was it compared with 2020?", ("comparison", "compared with 2020")),
        ("Is it up, according to the report?", ("evidence", "according to the report")),
        ("Who leads Siemens?", ("referent", "Siemens")),
        ("And who leads it?", ("referent", "it")),
        ("Wie hoch war es vor dem 30. Juni 2022?", ("time", "vor dem 30. Juni 2022")),
        ("Wer zahlte mehr als 1,5 Millionen?", ("quantity", "mehr als 1,5 Millionen")),
        ("كم كان في عام 2022 نسبة 5 %؟", ("quantity", "5 %")),
        ("2022年の 5% は?", ("quantity", "5%")),
    ],
)  # fmt: skip
def test_words_that_may_ask_something_are_found(text: str, expected: tuple[str, str]) -> None:
    assert expected in found(text)


@pytest.mark.parametrize("text", ["Hello there", "It took 31 minutes", "", " ", "🚚", "v2.1.0 #3"])
def test_no_date_is_invented(text: str) -> None:
    assert [one for one in found(text) if one[0] == "time"] == []


def test_the_order_is_that_of_the_text() -> None:
    places = [(s.span.turn, s.span.start) for s in suggest(TEXTS, [0, 1, 2])]
    assert places == sorted(places) and len(places) > 4


def test_pronouns_are_suggested_in_the_current_text_only() -> None:
    texts = ["Did it rise?", "Did it fall?"]
    assert [s.span.turn for s in suggest(texts, [0, 1]) if s.words == "it"] == [1]


def test_turns_that_are_not_asked_are_left_alone() -> None:
    assert {s.span.turn for s in suggest(TEXTS, [0, 2])} == {0, 2}


# ---------------------------------------------------------------- any text

WORDS = st.sampled_from(
    ["before 2021", "📦", "not", "שלום", "今天 2022年", "EUR 5", "higher than", "it", "\r\n", "5 %",
     "Siemens", "e\u0301", "the", "\x00", "excluding", "\u2028", "30.06.2022", "👩🏽‍🔬"]
)  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(st.lists(st.one_of(WORDS, st.text(max_size=12)), max_size=12).map(" ".join))
def test_every_span_lies_in_the_text_and_holds_its_words(text: str) -> None:
    for one in suggest([text, text], [0, 1]):
        assert 0 <= one.span.start < one.span.end <= len(text)
        assert text[one.span.start : one.span.end] == one.words == one.words.strip()


@settings(deadline=None, max_examples=40)
@given(st.lists(WORDS, max_size=6).map(" ".join))
def test_emoji_before_words_shift_their_places_by_code_points(text: str) -> None:
    places = {(s.words, s.span.start + 3) for s in suggest([f"{text} in 2020"], [0])}
    shifted = {(s.words, s.span.start) for s in suggest([f"📦📦 {text} in 2020"], [0])}
    assert ("2020", len(text) + 7) in shifted
    assert {w for w, _place in places} & {w for w, _place in shifted}


def test_of_a_long_turn_only_the_start_is_looked_at() -> None:
    text = "Siemens paid EUR 5 million in 2020. " * 3_000
    spans = [s.span for s in suggest([text], [0])]
    assert len(text) > 100_000 and 0 < len(spans) <= MOST
    assert max(span.end for span in spans) <= ANALYSED


def test_words_that_are_marked_are_not_suggested_again() -> None:
    every = suggest(TEXTS, [2])
    time = next(s for s in every if s.kind == "time")
    marked_as_time = ConstraintTerms("c1", "time", "critical", {}, Span(2, 22, 26))
    marked_as_status = ConstraintTerms("c1", "status", "critical", {}, time.span)
    for constraint in (marked_as_time, marked_as_status):
        left = not_yet_marked(every, [constraint])
        assert time not in left and len(left) == len(every) - 1


# ---------------------------------------------------------------- the page


@pytest.fixture
def seat(asked: Request, annotator_a: Person) -> Seat:
    return take(annotator_a, asked.project)


@pytest.fixture
def page(seat: Seat, annotator_a: Person, client_of: Callable[[Person], Client]) -> Client:
    return client_of(annotator_a)


def _at(seat: Seat, act: str = "suggestions/") -> str:
    return f"/p/study/desk/sheet/{seat.public_id}/{act}"


def test_the_sheet_loads_its_suggestions_after_itself(page: Client, seat: Seat) -> None:
    html = page.get(_at(seat, "")).content.decode()
    assert f'hx-get="{_at(seat)}"' in html and "data-suggested" not in html


def test_the_fragment_lists_what_is_not_marked_yet(page: Client, seat: Seat) -> None:
    marked(seat, [BEFORE[1]])
    html = page.get(_at(seat), headers=HTMX).content.decode()
    assert 'name="words" value="excluding one-off items"' in html
    assert 'value="before 2021"' not in html and "<html" not in html


def test_without_a_script_it_is_a_page_whose_buttons_mark(page: Client, seat: Seat) -> None:
    html = page.get(_at(seat)).content.decode()
    assert "<html" in html and f'action="{_at(seat, "mark/")}"' in html
    sent = {"kind": "time", "turn": 2, "start": 15, "end": 26, "words": "before 2021", "version": 0}
    assert page.post(_at(seat, "mark/"), sent).status_code == 302


def test_an_accepted_suggestion_is_a_mark_like_one_by_hand(seat: Seat) -> None:
    one = next(s for s in suggest(TEXTS, [2]) if s.kind == "time")
    seat, _key = sheets.add_constraint(
        seat=seat, kind=one.kind, span=one.span, sent=Sent(0), words=one.words
    )
    assert drafted(seat).constraints[0].span == Span(2, 15, 26)


def test_what_others_did_changes_nothing_and_is_not_read(
    page: Client, seat: Seat, annotator_b: Person, seal: Sealer
) -> None:
    before = page.get(_at(seat), headers=HTMX).content
    seal(annotator_b)
    HumanRewrite.objects.create(
        request=seat.request, author=annotator_b, kind="paraphrase", text="Paid after 2030?",
        sealed_at=seat.taken_at, sha256="0" * 64,
    )  # fmt: skip
    with CaptureQueriesContext(connection) as queries:
        after = page.get(_at(seat), headers=HTMX).content
    assert _without_tokens(before) == _without_tokens(after)
    read = " ".join(query["sql"] for query in queries)
    assert "contracts_" not in read  # no Sheet, Contract, Gold or anything else of that app
    assert HumanRewrite._meta.db_table not in read


def _without_tokens(html: bytes) -> list[bytes]:
    return [part for part in html.split(b"<input") if b"csrfmiddlewaretoken" not in part]


def test_another_persons_seat_is_a_404_like_none(
    seat: Seat, annotator_b: Person, client_of: Callable[[Person], Client]
) -> None:
    assert client_of(annotator_b).get(_at(seat), headers=HTMX).status_code == 404


def test_hiding_is_remembered_and_can_be_taken_back(
    page: Client, seat: Seat, annotator_a: Person
) -> None:
    html = page.post(_at(seat, "suggestions/hide/"), {"hidden": "1"}, headers=HTMX).content.decode()
    assert "data-suggested" not in html and "Show suggestions" in html
    assert "data-suggested" not in page.get(_at(seat), headers=HTMX).content.decode()
    page.post(_at(seat, "suggestions/hide/"), {"hidden": "0"})
    assert "data-suggested" in page.get(_at(seat), headers=HTMX).content.decode()


def test_hiding_leaves_other_preferences_alone(
    page: Client, seat: Seat, annotator_a: Person
) -> None:
    Person.objects.filter(pk=annotator_a.pk).update(preferences={"keys": {"later": "w"}})
    page.post(_at(seat, "suggestions/hide/"), {"hidden": "1"}, headers=HTMX)
    annotator_a.refresh_from_db()
    assert annotator_a.preferences["keys"] == {"later": "w"}


def test_words_that_look_like_markup_stay_text(
    project: Project, annotator_a: Person, client_of: Callable[[Person], Client]
) -> None:
    make_request(project, "r1", 'Costs excluding <b>"x"</b> items before 2021?')
    html = client_of(annotator_a).get(_at(take(annotator_a, project)), headers=HTMX)
    assert "<b>" not in html.content.decode()
