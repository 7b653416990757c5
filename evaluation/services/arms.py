"""Arms: found by name, made on first use, or made with a rewriter's parameters."""

import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Person, Project
from annotation.permissions import require
from annotation.services import ledger
from annotation.services.projects import Refused, lock
from evaluation.models import Arm
from evaluation.parameters import differences
from evaluation.registry import PartError
from evaluation.reports.parts.words import differences_in_words
from evaluation.rewriters import rewriter_names
from evaluation.rewriters.base import REWRITERS
from evaluation.runs.parts import rewriter_for

MAX_NAME = 80
_NAME = re.compile(r"[-\w]+", re.ASCII)


def arm_named(project: Project, name: str) -> Arm:
    """Return the arm of this name, making `original`, `human` and the rewriters that run here on
    first use.
    """
    arm = project.arms.filter(name=name).first()
    if arm:
        return arm
    if name in Arm.RESERVED:
        return Arm.objects.create(project=project, name=name, source=name)
    if name in rewriter_names():
        return Arm.objects.create(
            project=project, name=name, source=Arm.Source.ENGINE, rewriter=name
        )
    raise Refused(
        _("There is no arm “%(name)s”: import its rewrites, or use one of %(known)s.")
        % {"name": name, "known": ", ".join([*Arm.RESERVED, *rewriter_names()])}
    )


def make_arm(
    *, actor: Person, project: Project, name: str, rewriter: str, parameters: Mapping[str, Any]
) -> Arm:
    """Make an arm of a rewriter with parameters; those at their default are not kept.

    The same arm again is the one that is there. Raises Refused for a name that is taken or cannot
    be one, a wrong parameter, and a rewriter that cannot be had here.
    """
    require(actor, "run", project)
    try:
        differing = differences(REWRITERS.parameters(rewriter, parameters))
        rewriter_for(rewriter, differing, only_described=True).describe()
    except PartError as fault:
        raise Refused(str(fault)) from fault
    return _made(actor, project, name, rewriter, differing)


@transaction.atomic
def _made(
    actor: Person, project: Project, name: str, rewriter: str, differing: dict[str, Any]
) -> Arm:
    lock(project)
    there = project.arms.filter(name=name, source=Arm.Source.ENGINE).first()
    if there and (there.rewriter, there.parameters) == (rewriter, differing):
        return there
    if fault := name_fault(project, name):
        raise Refused(fault)
    arm = Arm.objects.create(
        project=project,
        name=name,
        source=Arm.Source.ENGINE,
        rewriter=rewriter,
        parameters=differing,
    )
    ledger.record(
        project=project,
        kind="arm.made",
        subject=f"arm {name}",
        content={"rewriter": rewriter, "parameters": differing},
        actor=actor,
    )
    return arm


@transaction.atomic
def delete_arm(*, actor: Person, arm: Arm) -> None:
    """Delete an arm that was made here and that no run used."""
    require(actor, "run", arm.project)
    lock(arm.project)
    if arm.source != Arm.Source.ENGINE:
        raise Refused(_("The arm “%(name)s” was not made here: it stays.") % {"name": arm.name})
    if arm.runs.exists():
        raise Refused(_("A run used the arm “%(name)s”: it stays as it was.") % {"name": arm.name})
    if not Arm.objects.filter(pk=arm.pk).exists():
        return  # a double click
    ledger.record(
        project=arm.project,
        kind="arm.deleted",
        subject=f"arm {arm.name}",
        content={"rewriter": arm.rewriter, "parameters": arm.parameters},
        actor=actor,
    )
    arm.delete()


def name_fault(project: Project, name: str) -> str:
    """Return why a new arm cannot have this name, as a sentence; "" when it can."""
    if not name or len(name) > MAX_NAME or not _NAME.fullmatch(name):
        return _(
            "An arm's name has at most %(most)d letters (a to z), digits, hyphens and underscores."
        ) % {"most": MAX_NAME}
    if name.casefold() in Arm.RESERVED:
        return _("“%(name)s” is a name that every project has: choose another.") % {"name": name}
    if name.casefold() in rewriter_names():
        return _(
            "“%(name)s” is the rewriter with every parameter at its default: choose another name, "
            "such as %(name)s-2."
        ) % {"name": name}
    there = next((a for a in project.arms.all() if a.name.casefold() == name.casefold()), None)
    if there is None:
        return ""
    if there.source != Arm.Source.ENGINE:
        return _("The arm “%(name)s” is there already: choose another name.") % {"name": there.name}
    return _(
        "The arm “%(name)s” is there already (%(rewriter)s: %(parameters)s). An arm never changes: "
        "choose another name."
    ) % {
        "name": there.name,
        "rewriter": there.rewriter,
        "parameters": differences_in_words(REWRITERS, there.rewriter, there.parameters),
    }
