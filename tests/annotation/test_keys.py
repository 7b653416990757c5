"""The keys of the desk: defaults, each person's own, clashes, and their page."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotation import keys
from annotation.models import Person
from annotation.services.preferences import choose_keys, reset_keys
from annotation.services.projects import Refused

ClientOf = Callable[[Person], Client]


def test_no_two_acts_share_a_default_key() -> None:
    assert keys.clashes(keys.keys_of({})) == []


def test_an_act_with_a_taken_key_is_not_registered() -> None:
    with pytest.raises(ValueError, match="that of later"):
        keys.register(keys.Act("leave", "l", "leave"))
    assert "leave" not in keys.ACTS


def test_whoever_chose_nothing_has_the_defaults() -> None:
    assert keys.keys_of(None) == {name: act.key for name, act in keys.ACTS.items()}


def test_ones_own_key_takes_the_place_of_the_default() -> None:
    assert keys.keys_of({"later": "ü"})["later"] == "ü"


def test_a_default_that_somebody_gave_to_another_act_is_nobodys_twice() -> None:
    own = keys.keys_of({"undo": "l"})
    assert (own["undo"], own["later"]) == ("l", "")


@pytest.mark.parametrize("key", ["é", "ß", "я", "Z", ";", "?"])
def test_letters_of_any_script_and_a_few_signs_can_be_keys(key: str) -> None:
    assert keys.is_usable(key)


@pytest.mark.parametrize("key", ["", "7", " ", "ab", "\t", "Enter", "٣", None, 5])
def test_digits_blanks_and_names_cannot_be_keys(key: object) -> None:
    assert not keys.is_usable(key)


@pytest.mark.parametrize("stored", ["broken", {"later": 5}, {"nothing-known": "k"}, ["l"]])
def test_broken_preferences_leave_the_defaults(stored: object) -> None:
    assert keys.keys_of(stored)["later"] == "l"


def test_only_what_is_not_the_default_is_stored(annotator_a: Person) -> None:
    choose_keys(actor=annotator_a, chosen={"later": "w", "undo": "z"})
    annotator_a.refresh_from_db()
    assert annotator_a.preferences == {"keys": {"later": "w"}}


def test_a_clash_is_refused_with_a_sentence_that_names_both_acts(annotator_a: Person) -> None:
    with pytest.raises(Refused, match="“t” is the key of both “undo the last change” and “time”"):
        choose_keys(actor=annotator_a, chosen={"undo": "t"})


def test_two_acts_may_swap_their_keys(annotator_a: Person) -> None:
    choose_keys(actor=annotator_a, chosen={"mark_time": "r", "mark_referent": "t"})
    own = keys.keys_of(annotator_a.preferences["keys"])
    assert (own["mark_time"], own["mark_referent"]) == ("r", "t")


def test_setting_back_gives_every_act_its_first_key(annotator_a: Person) -> None:
    choose_keys(actor=annotator_a, chosen={"later": "w"})
    reset_keys(actor=annotator_a)
    assert keys.keys_of(annotator_a.preferences["keys"])["later"] == "l"


def _all(**chosen: str) -> dict[str, str]:
    return {name: act.key for name, act in keys.ACTS.items()} | chosen


def test_the_page_saves_the_chosen_keys(annotator_a: Person, client_of: ClientOf) -> None:
    page = client_of(annotator_a)
    answer = page.post("/account/keys/", _all(later="w"))
    assert (answer.status_code, answer["Location"]) == (302, "/account/keys/")
    assert 'name="later" value="w"' in page.get("/account/keys/").content.decode()


def test_the_page_refuses_a_clash_and_keeps_what_was_typed(
    annotator_a: Person, client_of: ClientOf
) -> None:
    answer = client_of(annotator_a).post("/account/keys/", _all(later="t"))
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "“t” is the key of both" in html
    assert html.count('aria-invalid="true"') == 2
    annotator_a.refresh_from_db()
    assert annotator_a.preferences == {}


def test_the_page_sets_all_back(annotator_a: Person, client_of: ClientOf) -> None:
    choose_keys(actor=annotator_a, chosen={"later": "w"})
    client_of(annotator_a).post("/account/keys/", _all(later="y", reset="1"))
    annotator_a.refresh_from_db()
    assert annotator_a.preferences == {"keys": {}}


def test_the_account_page_leads_to_the_keys(annotator_a: Person, client_of: ClientOf) -> None:
    assert 'href="/account/keys/"' in client_of(annotator_a).get("/account/").content.decode()


def test_one_persons_keys_are_not_anothers(
    annotator_a: Person, annotator_b: Person, client_of: ClientOf
) -> None:
    choose_keys(actor=annotator_a, chosen={"later": "w"})
    html = client_of(annotator_b).get("/account/keys/").content.decode()
    assert 'name="later" value="l"' in html
