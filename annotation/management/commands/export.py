import os
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.exporting.kinds import EXPORT_KINDS
from annotation.management.sentences import SentenceCommand, actor_of, project_named
from annotation.services.exports import Export, begin_export

# The two tables of the annotations go by their shape as well.
SHAPES = {"long": "annotations", "wide": "annotations-wide"}


class Command(SentenceCommand):
    help = "Write one kind of file of a project, under pseudonyms unless --named is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's short name")
        parser.add_argument("kind", choices=list(EXPORT_KINDS), help="what the file holds")
        parser.add_argument(
            "--format",
            choices=["jsonl", "csv", *SHAPES],
            help="long and wide: the CSV table of the annotations in that shape",
        )
        parser.add_argument(
            "--output", required=True, metavar="FILE", help="the file to write; - for the terminal"
        )
        parser.add_argument("--named", action="store_true", help="user names, for owners only")
        parser.add_argument(
            "--as",
            dest="username",
            metavar="USERNAME",
            help="who exports; the project's first owner unless given",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        kind, form = options["kind"], options["format"] or ""
        if form in SHAPES:
            if kind not in SHAPES.values():
                raise CommandError(f"Only annotations are written {form}, not {kind}.")
            kind, form = SHAPES[form], "csv"
        target = options["output"]
        if target != "-" and not Path(target).parent.is_dir():
            raise CommandError(f"There is no folder {Path(target).parent}: make it first.")
        export = begin_export(
            actor=actor_of(project, options["username"]),
            project=project,
            kind_name=kind,
            form=form,
            named=options["named"],
        )
        if target == "-":
            for piece in export.pieces():
                self.stdout.write(piece.decode(), ending="")
            return
        size = written(export, Path(target))
        self.stdout.write(f"{target} was written: {size:,} bytes.")


def written(export: Export, target: Path) -> int:
    """Write the file beside its place, then put it there: nobody ever finds half of one."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    size = 0
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in export.pieces():
                size += file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except OSError as fault:
        raise CommandError(
            f"{target} could not be written: {fault.strerror}. What was there before is unchanged."
        ) from fault
    finally:
        Path(name).unlink(missing_ok=True)
    return size


def _umask() -> int:
    """The rights that new files get here; mkstemp gives them to nobody else."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
