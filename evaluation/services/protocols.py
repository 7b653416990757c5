"""Protocols: the rules are registered, hashed and sealed before the first result that they decide.

A result of a request is a stage that was computed of a case of it, in whatever run. Rules decide
only on requests that had none when they were registered, with pairs that were made before their
results (`require_before_results`), and what was decided under rules that a newer version supersedes
is void (`void_by`).
"""

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.canonical import content_hash
from annotation.importing.look_alikes import drawn_key
from annotation.models import Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused, lock
from contracts.models import TwinPair
from evaluation.models import Conditions, Protocol
from evaluation.runs.seen import (
    FirstResult,
    Seen,
    counted,
    database_now,
    evaluated,
    first_results,
    late_pairs,
    wait_for_cases,
)
from evaluation.scoring.protocol import DEFAULT_CLASS, ProtocolError, parse_protocol

REGISTERED = "protocol.registered"
NAMED = 5  # pairs that a refusal names


@dataclass(frozen=True, slots=True)
class Reach:
    """On how many requests rules could decide when they were registered: `open` had no result yet,
    `seen` had one, `since` whom in a sentence's words.
    """

    open: int
    seen: int
    since: str = ""

    @property
    def total(self) -> int:
        return self.open + self.seen


@transaction.atomic
def register_protocol(*, actor: Person, project: Project, content: dict[str, Any]) -> Protocol:
    """Register the rules; the same rules again give the same Protocol, other rules the name's next
    version, which voids what was decided under the one before.

    Refused where every request that the rules would decide has a result already, and under a name
    that only looks different from one that stands.
    """
    require(actor, "register_protocol", project)
    try:
        parsed = parse_protocol(content, new=True)
    except ProtocolError as fault:
        raise Refused("\n".join(fault.faults)) from fault
    lock(project)
    rules = replace(parsed, name=_own_name(project, parsed.name)).to_json()
    sha256 = content_hash(rules)
    last = project.protocols.filter(name=rules["name"]).order_by("-version").first()
    if last and last.sha256 == sha256:
        return last
    # The moment first, then the wait: what was closed by then can be counted after it.
    now = database_now(project)
    wait_for_cases(project)
    reach = reach_of(project, rules["classes"], until=now)
    if reach.seen and not reach.open:
        raise Refused(_too_late(project, reach))
    protocol = Protocol.objects.create(
        project=project,
        name=rules["name"],
        version=last.version + 1 if last else 1,
        content=rules,
        sha256=sha256,
        supersedes=last,
        registered_by=actor,
    )
    Protocol.objects.filter(pk=protocol.pk).update(registered_at=now)
    protocol.registered_at = now
    ledger.record(
        project=project,
        kind=REGISTERED,
        subject=str(protocol),
        content={
            "sha256": sha256,
            "runs_before": project.runs.count(),
            "open_requests": reach.open,
            "seen_requests": reach.seen,
            **({"voids": last.sha256} if last else {}),
        },
        actor=actor,
    )
    return protocol


def _own_name(project: Project, given: str) -> str:
    """The name as it is kept, composed and without blanks around it; refused where a person would
    take it for another one's.
    """
    present = set(project.protocols.order_by().values_list("name", flat=True))
    name = unicodedata.normalize("NFC", given).strip()
    if given in present or name in present:
        return given if given in present else name
    for other in sorted(present):
        if drawn_key(other) == drawn_key(name):
            raise Refused(
                _(
                    "The project has a protocol “%(other)s”, and “%(name)s” looks like it: write "
                    "“%(other)s” for its next version, or choose another name."
                )
                % {"other": other, "name": name}
            )
    return name


def reach_of(project: Project, classes: Collection[str], *, until: datetime | None = None) -> Reach:
    """Count the requests that rules for these classes would decide: with an approved contract, and
    of a class that is named, or of any where “*” is.
    """
    requests = evaluated(project)
    if DEFAULT_CLASS not in classes:
        requests = requests.filter(request_class__name__in=list(classes))
    pks = set(requests.values_list("pk", flat=True))
    seen = counted(first_results(project, until=until), pks)
    return (
        Reach(len(pks) - seen.requests, seen.requests, seen.since) if seen else Reach(len(pks), 0)
    )


def registered_reach(protocol: Protocol) -> Reach | None:
    """What the Ledger says of the registration; None of one from before this was counted."""
    entry = protocol.project.ledger.filter(kind=REGISTERED, subject=str(protocol)).first()
    if entry is None or "open_requests" not in entry.content:
        return None
    return Reach(entry.content["open_requests"], entry.content["seen_requests"])


def void_by(protocol: Protocol | None) -> Protocol | None:
    """The newest version of the rules, which voids what was decided under these; None where these
    are the newest, or where a run has none.
    """
    if protocol is None:
        return None
    newer = Protocol.objects.filter(
        project_id=protocol.project_id, name=protocol.name, version__gt=protocol.version
    )
    return newer.order_by("-version").first()


def require_standing(protocol: Protocol) -> None:
    """Refuse to decide anything more under rules that a newer version supersedes."""
    if newer := void_by(protocol):
        raise Refused(
            _(
                "%(protocol)s is superseded by version %(n)d, so nothing is decided under it any "
                "more: start the run under %(newer)s."
            )
            % {"protocol": protocol, "n": newer.version, "newer": newer}
        )


def require_before_results(protocol: Protocol, conditions: Conditions) -> None:
    """Refuse Conditions with a request that had a result before the rules were registered, or that
    froze a pair which the rules demand, as a family of its class, and which was made when both its
    requests had results: how it comes out could be known.
    """
    found = first_results(protocol.project)
    before = {pk: result for pk, result in found.items() if result.at <= protocol.registered_at}
    if before and (seen := _among(before, conditions)):
        raise Refused(_already_seen(protocol, seen))
    demanded = _demanded_pairs(protocol, conditions) if found else []
    if late := late_pairs(protocol.project, demanded, found):
        raise Refused(_too_late_pairs(protocol, [pair.key for pair in late], len(demanded)))


def _demanded_pairs(protocol: Protocol, conditions: Conditions) -> list[TwinPair]:
    """The pairs of the Conditions whose family the rules demand for their class."""
    project, wanted = protocol.project, conditions.content["requests"]
    rules = parse_protocol(protocol.content)
    pairs = TwinPair.objects.standing_at(project, conditions.frozen_at)
    pairs = pairs.select_related("base__request_class", "twin")
    return [
        pair
        for pair in pairs
        if pair.base.key in wanted
        and pair.twin.key in wanted
        and (rule := rules.rule_for(pair.base.request_class.name))
        and pair.family in rule.families
    ]


def _too_late_pairs(protocol: Protocol, keys: list[str], total: int) -> str:
    named = ", ".join(f"“{key}”" for key in keys[:NAMED])
    if len(keys) > NAMED:
        named = _("%(keys)s and %(n)d more") % {"keys": named, "n": len(keys) - NAMED}
    said = ngettext(
        "%(n)d of the %(of)d twin pair that %(protocol)s demands was made when both its requests "
        "had results, so it could be chosen by them: %(keys)s.",
        "%(n)d of the %(of)d twin pairs that %(protocol)s demands were made when both their "
        "requests had results, so they could be chosen by them: %(keys)s.",
        total,
    ) % {"n": len(keys), "of": total, "protocol": protocol, "keys": named}
    return (
        said
        + " "
        + _(
            "Run under Conditions that were frozen before, where these pairs do not count; or "
            "register the next version of the rules and freeze Conditions with only requests "
            "without a result (`evaluate --only-unseen`)."
        )
    )


def _among(found: dict[int, FirstResult], conditions: Conditions) -> Seen | None:
    wanted = conditions.content["requests"]
    rows = conditions.project.requests.order_by().values_list("pk", "key")
    return counted(found, {pk for pk, key in rows if key in wanted})


def _already_seen(protocol: Protocol, seen: Seen) -> str:
    said = ngettext(
        "%(seen)d of the %(of)d request of these Conditions had a result (%(since)s) before "
        "%(protocol)s was registered, %(when)s UTC.",
        "%(seen)d of the %(of)d requests of these Conditions had a result (%(since)s) before "
        "%(protocol)s was registered, %(when)s UTC.",
        seen.of,
    ) % {
        "seen": seen.requests,
        "of": seen.of,
        "since": seen.since,
        "protocol": protocol,
        "when": f"{protocol.registered_at:%Y-%m-%d %H:%M}",
    }
    if seen.requests == seen.of:
        return said + " " + _("It decides only on requests without one: settle new requests.")
    return (
        said
        + " "
        + _(
            "It decides only on requests without one: freeze Conditions with only those "
            "(`evaluate --only-unseen`)."
        )
    )


def _too_late(project: Project, reach: Reach) -> str:
    """Why rules are refused, and what to do."""
    said = ngettext(
        "Too late for these rules: the %(n)d request that they would decide has a result already "
        "(%(since)s), so they could be made to fit it.",
        "Too late for these rules: all %(n)d requests that they would decide have a result already "
        "(%(since)s), so they could be made to fit them.",
        reach.seen,
    ) % {"n": reach.seen, "since": reach.since}
    standing = project.protocols.filter(superseded_by=None).order_by("-registered_at", "-pk")
    if newest := standing.first():
        return (
            said
            + " "
            + (
                _("Settle new requests first, or run on under %(protocol)s, which stands.")
                % {"protocol": newest}
            )
        )
    return said + " " + _("Settle new requests first.")
