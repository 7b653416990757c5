"""One look at the database for a whole file, so that the counts inside it agree, and nobody waits
for it.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, cast

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Read inside, never write: everything is seen as it was at the first read.

    SQLite reads a deferred transaction, which takes no lock that a writer waits for; PostgreSQL one
    that is REPEATABLE READ. Inside a transaction of the caller it is that transaction.
    """
    if connection.in_atomic_block:
        yield
        return
    if connection.vendor != "sqlite":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with ExitStack() as stack:
        with _deferred():
            stack.enter_context(transaction.atomic())
        yield


@contextmanager
def _deferred() -> Iterator[None]:
    """Transactions begin IMMEDIATE here, which is a write lock; this one must not."""
    connection.ensure_connection()  # which reads the mode from the settings
    wrapper = cast(Any, connection)
    usual = wrapper.transaction_mode
    wrapper.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        wrapper.transaction_mode = usual
