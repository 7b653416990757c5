"""How many twin pairs each class of requests has of each family, against how many are wanted.

Rules that want some stand in a higher room (the protocol of an evaluation), which registers here
how to read them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db.models import Count

from annotation.models import Project
from contracts.models.fixtures import CONTROL, FAMILIES

Minima = Mapping[tuple[str, str], int]  # (class, family) → pairs wanted

MINIMA: list[Callable[[Project], Minima]] = []


def register_minima(minima: Callable[[Project], Minima]) -> None:
    """Say how many pairs a project wants of each class and family. Called from an app's `ready`."""
    MINIMA.append(minima)


@dataclass(frozen=True)
class Cell:
    """Pairs of one class and family: `wanted` is None where no rule wants any."""

    family: str
    have: int
    wanted: int | None

    @property
    def state(self) -> str:
        """`enough` or `short` against the rule; `free` without one."""
        if self.wanted is None:
            return "free"
        return "enough" if self.have >= self.wanted else "short"


@dataclass(frozen=True)
class ClassRow:
    """One class of requests, a cell for each family in their order."""

    name: str
    cells: tuple[Cell, ...]


def minima_of(project: Project) -> dict[tuple[str, str], int]:
    """Every rule of the project; where several want pairs of the same, the most."""
    wanted: dict[tuple[str, str], int] = {}
    for minima in MINIMA:
        for key, number in minima(project).items():
            wanted[key] = max(number, wanted.get(key, 0))
    return wanted


def coverage(project: Project) -> list[ClassRow]:
    """The classes of the project in the order of their names: pairs had, of those wanted. Controls
    stand last, and none are ever wanted.
    """
    wanted = minima_of(project)
    have = _counted(project)
    names = sorted(project.request_classes.values_list("name", flat=True))
    return [
        ClassRow(
            name,
            tuple(
                Cell(family, have.get((name, family), 0), wanted.get((name, family)))
                for family in (*FAMILIES, CONTROL)
            ),
        )
        for name in names
    ]


def _counted(project: Project) -> dict[tuple[str, str], int]:
    rows = project.twin_pairs.order_by().values_list("base__request_class__name", "family")
    found = {(name, family): n for name, family, n in rows.annotate(n=Count("pk"))}
    controls = project.controls.order_by().values_list("base__request_class__name")
    found |= {(name, CONTROL): n for name, n in controls.annotate(n=Count("pk"))}
    return found
