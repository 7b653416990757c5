"""Why a part cannot be had here: what it needs, and what of that this installation has."""

from typing import Protocol

import pytest

from evaluation import offered
from evaluation.offered import offer_of, offers, why_not
from evaluation.pipelines.base import PIPELINES
from evaluation.variations.base import VARIATIONS


class Has(Protocol):
    def __call__(self, *, generator: bool, tokens: bool) -> None: ...


@pytest.fixture
def has(monkeypatch: pytest.MonkeyPatch) -> Has:
    def set_up(*, generator: bool, tokens: bool) -> None:
        monkeypatch.setattr(offered, "described_generator", lambda: object() if generator else None)
        monkeypatch.setattr(offered, "tokens_here", lambda: object() if tokens else None)

    return set_up


def blocked() -> dict[str, str]:
    return {offer.name: offer.blocked for offer in offers(PIPELINES) if offer.blocked}


def test_without_any_model_only_pipelines_without_one_can_be_had(has: Has) -> None:
    has(generator=False, tokens=False)
    found = blocked()
    assert set(found) == {
        "cot_rag", "direct_correct", "hyde", "long_llm_lingua", "replug", "sure",
    }  # fmt: skip
    assert "INTACT_READER_MODEL" in found["replug"]
    assert "needs a language model" in found["sure"]


def test_an_endpoint_gives_no_probabilities_of_tokens(has: Has) -> None:
    has(generator=True, tokens=False)
    assert set(blocked()) == {"long_llm_lingua", "replug"}


def test_a_model_of_this_machine_stands_for_an_endpoint_but_not_for_a_rewriters(
    has: Has,
) -> None:
    has(generator=False, tokens=True)
    assert set(blocked()) == {"direct_correct", "hyde"}


def test_one_part_is_told_as_in_the_list(has: Has) -> None:
    has(generator=False, tokens=False)
    offer = offer_of(PIPELINES, "replug")
    assert offer is not None and offer.blocked == why_not(PIPELINES.find("replug"))


def test_a_variation_whose_grammar_cannot_be_read_says_so(
    has: Has, monkeypatch: pytest.MonkeyPatch
) -> None:
    has(generator=True, tokens=True)
    assert why_not(VARIATIONS.find("grammar")) == ""
    monkeypatch.setattr("evaluation.variations.english._version", lambda name: "")
    assert "spaCy" in why_not(VARIATIONS.find("grammar"))
    assert why_not(VARIATIONS.find("spelling")) == ""
