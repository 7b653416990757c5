"""Many rows with one prepared statement, so that the lock is held for as short as can be.

Django's `bulk_create` builds an object and a part of a statement for every row; for 50,000 requests
that takes five times as long as the database needs, and all others wait for it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models

_AS_THEY_ARE = (models.CharField, models.TextField, models.IntegerField, models.ForeignKey)


def insert(model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert the rows, given as values of the named fields; a foreign key is given by its id.

    Every field without a default in the database must be named. Call inside a transaction.
    """
    fields: list[Any] = [model._meta.get_field(name) for name in names]
    quote = connection.ops.quote_name
    columns = ", ".join(quote(field.column) for field in fields)
    values = ", ".join(["%s"] * len(fields))
    table = quote(model._meta.db_table)
    odd = [(n, f) for n, f in enumerate(fields) if not isinstance(f, _AS_THEY_ARE)]

    def prepared() -> Any:  # a generator, which the drivers take and the types do not know
        for row in rows:
            cells = list(row)
            for n, field in odd:
                if cells[n] is not None:
                    cells[n] = field.get_db_prep_save(cells[n], connection)
            yield cells

    with connection.cursor() as cursor:
        # Names of our own models only; the values go as parameters.
        cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({values})", prepared())  # noqa: S608
