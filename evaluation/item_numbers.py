"""The number by which a person is shown one item to judge: it tells nothing of where the item
stands among the others.

Rows of one arm are written side by side, so their ids would tell which items are of one arm. Each
person gets other numbers: a Feistel network of four rounds (Luby & Rackoff 1988) over 62 bits, with
HMAC under the installation's secret as its round function. Every number has one id, and back.
"""

from django.utils.crypto import salted_hmac

from annotation.models import Person

_HALF = 31  # bits
_MASK = (1 << _HALF) - 1
_ROUNDS = 4


def number_of(pk: int, person: Person) -> int:
    """Return the number, below 2^62, under which the person is shown the row."""
    left, right = pk >> _HALF, pk & _MASK
    for turn in range(_ROUNDS):
        left, right = right, left ^ _mixed(right, turn, person)
    return left << _HALF | right


def pk_of(number: int, person: Person) -> int | None:
    """Return the id of the row that the person is shown as `number`; None if there is no such
    number.
    """
    if number >> 2 * _HALF:
        return None
    left, right = number >> _HALF, number & _MASK
    for turn in reversed(range(_ROUNDS)):
        left, right = right ^ _mixed(left, turn, person), left
    return left << _HALF | right


def _mixed(half: int, turn: int, person: Person) -> int:
    digest = salted_hmac("item to judge", f"{person.pk}/{turn}/{half}", algorithm="sha256")
    return int.from_bytes(digest.digest()[:4], "big") & _MASK
