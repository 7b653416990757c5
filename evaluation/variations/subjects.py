"""Where the subject of an inverted question ends, and the question in the order of a statement.

Pure. spaCy's small model errs where a noun may be a verb and where a participle follows its noun:
what it says is checked, and what is not sure is None.
"""

from dataclasses import replace

from contracts.language import Token
from evaluation.variations import verbs
from evaluation.variations.base import CannotVary
from evaluation.variations.clauses import (
    ADVERBIAL,
    PREPOSITIONS,
    PRONOUNS,
    STRANDED,
    UNSURE,
    Clause,
)
from evaluation.variations.english import (
    AUXILIARIES,
    BE,
    DO,
    HAVE,
    MODALS,
    WH_WORDS,
    is_adverb,
    parse_english,
)

# Base forms that end as past forms do.
_ENDS_IN_ED = frozenset(
    "need feed seed bleed breed succeed proceed exceed embed shed speed wed".split()
)
_END_IN_ING = frozenset("bring cling fling ring sing spring sting string swing wring".split())
_NEVER_VERBS = frozenset(
    "that and or but nor a an the this these those his her its their our my your no not every each "
    "some any all both one two three four five six seven eight nine ten than if because".split()
)


class Inverted(Clause):
    """A question whose verb stands before its subject."""

    def subject_end(self, aux: int) -> int | None:
        """Return where the subject ends that begins right after the verb at `aux`; None when the
        verb has no subject after it, or it is not plain.
        """
        if self.low(aux + 1) in PRONOUNS:
            plain = self.low(aux) not in DO or may_be_base(self._verb_at(aux + 2), self.low(aux))
            return aux + 2 if plain else None
        end = self._subject_in(self.tokens, aux)
        if end is None:
            end = self._subject_tried(aux)
        if end is None or (self.low(aux) in HAVE and self.low(end) == "born"):
            return None  # "which film has the director born first" has no verb of its own
        return next((n for n in range(aux + 2, end) if self.low(n) == "both"), end)

    def _verb_at(self, place: int) -> str:
        """Return the first word from `place` on that is no adverb; "" when none is left."""
        return next((token.text for token in self.tokens[place:] if not is_adverb(token)), "")

    def _subject_tried(self, aux: int) -> int | None:
        """Return the one place before a verb at which the sentence, in the order of a statement,
        is read with all before it as the subject: spaCy takes "did the defense surrender" for
        nouns, and reads "the defense surrendered" well.
        """
        found = []
        first = aux + 1 + (self.low(aux + 1) in ("n't", "not"))
        for place in range(first + 1, len(self.tokens)):
            token = self.tokens[place]
            alone = self.text[token.start - 1] == " " and self.text[token.end : token.end + 1] in (
                "",
                " ",
                ",",
            )
            if not alone or not token.text.isalpha() or not token.text.islower():
                continue
            if token.text in PREPOSITIONS | STRANDED:
                continue
            if self._reads_as_statement(aux, first, place):
                found.append(place)
        # Names and plurals end a subject more surely than other nouns do.
        plain = ("NNP", "NNPS", "NNS", "PRP")
        if not found or (len(found) > 1 and self.tag(found[0] - 1) not in plain):
            return None
        place = found[0]
        changed = (
            replace(self.tokens[place], tag="VB") if self.low(aux) in DO else self.tokens[place]
        )
        self.tokens = (*self.tokens[:place], changed, *self.tokens[place + 1 :])
        return place

    def _reads_as_statement(self, aux: int, first: int, place: int) -> bool:
        moved, word = self.low(aux), self.tokens[place].text
        if moved in HAVE and self.tokens[aux].dep == "ROOT" and self.low(aux - 1) == "who":
            return False  # "who had the house known as it": it is the only verb
        if place == first + 1 and self.tag(first) == "NN" and moved in DO:
            return False  # "what actor did sign language": it is no subject
        fitting: tuple[str, ...] = ("VB", "VBP", "NN", "JJ", "RB")
        if moved in BE | HAVE:
            fitting = ("VBN", "VBD", "RB", "VBG") if moved in BE else ("VBN", "VBD", "RB")
        if moved not in DO and self.tag(place) not in fitting:
            return False
        subject, after = self.span(first, place), self.span(place + 1, len(self.tokens))
        if moved in DO:
            if not may_be_base(word, moved):
                return False
            said = f"{subject} {_with(moved, word)} {after}"
        elif moved in BE | HAVE | MODALS:
            said = f"{subject} {moved} {word} {after}"
        else:
            return False
        tokens = parse_english(f"{said.strip()}.").tokens
        verb = place - first
        if verb >= len(tokens) - 1 or not tokens[verb].tag.startswith(("VB", "MD")):
            return False
        root = verb if tokens[verb].dep == "ROOT" else tokens[verb].head
        if tokens[root].dep != "ROOT" or root < verb:
            return False
        if moved not in DO | BE and tokens[verb].dep not in ("aux", "auxpass"):
            return False
        if moved in BE and tokens[verb].dep not in ("aux", "auxpass", "ROOT"):
            return False
        return any(
            t.dep in ("nsubj", "nsubjpass")
            and t.head == root
            and t.first == tokens[0].start
            and t.last == tokens[verb - 1].end
            for t in tokens[:verb]
        )

    def _subject_in(self, tokens: tuple[Token, ...], aux: int) -> int | None:
        count = len(tokens)
        start = aux + 1
        while start < count and (
            tokens[start].tag == "RB" and tokens[start].text.lower() in ("n't", "not")
        ):
            start += 1
        if start >= count:
            return None
        holders = {aux, tokens[aux].head} if tokens[aux].dep in ("aux", "auxpass") else {aux}
        for token in tokens[start:]:
            if token.dep not in ("nsubj", "nsubjpass", "expl", "attr") or token.head not in holders:
                continue
            if token.first != tokens[start].start or token.text.lower() == "both":
                continue
            end = next((n for n in range(start, count) if tokens[n].start >= token.last), count)
            return self._checked_end(tokens, aux, tokens.index(token), start, end)
        return None

    def _checked_end(
        self, tokens: tuple[Token, ...], aux: int, head: int, start: int, end: int
    ) -> int | None:
        """Cut off what the parser gave the subject and is no part of it; None when not sure."""
        count = len(tokens)
        low = tokens[aux].text.lower()
        if tokens[head].tag in ("PRP", "EX"):
            return head + 1
        for place in range(head + 1, end):
            word = tokens[place].text.lower()
            if word == "both" or (word == "than" and self._compares(aux)):
                end = place
                break
            if word in ADVERBIAL and word not in ("as", "since"):
                end = place
                break
            if (
                tokens[head].tag.startswith("NNP")
                and word in ("during", "in", "at", "on", "before", "after")
                and low in BE
                and tokens[aux].dep not in ("aux", "auxpass")
            ):
                end = place
                break
        if low in BE | {"'s", "\u2019s"}:
            end = self._before_participle(tokens, aux, head, end)
        while (
            end < count
            and self.text[tokens[end].start - 1] != " "
            and tokens[end].text in "\"'\u201d\u2019)"
        ):
            end += 1
        if end < count and (self.text[tokens[end].start - 1] != " " or tokens[end].text in ",;:"):
            return None
        if low in DO:
            verb = next((n for n in range(end, count) if not is_adverb(tokens[n])), None)
            if verb is None or tokens[verb].tag not in ("VB", "VBP", "VBN", "VBD"):
                return None
            if not may_be_base(tokens[verb].text, low):
                return None
        elif low in MODALS | HAVE or tokens[aux].dep in ("aux", "auxpass"):
            wanted: tuple[str, ...] = ("VB",) if low in MODALS else ("VBN", "VBD")
            if low in BE:
                wanted = ("VBN", "VBD", "VBG", "VB")
            verb = next((n for n in range(end, count) if not is_adverb(tokens[n])), None)
            if verb is None or not tokens[verb].tag.startswith(wanted):
                return None
        elif end < count and (tokens[end].text.lower() in AUXILIARIES):
            return None
        return end

    def _compares(self, aux: int) -> bool:
        """Whether the phrase that asks has a comparative: "how much heavier"."""
        return any(token.tag in ("JJR", "RBR") for token in self.tokens[:aux])

    def _before_participle(self, tokens: tuple[Token, ...], aux: int, head: int, end: int) -> int:
        """Return where the subject of "be" ends before the participle that belongs to "be", which
        the parser gave to the subject: "when was the King … born".
        """
        aided = {t.head for t in tokens if t.dep in ("aux", "auxpass")}
        objects = {t.head for t in tokens if t.dep == "dobj"}
        free = [
            n
            for n in range(head + 1, end)
            if tokens[n].dep in ("acl", "relcl", "advcl", "ccomp", "dep", "ROOT", "conj")
            and n not in aided
            and (tokens[n].tag == "VBN" or tokens[n].head == head)
            and (tokens[n].tag == "VBN" or (tokens[n].tag == "VBG" and n not in objects))
        ]
        free += [
            n
            for n in range(head + 1, end)
            if tokens[n].tag == "JJ" and tokens[n].head == head and self.tag(n + 1) in ("IN", "TO")
        ]
        if end < len(tokens) and tokens[end].tag in ("VBN", "VBG"):
            return end
        if self.tag(aux - 1) == "JJ" and self.low(aux - 1) not in ("long", "often", "far"):
            return end  # "how large was the region": the adjective belongs to "be" already
        last = len(tokens) - 1
        if end > last > head and (
            tokens[last].text.lower() in ("called", "named")
            or (tokens[last].tag == "VBN" and last not in aided and tokens[last].dep != "amod")
            or (tokens[last].tag == "VBG" and self.low(last - 1) not in PREPOSITIONS)
        ):
            return last
        if len(free) != 1:
            return end
        cut = free[0]
        while cut > head + 1 and is_adverb(tokens[cut - 1]):
            cut -= 1
        return cut

    def _uninverted(self, aux: int, end: int) -> str:
        """Return the subject, then the verb, then the rest; "did" goes into its verb."""
        moved = self.tokens[aux].text.lower()
        start = aux + 1
        denied = self.low(start) in ("n't", "not")
        start += denied
        subject = self.span(start, end)
        two = any(self.low(n) == "and" for n in range(start, end))
        if moved == "does" and two and self._verb_at(end) in ("have", "share"):
            moved = "do"  # "what does the one and the other have in common"
        if moved in ("'s", "\u2019s"):
            if self.tokens[aux].dep != "ROOT" and self.tag(end) == "VBN":
                raise CannotVary(f'{UNSURE}: its "\'s" may be "is" or "has".')
            moved = "is"
        if moved not in DO or denied:
            moved = f"{moved} not" if denied else moved
            return " ".join(
                part for part in (subject, moved, self.span(end, len(self.tokens))) if part
            )
        verb = next(n for n in range(end, len(self.tokens)) if not is_adverb(self.tokens[n]))
        joined = {
            n
            for n, token in enumerate(self.tokens)
            if token.dep == "conj"
            and token.head == verb
            and token.tag in ("VB", "VBP")
            and n > verb
        }
        pieces, at = [], self.tokens[end].start
        for place in sorted({verb, *joined}):
            token = self.tokens[place]
            pieces += [self.text[at : token.start], _with(moved, token.text)]
            at = token.end
        return f"{subject} {''.join(pieces)}{self.text[at:]}"


def verb_after_do(question: str) -> tuple[str, int, str] | None:
    """Return the first "do", "does" or "did" of a question without its mark that stands before its
    subject, and the place and text of the verb that it helps; None where that is not sure.
    """
    clause = Inverted(question)
    aux = next((n for n in range(min(8, len(clause.tokens))) if clause.low(n) in DO), None)
    if aux is None or (end := clause.subject_end(aux)) is None:
        return None
    for place in range(end, len(clause.tokens)):
        if not is_adverb(clause.tokens[place]):
            return clause.low(aux), place, clause.tokens[place].text
    return None


def _with(did: str, verb: str) -> str:
    if did == "did":
        return verbs.past(verb)
    return verbs.third_person(verb) if did == "does" else verb


def may_be_base(word: str, did: str) -> bool:
    """Whether a word can be the base form that "did" goes into."""
    lower = word.lower()
    if not lower.isalpha() or len(lower) < 2 or lower in AUXILIARIES - {"have", "do"}:
        return False
    if lower in PREPOSITIONS | WH_WORDS | PRONOUNS | _NEVER_VERBS:
        return False
    if lower.endswith("ing") and lower not in _END_IN_ING:
        return False
    if lower in verbs.pasts() or (lower.endswith("ed") and lower not in _ENDS_IN_ED):
        return False
    return did != "does" or not lower.endswith("s") or lower.endswith("ss")
