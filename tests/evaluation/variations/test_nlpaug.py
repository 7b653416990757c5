"""What is known of nlpaug 1.1.11, from its source, and what the adapter makes of it."""

import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.variations import _nlpaug
from evaluation.variations._nlpaug import Settings, can_edit, drawn, edit, round_trip
from evaluation.variations.spelling import without_noise
from tests.evaluation.variations.typing_texts import LONG

LIBRARY = {
    "spelling": Settings("spelling"),
    "keyboard": Settings("keyboard", shortest=4),
    "visual": Settings("visual", least_characters=2),
}
CLEANED = Settings("spelling", tokens="spaces", reverse=False, clean=without_noise)
ROOT = Path(__file__).parents[3]
# The language model libraries are kept out: nlpaug does without them, and they take long to load.
IN_A_PROCESS = """
import json, sys
sys.modules["torch"] = sys.modules["transformers"] = None
from evaluation.variations import Source, build_maker
made = {
    f"{kind} {mode} {seed}": build_maker(kind, {"mode": mode})
    .vary(Source(key, sys.argv[1]), seed=seed).to_json()
    for kind in ("spelling", "keyboard", "visual")
    for mode in ("paper", "protect")
    for key in ("q1", "q2")
    for seed in range(5)
}
print(json.dumps(made, sort_keys=True))
"""


# QE-RAG: 30 % of the words; in nlpaug a count, ceil(.3 * tokens) between 1 and 10.
@pytest.mark.parametrize(
    ("tokens", "words"), [(1, 1), (3, 1), (4, 2), (10, 3), (11, 4), (33, 10), (34, 10), (90, 10)]
)
def test_the_share_of_words_is_a_count_rounded_up(tokens: int, words: int) -> None:
    assert drawn(tokens, 0.3) == words
    text = " ".join(["language"] * tokens)
    how = Settings("keyboard", tokens="spaces", shortest=4, keys="letters")
    assert len(edit(text, how, random.Random(1)).edited) == words


@pytest.mark.parametrize("error", LIBRARY)
def test_the_library_itself_draws_the_same_text_from_the_same_seed(error: str) -> None:
    augmenter = _nlpaug._augmenter(LIBRARY[error])
    for seed in range(10):
        random.seed(seed)
        assert augmenter.augment(LONG)[0] == edit(LONG, LIBRARY[error], random.Random(seed)).text


@pytest.mark.parametrize("error", LIBRARY)
def test_the_global_random_numbers_are_neither_used_nor_moved(error: str) -> None:
    random.seed(3)
    before = random.getstate()
    first = edit(LONG, LIBRARY[error], random.Random(1)).text
    assert random.getstate() == before
    random.seed(4)
    assert edit(LONG, LIBRARY[error], random.Random(1)).text == first


@pytest.mark.parametrize("error", LIBRARY)
def test_many_threads_make_what_one_makes(error: str) -> None:
    def make(seed: int) -> str:
        random.random()  # what other tasks of the process do
        return edit(LONG, LIBRARY[error], random.Random(seed)).text

    alone = [make(seed) for seed in range(60)]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(make, range(60))) == alone


def test_every_process_makes_the_same_whatever_its_hash_seed() -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", IN_A_PROCESS, LONG],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("0", "1", "4242")
    ]
    made = [process.communicate()[0] for process in started]
    assert [process.returncode for process in started] == [0, 0, 0]
    assert made[0] == made[1] == made[2]
    assert any(one["text"] for one in json.loads(made[0]).values())


def test_each_setting_has_a_list_of_its_own() -> None:
    both_ways = _nlpaug._augmenter(Settings("spelling")).model.dict
    one_way = _nlpaug._augmenter(Settings("spelling", reverse=False)).model.dict
    # Counted in the library's file: 12,978 words, 57,690 with their misspellings as words.
    assert (len(one_way), len(both_ways)) == (12_978, 57_690)
    assert all(written == sorted(written) for written in both_ways.values())


def test_the_list_has_noise_that_cleaning_takes_out() -> None:
    noisy = _nlpaug._augmenter(Settings("spelling")).model.dict
    clean = _nlpaug._augmenter(CLEANED).model.dict
    assert "[[th" in noisy["the"]
    assert {"lost", "past"} <= set(noisy["last"])
    assert "[[compagny" in noisy["company"]
    assert not any("[" in written for words in clean.values() for written in words)
    assert "compagny" in clean["company"]
    assert not {"lost", "past"} & set(clean["last"])


def test_a_key_splits_a_word() -> None:
    # The neighbours of "u" in the library's map have a blank before their "t".
    assert " t" in _nlpaug._augmenter(LIBRARY["keyboard"]).model.predict("u")
    made = [edit("ruuuu ruuuu", LIBRARY["keyboard"], random.Random(s)).text for s in range(60)]
    assert any(len(text.split()) > 2 for text in made)


# By hand from the library's expressions: it parts at every non-word character, puts blanks between
# the parts, and takes them out again before marks at the end and after or before brackets.
@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("the U.S. Senate", "the U. S. Senate"),
        ("Singapore's caning", "Singapore ' s caning"),
        ("a well-known man", "a well - known man"),
        ("Who won, and when?", "Who won, and when?"),
    ],
)
def test_the_librarys_tokens_change_the_spacing(text: str, after: str) -> None:
    assert round_trip(text) == after


@given(st.lists(st.sampled_from(["ahead", "of", "well-known", "men's", "U.S."]), min_size=1))
def test_white_space_stays_as_it_was_where_it_parts_the_tokens(words: list[str]) -> None:
    text = "  \n".join(words)
    how = Settings("keyboard", tokens="spaces", shortest=4, keys="letters")
    made = edit(text, how, random.Random(5))
    assert [len(one) for one in text.splitlines()] == [len(one) for one in made.text.splitlines()]


@given(st.text(max_size=40), st.sampled_from(sorted(LIBRARY)), st.integers(0, 99))
def test_what_is_reported_as_edited_is_what_was_edited(text: str, error: str, seed: int) -> None:
    if not text.strip():
        return
    how = LIBRARY[error]
    made = edit(text, how, random.Random(seed))
    assert set(made.edited) <= set(range(len(made.tokens)))
    assert len(made.edited) <= drawn(len(made.tokens), 0.3)
    if not can_edit(text, how):
        assert made.edited == ()
    if not made.edited:
        assert made.text in (text.strip(), round_trip(text))


def test_protected_tokens_are_never_drawn() -> None:
    how = Settings("keyboard", tokens="spaces", shortest=4)
    for seed in range(40):
        made = edit("language (river) mountain", how, random.Random(seed), ["language", "(river)"])
        assert made.edited == (2,)


def test_a_token_is_protected_as_a_whole() -> None:
    how = Settings("keyboard", tokens="spaces", shortest=4)
    assert can_edit("languages", how, ["language"])
    assert not can_edit("language", how, ["language"])
    assert not can_edit("C++? C++?", how, ["C++?"])
