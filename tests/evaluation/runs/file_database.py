"""The test database as a file: a copy of the migrated one, with the product's own options."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connections


@contextmanager
def on_file(path: Path) -> Iterator[Path]:
    """Make a file the default database of every thread until the block ends."""
    usual = connections["default"]
    usual.ensure_connection()
    with sqlite3.connect(path) as copy:
        usual.connection.backup(copy)
    copy.close()
    name = usual.settings_dict["NAME"]
    del connections["default"]
    connections.settings["default"]["NAME"] = str(path)
    try:
        yield path
    finally:
        connections["default"].close()
        connections.settings["default"]["NAME"] = name
        connections["default"] = usual
