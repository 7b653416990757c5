"""Whom words refer to: themselves when they name somebody or something; a pronoun or a bare "the
company" only where the earlier turns name exactly one that it can be. Pure.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from contracts import language as languages

# Of longer earlier turns a mark would wait too long, and they seldom name one thing only.
READ = 400
RECENT = 2  # turns back in which a name must stand to be meant
_PEOPLE = frozenset("he him his himself she her hers herself".split())
_THINGS = frozenset("it its itself".split())
_OPEN = frozenset(
    "i me my you your we us our they them their theirs this that these those one ones both each "
    "such who whom whose which".split()
) | {"the former", "the latter", "the same", "the one", "the ones"}
_KINDS = {
    "company": "ORG", "firm": "ORG", "organisation": "ORG", "organization": "ORG", "bank": "ORG",
    "agency": "ORG", "university": "ORG", "team": "ORG", "band": "ORG", "group": "ORG",
    "country": "GPE", "city": "GPE", "state": "GPE", "town": "GPE",
    "person": "PERSON", "man": "PERSON", "woman": "PERSON", "author": "PERSON",
    "film": "WORK_OF_ART", "movie": "WORK_OF_ART", "book": "WORK_OF_ART", "song": "WORK_OF_ART",
}  # fmt: skip
_DESCRIBED = re.compile(r"(?i)(?:the|this|that) (?:same )?(?P<noun>[a-z]+)(?:['’]s)?")
_NAMES = frozenset("ORG PERSON GPE LOC FAC NORP PRODUCT EVENT WORK_OF_ART LAW".split())


def first_referent(words: str, texts: Sequence[str]) -> dict[str, Any]:
    """Return the name, and the turn that settles it where the words themselves do not name it."""
    said = " ".join(words.casefold().split())
    described = _DESCRIBED.fullmatch(said)
    kind = _KINDS.get(described["noun"]) if described else None
    if said in _OPEN:
        return {}
    if said not in _PEOPLE | _THINGS and kind is None:
        return {"name": words}
    return _only_candidate(said, "PERSON" if said in _PEOPLE else kind, texts)


def _only_candidate(said: str, kind: str | None, texts: Sequence[str]) -> dict[str, Any]:
    """The one name of the earlier turns, if there is no second capitalised word that might be it
    too: the model overlooks names.
    """
    candidates: dict[str, tuple[str, str, int]] = {}
    if not texts or not _stands_in(said, texts[-1]):  # of an earlier turn, the earlier are fewer
        return {}
    if sum(len(text) for text in texts[:-1]) > READ:
        return {}
    for turn, text in enumerate(texts[:-1]):
        if not languages.reads_as_english(text):
            return {}
        parsed = languages.parsed_english(text, wait=False)
        if parsed is None:
            return {}
        for name, label in _named(text, parsed):
            candidates.setdefault(name.casefold(), (name, label, turn))
        if kind is None and _other_things(text, parsed):
            return {}
    if len(candidates) != 1:
        return {}
    name, label, turn = next(iter(candidates.values()))
    # A name from further back may have been left for another thing in between.
    recent = any(name in text for text in texts[-1 - RECENT : -1])
    return {"name": name, "from_turn": turn} if recent and _fits(label, kind) else {}


def _fits(label: str, kind: str | None) -> bool:
    """Whether a name of this label can be meant; the model overlooks companies the most."""
    if kind is None:
        return label != "PERSON"
    return label == kind or kind == "ORG" and not label


def _other_things(text: str, parsed: languages.Parsed) -> bool:
    """Whether a turn speaks of anything that "it" may be and that is no name: "the franchise"."""
    names = [(name.start, name.end) for name in parsed.names]
    return any(
        token.tag in ("NN", "NNS")
        and token.text.isalpha()
        and not any(start <= token.start < end for start, end in names)
        for token in parsed.tokens
    )


def _stands_in(said: str, text: str) -> bool:
    return said in " ".join(text.casefold().split())


def _named(text: str, parsed: languages.Parsed) -> Iterator[tuple[str, str]]:
    """The names of a turn with their labels, and with an empty label the runs of proper nouns that
    are part of none.
    """
    for name in parsed.names:
        if name.label in _NAMES:
            yield _bare(text[name.start : name.end]), name.label
    run: list[languages.Token] = []
    for token in parsed.tokens:
        covered = any(name.start <= token.start < name.end for name in parsed.names)
        proper = token.tag in ("NNP", "NNPS") and token.text.isalpha() and not covered
        if run and (not proper or token.start - run[-1].end > 1):
            yield text[run[0].start : run[-1].end], ""
            run = []
        if proper:
            run.append(token)
    if run:
        yield text[run[0].start : run[-1].end], ""


def _bare(name: str) -> str:
    name = re.sub(r"['’]s?$", "", name.strip())
    return re.sub(r"(?i)^the\s+(?=\S)", "", name)
