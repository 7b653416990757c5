"""Each kind of fault of an endpoint and of a search, at several shares: no case is lost, no error
is scored, and once the fault is over, retrying gives the result of an undisturbed run.
"""

import sys
import time
from collections.abc import Iterable
from typing import Any

from tests.faults import fakes
from tests.faults.acts_of import SMALL
from tests.faults.found import Found
from tests.faults.site import Site

SHARES = (0.05, 0.3, 1.0)
REFUSED = "refused"  # nobody listens: for all calls or none
DEADLINE_S = 45.0
LEFT_OUT_AT = 0.3  # at this share, another run is concluded without its failed cases
SILENCE_S, CALL_S = 1.0, 4.0
PATIENCE_S = "2"
# What the model said: an outcome of its own, kept and counted, so that nothing is to be retried.
SAID = ("refusal", "length")
ARMS = ["original", "prompt"]
WITH_CHAT: dict[str, Any] = {"study": SMALL, "arms": ARMS, "reader": "endpoint"}
WITH_SEARCH: dict[str, Any] = {
    "study": SMALL,
    "arms": ARMS,
    "reader": "endpoint",
    "retriever": "http",
    "retriever_parameters": {"deadline_s": SILENCE_S + 1},
}
OF_CHAT = (*fakes.ANYWHERE, *fakes.OF_CHAT)
OF_SEARCH = (*fakes.ANYWHERE, *fakes.OF_SEARCH)

Combination = tuple[str, str, float]


def combinations(shares: Iterable[float] = SHARES) -> list[Combination]:
    """Every (path, kind, share)."""
    found = [(fakes.CHAT, kind, share) for kind in OF_CHAT for share in shares]
    found += [(fakes.SEARCH, kind, share) for kind in OF_SEARCH for share in shares]
    if 1.0 in shares:
        found += [(path, REFUSED, 1.0) for path in (fakes.CHAT, fakes.SEARCH)]
    return found


def run(site: Site, seed: int, chosen: list[Combination]) -> Found:
    found = Found(
        "Faults of endpoints",
        "A run of 40 cases while the chat endpoint or the search fails; then the fault is over and "
        '"retry failed" is pressed.',
        seed,
        columns=("where", "kind", "share", "calls failed", "the run then", "cases", "after retry"),
    )
    began = time.monotonic()
    site.acts.ask("quick_limits", silence_s=SILENCE_S, deadline_s=CALL_S)
    right = {path: _undisturbed(site, path) for path in {path for path, _kind, _share in chosen}}
    longest = 0.0
    for number, (path, kind, share) in enumerate(chosen):
        longest = max(longest, _one(site, found, seed + number, path, kind, share, right[path]))
    kinds = {(path, kind) for path, kind, _share in chosen}
    found.figures = {
        "kinds": f"{len(kinds)} ({len({kind for _path, kind in kinds})} different)",
        "runs": str(2 * len(chosen)),
        "longest run": f"{longest:.1f} s of {DEADLINE_S:g} s",
    }
    found.seconds = time.monotonic() - began
    return found


def _given(path: str) -> dict[str, Any]:
    return WITH_CHAT if path == fakes.CHAT else WITH_SEARCH


def _undisturbed(site: Site, path: str) -> dict[str, Any]:
    if path in site.undisturbed:
        return site.undisturbed[path][0]
    site.fakes.tell()
    facts: dict[str, Any] = site.acts.ask(
        "work", run=site.acts.ask("start", **_given(path)), seconds=DEADLINE_S
    )
    assert facts["state"] == "finished", facts
    site.undisturbed[path] = facts, 0
    return facts


def _one(
    site: Site, found: Found, seed: int, path: str, kind: str, share: float, right: dict[str, Any]
) -> float:
    where = "chat" if path == fakes.CHAT else "search"
    said = f"{where}, {kind}, {share:.0%}, seed {seed}"
    if kind == REFUSED:
        site.fakes.tell(refuse=True)
    else:
        site.fakes.tell(path, kind, share, seed=seed)
    site.acts.ask("forget_gates")
    run_id = site.acts.ask("start", **_given(path))
    began = time.monotonic()
    facts = site.acts.ask("work", run=run_id, seconds=DEADLINE_S)
    took = time.monotonic() - began
    sys.stderr.write(f"  {said}: {facts['state']} after {took:.1f} s\n")
    failed = site.fakes.seen()["failed"].get(path, 0)
    faults = [*_lost(facts), *_scored(facts), *_covered(facts)]
    if share == LEFT_OUT_AT and facts["by_state"].get("failed"):
        faults += _left_out(site, path)
    if took > DEADLINE_S + 5 or facts["state"] not in ("finished", "failed"):
        faults.append(f"after {took:.0f} s it is {facts['state']}")
    site.fakes.tell()
    site.acts.ask("forget_gates")
    if facts["state"] != "finished":
        site.acts.ask("resume", run=run_id)
    after = site.acts.ask("work", run=run_id, seconds=DEADLINE_S)
    same = all(after[name] == right[name] for name in ("result_sha256", "rows_sha256"))
    if after["state"] != "finished":
        faults.append(f"after the retry it is {after['state']}: {after['error']}")
    elif not same and kind not in SAID:
        faults.append("after the retry its result is another")
    found.check(not faults, f"{said}: {'; '.join(faults)}")
    ended = "the same result" if same else "what the model said" if kind in SAID else "NOT the same"
    found.rows.append(
        (
            where,
            kind,
            f"{share:.0%}",
            "all" if kind == REFUSED else str(failed),
            facts["state"],
            ", ".join(f"{n} {state}" for state, n in sorted(facts["by_state"].items())),
            ended if after["state"] == "finished" else after["state"],
        )
    )
    return took


def _left_out(site: Site, path: str) -> list[str]:
    """Another run under the same fault, concluded without its failed cases: the scorecard assesses
    those that are done, says of how many, and scores no other.
    """
    run_id = site.acts.ask("start", **_given(path))
    before = site.acts.ask("work", run=run_id, seconds=DEADLINE_S)
    if before["state"] != "failed" or before["by_state"].get("pending"):
        return []
    facts = site.acts.ask("leave_out_failed", run=run_id)
    found = _scored({**facts, "shown": [0, 0, 0]})
    if facts["state"] != "finished":
        found.append(f"concluded without the failed it is {facts['state']}: {facts['error']}")
    if facts["coverage"] != [before["by_state"].get("done", 0), before["cases"]]:
        found.append(f"the scorecard says {facts['coverage']}, the rows {before['by_state']}")
    return found


def _lost(facts: dict[str, Any]) -> list[str]:
    """A case without a result has a status and a sentence; one that was not begun belongs to a run
    that stopped with a sentence.
    """
    found = []
    if facts["without_a_word"]:
        found.append(f"{facts['without_a_word']} failed cases lack a status or a sentence")
    if facts["by_state"].get("running"):
        found.append(f"{facts['by_state']['running']} cases are still held")
    if facts["by_state"].get("pending") and not (facts["state"] == "failed" and facts["error"]):
        found.append(f"{facts['by_state']['pending']} cases wait in a run that is {facts['state']}")
    if facts["doubled"]:
        found.append(f"{facts['doubled']} rows stand twice")
    return found


def _scored(facts: dict[str, Any]) -> list[str]:
    found = []
    if facts["scored_failures"]:
        found.append(f"{facts['scored_failures']} cases are scored although they failed")
    if facts["state"] == "finished" and facts["shown"][1]:
        found.append("the run has a result although cases failed")
    return found


def _covered(facts: dict[str, Any]) -> list[str]:
    done, failed, total = facts["shown"]
    states = facts["by_state"]
    lost = states.get("failed", 0) + states.get("dead", 0)
    if total != facts["cases"] or done != states.get("done", 0) or failed != lost:
        return [f"the progress says {facts['shown']}, the rows say {states}"]
    if lost and f"{lost} of {total} cases" not in facts["error"] and not states.get("pending"):
        return [f"its sentence does not say how many failed: {facts['error']}"]
    return []
