"""A kind of work for tests of the desk itself: every request is open to everybody, and its drafts
are plain.
"""

from typing import Any

from django.http import HttpResponse

from annotation.desk import DraftShown, WorkKind, register


def plain_work(name: str, seats_wanted: Any, **rest: Any) -> WorkKind:
    """Register the kind; whoever registers it takes it out of WORK_KINDS again."""
    given: dict[str, Any] = {
        "label": "Test work",
        "open_to": lambda project, _person: project.requests.all(),
        "page": "project",
        "work": lambda _request, _project, _seat: HttpResponse(),
        "draft_shown": lambda _seat, draft: DraftShown("desk/_text_draft.html", draft),
        "read_draft": lambda _seat, sent: dict(sent),
        "seal": lambda _person, _seat, _sent: None,
    }
    return register(WorkKind(name=name, seats_wanted=seats_wanted, **(given | rest)))
