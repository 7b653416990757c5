"""How a command names a run: as `SLUG/NUMBER`, or by its number alone where that is unambiguous."""

from django.core.management.base import CommandError

from annotation.whole_numbers import whole_number
from evaluation.models import Run


class NoSuchRun(CommandError):
    """The name fits no run, or more than one; the message is a sentence that says what to do."""


def run_named(name: str, project: str = "") -> Run:
    """Return the run called `name`: `study/14`, `14` (with `project`, or when one project has a
    run 14), or `id:37` for the number of its row in the database.
    """
    runs = Run.objects.select_related("project", "protocol", "conditions")
    slug, slash, number = name.rpartition("/")
    row, wanted_number = whole_number(name.removeprefix("id:")), whole_number(number)
    if name.startswith("id:") and row is not None:
        return _one(list(runs.filter(pk=row)), name)
    if wanted_number is None:
        raise NoSuchRun(f"“{name}” names no run: write SLUG/NUMBER, such as study/14.")
    if slash and project and slug != project:
        raise NoSuchRun(f"“{name}” and --project {project} name two projects: give one of them.")
    rows = runs.filter(number=wanted_number)
    wanted = slug or project
    return _one(list(rows.filter(project__slug=wanted) if wanted else rows), name, wanted)


def _one(found: list[Run], name: str, project: str = "") -> Run:
    if not found:
        where = f" in the project “{project}”" if project else ""
        raise NoSuchRun(f"There is no run “{name}”{where}: see the page of the project's runs.")
    if len(found) > 1:
        named = ", ".join(f"{run.project.slug}/{run.number}" for run in found[:5])
        raise NoSuchRun(f"Several projects have a run {name}: write one of {named}.")
    return found[0]
