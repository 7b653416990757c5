"""Words of a rewrite that say a word of the target otherwise: its synonym, noun or adjective."""

from dataclasses import replace
from functools import cache

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.standings.statuses import is_slip
from evaluation.scoring.preservation.text import Text, Word, read_text, root
from evaluation.scoring.preservation.wording import content, negator_before, without_prefix


@cache
def _groups() -> dict[str, frozenset[str]]:
    table = lexicon.table("synonyms")
    return {read_text(word).roots[0]: frozenset(names.split()) for word, names in table.items()}


@cache
def kindred(one: str) -> frozenset[str]:
    """Return the roots that say the same as a root, itself among them."""
    own = _groups().get(one, frozenset())
    return frozenset({one, *(r for r, names in _groups().items() if names & own)})


def mended(reading: Reading, text: Text, target: Text) -> Text:
    """The text with each slip in a word of the target, its noun, its adjective and its synonyms
    read as that word; its quotes are the same."""
    wanted = [(target.words[i], target.roots[i]) for i in content(target)]
    found = [
        word
        if one in reading.known_roots
        else next(
            (said for w, r in wanted if (said := _read_as(word, one, w, r) or _able(text, at, w))),
            word,
        )
        for at, (word, one) in enumerate(zip(text.words, text.roots, strict=True))
    ]
    return text if tuple(found) == text.words else text.with_words(found)


def _read_as(word: Word, one: str, wanted: Word, wanted_root: str) -> Word | None:
    """The word as a word of the target, or as its denial ("inappropriate" for "unsuitable")."""
    if _says(word, one, wanted, wanted_root):
        return replace(word, text=wanted.text, stem=wanted.stem)
    bare = without_prefix(word.stem)
    if bare and bare != wanted_root and bare in kindred(wanted_root):
        return replace(word, text=f"un{wanted.text}", stem=f"un{wanted.stem}")
    return None


def _says(word: Word, one: str, wanted: Word, wanted_root: str) -> bool:
    if one in kindred(wanted_root):
        return one != wanted_root
    if len(wanted.text) <= 4:
        return False
    return is_slip(word.text, wanted.text) or _noun_of(word, wanted) or _adjective_of(word, wanted)


def _noun_of(word: Word, target: Word) -> bool:
    """ "insulation" for "insulated", "registration" for "registered": the noun in -ation of a verb
    in -ate or -er."""
    if not word.text.endswith("ation"):
        return False
    heads = [word.text[:-3]]
    if word.text.endswith("ration"):
        heads.append(f"{word.text[:-6]}er")
    return target.text in {h + ending for h in heads for ending in ("", "e", "ed", "ing", "es")}


def _adjective_of(word: Word, target: Word) -> bool:
    """ "alcoholic" for "alcohol", "tolerant" for "tolerate"."""
    if word.text.endswith("ic"):
        return word.text[:-2] in (target.text, target.stem)
    return word.text.endswith("ant") and target.text in {
        word.text[:-3] + ending for ending in ("ate", "ated", "ating", "e", "")
    }


def _able(text: Text, at: int, target: Word) -> Word | None:
    """The word as a target in -able whose verb or noun is denied right here: "cannot be refunded"
    and "no refunds" for "not refundable"."""
    word = text.words[at]
    bare = target.text.removesuffix("able")
    if bare == target.text or root(word.stem) not in (bare, root(bare), root(f"{bare}e")):
        return None
    if word.text.endswith("ed"):
        passive = at > 0 and text.words[at - 1].text == "be"
        denying = negator_before(text, at - 1, "verb") if passive else None
        cannot = denying and text.words[denying.first].text[:3] in ("can", "cou")
    else:
        cannot = at > 0 and text.words[at - 1].text in ("no", "without")
    return replace(word, text=target.text, stem=target.stem) if cannot else None


def banning(one: str) -> bool:
    """Whether a root says a ban: "prohibit", "forbid"."""
    return one in kindred(root("ban"))


def allowing(one: str) -> bool:
    """Whether a root says a permission: "allow", "permit"."""
    return one in kindred(root("allow"))
