import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluation.outbound import OutboundError
from evaluation.records import Hit
from evaluation.retrieval import PartError
from tests.evaluation.generation.fake_endpoint import FakeEndpoint, Reply, fake_endpoint
from tests.evaluation.retrieval.corpora import RAIL, build


@pytest.fixture
def search() -> Iterator[FakeEndpoint]:
    with fake_endpoint() as endpoint:
        yield endpoint


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "127.0.0.1")
    monkeypatch.delenv("INTACT_OUTBOUND_KEYS", raising=False)
    monkeypatch.delenv("INTACT_SEARCH_URL", raising=False)


def asked(search: FakeEndpoint, folder: Path, answer: Any, **given: Any) -> list[Hit]:
    search.script.append(Reply(body=json.dumps(answer).encode()))
    retriever = build("http", RAIL, folder, {"url": f"{search.origin}/find"})
    return retriever.search(**{"queries": ["ferries", "harbor"], "k": 3, **given})


def test_queries_k_and_filters_are_posted_and_hits_come_back(
    search: FakeEndpoint, tmp_path: Path
) -> None:
    rows = [{"id": "d4", "score": 2.5, "query": 1}, {"id": "d1", "score": 2}]
    hits = asked(search, tmp_path, {"hits": rows}, filters={"date": {"lt": "2021"}})
    assert hits == [Hit("d4", 1, 2.5, 1), Hit("d1", 2, 2.0, 0)]
    [(path, _headers, body)] = search.requests
    assert path == "/find"
    assert body == {"queries": ["ferries", "harbor"], "k": 3, "filters": {"date": {"lt": "2021"}}}


def test_no_hits_are_an_answer(search: FakeEndpoint, tmp_path: Path) -> None:
    assert asked(search, tmp_path, {"hits": []}) == []


def test_a_document_that_the_corpus_lacks_is_a_fault_named_by_its_id(
    search: FakeEndpoint, tmp_path: Path
) -> None:
    rows = [{"id": key, "score": 1} for key in ("d1", "d9", "x7")]
    with pytest.raises(OutboundError, match='frozen corpus does not have: "d9", "x7"'):
        asked(search, tmp_path, {"hits": rows})


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ([], 'no list under "hits"'),
        ({"hits": {"d1": 1}}, 'no list under "hits"'),
        ({"hits": ["d1"]}, "a hit 1 without an id"),
        ({"hits": [{"id": 1, "score": 1}]}, "a hit 1 without an id"),
        ({"hits": [{"id": "d1"}]}, "whose score is no number"),
        ({"hits": [{"id": "d1", "score": True}]}, "whose score is no number"),
        ({"hits": [{"id": "d1", "score": 10**400}]}, "whose score is no number"),
        ({"hits": [{"id": "d1", "score": 1, "query": 2}]}, "none of the 2 sent"),
        ({"hits": [{"id": "d1", "score": 1}] * 2}, 'the document "d1" twice'),
        ({"hits": [{"id": d.id, "score": 1} for d in RAIL]}, "4 hits where 3 were asked for"),
    ],
)
def test_an_answer_of_another_shape_is_a_fault(
    search: FakeEndpoint, tmp_path: Path, answer: Any, sentence: str
) -> None:
    with pytest.raises(OutboundError) as fault:
        asked(search, tmp_path, answer)
    assert sentence in str(fault.value) and fault.value.kind == "invalid"


def test_a_service_that_fails_is_an_endpoints_failure(search: FakeEndpoint, tmp_path: Path) -> None:
    search.script.append(Reply(status=503))
    with pytest.raises(OutboundError, match="status 503"):
        build("http", RAIL, tmp_path, {"url": search.origin}).search(["x"], k=1)


def test_an_address_inside_is_refused_before_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "")
    with pytest.raises(PartError, match="127.0.0.1 is loopback"):
        build("http", RAIL, Path("unused"), {"url": "http://127.0.0.1:9/"})


def test_the_administrators_address_is_taken_and_frozen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(PartError, match="set INTACT_SEARCH_URL, or its parameter"):
        build("http", RAIL, tmp_path)
    monkeypatch.setenv("INTACT_SEARCH_URL", "https://search.example/find")
    monkeypatch.setenv("INTACT_OUTBOUND_KEYS", "search.example=sk-1")
    described = build("http", RAIL, tmp_path, {"revision": "v3"}).describe()
    frozen = {"endpoint": "https://search.example/find", "revision": "v3"}
    assert described["model"] == frozen and "sk-1" not in json.dumps(described)


@pytest.mark.parametrize("url", ["file:///x", "http://u:p@a.example/", "http://a.example/?key=1"])
def test_an_address_with_a_secret_or_of_another_kind_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(PartError, match="The service's address must"):
        build("http", RAIL, tmp_path, {"url": url})
