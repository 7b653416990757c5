"""Denials of several things in a row: which of them a negation reaches."""

from evaluation.scoring.preservation import lexicon
from evaluation.scoring.preservation.finding import Reading
from evaluation.scoring.preservation.text import Text
from evaluation.scoring.preservation.wording import negator_before

_JOINING = ("and", "or", "nor", "neither", "either", "both")
# Negations of things, which deny each of those that "or" joins; of verbs that is not sure.
_LACKING = frozenset("lack lacks lacking lacked".split())
_OF_THINGS = _LACKING | {"no", "without", "neither", "nor"}
_ARTICLES = ("a", "an", "the", "any")


def separate(text: Text, nearer: lexicon.Found, farther: lexicon.Found) -> bool:
    """Whether each of two negations has a thing of its own ("no library and no museum"), so that
    they do not cancel."""
    between = [word.text for word in text.words[farther.end : nearer.first]]
    stop = lexicon.words("stopwords")
    joined = between[-1:] and between[-1] in ("and", "or", "nor")
    if _leaves_out(text, nearer) and _says_not(text, farther):
        return any(word not in stop for word in between)
    return bool(joined) and any(word not in stop for word in between[:-1])


def _says_not(text: Text, cue: lexicon.Found) -> bool:
    """Whether a cue denies the one word behind "is": "is not free", and not "is not only"."""
    before = text.words[cue.first - 1].text if cue.first else ""
    after = text.words[cue.end].text if cue.end < len(text) else ""
    plain = cue.end == cue.first + 1 and text.words[cue.first].text == "not"
    return plain and before in ("is", "are", "was", "were") and after not in ("only", "all", "just")


def _leaves_out(text: Text, cue: lexicon.Found) -> bool:
    """Whether a cue only ever leaves out what follows it ("not free except on Sundays")."""
    found = lexicon.phrases("exclusions_plain").starting_at(text, cue.first)
    return found is not None and found.end == cue.end and found.meaning != "loose"


def goes_over(text: Text, cue: lexicon.Found, at: int, known: frozenset[str]) -> bool:
    """Whether a negation or exclusion before a row of things covers the one at word `at` as well:
    "without a library or a museum", "excluding cheese and butter".

    The things before it must be among the `known` roots. Not sure, and so false: "without a
    library and a museum", "no library or a museum".
    """
    between = text.words[cue.end : at]
    said = [word.text for word in between]
    if any(sign in word.gap for word in between for sign in ",;.:?!()"):
        return False
    joins = [i for i, word in enumerate(said) if word in ("and", "or", "nor")]
    if len(joins) != 1 or any(word not in _ARTICLES for word in said[joins[0] + 1 :]):
        return False
    first, stop = said[: joins[0]], lexicon.words("stopwords")
    plain = [
        root
        for word, root in zip(first, text.roots[cue.end : cue.end + joins[0]], strict=True)
        if word not in stop and word not in _JOINING
    ]
    if not plain or not known.issuperset(plain):
        return False
    cue_word, join = text.words[cue.end - 1].text, said[joins[0]]
    if cue_word == "no" and said[joins[0] + 1 :]:
        return False
    if lexicon.phrases("exclusions").ending_at(text, cue.end) and cue_word != "without":
        return join != "nor"
    having = said[0] in ("have", "has", "had") and negator_before(text, cue.end, "verb")
    if cue_word not in _OF_THINGS and not having:
        return False
    return join != "and" or cue_word in _LACKING and said[0] == "both"


def as_asked(reading: Reading, text: Text, first: int, end: int) -> bool:
    """Whether the words from a negation to the target are those of the request, one by one."""
    words = [word.text for word in text.words[first:end]]
    asked = [word.text for word in reading.asked.words]
    return any(asked[at : at + len(words)] == words for at in range(len(asked)))


def both_asked(text: Text, at: int, roots: list[str]) -> bool:
    """ "with or without collateral", "native and non-native": both sides of the denial at `at`."""
    joined = at > 1 and text.words[at - 1].text in ("and", "or")
    return joined and (text.words[at - 2].text == "with" or text.roots[at - 2] in roots)


def neither_nor(text: Text) -> bool:
    """Whether a text has a "neither", whose "nor" cancels nothing."""
    return "neither" in {word.text for word in text.words}
