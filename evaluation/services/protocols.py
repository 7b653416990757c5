"""Protocols: the rules are registered, hashed and sealed before the first result."""

from typing import Any

from django.db import transaction

from annotation.canonical import content_hash
from annotation.models import Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused, lock
from evaluation.models import Protocol
from evaluation.scoring.protocol import ProtocolError, parse_protocol


@transaction.atomic
def register_protocol(*, actor: Person, project: Project, content: dict[str, Any]) -> Protocol:
    """Register the rules; the same rules again give the same Protocol, other rules the name's next
    version.
    """
    require(actor, "register_protocol", project)
    try:
        rules = parse_protocol(content).to_json()
    except ProtocolError as fault:
        raise Refused("\n".join(fault.faults)) from fault
    sha256 = content_hash(rules)
    lock(project)
    last = project.protocols.filter(name=rules["name"]).order_by("-version").first()
    if last and last.sha256 == sha256:
        return last
    protocol = Protocol.objects.create(
        project=project,
        name=rules["name"],
        version=last.version + 1 if last else 1,
        content=rules,
        sha256=sha256,
        supersedes=last,
        registered_by=actor,
    )
    ledger.record(
        project=project,
        kind="protocol.registered",
        subject=str(protocol),
        content={"sha256": sha256, "runs_before": project.runs.count()},
        actor=actor,
    )
    return protocol
