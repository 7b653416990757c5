"""Who gets what: every route of pages and API × verb × visitor, declared in one place.

A line is the status of each visitor in the order anonymous, stranger, former member, annotator,
adjudicator, engineer, owner. HEAD answers as GET does, and a verb that is not named is refused. The
annotator has the seats that the addresses name, the owner the import. Nothing is sent: a page says
422 to whoever may send something; the API reads the body first and says 400 to everybody (with a
right body it is tried in tests/api/test_map.py).
"""

from collections.abc import Mapping

Line = tuple[int, ...]
VERBS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
REFUSED: Line = (302, 405, 405, 405, 405, 405, 405)
API_REFUSED: Line = (401, 405, 405, 405, 405, 405, 405)


def line(refused: Line, **said: Line) -> Mapping[str, Line]:
    """The verbs of a route: those said, HEAD as GET, and every other refused."""
    if "GET" in said:
        said.setdefault("HEAD", said["GET"])
    return {verb: said.get(verb, refused) for verb in VERBS}


LINES: dict[str, Mapping[str, Line]] = {
    "home": line(REFUSED, GET=(302, 200, 200, 200, 200, 200, 200)),
    "log-in": line(
        (405, 302, 302, 302, 302, 302, 302),
        GET=(200, 302, 302, 302, 302, 302, 302),
        OPTIONS=(200, 302, 302, 302, 302, 302, 302),
        POST=(422, 302, 302, 302, 302, 302, 302),
        PUT=(422, 302, 302, 302, 302, 302, 302),
    ),
    "log-out": line(
        (405, 405, 405, 405, 405, 405, 405),
        OPTIONS=(200, 200, 200, 200, 200, 200, 200),
        POST=(302, 302, 302, 302, 302, 302, 302),
    ),
    "account": line(
        REFUSED, GET=(302, 200, 200, 200, 200, 200, 200), POST=(302, 200, 200, 200, 200, 200, 200)
    ),
    "tokens": line(
        REFUSED, GET=(302, 200, 200, 200, 200, 200, 200), POST=(302, 422, 422, 422, 422, 422, 422)
    ),
    "token-revoke": line(REFUSED, POST=(302, 404, 404, 302, 404, 404, 404)),
    "keys": line(
        REFUSED, GET=(302, 200, 200, 200, 200, 200, 200), POST=(302, 302, 302, 302, 302, 302, 302)
    ),
    "language": line((405, 405, 405, 405, 405, 405, 405), POST=(302, 302, 302, 302, 302, 302, 302)),
    "erase-person": line(
        REFUSED, GET=(302, 200, 200, 200, 200, 200, 200), POST=(302, 403, 403, 403, 403, 403, 403)
    ),
    "join": line((404, 404, 404, 404, 404, 404, 404)),
    "demo-log-in": line(
        (405, 405, 405, 405, 405, 405, 405), GET=(404, 404, 404, 404, 404, 404, 404)
    ),
    "healthz": line((200, 200, 200, 200, 200, 200, 200)),
    "project-new": line(
        REFUSED, GET=(302, 200, 200, 200, 200, 200, 200), POST=(302, 422, 422, 422, 422, 422, 422)
    ),
    "project": line(REFUSED, GET=(302, 404, 404, 200, 200, 200, 200)),
    "project-settings": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 403, 200), POST=(302, 404, 404, 403, 403, 403, 422)
    ),
    "project-needs": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 302)),
    "project-request-needs": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 422)),
    "project-need-remove": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 404)),
    "guidelines": line(REFUSED, GET=(302, 404, 404, 200, 200, 200, 200)),
    "guideline": line(REFUSED, GET=(302, 404, 404, 404, 404, 404, 404)),
    "guideline-edit": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 403, 404), POST=(302, 404, 404, 403, 403, 403, 404)
    ),
    "guideline-preview": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 404)),
    "guideline-version": line(REFUSED, GET=(302, 404, 404, 404, 404, 404, 404)),
    "consent": line(
        REFUSED, GET=(302, 404, 404, 200, 200, 200, 200), POST=(302, 404, 404, 422, 422, 422, 422)
    ),
    "consent-withdraw": line(REFUSED, POST=(302, 404, 404, 302, 302, 302, 302)),
    "invitation-new": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 422)),
    "invitation-revoke": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 404)),
    "people": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 403, 200), POST=(302, 404, 404, 403, 403, 403, 422)
    ),
    "member": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 422)),
    "member-end": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 302)),
    "corpus": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "corpus-version": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "document": line(REFUSED, GET=(302, 404, 404, 403, 403, 404, 404)),
    "requests": line(REFUSED, GET=(302, 404, 404, 403, 200, 200, 200)),
    "request": line(
        REFUSED, GET=(302, 404, 404, 403, 200, 200, 200), POST=(302, 404, 404, 403, 302, 302, 302)
    ),
    "import": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 200, 200), POST=(302, 404, 404, 403, 403, 422, 422)
    ),
    "import-job": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 404, 200), POST=(302, 404, 404, 403, 403, 404, 200)
    ),
    "import-progress": line(REFUSED, GET=(302, 404, 404, 403, 403, 404, 200)),
    "import-cancel": line(REFUSED, POST=(302, 404, 404, 403, 403, 404, 302)),
    "import-here": line(REFUSED, POST=(302, 404, 404, 403, 403, 404, 200)),
    "import-faults": line(REFUSED, GET=(302, 404, 404, 403, 403, 404, 200)),
    "exports": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "exports-mine": line(REFUSED, GET=(302, 404, 404, 200, 200, 200, 200)),
    "export-mine": line(REFUSED, POST=(302, 404, 404, 404, 404, 404, 404)),
    "export": line(REFUSED, POST=(302, 404, 404, 403, 403, 404, 404)),
    "ledger": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "work": line(REFUSED, GET=(302, 404, 404, 403, 403, 403, 200)),
    "work-requeue": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 422)),
    "desk": line(REFUSED, GET=(302, 404, 404, 200, 403, 403, 403)),
    "desk-start": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "desk-next": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "seat-later": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "seat-again": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "seat-cannot-judge": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "seat-undo": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "seat-redo": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "seat-retract": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "seat-active": line(REFUSED, POST=(302, 404, 404, 204, 403, 403, 403)),
    "seat-work": line(REFUSED, GET=(302, 404, 404, 302, 403, 403, 403)),
    "seat-history": line(REFUSED, GET=(302, 404, 404, 200, 403, 403, 403)),
    "seat-conflict": line(REFUSED, GET=(302, 404, 404, 404, 403, 403, 403)),
    "seat-keep": line(REFUSED, POST=(302, 404, 404, 404, 403, 403, 403)),
    "paraphrase": line(REFUSED, GET=(302, 404, 404, 404, 403, 403, 403)),
    "paraphrase-save": line(REFUSED, POST=(302, 404, 404, 404, 403, 403, 403)),
    "paraphrase-seal": line(REFUSED, POST=(302, 404, 404, 404, 403, 403, 403)),
    "sheet": line(REFUSED, GET=(302, 404, 404, 200, 403, 403, 403)),
    "sheet-mark": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "sheet-value": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "sheet-materiality": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "sheet-remove": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "sheet-ambiguity": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "sheet-seal": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "sheet-suggestions": line(REFUSED, GET=(302, 404, 404, 200, 403, 403, 403)),
    "sheet-suggestions-hide": line(REFUSED, POST=(302, 404, 404, 302, 403, 403, 403)),
    "standalone": line(REFUSED, GET=(302, 404, 404, 404, 403, 403, 403)),
    "standalone-save": line(REFUSED, POST=(302, 404, 404, 404, 403, 403, 403)),
    "standalone-seal": line(REFUSED, POST=(302, 404, 404, 404, 403, 403, 403)),
    "bench": line(REFUSED, GET=(302, 404, 404, 403, 200, 403, 403)),
    "bench-open": line(REFUSED, POST=(302, 404, 404, 403, 302, 403, 403)),
    "bench-request": line(REFUSED, GET=(302, 404, 404, 403, 404, 403, 403)),
    "bench-decide": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-note": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-take-all": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-undo": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-approve": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-confirm": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-reason": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-rewrites": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-send-back": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-as-it-was": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-later": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "bench-gaps": line(REFUSED, GET=(302, 404, 404, 403, 403, 403, 200)),
    "bench-gap": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 404)),
    "contracts-under": line(REFUSED, GET=(302, 404, 404, 403, 404, 404, 404)),
    "settled": line(REFUSED, GET=(302, 404, 404, 200, 403, 403, 403)),
    "settled-request": line(REFUSED, GET=(302, 404, 404, 404, 403, 403, 403)),
    "contract": line(REFUSED, GET=(302, 404, 404, 403, 200, 200, 200)),
    "agreement": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "agreement-csv": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "agreement-pairs": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "agreement-pairs-csv": line(REFUSED, POST=(302, 404, 404, 403, 403, 200, 200)),
    "agreement-requests": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "agreement-freeze": line(REFUSED, POST=(302, 404, 404, 403, 403, 302, 302)),
    "agreement-snapshot": line(REFUSED, GET=(302, 404, 404, 403, 403, 404, 404)),
    "agreement-recompute": line(REFUSED, POST=(302, 404, 404, 403, 403, 404, 404)),
    "agreement-snapshot-json": line(REFUSED, GET=(302, 404, 404, 403, 403, 404, 404)),
    "blindness": line(REFUSED, GET=(302, 404, 404, 403, 403, 403, 200)),
    "blindness-check": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 302)),
    "blindness-admit": line(REFUSED, POST=(302, 404, 404, 403, 403, 403, 422)),
    "training": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 403, 200), POST=(302, 404, 404, 403, 403, 403, 200)
    ),
    "practice": line(REFUSED, GET=(302, 404, 404, 404, 403, 403, 403)),
    "practice-again": line(REFUSED, POST=(302, 404, 404, 404, 403, 403, 403)),
    "twins": line(REFUSED, GET=(302, 404, 404, 403, 200, 200, 200)),
    "twin-new": line(REFUSED, GET=(302, 404, 404, 403, 200, 200, 200)),
    "twin-begin": line(REFUSED, POST=(302, 404, 404, 403, 404, 404, 404)),
    "twin": line(REFUSED, GET=(302, 404, 404, 403, 404, 404, 404)),
    "twin-draft": line(REFUSED, GET=(302, 404, 404, 403, 404, 404, 404)),
    "twin-documents": line(REFUSED, GET=(302, 404, 404, 403, 404, 404, 404)),
    "twin-save": line(REFUSED, POST=(302, 404, 404, 403, 404, 404, 404)),
    "twin-propose": line(REFUSED, POST=(302, 404, 404, 403, 404, 404, 404)),
    "twin-take-back": line(REFUSED, POST=(302, 404, 404, 403, 404, 404, 404)),
    "twin-delete": line(REFUSED, POST=(302, 404, 404, 403, 404, 404, 404)),
    "twin-restore": line(REFUSED, POST=(302, 404, 404, 403, 404, 404, 404)),
    "twin-decide": line(REFUSED, GET=(302, 404, 404, 403, 404, 403, 404)),
    "twin-approve": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 404)),
    "twin-send-back": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 404)),
    "protocols": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "protocol-new": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 200, 200), POST=(302, 404, 404, 403, 403, 422, 422)
    ),
    "protocol": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "runs": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "arms": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "arm-new": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 200, 403), POST=(302, 404, 404, 403, 403, 422, 403)
    ),
    "arm-delete": line(REFUSED, POST=(302, 404, 404, 403, 403, 302, 403)),
    "parts": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "conditions-part": line(REFUSED, GET=(302, 404, 404, 403, 403, 404, 403)),
    "conditions-new": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 200, 403), POST=(302, 404, 404, 403, 403, 200, 403)
    ),
    "conditions": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 200, 200), POST=(302, 404, 404, 403, 403, 200, 403)
    ),
    "run": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 200, 200), POST=(302, 404, 404, 403, 403, 302, 302)
    ),
    "run-progress": line(REFUSED, GET=(302, 404, 404, 403, 403, 302, 302)),
    "run-pause": line(REFUSED, POST=(302, 404, 404, 403, 403, 302, 403)),
    "run-resume": line(REFUSED, POST=(302, 404, 404, 403, 403, 302, 403)),
    "run-retry": line(REFUSED, POST=(302, 404, 404, 403, 403, 302, 403)),
    "run-cancel": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 302, 403), POST=(302, 404, 404, 403, 403, 302, 403)
    ),
    "run-conclude": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 302, 302), POST=(302, 404, 404, 403, 403, 302, 302)
    ),
    "run-extend": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 200, 403), POST=(302, 404, 404, 403, 403, 422, 403)
    ),
    "run-exports": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "run-export": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "compare": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "matrix": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "case": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "answers": line(REFUSED, GET=(302, 404, 404, 403, 200, 403, 403)),
    "answer-judge": line(REFUSED, POST=(302, 404, 404, 403, 422, 403, 403)),
    "answer-undo": line(REFUSED, POST=(302, 404, 404, 403, 302, 403, 403)),
    "answer-count": line(REFUSED, POST=(302, 404, 404, 403, 302, 403, 403)),
    "judgements": line(REFUSED, GET=(302, 404, 404, 403, 200, 403, 403)),
    "judgement-next": line(REFUSED, GET=(302, 404, 404, 403, 200, 403, 403)),
    "judgement-settle": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "judgement-undo": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "judgement-later": line(REFUSED, POST=(302, 404, 404, 403, 404, 403, 403)),
    "suites": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "variations": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "variation-set-new": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 200, 403), POST=(302, 404, 404, 403, 403, 422, 403)
    ),
    "variation-set-counts": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 403)),
    "variation-set": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "variation-set-progress": line(REFUSED, GET=(302, 404, 404, 403, 403, 302, 302)),
    "variation-set-retry": line(REFUSED, POST=(302, 404, 404, 403, 403, 302, 403)),
    "variation-set-export": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "variation-review": line(REFUSED, GET=(302, 404, 404, 403, 200, 403, 200)),
    "variation-review-say": line(REFUSED, POST=(302, 404, 404, 403, 422, 403, 422)),
    "variation-review-undo": line(REFUSED, POST=(302, 404, 404, 403, 302, 403, 302)),
    "variation-review-later": line(REFUSED, POST=(302, 404, 404, 403, 302, 403, 302)),
    "suite-run-new": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 200, 403), POST=(302, 404, 404, 403, 403, 422, 403)
    ),
    "suite-run": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 200, 200), POST=(302, 404, 404, 403, 403, 302, 302)
    ),
    "suite-run-progress": line(REFUSED, GET=(302, 404, 404, 403, 403, 302, 302)),
    "suite-run-cancel": line(
        REFUSED, GET=(302, 404, 404, 403, 403, 302, 403), POST=(302, 404, 404, 403, 403, 302, 403)
    ),
    "suite-run-resume": line(REFUSED, POST=(302, 404, 404, 403, 403, 302, 403)),
    "suite-run-export": line(REFUSED, GET=(302, 404, 404, 403, 403, 200, 200)),
    "api-me": line(API_REFUSED, GET=(401, 200, 200, 200, 200, 200, 200)),
    "api-guard": line(API_REFUSED, POST=(401, 400, 400, 400, 400, 400, 400)),
    "api-projects": line(API_REFUSED, GET=(401, 200, 200, 200, 200, 200, 200)),
    "api-project": line(API_REFUSED, GET=(401, 404, 404, 200, 200, 200, 200)),
    "api-progress": line(API_REFUSED, GET=(401, 404, 404, 200, 200, 200, 200)),
    "api-requests": line(API_REFUSED, GET=(401, 404, 404, 403, 200, 200, 200)),
    "api-request": line(API_REFUSED, GET=(401, 404, 404, 403, 200, 200, 200)),
    "api-request-exposure": line(API_REFUSED, POST=(401, 404, 404, 403, 200, 200, 200)),
    "api-corpora": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 200, 200)),
    "api-documents": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 200, 200)),
    "api-document": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 404, 404)),
    "api-guidelines": line(API_REFUSED, GET=(401, 404, 404, 200, 200, 200, 200)),
    "api-work-next": line(API_REFUSED, POST=(401, 404, 404, 200, 403, 403, 403)),
    "api-seats": line(API_REFUSED, GET=(401, 404, 404, 200, 403, 403, 403)),
    "api-seat": line(API_REFUSED, GET=(401, 404, 404, 200, 403, 403, 403)),
    "api-draft": line(
        API_REFUSED,
        GET=(401, 404, 404, 200, 403, 403, 403),
        PUT=(401, 400, 400, 400, 400, 400, 400),
    ),
    "api-seat-undo": line(API_REFUSED, POST=(401, 400, 400, 400, 400, 400, 400)),
    "api-seat-redo": line(API_REFUSED, POST=(401, 400, 400, 400, 400, 400, 400)),
    "api-seat-seal": line(API_REFUSED, POST=(401, 400, 400, 400, 400, 400, 400)),
    "api-seat-retract": line(API_REFUSED, POST=(401, 404, 404, 422, 403, 403, 403)),
    "api-seat-later": line(API_REFUSED, POST=(401, 404, 404, 200, 403, 403, 403)),
    "api-seat-again": line(API_REFUSED, POST=(401, 404, 404, 200, 403, 403, 403)),
    "api-seat-cannot-judge": line(API_REFUSED, POST=(401, 400, 400, 400, 400, 400, 400)),
    "api-human-rewrites": line(API_REFUSED, GET=(401, 404, 404, 200, 200, 200, 200)),
    "api-imports": line(
        API_REFUSED,
        GET=(401, 404, 404, 403, 403, 200, 200),
        POST=(401, 415, 415, 415, 415, 415, 415),
    ),
    "api-import": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 404, 200)),
    "api-import-cancel": line(API_REFUSED, POST=(401, 404, 404, 403, 403, 404, 200)),
    "api-exports": line(API_REFUSED, GET=(401, 404, 404, 200, 200, 200, 200)),
    "api-export": line(API_REFUSED, POST=(401, 404, 404, 404, 404, 404, 404)),
    "api-people": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 403, 200)),
    "api-member": line(
        API_REFUSED,
        GET=(401, 404, 404, 403, 403, 403, 200),
        PUT=(401, 400, 400, 400, 400, 400, 400),
        DELETE=(401, 404, 404, 403, 403, 403, 204),
    ),
    "api-sheets": line(API_REFUSED, GET=(401, 404, 404, 200, 200, 200, 200)),
    "api-sheet": line(API_REFUSED, GET=(401, 404, 404, 404, 404, 404, 404)),
    "api-contracts": line(API_REFUSED, GET=(401, 404, 404, 403, 200, 200, 200)),
    "api-contract": line(API_REFUSED, GET=(401, 404, 404, 403, 200, 200, 200)),
    "api-twins": line(API_REFUSED, GET=(401, 404, 404, 403, 200, 200, 200)),
    "api-twin": line(API_REFUSED, GET=(401, 404, 404, 403, 404, 404, 404)),
    "api-controls": line(API_REFUSED, GET=(401, 404, 404, 403, 200, 200, 200)),
    "api-control": line(API_REFUSED, GET=(401, 404, 404, 403, 404, 404, 404)),
    "api-runs": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 200, 200)),
    "api-run": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 200, 200)),
    "api-run-compare": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 422, 422)),
    "api-run-pause": line(API_REFUSED, POST=(401, 404, 404, 403, 403, 422, 403)),
    "api-run-resume": line(API_REFUSED, POST=(401, 404, 404, 403, 403, 200, 403)),
    "api-run-cancel": line(API_REFUSED, POST=(401, 404, 404, 403, 403, 422, 403)),
    "api-run-retry": line(API_REFUSED, POST=(401, 404, 404, 403, 403, 422, 403)),
    "api-run-conclude": line(API_REFUSED, POST=(401, 400, 400, 400, 400, 400, 400)),
    "api-run-extend": line(API_REFUSED, POST=(401, 404, 404, 403, 403, 422, 403)),
    "api-variation-sets": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 200, 200)),
    "api-variation-set": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 200, 200)),
    "api-variation-rows": line(API_REFUSED, GET=(401, 404, 404, 403, 403, 200, 200)),
    "api-schema": line(API_REFUSED, GET=(401, 200, 200, 200, 200, 200, 200)),
    "api-nowhere": line((401, 404, 404, 404, 404, 404, 404)),
}
