"""`python -m tests.api.fuzz --examples 200`: every operation of the API as every role, on a
throw-away database; says what came back, and exits 1 when a check failed.
"""

import argparse
import os
import sys
import time

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django

django.setup()

from django.test.runner import DiscoverRunner  # noqa: E402 needs the settings

from tests.api.fuzzing import Tally, campaign  # noqa: E402
from tests.api.world import build  # noqa: E402

AS = ("owner", "engineer", "adjudicator", "annotator", "stranger")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=200, help="of every operation and role")
    parser.add_argument("--roles", default=",".join(AS))
    wanted = parser.parse_args()
    runner = DiscoverRunner(verbosity=0)
    runner.setup_test_environment()
    databases = runner.setup_databases()
    try:
        whole = _all(wanted.examples, wanted.roles.split(","))
    finally:
        runner.teardown_databases(databases)
    return 1 if whole.failures else 0


def _all(examples: int, roles: list[str]) -> Tally:
    world, whole = build(), Tally()
    for role in roles:
        begun = time.monotonic()
        tally = campaign(world, role, examples)
        whole.add(tally)
        print(f"{role}: {tally.examples} requests in {time.monotonic() - begun:.0f} s, "
              f"{len(tally.failures)} failed checks", flush=True)  # fmt: skip
    for name, counts in sorted(whole.statuses.items()):
        print(f"  {name}: " + ", ".join(f"{n} × {status}" for status, n in sorted(counts.items())))
    for failure in whole.failures[:50]:
        print("\n" + failure)
    never = whole.never_succeeded()
    succeeded = len(whole.statuses) - len(never)
    print(f"{succeeded} of {len(whole.statuses)} operations succeeded at least once. {never}")
    print(f"{sum(c[s] for c in whole.statuses.values() for s in c if s >= 500)} answers were 5xx "
          f"of {whole.examples}.")  # fmt: skip
    return whole


if __name__ == "__main__":
    sys.exit(main())
