"""Sets of variations: made by a recipe, resumed, sealed, and what withdrawn consent takes away."""

import hashlib
import json
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import PermissionDenied

from annotation.canonical import content_hash
from annotation.models import Person, Project
from annotation.services import consent
from annotation.services.erasure import erase_person
from annotation.services.ledger import first_altered, first_broken
from annotation.services.projects import Refused, set_member
from evaluation.generation.errors import EmptyCompletion, EndpointAway
from evaluation.models import Variation, VariationItem, VariationSet
from evaluation.services.variations import (
    Withheld,
    counts_of,
    fill,
    inside,
    name_fault,
    require_shown,
    try_again,
)
from evaluation.varying import filling, patience
from evaluation.varying.sealing import SEALED, manifest_hash, rows_of, text_hash
from tests.evaluation.varied import Loud, begun, made, makers, paraphrase

__all__ = ["makers"]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("makers")]
SECRET = "zqxj"


def texts(of: VariationSet) -> dict[str, str | None]:
    rows = of.items.select_related("request", "variation")
    return {row.request.key: row.variation.text if row.variation else None for row in rows}


def test_a_set_has_the_requests_with_a_contract_once_in_their_order(
    study: Project, engineer: Person
) -> None:
    found = begun(engineer, study)
    keys = list(found.items.values_list("request__key", "position"))
    assert keys == [("a", 1), ("b", 2), ("c", 3)]
    assert [request.key for request in inside(study)] == ["a", "b", "c"]


def test_a_made_set_is_sealed_with_its_hash_in_the_ledger(study: Project, engineer: Person) -> None:
    found = made(engineer, study)
    entry = study.ledger.get(kind="variations.sealed")
    assert (found.state, entry.content["sha256"]) == ("made", found.sha256)
    assert found.sha256 == content_hash(found.manifest)
    assert texts(found)["a"] == "WHAT REVENUE DID ALDER FOODS REPORT FOR FISCAL YEAR 2022?"


def test_what_cannot_be_made_keeps_its_reason_and_what_was_rejected(
    study: Project, engineer: Person
) -> None:
    made(engineer, study, {"picky": 1})
    rows = {one.request.key: one for one in VariationItem.objects.select_related("request")}
    assert rows["b"].why == "It may not be b." and len(rows["b"].rejected) == 3
    assert rows["c"].why == "It has nothing to be picky about." and rows["c"].rejected == []
    assert rows["a"].variation is not None


def test_a_set_that_was_interrupted_goes_on_where_it_was(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, asked = begun(engineer, study), []
    vary = Loud.vary

    def killed_at_the_third(self: Loud, source: Any, **more: Any) -> Any:
        asked.append(source.key)
        if len(asked) == 3:
            raise SystemExit  # as a killed worker ends
        return vary(self, source, **more)

    monkeypatch.setattr(Loud, "vary", killed_at_the_third)
    with pytest.raises(SystemExit):
        fill(found)
    assert filling.open_items(found).count() == 1
    assert not fill(found)
    found.refresh_from_db()
    assert found.state == "made" and asked[2] == asked[3] and len(asked) == 4


def test_filling_a_made_set_again_changes_nothing(study: Project, engineer: Person) -> None:
    found = made(engineer, study)
    before = list(VariationItem.objects.values())
    assert not fill(found)
    assert list(VariationItem.objects.values()) == before
    assert study.ledger.filter(kind="variations.sealed").count() == 1


def test_the_same_text_is_made_once_for_two_sets(study: Project, engineer: Person) -> None:
    made(engineer, study)
    made(engineer, study, name="second")
    assert Variation.objects.count() == 3


def test_other_parameters_share_no_text(study: Project, engineer: Person) -> None:
    made(engineer, study, {"spelling": 1})
    protect = {"spelling": {"mode": "protect"}}
    made(engineer, study, {"spelling": 1}, name="second", parameters=protect)
    made(engineer, study, {"spelling": 1}, name="3", parameters={"spelling": {"word_share": 0.9}})
    rows = Variation.objects.filter(kind="spelling", request__key="a")
    assert rows.values("generator").distinct().count() == 3


def test_the_same_recipe_and_name_is_the_same_set(study: Project, engineer: Person) -> None:
    assert begun(engineer, study).pk == begun(engineer, study).pk


@pytest.mark.parametrize("name", ["", "two words", "fïrst", "x" * 81])
def test_a_name_that_cannot_be_one_is_refused(study: Project, name: str) -> None:
    assert "at most 80 letters" in name_fault(study, name)


@pytest.mark.parametrize("name", ["First", "FIRST"])
def test_a_name_that_looks_like_another_is_refused(
    study: Project, engineer: Person, name: str
) -> None:
    begun(engineer, study)
    with pytest.raises(Refused, match="looks like the set “first”"):
        begun(engineer, study, name=name)


@pytest.mark.parametrize("name", ["clean", "Clean", "CLEAN"])
def test_no_set_is_called_as_runs_call_the_clean_requests(
    study: Project, engineer: Person, name: str
) -> None:
    with pytest.raises(Refused, match="cannot be called “clean”"):
        begun(engineer, study, name=name)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"kinds": {"nothing": 1}}, "There is no variation “nothing”"),
        ({"kinds": {"loud": 0}}, "A weight is a whole number"),
        ({"rate": 0.0}, "above 0, at most 1"),
        ({"rate": 0.01}, "none of the 3 requests would be varied"),
        ({"seed": -1}, "The seed is a whole number"),
        ({"per_kind": -1}, "People look at 0 to"),
        ({"parameters": {"loud": {"x": 1}}}, 'has no parameter "x"'),
        ({"parameters": {"human": {"which": 1}}}, "none of the kinds of this set"),
        ({"kinds": {"human": 1}, "parameters": {"human": {"which": 3}}}, "it must be 1 or 2"),
    ],
)
def test_a_recipe_that_cannot_be_followed_is_refused(
    study: Project, engineer: Person, wrong: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        begun(engineer, study, **wrong)
    assert not VariationSet.objects.exists()


def test_only_an_engineer_makes_sets(study: Project, owner: Person) -> None:
    with pytest.raises(PermissionDenied):
        begun(owner, study)


def test_the_counts_of_a_recipe_are_those_of_the_set(study: Project, engineer: Person) -> None:
    recipe: dict[str, Any] = {"kinds": {"loud": 1, "picky": 1}, "rate": 0.7, "seed": 3}
    found = begun(engineer, study, **recipe)
    planned = counts_of(project=study, **recipe)
    kinds = list(found.items.values_list("kind", flat=True))
    assert {kind: kinds.count(kind) for kind in planned} == planned


def test_a_model_that_stays_away_fails_the_set_which_can_go_on_later(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(self: Loud, source: Any, **more: Any) -> Any:
        raise EndpointAway("The model is away.", again_in=1.0)

    found = begun(engineer, study)
    with monkeypatch.context() as patched:
        patched.setattr(Loud, "vary", away)
        assert fill(found)  # it is waited for
        patched.setattr(patience, "PATIENCE_S", -1.0)
        assert not fill(found)
    found.refresh_from_db()
    assert found.state == "failed" and "The model is away." in found.error
    assert try_again(actor=engineer, of=found).state == "making"
    assert not fill(found)
    assert texts(found)["a"] is not None


def test_a_reply_without_text_is_the_items_failure(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def empty(self: Loud, source: Any, **more: Any) -> Any:
        raise EmptyCompletion("The model answered nothing.")

    monkeypatch.setattr(Loud, "vary", empty)
    made(engineer, study)
    assert set(VariationItem.objects.values_list("why", flat=True)) == {
        "The model answered nothing."
    }


def test_another_version_of_a_maker_stops_a_set_that_is_being_made(
    study: Project, engineer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = begun(engineer, study)
    monkeypatch.setattr(Loud, "version", "2")
    fill(found)
    found.refresh_from_db()
    assert found.state == "failed" and "begun with another version" in found.error


def test_of_each_kind_as_many_are_drawn_as_the_recipe_says(
    study: Project, engineer: Person
) -> None:
    made(engineer, study, {"loud": 1}, per_kind=2)
    made(engineer, study, {"picky": 1}, name="second", per_kind=2)
    drawn = VariationItem.objects.filter(sampled=True)
    assert sorted(drawn.values_list("kind", flat=True)) == ["loud", "loud", "picky"]


# ---------------------------------------------------------------- the file


def test_from_its_rows_and_recipe_the_hash_of_a_set_is_computed_again(
    study: Project, engineer: Person
) -> None:
    found = made(engineer, study, {"loud": 2, "picky": 1}, rate=0.7)
    lines = [json.dumps(row) for row in rows_of(found)]
    rows = [json.loads(line) for line in lines]
    assert manifest_hash(found.recipe, rows) == found.sha256
    for row in rows:
        if row["text"] is not None:
            assert hashlib.sha256(row["text"].encode()).hexdigest() == row["text_sha256"]


def test_every_row_has_the_same_fields_and_clean_ones_their_own_text(
    study: Project, engineer: Person
) -> None:
    rows = list(rows_of(made(engineer, study, rate=0.4)))
    assert len({tuple(row) for row in rows}) == 1 and set(SEALED) < set(rows[0])
    clean = [row for row in rows if not row["kind"]]
    assert clean and all(row["text"] == row["original"] for row in clean)


def test_the_ledger_notices_a_text_that_was_changed(study: Project, engineer: Person) -> None:
    made(engineer, study)
    assert first_altered(study) is None and first_broken(study) is None
    Variation.objects.filter(request__key="b").update(text="another")
    altered = first_altered(study)
    assert altered is not None and "variations.sealed" in altered.reason


# ---------------------------------------------------------------- what people wrote


@pytest.fixture
def written(study: Project, annotator_a: Person, annotator_b: Person) -> Project:
    """Two people wrote a paraphrase of a, one of them one of b."""
    paraphrase(study, annotator_a, "a", f"{SECRET} alder revenue 2022")
    paraphrase(study, annotator_b, "a", "how much did alder make in 22")
    paraphrase(study, annotator_b, "b", "alder money fy23")
    return study


def human(engineer: Person, project: Project, which: int = 1) -> VariationSet:
    parameters = {"human": {"which": which}} if which != 1 else {}
    return made(engineer, project, {"human": 1}, name=f"people-{which}", parameters=parameters)


def test_two_paraphrases_of_one_request_are_of_two_people(
    written: Project, engineer: Person
) -> None:
    first, second = texts(human(engineer, written)), texts(human(engineer, written, 2))
    assert first == {"a": f"{SECRET} alder revenue 2022", "b": "alder money fy23", "c": None}
    assert second == {"a": "how much did alder make in 22", "b": None, "c": None}


def rows_with(word: str) -> list[str]:
    return [
        model.__name__
        for model in apps.get_models()
        if any(word in json.dumps(row, default=str) for row in model._default_manager.values())
    ]


def withdraw(project: Project, person: Person) -> None:
    project.consent_text = "Your texts are published."
    project.save()
    consent.give(actor=person, project=project, text_sha256=consent.text_hash(project))
    consent.withdraw(actor=person, project=project)


def test_no_table_holds_a_word_of_who_withdrew_and_the_set_says_so(
    written: Project, engineer: Person, annotator_a: Person
) -> None:
    found = human(engineer, written)
    assert "Variation" in rows_with(SECRET)
    withdraw(written, annotator_a)
    assert rows_with(SECRET) == []
    item = found.items.get(request__key="a")
    assert item.variation is None and "withdrew their consent" in item.why
    assert texts(found)["b"] == "alder money fy23"


def test_a_set_with_a_withdrawn_text_is_still_what_was_sealed(
    written: Project, engineer: Person, annotator_a: Person
) -> None:
    found = human(engineer, written)
    withdraw(written, annotator_a)
    assert first_altered(written) is None
    rows = list(rows_of(found))
    assert manifest_hash(found.recipe, rows) == found.sha256
    assert (rows[0]["text"], rows[0]["text_sha256"]) == (
        None,
        text_hash(f"{SECRET} alder revenue 2022"),
    )


def test_a_text_that_only_vanished_is_noticed(written: Project, engineer: Person) -> None:
    found = human(engineer, written)
    found.items.filter(request__key="a").update(variation=None, why="gone")
    altered = first_altered(written)
    assert altered is not None and "variations.sealed" in altered.reason


def test_who_is_erased_with_their_texts_leaves_none_in_a_set(
    written: Project, engineer: Person, annotator_a: Person
) -> None:
    human(engineer, written)
    erase_person(actor=None, person=annotator_a, texts=True)
    assert rows_with(SECRET) == []
    assert first_altered(written) is None


def test_a_text_that_is_withdrawn_before_the_set_is_made_is_not_in_it(
    written: Project, engineer: Person, annotator_a: Person
) -> None:
    found = begun(engineer, written, {"human": 1})
    withdraw(written, annotator_a)
    fill(found)
    assert texts(found)["a"] == "how much did alder make in 22"


# ---------------------------------------------------------------- blindness


def test_who_may_still_annotate_a_request_of_the_set_is_shown_nothing(
    study: Project, owner: Person, engineer: Person
) -> None:
    found = made(engineer, study)
    set_member(actor=owner, project=study, person=engineer, roles=["engineer", "annotator"])
    study.paraphrases_per_request = 1
    study.save()
    with pytest.raises(Withheld, match="of the 3 requests of this set"):
        require_shown(actor=engineer, of=found)
