"""Rules of the API's own text: nothing that somebody sends is expanded into a query or a row."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = [
    *sorted((ROOT / "annotation" / "api").glob("*.py")),
    *sorted((ROOT / "contracts" / "api").glob("*.py")),
    ROOT / "evaluation" / "api.py",
    ROOT / "evaluation" / "guard_api.py",
    ROOT / "annotation" / "services" / "tokens.py",
]
INTO_ROWS = {
    "filter", "exclude", "get", "create", "update", "get_or_create", "update_or_create", "Q",
    "get_object_or_404", "annotate", "aggregate", "extra", "raw", "values", "values_list",
}  # fmt: skip


def calls(path: Path) -> list[ast.Call]:
    return [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)]


def named(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_sent_is_expanded_into_a_query(path: Path) -> None:
    expanded = [
        (call.lineno, named(call))
        for call in calls(path)
        if named(call) in INTO_ROWS and any(keyword.arg is None for keyword in call.keywords)
    ]
    assert expanded == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_view_of_the_api_opens_a_transaction_or_writes_a_row_itself(path: Path) -> None:
    if path.name in ("idempotency.py", "tokens.py"):
        return
    writes = {"create", "save", "bulk_create", "update_or_create", "get_or_create", "delete"}
    assert [(c.lineno, named(c)) for c in calls(path) if named(c) in writes] == []
