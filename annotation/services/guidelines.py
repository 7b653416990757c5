"""Guidelines are versioned: each change is a new version, and every version stays readable."""

import hashlib
from collections import defaultdict
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.guidelines import GENERAL
from annotation.models import Guideline, Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused, lock

KIND = "guideline.changed"


class GuidelineMoved(Refused):
    """Somebody saved another version while this one was written; `current` is theirs."""

    def __init__(self, current: Guideline) -> None:
        super().__init__(
            _("%(name)s saved version %(version)d while you wrote. Compare, then save again.")
            % {"name": current.author.shown_name, "version": current.version}
        )
        self.current = current


def text_hash(text: str) -> str:
    """The SHA-256 (hex) of the text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def current(*, project: Project, topic: str) -> Guideline | None:
    """The newest version of one topic."""
    versions = Guideline.objects.filter(project=project, topic=topic).select_related("author")
    return versions.order_by("-version").first()


@transaction.atomic
def write_guideline(
    *, actor: Person, project: Project, topic: str, text: str, seen: int
) -> Guideline:
    """Save a new version of a topic, if `seen` still is the newest (0: there was none). The same
    text again gives the version that stands.
    """
    require(actor, "write_guidelines", project)
    lock(project)
    newest = current(project=project, topic=topic)
    if newest and newest.text == text:
        return newest
    if newest and newest.version != seen:
        raise GuidelineMoved(newest)
    written = Guideline.objects.create(
        project=project,
        topic=topic,
        version=newest.version + 1 if newest else 1,
        text=text,
        sha256=text_hash(text),
        author=actor,
    )
    ledger.record(
        project=project,
        kind=KIND,
        subject=topic or GENERAL,
        content={"version": written.version, "sha256": written.sha256},
        actor=actor,
    )
    return written


def _hashes(project: Project) -> dict[tuple[str, Any], set[str]]:
    found: dict[tuple[str, Any], set[str]] = defaultdict(set)
    rows = Guideline.objects.filter(project=project).values_list("topic", "version", "text")
    for topic, version, text in rows.iterator():
        found[topic or GENERAL, version].add(text_hash(text))
    return found


GUIDELINES = ledger.Seal(KIND, "version", _hashes)
