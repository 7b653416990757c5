import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand, actor_of, project_named
from annotation.models import Project
from contracts.agreement import Agreement, Figure
from contracts.agreement_json import COEFFICIENTS
from contracts.counted import basis
from contracts.models import AgreementSnapshot
from contracts.services import agreement as services

HEADER = ("question", "kind", *COEFFICIENTS, "units", "requests", "one-sided")


class Command(SentenceCommand):
    """Print how far the reviewers of a project agree, freeze it, or work a frozen table out."""

    help = "Print the agreement of reviewers before adjudication, with 95 % intervals."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name")
        parser.add_argument("--json", action="store_true", help="one JSON object; docs/formats.md")
        parser.add_argument("--resamples", type=int, default=1000, metavar="N", help="0: none")
        parser.add_argument("--snapshot", metavar="ID", help="work this frozen table out again")
        parser.add_argument("--freeze", action="store_true", help="freeze the table as it is now")
        parser.add_argument("--as", dest="username", help="who freezes (default: the first owner)")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        if options["snapshot"]:
            self._recompute(_snapshot(project, options["snapshot"]), as_json=options["json"])
        elif options["freeze"]:
            actor = actor_of(project, options["username"])
            frozen = services.freeze(actor=actor, project=project)
            self.stdout.write(f"{frozen.public_id}  {frozen.sha256}")
        else:
            self._table(project, max(0, options["resamples"]), as_json=options["json"])

    def _table(self, project: Project, resamples: int, *, as_json: bool) -> None:
        found = basis(project)
        table = services.table_of(found, resamples=resamples)
        content = services.content_of(found, table, resamples=resamples)
        if as_json:
            self.stdout.write(json.dumps({"project": project.slug, **content}, indent=1))
            return
        requests = content["requests"]
        self.stdout.write(
            f"{requests['two_or_more']} of {requests['of_study']} requests have two sheets or more;"
            f" {requests['one']} have one and are in no figure."
        )
        self.stdout.write(
            "Sheets sealed after their annotators were shown something of the request: "
            f"{len(found.left_out)} left out, {len(found.admitted)} admitted by an owner."
        )
        for one in found.admitted:
            self.stdout.write(f"  {one.request} {one.reviewer}: {one.reason}")
        self._figures(table)

    def _figures(self, table: Agreement) -> None:
        if not table.figures:
            self.stdout.write(f"There is no table: {table.reason}.")
            return
        rows = [HEADER, *(_cells(figure) for figure in table.figures)]
        widths = [max(len(row[n]) for row in rows) for n in range(len(HEADER))]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            self.stdout.write("  ".join(cells).rstrip())
        self.stdout.write("“-” is no number; --json has the reason of each.")

    def _recompute(self, snapshot: AgreementSnapshot, *, as_json: bool) -> None:
        found = services.recompute(snapshot)
        if as_json:
            said = {"same": found.same, "differs": found.differs}
            said["code_changed"] = found.code_changed
            again = services.snapshot_json(snapshot) | {"recomputed": said}
            self.stdout.write(json.dumps(again, indent=1))
        else:
            same = "It comes out the same." if found.same else "It comes out otherwise:"
            changed = ["The code is not that of then."] if found.code_changed else []
            self.stdout.write("\n".join([same, *found.differs, *changed]))
        if not found.same:
            raise CommandError(f"The frozen table {snapshot.public_id} does not come out the same.")


def _snapshot(project: Project, named: str) -> AgreementSnapshot:
    """The snapshot with this id, or with an id that begins so."""
    found = [s for s in project.agreements.all() if str(s.public_id).startswith(named.lower())]
    if len(found) != 1:
        raise CommandError(f"{len(found)} frozen tables of “{project.slug}” begin with “{named}”.")
    return found[0]


def _cells(figure: Figure) -> tuple[str, ...]:
    counts = (figure.units, figure.requests, figure.one_sided)
    return (
        figure.what,
        figure.kind or "all",
        *(_number(figure, name) for name in COEFFICIENTS),
        *map(str, counts),
    )


def _number(figure: Figure, name: str) -> str:
    value, interval = getattr(figure, name).value, figure.intervals.get(name)
    if value is None:
        return "-"
    if interval is None or interval.low is None:
        return f"{value:.3f}"
    return f"{value:.3f} [{interval.low:.3f}, {interval.high:.3f}]"
