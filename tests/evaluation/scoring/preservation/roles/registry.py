"""What an entry of each word list does, said as a check on what the judge reads.

A check takes the entry as it is written and its meaning ("" in a plain list), and fails unless the
entry is read back in its role.
"""

from collections.abc import Callable, Iterator

from evaluation.scoring.preservation import lexicon
from tests.evaluation.scoring.preservation.judging import Asked, amount, time

Check = Callable[[str, str], None]
ROLES: dict[str, Check] = {}

SEALED = Asked("sealed leases", "status", {"value": "sealed", "rivals": ["open"]}, "sealed")
TRUST = Asked(
    "dams of Velden Trust", "referent", {"name": "Velden Trust", "aliases": []}, "Velden Trust"
)
SOLBERG = Asked("dams of Solberg", "referent", {"name": "Solberg", "aliases": []}, "Solberg")
TIDES = Asked("wrecks per the tide log", "evidence", {"source": "tide log"}, "tide log")
BOATS = Asked("more than 12 boats", "quantity", amount(">", 12, unit="boats"), "more than 12 boats")
IN_2016 = Asked("prices in 2016", "time", time("on", "2016", "2016"), "in 2016")
UNINSURED = Asked(
    "boats not insured", "polarity", {"mode": "negate", "target": "insured"}, "not insured"
)


def role(*names: str) -> Callable[[Check], Check]:
    """Register the decorated function as the check of these lists; a list has one."""

    def register(check: Check) -> Check:
        for name in names:
            assert name not in ROLES, f"two checks for {name}"
            ROLES[name] = check
        return check

    return register


def entries(name: str) -> Iterator[tuple[str, str]]:
    """Each entry of a list as written with its meaning, read apart from the product's reader."""
    for line in (lexicon.FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        entry = line.split("#")[0].strip()
        if entry:
            phrase, _, meaning = entry.rpartition(" : ") if " : " in entry else (entry, "", "")
            yield phrase.strip(), meaning.strip()


def compared(direction: str, text: str = "Arden or Corley?", sets: str = "Arden Corley") -> Asked:
    value = {"sets": sets.split(), "direction": direction, "measure": None}
    return Asked(text, "comparison", value)


def added(asked: Asked, query: str, filters: dict[str, object] | None = None) -> list[str]:
    """The kinds that a rewrite adds."""
    return [one.kind for one in asked.judge_all(query, filters=filters).added]
