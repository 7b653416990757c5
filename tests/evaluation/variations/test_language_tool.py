"""A LanguageTool server on loopback, from a script. The shape of its replies is that of its HTTP
API (languagetool.org/http-api, /v2/check).
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pytest

from evaluation.generation.errors import EndpointError
from evaluation.outbound import OutboundError
from evaluation.registry import PartError
from evaluation.variations import Source, build_maker
from evaluation.variations.language_tool import check_address, opinion, read_opinion

TEXT = "He go to Frickerville."


def match(
    offset: int, length: int, category: str, rule: str = "R", **of_rule: Any
) -> dict[str, Any]:
    kind = {"id": category, "name": category.title()}
    return {
        "message": "It is wrong.",
        "offset": offset,
        "length": length,
        "rule": {"id": rule, "category": kind, "issueType": "grammar", **of_rule},
    }


def reply(*matches: Any) -> dict[str, Any]:
    return {"software": {"name": "LanguageTool", "version": "6.4"}, "matches": list(matches)}


class Served:
    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, list[str]]]] = []


@contextmanager
def language_tool(
    monkeypatch: pytest.MonkeyPatch, *bodies: Any, status: int = 200
) -> Iterator[Served]:
    served, script = Served(), list(bodies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told = self.rfile.read(int(self.headers["Content-Length"])).decode()
            served.asked.append((self.path, self.headers["Content-Type"], parse_qs(told)))
            body = json.dumps(script.pop(0) if len(script) > 1 else script[0]).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    monkeypatch.setenv("INTACT_LANGUAGETOOL_URL", f"http://127.0.0.1:{server.server_port}/v2/")
    monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "127.0.0.1")
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_text_goes_out_as_a_form(monkeypatch: pytest.MonkeyPatch) -> None:
    with language_tool(monkeypatch, reply()) as served:
        assert opinion("Who won & lost?", dialect="british").version == "6.4"
    form = {"text": ["Who won & lost?"], "language": ["en-GB"]}
    assert served.asked == [("/v2/check", "application/x-www-form-urlencoded", form)]


def test_only_grammar_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = reply(
        match(9, 12, "TYPOS", "MORFOLOGIK_RULE_EN_US", issueType="misspelling"),
        match(3, 2, "GRAMMAR", "HE_VERB_AGR"),
        match(0, 2, "STYLE"),
        match(9, 12, "GRAMMAR", "SPELLING_TOO", issueType="misspelling"),
    )
    with language_tool(monkeypatch, faults):
        [found] = opinion(TEXT).findings
    assert (found.rule, found.kind, found.words) == ("HE_VERB_AGR", "GRAMMAR", "go")


def test_offsets_count_utf_16_units() -> None:
    text = "\U0001f600 He go."
    [found] = read_opinion(reply(match(6, 2, "GRAMMAR")), text).findings
    assert (found.start, found.words) == (5, "go")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ([], 'no list under "matches"'),
        ({"matches": {}}, 'no list under "matches"'),
        ({"matches": []}, "which version"),
        (reply("x"), "match 1 without a rule"),
        (reply(match(0, 2, "GRAMMAR"), {"rule": {}}), "match 2 without a rule"),
        (reply(match(-1, 2, "GRAMMAR")), "outside the text"),
        (reply(match(0, 200, "GRAMMAR")), "outside the text"),
        (reply(match(True, 2, "GRAMMAR")), "no whole number"),
        (reply({**match(0, 2, "GRAMMAR"), "message": None}), "is no text"),
    ],
)
def test_anything_else_is_refused_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, body: Any, why: str
) -> None:
    with language_tool(monkeypatch, body), pytest.raises(OutboundError, match=why) as caught:
        opinion(TEXT)
    assert str(caught.value).startswith("LanguageTool at http://127.0.0.1:")


def test_a_refusal_goes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    with language_tool(monkeypatch, {}, status=400), pytest.raises(EndpointError, match="400"):
        opinion(TEXT)


def test_no_address_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INTACT_LANGUAGETOOL_URL", raising=False)
    with pytest.raises(PartError, match="set INTACT_LANGUAGETOOL_URL"):
        build_maker("grammar", {"checker": "languagetool"})


def test_a_private_address_must_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTACT_LANGUAGETOOL_URL", "http://127.0.0.1:8081/v2")
    monkeypatch.setenv("INTACT_OUTBOUND_HOSTS", "")
    with pytest.raises(PartError, match="INTACT_OUTBOUND_HOSTS"):
        check_address()


def test_its_opinion_is_recorded_with_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    with language_tool(monkeypatch, reply(), reply(match(17, 5, "GRAMMAR", "DID_PAST"))):
        maker = build_maker("grammar", {"checker": "languagetool", "must_be_found": True})
        made = maker.vary(Source("q1", "When did the war end?"), seed=1)
        assert maker.model() == {"endpoint": check_address()}
    said = made.checks[-1]
    assert made.text == "When did the war ended?"
    assert (said.validator, said.version, said.passed) == ("languagetool", "6.4", True)
    assert (said.values["rules"], said.values["source_found"]) == (["DID_PAST"], 0)
