"""How fast the table of agreement is worked out: `python -m tests.bench.agreement` alone, or as a
part of `make bench`.
"""

import random
import sys
import time
from collections.abc import Callable

from contracts.agreement import Reviewed
from contracts.agreement import agreement as work_out
from contracts.terms import Ambiguity, ConstraintTerms, ContractTerms, Span

REQUESTS, RATERS = 10_000, 5
RESAMPLED = 1_500  # as many as a page works intervals out for
KINDS = {
    "referent": lambda rng: {"name": f"name {rng.randrange(50)}"},
    "time": lambda rng: {"relation": "before", "end": str(2000 + rng.randrange(24))},
    "quantity": lambda rng: {"operator": ">=", "value": rng.randrange(100)},
}


def study(requests: int, raters: int) -> list[Reviewed]:
    """Requests of one to three constraints: a reviewer misses a seventh, and says of a seventh of
    the others something else.
    """
    rng = random.Random(7)  # noqa: S311 a benchmark, no secret
    return [_reviewed(f"r{number:05}", raters, rng) for number in range(requests)]


def _reviewed(key: str, raters: int, rng: random.Random) -> Reviewed:
    kinds = list(KINDS)[: rng.randint(1, 3)]
    said = {kind: (KINDS[kind](rng), KINDS[kind](rng)) for kind in kinds}
    return Reviewed(key, tuple((f"p{n}", _sheet(said, rng)) for n in range(raters)))


def _sheet(said: dict[str, tuple[dict[str, object], ...]], rng: random.Random) -> ContractTerms:
    found = []
    for place, (kind, (usual, other)) in enumerate(said.items()):
        if rng.random() < 6 / 7:
            value = usual if rng.random() < 6 / 7 else other
            weight = "critical" if rng.random() < 0.8 else "minor"
            span = Span(0, 20 * place, 20 * place + rng.randint(5, 6))
            found.append(ConstraintTerms(f"c{place}", kind, weight, value, span))
    return ContractTerms(tuple(found), Ambiguity(rng.random() < 0.1))


def agreement(rows: list[tuple[str, str, str]]) -> None:
    many, few = study(REQUESTS, RATERS), study(RESAMPLED, 2)
    work_out(few)
    spent = min(_processor(lambda: work_out(many)) for _ in range(3))
    drawn = min(_processor(lambda: work_out(few, resamples=1_000)) for _ in range(3))
    scale = f"{REQUESTS:,} requests × {RATERS} reviewers, processor time"
    rows.append(("Table of agreement", f"{spent:.1f} s", scale))
    scale = f"{RESAMPLED:,} requests × 2 reviewers, 1,000 resamples, processor time"
    rows.append(("The same with its intervals", f"{drawn:.1f} s", scale))


def _processor(act: Callable[[], object]) -> float:
    began = time.process_time()
    act()
    return time.process_time() - began


if __name__ == "__main__":
    found: list[tuple[str, str, str]] = []
    agreement(found)
    sys.stdout.write("".join(f"{' | '.join(row)}\n" for row in found))
