"""Changes, orders and compared sets."""

from tests.evaluation.scoring.preservation.roles.registry import (
    TRUST,
    added,
    compared,
    entries,
    role,
)

_TURNED = {
    "increase": "decrease", "decrease": "increase", "higher": "lower", "lower": "higher",
    "earlier": "later", "later": "earlier",
}  # fmt: skip


@role("opposites")
def a_change_has_its_direction(phrase: str, meaning: str) -> None:
    for text in (f"exports {phrase}", f"have exports {phrase}"):
        assert compared(meaning, sets="exports").label(text) == "stated"
        assert compared(_TURNED[meaning], sets="exports").label(text) == "altered"


@role("orders")
def an_order_has_its_direction(phrase: str, meaning: str) -> None:
    verb = phrase.startswith("exceed")
    text = f"Arden {phrase} Corley" if verb else f"which is {phrase}, Arden or Corley"
    assert compared(meaning).label(text) == "stated"
    if not verb and meaning in _TURNED:
        assert compared(_TURNED[meaning]).label(text) == "altered"


@role("poles")
def a_comparative_is_an_end_of_its_scale(phrase: str, meaning: str) -> None:
    scale, _, sign = meaning.partition(" ")
    ways = ("earlier", "later") if scale == "time" else ("higher", "lower")
    asked = compared(ways[sign == "-"], f"Which is {phrase}, Arden or Corley?")
    other = next(
        (word for word, mean in entries("poles") if mean == f"{scale} {'-+'[sign == '-']}"), None
    )
    assert asked.label(f"the {phrase}: Arden or Corley") == "stated"
    if other:
        assert asked.label(f"which is {other}, Arden or Corley") == "altered"


@role("outdo")
def the_greater_stands_before_it(phrase: str, meaning: str) -> None:
    assert compared(meaning).label(f"Arden {phrase} Corley") == "stated"
    assert compared(_TURNED[meaning]).label(f"Arden {phrase} Corley") != "stated"


@role("comparing")
def a_word_of_comparing_compares_two_named_sets(phrase: str, _: str) -> None:
    assert compared("difference").label(f"fares Arden {phrase} Corley") == "stated"


@role("turning")
def a_turned_change_is_for_a_person(phrase: str, _: str) -> None:
    asked = compared("increase", sets="exports")
    assert asked.label("exports rising") == "stated"
    assert asked.label(f"exports {phrase} rising") == "unsure"


@role("generic_sets")
def a_generic_word_names_no_set(phrase: str, _: str) -> None:
    asked = compared("higher", "Is Arden higher than Corley?")
    assert asked.label("is Arden higher than Norwick") == "altered"
    assert asked.label(f"is Arden higher than {phrase.capitalize()}") in ("dropped", "unsure")


@role("contrasts")
def a_contrast_that_nobody_asked_for_is_added(phrase: str, meaning: str) -> None:
    before = "taller " if meaning == "than" else ""
    assert added(TRUST, f"dams of Velden Trust {before}{phrase} in Arden") == ["comparison"]
