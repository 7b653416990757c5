"""The number under which a person is shown an item leads back to it, for them alone."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Person
from evaluation.item_numbers import number_of, pk_of

ONE, OTHER = Person(pk=1), Person(pk=2)
IDS = st.integers(0, 2**62 - 1)


@given(IDS)
def test_a_number_leads_back_to_its_id(pk: int) -> None:
    assert 0 <= number_of(pk, ONE) < 2**62
    assert pk_of(number_of(pk, ONE), ONE) == pk


def test_neighbours_have_numbers_far_apart_and_every_person_others() -> None:
    numbers = [number_of(pk, ONE) for pk in range(1, 1001)]
    assert len(set(numbers)) == 1000
    assert min(abs(a - b) for a, b in zip(numbers, numbers[1:], strict=False)) > 10**9
    assert not set(numbers) & {number_of(pk, OTHER) for pk in range(1, 1001)}


@given(st.integers(2**62, 2**80))
def test_a_number_that_nobody_was_given_leads_nowhere(number: int) -> None:
    assert pk_of(number, ONE) is None
