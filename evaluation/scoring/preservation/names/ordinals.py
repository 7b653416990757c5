"""Names with an ordinal: "6th Symphony" and "Symphony No. 6" for "Sixth Symphony"."""

from collections.abc import Iterator

from evaluation.scoring.preservation.text import Text, read_text

ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
         "tenth", "eleventh", "twelfth"), 1
    )
}  # fmt: skip
_SUFFIXES = ("st", "nd", "rd", "th")
_NUMBER = ("no", "nr", "number")


def numbered(text: Text, name: Text) -> Iterator[tuple[Text, int, int]]:
    """Yield where a name of an ordinal word and other words stands with the number in digits."""
    at = next((i for i, word in enumerate(name.words) if word.text in ORDINALS), None)
    if at is None or len(name) < 2:
        return
    number, before, after = ORDINALS[name.words[at].text], name.stems[:at], name.stems[at + 1 :]
    for place, word in enumerate(text.words):
        if word.text.rstrip("stndrh") != number:
            continue
        end = place + 1
        glued = word.text != number
        if end < len(text) and text.words[end].text in _SUFFIXES and text.words[end].adjacent:
            end, glued = end + 1, True
        first = place - len(before)
        whole = first >= 0 and text.stems[first:place] == before
        if glued and whole and text.stems[end : end + len(after)] == after:
            yield text, first, end + len(after)
        elif not glued and not before:
            marked = place > 0 and text.words[place - 1].text in _NUMBER
            head = place - marked - len(after)
            if marked and head >= 0 and text.stems[head : place - marked] == after:
                yield text, head, end


def other_ordinal(text: Text, name: Text) -> str:
    """The words of a text that are the name with another ordinal ("6th Sonata" for "Fifth
    Sonata"), where its own is nowhere; or ""."""
    at = next((i for i, word in enumerate(name.words) if word.text in ORDINALS), None)
    if at is None or len(name) < 2 or name.words[at].text in text.vocabulary:
        return ""
    for word in ORDINALS:
        if word == name.words[at].text:
            continue
        other = read_text(" ".join((*name.stems[:at], word, *name.stems[at + 1 :])))
        places = [(first, first + len(other)) for first in text.find(other)]
        places += [(first, end) for _, first, end in numbered(text, other)]
        if places:
            return text.quote(*places[0])
    return ""
