"""What the tests of the three kinds of typing errors share."""

import pytest

from evaluation.variations import Source, Variant, build_maker

LONG = "Which company made the film about the river before Oliver Fricker moved there in 1999?"
REFUSED = [
    pytest.param("", "is empty", id="empty"),
    pytest.param(" \n\t", "is empty", id="blank"),
    pytest.param("language", "is one word", id="one word"),
    pytest.param("language?", "is one word", id="one word with a mark"),
    pytest.param("1999 2001", "no letters", id="digits only"),
    pytest.param("😀 🎉", "no letters", id="emoji"),
    pytest.param("language 😀", "is one word", id="one word and an emoji"),
    pytest.param("Кто построил этот мост", "not written in Latin letters", id="Cyrillic"),
    pytest.param("谁建造了这座桥", "not written in Latin letters", id="Chinese"),
    pytest.param("من بنى هذا الجسر", "not written in Latin letters", id="Arabic"),
]


def varied(
    kind: str, text: str, *, mode: str = "paper", seed: int = 7, answers: tuple[str, ...] = ()
) -> Variant:
    return build_maker(kind, {"mode": mode}).vary(Source("q1", text, answers), seed=seed)


def texts_of(kind: str, text: str, mode: str = "paper", seeds: int = 40) -> list[str]:
    """What many seeds make of one text, where they make something."""
    made = [varied(kind, text, mode=mode, seed=seed).text for seed in range(seeds)]
    return [one for one in made if one is not None]
