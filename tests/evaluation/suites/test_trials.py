from evaluation.robustness.study import CLEAN, Item, VariedSet
from evaluation.suites.trials import missing, parts_of_key, trials_of, wording_of

CLEANS = (Item("a"), Item("b"))
SETS = (
    VariedSet("20", (Item("a", "spelling", "w1"), Item("b"))),
    VariedSet("40", (Item("a", "spelling", "w1"), Item("b", "visual", "w2"))),
)


def keys(*sets: VariedSet, four: bool = False) -> list[str]:
    made = trials_of(sets, ["standard"], four_conditions=four)
    return [f"{trial.request} {trial.key}" for trial in made]


def test_nested_sets_share_the_rows_of_equal_wordings() -> None:
    assert keys(*SETS) == [
        "a standard|clean|clean",
        "a standard|w1|w1",
        "b standard|clean|clean",
        "b standard|w2|w2",
    ]


def test_the_four_conditions_add_two_rows_a_varied_request() -> None:
    assert keys(SETS[0], four=True) == [
        "a standard|clean|clean",
        "a standard|w1|w1",
        "a standard|w1|clean",
        "a standard|clean|w1",
        "b standard|clean|clean",
    ]


def test_a_request_without_a_variant_has_its_clean_row_alone() -> None:
    assert keys(VariedSet("20", (Item("a", "spelling", ""),))) == ["a standard|clean|clean"]


def test_what_is_there_is_not_computed_again() -> None:
    made = trials_of(SETS, ["standard"], four_conditions=False)
    there = {"a": frozenset({"standard|clean|clean", "standard|w1|w1"})}
    assert {trial.request for trial in missing(made, there)} == {"b"}


def test_the_own_text_is_clean_and_equal_texts_have_equal_names() -> None:
    assert wording_of("own", "own") == CLEAN
    assert wording_of("onw", "own") == wording_of("onw", "other") != CLEAN


def test_a_key_is_read_back_whatever_the_pipeline_is_called() -> None:
    assert parts_of_key("rewritten(rewriter=x)|w1|clean") == (
        "rewritten(rewriter=x)",
        "w1",
        "clean",
    )
