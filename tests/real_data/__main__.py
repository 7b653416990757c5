"""Measure the product on public data and write docs/real-data.md:

python -m tests.real_data [--write]
"""

import argparse
import os
import platform
import sys
import time
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

PAGE = Path(__file__).parents[2] / "docs" / "real-data.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    write = parser.parse_args().write

    import django

    django.setup()
    from django.test.utils import setup_databases, teardown_databases

    from tests.real_data.figures import STUDIES
    from tests.real_data.page import page
    from tests.real_data.sources import is_here

    absent = [study.title for study in STUDIES.values() if not is_here(study.folder)]
    if absent:
        print(f"Not on this machine: {', '.join(absent)}.", file=sys.stderr)
        if write or len(absent) == len(STUDIES):
            sys.exit("The page is written from all data sets or not at all.")
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        began = time.monotonic()
        found = [(s, s.measure()) for s in STUDIES.values() if is_here(s.folder)]
        text = page(found, machine(), time.monotonic() - began)
    finally:
        teardown_databases(databases, verbosity=0)
    if write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)


def machine() -> str:
    return f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}"


if __name__ == "__main__":
    main()
