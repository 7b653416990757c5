"""Parameters read from a dataclass, filled in on a form, and told in words."""

import dataclasses
from typing import Any, Literal

import pytest

from evaluation.forms.parameters import ParametersForm
from evaluation.parameters import differences, named_in, settings_of
from evaluation.registry import Part, PartError, parse_parameters
from evaluation.reports.parts.words import coded, differences_in_words, in_words
from evaluation.rewriters.base import REWRITERS


@dataclasses.dataclass(frozen=True, slots=True)
class Every:
    """One of each type.

    `whole`: how many, `n` say.
    `share`: how much.
    `wide`: whether.
    `words`: what.
    `where`: a folder; none is the usual one.
    `side`: which.
    `stops`: what is left out.
    `most`: how many at most; none is no limit.
    """

    whole: int = 3
    share: float = 0.5
    wide: bool = True
    words: str = "a b"
    where: str | None = None
    side: Literal["left", "right"] = "left"
    stops: tuple[str, ...] = ("the",)
    most: int | None = 4

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise ValueError(f"share must lie between 0 and 1, not {self.share}.")
        if self.whole < 1 or (self.most is not None and self.most < 1):
            raise ValueError("whole and most must be at least 1.")
        if self.words == "never":
            raise ValueError("That cannot be.")


class EveryPart(Part):
    """Has one of each."""

    name = "every"
    version = "1"
    Parameters = Every


def form(**sent: str) -> ParametersForm:
    return ParametersForm(
        EveryPart, "part", {f"p-{name}": value for name, value in sent.items()}, prefix="p"
    )


def set_by(**sent: str) -> dict[str, Any]:
    filled = form(**sent)
    assert filled.is_valid(), filled.errors
    return filled.differences


def test_what_is_not_sent_has_its_default() -> None:
    assert set_by(whole="3") == {}


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ({"whole": "5"}, {"whole": 5}),
        ({"whole": ""}, {}),
        ({"share": "1"}, {"share": 1.0}),
        ({"wide": "false"}, {"wide": False}),
        ({"words": ""}, {"words": ""}),
        ({"words": " a "}, {"words": " a "}),
        ({"where": "/models/x"}, {"where": "/models/x"}),
        ({"where": ""}, {}),
        ({"side": "right"}, {"side": "right"}),
        ({"stops": "the\r\n an \n\n"}, {"stops": ["the", "an"]}),
        ({"stops": ""}, {"stops": []}),
        ({"stops": "the"}, {}),
        ({"most": ""}, {"most": None}),
    ],
)
def test_only_what_differs_is_stored(sent: dict[str, str], stored: dict[str, Any]) -> None:
    found = set_by(**sent)
    assert found == stored
    assert differences(parse_parameters(Every, found, "part")) == stored


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"share": "2"}, "share"),
        ({"share": "much"}, "share"),
        ({"share": "1e400"}, "share"),
        ({"whole": "0"}, "whole"),
        ({"most": "0"}, "most"),
        ({"whole": "9" * 5000}, "whole"),
        ({"side": "middle"}, "side"),
        ({"wide": "perhaps"}, "wide"),
        ({"words": "never"}, "__all__"),
    ],
)
def test_a_wrong_value_is_told_at_its_field(sent: dict[str, str], field: str) -> None:
    assert list(form(**sent).errors) == [field]


def test_every_field_shows_its_meaning_and_its_default() -> None:
    fields = form().fields
    assert str(fields["whole"].help_text) == (
        '<span lang="en">How many, <code>n</code> say.</span> Default: 3.'
    )
    assert str(fields["where"].help_text).endswith("Default: none.")
    assert fields["stops"].initial == "the"


def test_the_form_has_the_parts_parameters_in_their_order() -> None:
    assert list(form().fields) == [field.name for field in dataclasses.fields(Every)]


@pytest.mark.parametrize("name", REWRITERS.names())
def test_the_form_of_every_rewriter_left_as_it_is_differs_in_nothing(name: str) -> None:
    unsent = ParametersForm(REWRITERS.find(name), "rewriter", prefix="p")
    sent = {f"p-{key}": unsent[key].value() for key in unsent.fields}
    shown = {key: "" if value is None else str(value) for key, value in sent.items()}
    filled = ParametersForm(REWRITERS.find(name), "rewriter", shown or {"x": "1"}, prefix="p")
    assert filled.is_valid(), filled.errors
    assert filled.differences == {}


@dataclasses.dataclass(frozen=True)
class Needed:
    """Needs one.

    `url`: where.
    """

    url: str


def test_a_parameter_without_default_must_be_given() -> None:
    (setting,) = settings_of(Needed)
    assert setting.must_be_given
    with pytest.raises(PartError, match='needs a value for "url"'):
        parse_parameters(Needed, {}, "part")


def test_a_frozen_part_lists_its_texts_as_json_does() -> None:
    part = EveryPart()
    part.parameters = Every()
    assert part.describe()["parameters"]["stops"] == ["the"]


def test_the_names_before_must_are_what_a_refusal_is_about() -> None:
    assert named_in("n must lie between 1 and k, not 3.", ["k", "n"]) == ["n"]
    assert named_in('Give the folder as "model_path".', ["n", "model_path"]) == ["model_path"]
    assert named_in("Nothing must be.", ["n"]) == []


def test_differences_are_told_with_the_defaults_that_they_replace() -> None:
    told = differences_in_words(REWRITERS, "hyde", {"n": 4, "include_query": False})
    assert told == "n = 4 instead of 8; include_query = no instead of yes"
    assert differences_in_words(REWRITERS, "hyde", {}) == "every parameter at its default"
    assert differences_in_words(REWRITERS, "gone", {"n": 4}) == "n = 4 instead of none"


def test_values_are_told_as_words() -> None:
    assert [in_words(v) for v in (None, True, "", 0.5, ["a", "b"])] == [
        "none", "yes", "empty", "0.5", "a, b",
    ]  # fmt: skip


def test_backticks_become_code_and_markup_is_escaped() -> None:
    assert coded("`<b>` & more") == "<code>&lt;b&gt;</code> &amp; more"
    assert coded("one ` alone") == "one ` alone"
