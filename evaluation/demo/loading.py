"""The demo study: an invented enterprise, loaded through the same services that people use."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from annotation.demo import PERSONAS
from annotation.models import Person, Project
from annotation.services.imports import import_file
from annotation.services.projects import create_project, set_member
from evaluation.models import Arm, Protocol
from evaluation.services.protocols import register_protocol

STUDY = Path(__file__).parent / "study"
SLUG = "demo"
# In this order: what a file names must stand before it.
FILES = (
    ("corpus", "corpus.jsonl", ""),
    ("requests", "requests.jsonl", ""),
    ("requests", "practice.jsonl", ""),
    ("sheets", "sheets.jsonl", ""),
    ("contracts", "contracts.jsonl", ""),
    ("standalone", "standalone.jsonl", ""),
    ("twins", "twins.jsonl", ""),
    ("rewrites", "rewrites.jsonl", "recorded"),
)

# No request of the study needs 48 tokens to be said; where the small model rambles on, its rewrite
# is refused as cut off at half of the 96 tokens that are usual, and its run is over earlier.
PROMPT_ARM = {
    "source": Arm.Source.ENGINE,
    "rewriter": "prompt",
    "parameters": {"max_tokens": 48},
}


class NotADemo(Exception):
    """The demo study is only for the demo: its personas have known names and no passwords."""


class OtherStudy(Exception):
    """The project holds the demo study as another version of Intact had it."""


def load_demo() -> Project:
    """Make the personas and the study if they are not there yet, and return the project.

    Raises NotADemo outside the demo, and OtherStudy where other files of the study came in before.
    """
    if not settings.DEMO:
        raise NotADemo("Set INTACT_DEMO=1 to load the demo study; it never belongs in production.")
    people = {name: _persona(name) for name in PERSONAS}
    owner = people["owner"]
    project = Project.objects.filter(slug=SLUG).first()
    if project is None:
        project = create_project(
            actor=owner,
            slug=SLUG,
            name="Demo study",
            description=(
                "A hundred and six requests about an invented group of companies, with contracts, "
                "references, twin pairs, controls and one recorded rewriter. "
                "Six more requests wait on the desk."
            ),
            hypothetical=True,
        )
    for name, roles in PERSONAS.items():
        if name != "owner":
            _ensure_member(owner, project, people[name], roles)
    Arm.objects.get_or_create(project=project, name="prompt", defaults=PROMPT_ARM)
    content = {filename: (STUDY / filename).read_bytes() for _kind, filename, _target in FILES}
    _refuse_other(project, content)
    for kind, filename, target in FILES:
        import_file(
            actor=owner,
            project=project,
            kind=kind,
            filename=filename,
            data=content[filename],
            target=target,
        )
    return project


def demo_protocol(project: Project) -> Protocol:
    """Register the demo's protocol, or return it."""
    content = json.loads((STUDY / "protocol.json").read_text(encoding="utf-8"))
    return register_protocol(
        actor=Person.objects.get(username="engineer"), project=project, content=content
    )


def _refuse_other(project: Project, content: Mapping[str, bytes]) -> None:
    """What is sealed is never changed, so a study that came in stays as it is."""
    came = set(project.import_records.values_list("filename", "sha256"))
    names = {filename for filename, _sha256 in came}
    for filename, data in content.items():
        if filename in names and (filename, hashlib.sha256(data).hexdigest()) not in came:
            raise OtherStudy(
                f"{settings.DATA_DIR} holds the demo study of another version, and what is sealed"
                " is not changed. Forget it with `make clean`, or name a new folder with"
                " INTACT_DATA_DIR, and start again."
            )


def _persona(name: str) -> Person:
    person, created = Person.objects.get_or_create(username=name)
    if created:
        person.set_unusable_password()
        person.save(update_fields=["password"])
    return person


def _ensure_member(owner: Person, project: Project, person: Person, roles: tuple[str, ...]) -> None:
    membership = project.memberships.current().filter(person=person).first()
    if membership is None or set(membership.role_names) != set(roles):
        set_member(actor=owner, project=project, person=person, roles=roles)
