"""What typing errors do to real questions: how many are damaged, and how the sets grow.

Each function returns plain rows, a dictionary each with one value a column; shares are from 0 to 1,
None where there is nothing to count. Nothing is printed or written here.
"""

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.variations import Maker, Source, build_maker
from evaluation.variations._nlpaug import Settings, edit, round_trip
from evaluation.variations.damage import Damage, damage
from evaluation.variations.sets import Member, plan, table_one
from tests.real_data.sources import FOLDER

Row = dict[str, Any]

SEED = 7
KINDS = ("spelling", "keyboard", "visual")
# One pass of the library by itself, nothing tried again.
LIBRARY_SETTINGS: Mapping[str, Settings] = {
    "keyboard, default": Settings("keyboard", shortest=4),
    "keyboard, letters only, split on spaces": Settings(
        "keyboard", tokens="spaces", shortest=4, keys="letters"
    ),
    "visual, default": Settings("visual", least_characters=2),
    "visual, least 1, split on spaces": Settings("visual", tokens="spaces"),
    "spelling, default": Settings("spelling"),
    "spelling, split on spaces": Settings("spelling", tokens="spaces"),
}
MIXES: Mapping[str, Mapping[str, int]] = {
    "spelling 3": {"spelling": 3, "keyboard": 1, "visual": 1},
    "keyboard 3": {"spelling": 1, "keyboard": 3, "visual": 1},
}
# QE-RAG, Table 1: how much longer the mean query is than the clean one, in characters.
PUBLISHED_GROWTH = {
    ("hotpotqa", 0.2): 0.3,
    ("hotpotqa", 0.4): 0.6,
    ("2wiki", 0.2): 0.4,
    ("2wiki", 0.4): 0.7,
}


def questions(name: str) -> list[Source]:
    """The questions of a data set (hotpotqa or 2wiki) as sources, with their answers."""
    path = FOLDER / f"multihop-{name}" / "questions.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Source(row["qid"], row["question"].strip(), tuple(row["answers"])) for row in rows]


def library_rows(name: str, *, seed: int = SEED) -> list[Row]:
    """What one pass of the library does to each question, a row a setting.

    Columns: setting, questions, unchanged, digits_changed (of the questions with digits),
    number_changed (of the same), name_lost, characters and words (mean growth).
    """
    return [
        {
            "setting": setting,
            **_damaged([(one, _passed(one, how, seed)) for one in questions(name)]),
        }
        for setting, how in LIBRARY_SETTINGS.items()
    ]


def round_trip_share(name: str) -> float:
    """The share of questions that differ after the library's tokens are only put together again."""
    sources = questions(name)
    return sum(round_trip(one.text) != one.text for one in sources) / len(sources)


def kind_rows(name: str, *, seed: int = SEED) -> list[Row]:
    """What our makers do to each question, a row a kind and mode, tries and refusals included.

    Columns: kind, mode, questions, none (no variation could stand), retried, then the shares of
    the variations with each damage flag by its name, edit_distance (mean), characters and words
    (mean growth).
    """
    return [
        _kind_row(kind, mode, questions(name), seed)
        for kind in KINDS
        for mode in ("paper", "protect")
    ]


def growth_rows(name: str, *, seeds: Sequence[int] = (SEED,), mode: str = "paper") -> list[Row]:
    """How much longer a whole set is than its clean form, a row a mix and rate, over the seeds.

    Columns: mix, rate, sets, questions, varied (mean number), characters and words (mean growth),
    published (characters, QE-RAG Table 1, other questions of the same data set).
    """
    sources = questions(name)
    makers = {kind: build_maker(kind, {"mode": mode}) for kind in KINDS}
    rows = []
    for mix, weights in MIXES.items():
        for rate in (0.2, 0.4):
            tables = [
                table_one([m.original for m in made], [m.text for m in made])
                for made in (members(sources, makers, rate, weights, seed) for seed in seeds)
            ]
            rows.append(
                {
                    "mix": mix,
                    "rate": rate,
                    "sets": len(tables),
                    "questions": len(sources),
                    "varied": _mean([table.changed for table in tables]),
                    "characters": _mean([table.delta_characters or 0.0 for table in tables]),
                    "words": _mean([table.delta_words or 0.0 for table in tables]),
                    "published": PUBLISHED_GROWTH.get((name, rate)),
                }
            )
    return rows


def members(
    sources: Sequence[Source],
    makers: Mapping[str, Maker],
    rate: float,
    mix: Mapping[str, int],
    seed: int,
) -> list[Member]:
    """A whole set, made as the product makes one."""
    planned = plan([source.key for source in sources], rate=rate, mix=mix, seed=seed)
    return [
        Member(
            source.key,
            source.text,
            one.kind,
            makers[one.kind].vary(source, seed=seed) if one.kind else None,
        )
        for source, one in zip(sources, planned, strict=True)
    ]


def _passed(source: Source, how: Settings, seed: int) -> str:
    told = hashlib.sha256(f"{source.key}\0{how.error}\0{seed}".encode()).digest()
    return edit(source.text, how, random.Random(int.from_bytes(told[:8]))).text


def _kind_row(kind: str, mode: str, sources: Sequence[Source], seed: int) -> Row:
    maker = build_maker(kind, {"mode": mode})
    made = [(source, maker.vary(source, seed=seed)) for source in sources]
    texts = [(source, variant.text) for source, variant in made if variant.text is not None]
    found = [damage(source.text, text, source.answers) for source, text in texts]
    table = table_one([source.text for source, _ in texts], [text for _, text in texts])
    return {
        "kind": kind,
        "mode": mode,
        "questions": len(sources),
        "none": 1 - len(texts) / len(sources),
        "retried": _mean([variant.attempts > 1 for _, variant in made]),
        **{flag: _mean([getattr(one, flag) for one in found]) for flag in Damage.__slots__},
        "characters": table.delta_characters,
        "words": table.delta_words,
    }


def _damaged(texts: Sequence[tuple[Source, str]]) -> Row:
    found = [damage(source.text, text, source.answers) for source, text in texts]
    digits = [
        one
        for (source, _), one in zip(texts, found, strict=True)
        if any(map(str.isdigit, source.text))
    ]
    table = table_one([source.text for source, _ in texts], [text for _, text in texts])
    return {
        "questions": len(texts),
        "unchanged": _mean([one.unchanged for one in found]),
        "digits_changed": _mean([one.digits_changed for one in digits]),
        "number_changed": _mean([one.number_changed for one in digits]),
        "name_lost": _mean([one.entity_token_changed for one in found]),
        "characters": table.delta_characters,
        "words": table.delta_words,
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
