"""Many rows in one statement.

`bulk_create` compiles every value of every row anew, which took more time than all else that a
worker does with the database; this takes about a tenth of it. `executemany` gives the interpreter's
lock away with every row, and a busy thread takes it for milliseconds; this does so once.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from django.db import connection, models
from django.db.models.functions import Now

_AT_ONCE = 250  # rows in a statement: databases bound its parameters


def insert(
    model: type[models.Model],
    rows: Iterable[Sequence[Any]],
    *,
    names: Sequence[str],
    on_conflict: str = "",
    now: str = "",
    **same: Any,
) -> None:
    """Insert `rows`, each with a value for each of `names` (columns as attributes of the model).

    `same` are values that all rows have; every other column has its field's default.
    `on_conflict` is what the statement says after ON CONFLICT, in words of SQL. `now` is a column
    into which the database writes its own time.
    """
    on_conflict = f" ON CONFLICT {on_conflict}" if on_conflict else ""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    given = [fields[name] for name in names]
    blank = model(**same)
    timed = [fields[now]] if now else []
    others = [
        f
        for f in fields.values()
        if not f.primary_key and f.attname not in names and f not in timed
    ]
    usual = [f.get_db_prep_save(f.pre_save(blank, add=True), connection) for f in others]
    quoted = connection.ops.quote_name
    columns = ", ".join(quoted(str(field.column)) for field in (*given, *others, *timed))
    into = f"INSERT INTO {quoted(model._meta.db_table)} ({columns}) VALUES "  # noqa: S608 our own names
    compiler = model._base_manager.all().query.get_compiler(connection=connection)
    clock, _none = compiler.compile(Now())
    values = f"({', '.join(['%s'] * (len(given) + len(others)) + [clock] * len(timed))})"
    prepared = [
        [*(f.get_db_prep_save(v, connection) for f, v in zip(given, row, strict=True)), *usual]
        for row in rows
    ]
    with connection.cursor() as cursor:
        for first in range(0, len(prepared), _AT_ONCE):
            some = prepared[first : first + _AT_ONCE]
            sql = into + ", ".join([values] * len(some)) + on_conflict
            cursor.execute(sql, list(chain.from_iterable(some)))
