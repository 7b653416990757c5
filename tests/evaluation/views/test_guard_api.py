"""The guard over HTTP: who may ask, what is refused, and that nothing is kept."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from annotation.models import ApiToken, Person
from annotation.services.tokens import create_token
from evaluation.guard import RequestText, Rewrite, guard

PAGE = Path(__file__).parents[3] / "docs" / "guard.md"
pytestmark = pytest.mark.django_db
TEXT = "What did Alder Foods earn in 2022?"
CONSTRAINT = {
    "id": "c1",
    "kind": "time",
    "materiality": "critical",
    "span": {"turn": 0, "start": 26, "end": 33},
    "value": {"relation": "on", "start": "2022"},
}


@pytest.fixture
def program() -> Callable[..., Client]:
    """Somebody without any project, who comes in with a token of these scopes."""

    def made(*scopes: str) -> Client:
        person, _ = Person.objects.get_or_create(username="pipeline")
        text = create_token(actor=person, name="p", scopes=scopes)[1]
        return Client(headers={"Authorization": f"Bearer {text}"})

    return made


def post(client: Client, **changed: Any) -> Any:
    body = {"request": {"text": TEXT}, "rewrite": {"queries": ["Alder Foods earnings 2021"]}}
    return client.post("/api/v1/guard/", body | changed, content_type="application/json")


def refusals(answer: Any) -> list[tuple[int, str]]:
    return [(answer.status_code, error.get("pointer", "")) for error in answer.json()["errors"]]


def test_whoever_has_a_token_gets_what_the_library_says(program: Any) -> None:
    answer = post(program("read"))
    wanted = guard(RequestText("", TEXT), Rewrite("standalone", ("Alder Foods earnings 2021",)))
    assert (answer.status_code, answer.json()) == (200, wanted.to_json())
    assert answer.json()["act"] == "fall_back"


def test_a_contract_is_judged_as_it_is_sent(program: Any) -> None:
    found = post(program("read"), contract={"constraints": [CONSTRAINT]}).json()
    told = [(j["constraint"], j["words"], j["judgement"]) for j in found["judgements"]]
    assert told == [("c1", "in 2022", "altered")]


def test_doubt_may_be_set(program: Any) -> None:
    body = {"rewrite": {"queries": ["Alder earnings 2022"]}}
    acts = [post(program("read"), **body, unsure=u).json()["act"] for u in (None, "fall_back")]
    assert acts == ["pass", "fall_back"]


def test_filters_count_as_in_a_run(program: Any) -> None:
    rewrite = {"queries": ["Alder Foods earnings"], "filters": {"year": 2022}}
    found = post(program("read"), rewrite=rewrite).json()
    assert (found["act"], found["judgements"][-1]["judgement"]) == ("pass", "filtered")


def test_nobody_and_a_token_without_the_scope_are_refused(program: Any) -> None:
    assert post(Client()).status_code == 401
    assert post(program("export")).status_code == 403


def test_nothing_is_stored(program: Any) -> None:
    client = program("read")
    before = counted()
    assert post(client).status_code == 200
    assert counted() == before


def counted() -> dict[str, int]:
    return {m.__name__: m._default_manager.count() for m in apps.get_models() if m != ApiToken}


MANY = [{"role": "user", "text": "a"}] * 51
MOOD = [{**CONSTRAINT, "kind": "mood"}]


@pytest.mark.parametrize(
    ("changed", "pointer"),
    [
        ({"request": {"text": "x" * 20_001}}, "/request/text"),
        ({"request": {"text": 4}}, "/request/text"),
        ({"request": {"text": TEXT, "turns": MANY}}, "/request/turns"),
        ({"request": {"text": TEXT, "reference_date": "soon"}}, "/request/reference_date"),
        ({"rewrite": {"queries": ["a"] * 51}}, "/rewrite/queries"),
        ({"rewrite": {"queries": ["x" * 20_001]}}, "/rewrite/queries/0"),
        ({"rewrite": {"kind": "dream"}}, "/rewrite/kind"),
        ({"contract": {"constraints": [CONSTRAINT] * 51}}, "/contract/constraints"),
        ({"contract": {"constraints": MOOD}}, "/contract/constraints/0/kind"),
        ({"unsure": "clarify"}, "/unsure"),
        ({"project": "study"}, "/project"),
    ],
)
def test_what_is_not_well_formed_is_said_at_its_place(
    program: Any, changed: dict[str, Any], pointer: str
) -> None:
    assert refusals(post(program("read"), **changed)) == [(400, pointer)]


@pytest.mark.parametrize(
    "constraints",
    [
        [],
        [CONSTRAINT, CONSTRAINT],
        [{**CONSTRAINT, "span": {"turn": 3, "start": 0, "end": 4}}],
        [{**CONSTRAINT, "value": {"relation": "on"}}],
    ],
)
def test_a_contract_that_does_not_fit_the_request_is_refused(
    program: Any, constraints: list[Any]
) -> None:
    answer = post(program("read"), contract={"constraints": constraints})
    assert refusals(answer) == [(422, "/contract")]


def test_all_texts_together_have_a_limit(program: Any) -> None:
    rewrite = {"queries": ["Alder Foods " * 1600] * 6}
    assert post(program("read"), rewrite=rewrite).status_code == 413


def test_the_example_of_the_page_searches_with_what_the_address_says(program: Any) -> None:
    blocks = re.findall(r"```python\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    example: dict[str, Any] = {}
    exec(blocks[1], example)  # noqa: S102 our own page
    client = program("read")

    class Session:
        """Our site in the place of requests' connection to it."""

        def post(self, url: str, *, json: Any, headers: Any, timeout: float) -> Any:
            if url.startswith("down"):
                raise OSError
            return client.post(url, json, headers=headers, content_type="application/json")

    def searched(text: str, rewritten: str, intact: str = "") -> Any:
        token = client.defaults["HTTP_AUTHORIZATION"].removeprefix("Bearer ")
        given = (text, rewritten, lambda found: found, lambda why: why)
        return example["search_guarded"](*given, Session(), intact, token)

    assert searched(TEXT, "Alder Foods earnings 2022") == ["Alder Foods earnings 2022"]
    assert searched(TEXT, "Alder Foods earnings 2021") == [TEXT]
    assert searched(TEXT, "Alder Foods earnings 2022", "down") == [TEXT]
    assert searched("What did it earn?", "Alder Foods").startswith("Ask the user")
