"""Every entry of every word list is read back in its role."""

from collections import Counter

import pytest

from evaluation.scoring.preservation import lexicon
from tests.evaluation.scoring.preservation.roles import ROLES, entries

LISTS = sorted(file.stem for file in lexicon.FOLDER.glob("*.txt"))
EVERY = [(name, *entry) for name in LISTS for entry in entries(name)]


def test_every_list_has_a_check_and_every_check_a_list():
    assert sorted(ROLES) == LISTS


@pytest.mark.parametrize(("name", "phrase", "meaning"), EVERY)
def test_an_entry_is_read_back_in_its_role(name, phrase, meaning):
    if name in ROLES:  # a list without a check fails above, once
        ROLES[name](phrase, meaning)


@pytest.mark.parametrize("name", LISTS)
def test_no_phrase_of_a_list_has_two_meanings(name):
    meanings = {phrase: set() for phrase, _ in entries(name)}
    for phrase, meaning in entries(name):
        meanings[phrase].add(meaning)
    assert [phrase for phrase, found in meanings.items() if len(found) > 1] == []


@pytest.mark.parametrize("name", LISTS)
def test_no_entry_of_a_list_comes_twice(name):
    assert [p for p, times in Counter(p for p, _ in entries(name)).items() if times > 1] == []
