"""Status: approved or proposed, draft or final, planned or actual."""

from collections.abc import Iterator

from contracts.twins.flips import Asked, Flip, Known
from contracts.twins.words import cased, only_place, replaced

# Words that are each other's decisive rival. One word may have several.
PAIRS: tuple[tuple[str, str], ...] = (
    ("approved", "proposed"), ("approved", "rejected"), ("draft", "final"),
    ("provisional", "final"), ("preliminary", "final"), ("planned", "actual"),
    ("estimated", "actual"), ("budgeted", "actual"), ("forecast", "actual"),
    ("expected", "actual"), ("audited", "unaudited"), ("licensed", "unlicensed"),
    ("signed", "unsigned"), ("published", "unpublished"), ("confirmed", "unconfirmed"),
    ("confirmed", "suspected"), ("certified", "uncertified"), ("adopted", "proposed"),
    ("accepted", "rejected"), ("active", "inactive"), ("open", "closed"), ("ongoing", "completed"),
    ("pending", "completed"), ("restated", "original"), ("revised", "original"),
    ("amended", "original"), ("official", "unofficial"), ("binding", "non-binding"),
    ("valid", "expired"), ("current", "former"), ("interim", "permanent"), ("paid", "unpaid"),
    ("genehmigt", "beantragt"), ("geplant", "tatsächlich"), ("vorläufig", "endgültig"),
    ("provisoire", "définitif"), ("approuvé", "proposé"), ("aprobado", "propuesto"),
)  # fmt: skip
# What happened, as verbs that are written alike: "when did the board approve", "was approved".
VERBS: tuple[tuple[str, str], ...] = (
    ("approve", "propose"), ("approve", "reject"), ("adopt", "propose"), ("adopt", "reject"),
    ("accept", "reject"), ("open", "close"), ("announce", "complete"), ("appoint", "dismiss"),
    ("award", "cancel"),
)  # fmt: skip


def propose_status(asked: Asked, known: Known) -> Iterator[Flip]:
    """The status in the words for one of its rivals, of the contract first, then of the tables."""
    said = " ".join(asked.value["value"].split())
    rivals = [str(one) for one in asked.value.get("rivals") or ()]
    at = only_place(said, asked.text, asked.span)
    others = [(one, said, one) for one in [*rivals, *_rivals(PAIRS, said.lower())]] if at else []
    others += [(cased(value, said), words, new) for value, words, new in _verbs(said.lower())]
    done = set()
    for value, words, new in others:
        at = only_place(words, asked.text, asked.span)
        alike = len(new.split()) == len(words.split()) and value.lower() != said.lower()
        if not at or not alike or (value.lower(), new) in done:
            continue
        done.add((value.lower(), new))
        edits = [asked.edit(*at, cased(new, asked.text[slice(*at)]))]
        turn = {"value": value} | _told(asked, rivals, said, value)
        yield from asked.flip("status", edits, turn, carry=replaced(words, new))


def _told(asked: Asked, rivals: list[str], said: str, value: str) -> dict[str, list[str]]:
    """The twin's rivals: the old status stands where the new one stood."""
    told = [said if one.lower() == value.lower() else one for one in rivals]
    return {"rivals": told} if "rivals" in asked.value else {}


def _rivals(table: tuple[tuple[str, str], ...], word: str) -> Iterator[str]:
    """The words that a table has beside a word, in its order."""
    for one, other in table:
        if word in (one, other):
            yield other if word == one else one


def _verbs(said: str) -> Iterator[tuple[str, str, str]]:
    """For a status that is a verb's participle: the rival status, and each form that may say the
    status, with the rival's form.
    """
    for verb in dict.fromkeys(word for pair in VERBS for word in pair):
        if said != _forms(verb)[2]:
            continue
        for rival in _rivals(VERBS, verb):
            for form, other in zip(_forms(verb), _forms(rival), strict=True):
                yield _forms(rival)[2], form, other


def _forms(verb: str) -> tuple[str, str, str, str]:
    """A regular verb: approve, approves, approved, approving."""
    if verb == "cancel":
        return verb, "cancels", "cancelled", "cancelling"
    stem = verb.removesuffix("e")
    third = f"{verb}es" if verb.endswith("ss") else f"{verb}s"
    return verb, third, f"{stem}ed", f"{stem}ing"
