"""Every kind of ledger entry has words."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.desk import WORK_KINDS
from annotation.models import HumanRewrite
from evaluation.reports.case.trail_words import WORDS

ROOT = Path(__file__).parents[3]
KIND = re.compile(r"[a-z_]+\.[a-z_]+")
RECORDING = {"record", "_record", "Entry", "record_origin"}


def kinds_in(tree: ast.AST) -> Iterator[str]:
    """The kinds in calls that record, and in the constants that those calls name."""
    for node in ast.walk(tree):
        found: list[ast.expr | None] = []
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            found = [*node.args, *(k.value for k in node.keywords)] if name in RECORDING else []
        elif isinstance(node, ast.Assign) and "ledger" in ast.unparse(tree):
            found = [*node.value.elts] if isinstance(node.value, ast.Tuple) else [node.value]
        for value in found:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value


def written() -> set[str]:
    files = [
        f for app in ("annotation", "contracts", "evaluation") for f in (ROOT / app).rglob("*.py")
    ]
    return {
        kind
        for file in files
        if "migrations" not in file.parts
        for kind in kinds_in(ast.parse(file.read_text()))
        if KIND.fullmatch(kind)
    }


def test_every_kind_that_the_code_writes_has_words() -> None:
    kinds = written()
    assert {"sheet.sealed", "run.started", "protocol.registered", "export.begun"} <= kinds
    assert sorted(kinds - set(WORDS)) == []


@pytest.mark.parametrize("act", ["sealed", "retracted", "requeued"])
def test_every_kind_of_work_has_words_for_what_becomes_of_it(act: str) -> None:
    names = {kind for kind in WORK_KINDS if kind != "qualification" or act != "sealed"}
    names |= set(HumanRewrite.Kind.values)
    assert [f"{name}.{act}" for name in sorted(names) if f"{name}.{act}" not in WORDS] == []
