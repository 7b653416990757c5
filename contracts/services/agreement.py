"""How far reviewers agree before anybody settles anything, and the table that is frozen to be
cited.

Figures alone show no words of a sheet: reading them is no exposure and stops no retraction. The
pairs behind a figure do, and so does freezing, because a table that is cited must not lose its
sheets.
"""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import numpy
import scipy
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.canonical import content_hash
from annotation.exporting.names import Names
from annotation.models import Person, Project, Seat
from annotation.permissions import require
from annotation.services import ledger, seats
from annotation.services.ledger import Seal
from annotation.services.projects import Refused, lock
from contracts.agreement import Agreement, Reviewed, agreement
from contracts.agreement_json import differing, figures_json
from contracts.counted import (
    OWN_WORDS,
    Basis,
    Counted,
    basis,
    grouped,
    name_of,
    terms_in,
    with_keys,
)
from contracts.models import AgreementSnapshot, Sheet
from contracts.services.sheets import read_sheets
from contracts.terms import ContractTerms

RESAMPLES = 10_000  # of a snapshot
SEED = 1
FROZEN = "agreement.frozen"
# Whatever can change a number of the table.
_SOURCES = (
    *("agreement.py", "agreement_json.py", "alignment.py", "coefficients.py", "comparing.py"),
    *("counted.py", "resampling.py", "terms.py", "values.py"),
)


class Recomputed(NamedTuple):
    """Whether a frozen table comes out the same; `differs` says what does not, in sentences.
    `code_changed` tells that other code came to it.
    """

    same: bool
    differs: tuple[str, ...]
    code_changed: bool


def reviewed(project: Project) -> list[Reviewed]:
    """The sheets of each request as they were sealed before anybody settled anything."""
    return basis(project).reviewed


def table_of(found: Basis, *, resamples: int = 0) -> Agreement:
    return agreement(found.reviewed, resamples=resamples, seed=SEED)


def content_of(found: Basis, table: Agreement, *, resamples: int) -> dict[str, Any]:
    """The table with everything that a reader of it must know, as JSON; docs/formats.md has the
    shape.
    """
    return {
        "requests": {
            "of_study": found.requests,
            "two_or_more": table.requests,
            "one": table.alone,
        },
        "sheets": {
            "counted": len(found.counted),
            "left_out": len(found.left_out),
            "admitted": [
                {"request": one.request, "reviewer": one.reviewer, "reason": one.reason}
                for one in found.admitted
            ],
        },
        "reviewers": len(table.reviewers),
        "intervals": {"resamples": resamples, "seed": SEED, "level": 0.95, "of": "requests"},
        "reason": table.reason,
        "figures": figures_json(table),
    }


@transaction.atomic
def read_pairs(*, actor: Person, found: Basis, project: Project, keys: Iterable[str]) -> None:
    """Write down, before it happens, that the actor is shown what the sheets of these requests
    say: they are exposed to them, and none can be retracted any more.
    """
    require(actor, "see_agreement", project)
    wanted = set(keys)
    sheets = [one.sheet for one in found.counted if one.request in wanted]
    read_sheets(actor=actor, project=project, sheets=sheets)


def freeze(*, actor: Person, project: Project) -> AgreementSnapshot:
    """Freeze the table as it is now, with its intervals and the hashes of its sheets; the same
    sheets and the same code give the snapshot that is there.
    """
    require(actor, "see_agreement", project)
    found = basis(project)
    code, inputs_sha256 = code_sha256(), content_hash(found.inputs)
    same = AgreementSnapshot.objects.filter(
        project=project, inputs_sha256=inputs_sha256, code_version=code
    )
    if known := same.first():
        return known
    table = table_of(found, resamples=RESAMPLES)
    if not table.figures:
        raise Refused(_("There is nothing to freeze: no request has two sheets."))
    content = content_of(found, table, resamples=RESAMPLES)
    content["code"] = {"version": settings.VERSION, "sha256": code}
    with transaction.atomic():
        lock(project)
        if known := same.first():
            return known
        _keep(found)
        snapshot = AgreementSnapshot.objects.create(
            project=project,
            created_by=actor,
            code_version=code,
            inputs=found.inputs,
            inputs_sha256=inputs_sha256,
            content=content,
            sha256=content_hash(content),
        )
        ledger.record(
            project=project,
            kind=FROZEN,
            subject=str(snapshot.public_id),
            content={"sha256": snapshot.sha256, "inputs": inputs_sha256, "code": code},
            actor=actor,
        )
    return snapshot


def snapshot_json(snapshot: AgreementSnapshot) -> dict[str, Any]:
    """A frozen table with what it is cited by and the hashes of its sheets."""
    return {
        "project": snapshot.project.slug,
        "snapshot": str(snapshot.public_id),
        "frozen_at": snapshot.created_at.isoformat(),
        "sha256": snapshot.sha256,
        "inputs_sha256": snapshot.inputs_sha256,
        "content": snapshot.content,
        "inputs": snapshot.inputs,
    }


def recompute(snapshot: AgreementSnapshot) -> Recomputed:
    """Work a frozen table out again from the sheets that it names."""
    differs: list[str] = []
    if content_hash(snapshot.content) != snapshot.sha256:
        differs.append(_("The frozen table was changed after it was frozen."))
    if content_hash(snapshot.inputs) != snapshot.inputs_sha256:
        differs.append(_("The list of its sheets was changed after it was frozen."))
    counted, missing = _named_sheets(snapshot)
    if missing:
        sentence = _("%(count)d of its %(of)d sheets are not what they were; one is of %(key)s.")
        of = len(missing) + len(counted)
        differs.append(sentence % {"count": len(missing), "of": of, "key": missing[0]})
    else:
        drawn = snapshot.content["intervals"]
        table = agreement(grouped(counted), resamples=drawn["resamples"], seed=drawn["seed"])
        for place, name, now, was in differing(snapshot.content["figures"], figures_json(table)):
            sentence = _("%(place)s: %(name)s is %(now)s, was %(was)s.")
            differs.append(sentence % {"place": place, "name": name, "now": now, "was": was})
    return Recomputed(not differs, tuple(differs), snapshot.code_version != code_sha256())


@cache
def code_sha256() -> str:
    """The hash over the sources and the libraries that decide the numbers."""
    room = Path(settings.BASE_DIR) / "contracts"
    found = hashlib.sha256(f"numpy {numpy.__version__} scipy {scipy.__version__}\0".encode())
    for name in _SOURCES:
        found.update(f"{name}\0".encode() + (room / name).read_bytes() + b"\0")
    return found.hexdigest()


def _snapshots(project: Project) -> dict[tuple[str, Any], set[str]]:
    rows = AgreementSnapshot.objects.filter(project=project)
    return {(str(s.public_id), s.inputs_sha256): {content_hash(s.content)} for s in rows}


SNAPSHOTS = Seal(FROZEN, "inputs", _snapshots)


def snapshot_ids(project: Project, _reader: Person) -> list[UUID]:
    """Frozen tables that exist, for the two-world test."""
    return list(project.agreements.values_list("public_id", flat=True)[:2])


def _named_sheets(snapshot: AgreementSnapshot) -> tuple[list[Counted], list[str]]:
    """The sheets that a snapshot names, and the requests of those that are gone or say something
    else now.
    """
    names, said = Names(snapshot.project), terms_in(snapshot.project)
    there: dict[tuple[str, str, str], tuple[Sheet, ContractTerms]] = {}
    rows = Sheet.objects.filter(request__project=snapshot.project).order_by("-pk")
    for sheet in with_keys(rows):
        terms = said(sheet)
        there[sheet.request.key, terms.sha256, name_of(names, sheet)] = sheet, terms
    counted: list[Counted] = []
    missing: list[str] = []
    for request, named in snapshot.inputs["sheets"]:
        for sha256, reviewer in named:
            if found := there.get((request, sha256, reviewer)):
                counted.append(Counted(request, reviewer, *found))
            else:
                missing.append(request)
    return counted, missing


def _keep(found: Basis) -> None:
    """Let no sheet of the table be retracted any more; one that was, meanwhile, is refused."""
    pks = [one.sheet.pk for one in found.counted]
    standing = Sheet.objects.filter(OWN_WORDS, pk__in=pks)
    if standing.count() != len(pks):
        raise Refused(_("A sheet was retracted meanwhile: freeze the table again."))
    seats.mark_read(seats=Seat.objects.filter(sheets__in=pks))
