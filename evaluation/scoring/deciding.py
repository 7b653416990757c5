"""What the words of several people on one item come to. Pure: values in, values out."""

from collections.abc import Sequence


def who_decides(words: Sequence[str], *, judges: int) -> int | None:
    """Return the place, among the standing words on one item in the order in which they were given,
    of the one that settles it: the first; of two `judges` the second if it is one that was said
    before, and else the third, whatever it is. None while it is not settled.
    """
    for at, word in enumerate(words):
        if judges == 1 or word in words[:at] or at >= 2:
            return at
    return None
