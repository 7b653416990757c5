"""Compared sets side by side: one query each, or with the request's own verb between them."""

from collections.abc import Iterator

from evaluation.scoring.preservation.comparisons.compared_sets import found_at
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.text import Text, read_text
from evaluation.scoring.preservation.wording import content, content_roots


def one_query_each(sets: list[str], measure: str, reading: Reading) -> str:
    """Return the first of the queries that ask the same of each set, each of one set alone
    ("Kelz fares", "Varn fares"), or "" where there are none.

    What they ask has no word that the request lacks, and every word of the measure.
    """
    wanted = set(content_roots(read_text(measure)))
    asked: dict[str, dict[frozenset[str], str]] = {name: {} for name in sets}
    for text in reading.queries:
        named = [name for name in sets if found_at(name, sets, text)]
        if len(named) != 1:
            continue
        own = set(read_text(named[0]).roots)
        rest = frozenset(text.roots[i] for i in content(text)) - own
        if rest and wanted <= rest and rest <= reading.granted_roots:
            asked[named[0]].setdefault(rest, text.raw)
    common = set.intersection(*(set(one) for one in asked.values()))
    return next((query for rest, query in asked[sets[0]].items() if rest in common), "")


def by_own_verb(sets: list[str], reading: Reading) -> Iterator[tuple[str, str]]:
    """Yield "same" or "other" with a quote for each query that has the verb of the request between
    two sets ("does A outlast B"), the sets in its order or in the other one."""
    asked = _between(sets, reading.asked)
    if asked is None or not asked[1] or set(asked[1]) & _JOINING:
        return
    for text in reading.queries:
        found = _between(sets, text)
        if found and found[1] == asked[1]:
            yield "same" if found[0] == asked[0] else "other", text.quote(*found[2])


_JOINING = {"and", "or", "vs", "versus", "v", "with", "than", "both", "as", "either", "nor"}


def _between(
    sets: list[str], text: Text
) -> tuple[list[str], tuple[str, ...], tuple[int, int]] | None:
    """The two sets in the order of a text, the roots between them, and where all of it stands."""
    places = [(place, name) for name in sets if (place := found_at(name, sets, text))]
    if len(sets) != 2 or len(places) != 2:
        return None
    (one, first), (other, second) = sorted(places)
    own = {stem for name in sets for stem in read_text(name).stems}
    articles = ("the", "a", "an")
    between = [
        i
        for i in range(one[1], other[0])
        if text.stems[i] not in own and text.words[i].text not in articles
    ]
    return [first, second], tuple(text.roots[i] for i in between), (one[0], other[1])
