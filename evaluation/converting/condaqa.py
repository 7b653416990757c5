"""From CondaQA's passages, which people edited to undo a negation, to twin pairs of the family
direction.

The source has `passages.jsonl` (doc_id, passage_id, edit, cue, original_sentence, text) and
`questions.jsonl` (passage_id, labels by edit). Ravichander, Gardner and Marasović, "CONDAQA: A
Contrastive Reading Comprehension Dataset for Reasoning about Negation" (EMNLP 2022). No Django
here.

CondaQA asks one question of two versions of a passage; a pair needs two requests. The construction:
the request is the sentence that differs, as a statement to find the text for, once as the original
has it ("the jury called it illegal") and once as the affirmative version has it ("legal"). Each is
told in one version only, which is its required evidence. The contracts differ in one polarity
constraint: each denies the words that the other has in that place, and its own words are the
admissible form. Nothing is listed or judged by hand; the rule takes a passage when

- some question on it is answered YES for one version and NO for the other;
- the versions are equal but for the original sentence;
- the two sentences differ in one run of words, of at most `LONGEST` on either side (punctuation,
  case and a/an apart), with CondaQA's negation cue in the original's run, and neither run's words
  stand anywhere else in the two sentences, where they would say nothing of what was edited.

Everything else is left out and counted, and so are the other edits of every passage: a paraphrase
would be as good evidence as the original, and a changed scope is surely neither.

What this cannot do: the statement stands word for word in its own passage, so that search by words
is easier here than for the questions of NevIR (Weller, Lawrie and Van Durme, EACL 2024), which
people wrote anew; the figures of the two cannot be compared. A statement asks nothing, so there is
no answer to score.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from evaluation.converting.source import ConvertedPairs, Row, needed

ORIGINAL, AFFIRMATIVE = "original", "affirmative"
LONGEST = 4  # words of a run that still is a qualifier, not another statement

NO_VERSIONS = "passages without both versions"
NOT_OPPOSITE = "passages without a question of opposite answers"
MORE_DIFFERS = "passages of which more than the one sentence differs"
NOT_ONE_RUN = "passages whose sentences do not differ in one short, unrepeated run with the cue"

_TOKEN = re.compile(r"\S+")
_Token = tuple[int, int, str]
_EDGE = re.compile(r"^\W+|\W+$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence and where its decisive words stand in it."""

    text: str
    start: int
    end: int

    @property
    def words(self) -> str:
        return self.text[self.start : self.end]


def convert(
    passages: Iterable[Mapping[str, Any]], questions: Iterable[Mapping[str, Any]]
) -> ConvertedPairs:
    """Return corpus (both versions of every passage), requests, contracts and twins in the order of
    the source, and what was left out. Raises SourceError for a row that lacks a field.
    """
    versions = _versions(passages)
    opposite = _with_opposite_answers(questions)
    left_out: Counter[str] = Counter()
    corpus: list[Row] = []
    requests: list[Row] = []
    contracts: list[Row] = []
    twins: list[Row] = []
    for key, edits in versions.items():
        corpus += [_document(edits[edit]) for edit in (ORIGINAL, AFFIRMATIVE) if edit in edits]
        found = statements(edits) if key in opposite else NOT_OPPOSITE
        if isinstance(found, str):
            left_out[found] += 1
            continue
        ids = [edits[edit]["doc_id"] for edit in (ORIGINAL, AFFIRMATIVE)]
        for own, other, document in zip(found, reversed(found), ids, strict=True):
            requests.append(_request(own, document))
            contracts.append(_contract(own, other, document))
        twins.append(_twin(*ids))
    return ConvertedPairs(
        tuple(corpus), tuple(requests), tuple(contracts), tuple(twins), dict(left_out)
    )


def statements(edits: Mapping[str, Mapping[str, Any]]) -> tuple[Statement, Statement] | str:
    """Return the sentence of both versions with the run of words that differs, or why the rule is
    not sure of it.
    """
    if ORIGINAL not in edits or AFFIRMATIVE not in edits:
        return NO_VERSIONS
    sentence = edits[ORIGINAL]["original_sentence"].strip()
    changed = _changed(sentence, edits[ORIGINAL]["text"], edits[AFFIRMATIVE]["text"])
    if not changed:
        return MORE_DIFFERS
    return one_run(sentence, changed, edits[ORIGINAL]["cue"]) or NOT_ONE_RUN


def one_run(original: str, affirmative: str, cue: str) -> tuple[Statement, Statement] | None:
    """Return both sentences with the only run of words in which they differ; None if there is not
    exactly one, it is too long, the cue is not in the original's, or its words are repeated.

    >>> [s.words for s in one_run("She was an unmarried woman.", "She was a married woman.", "un")]
    ['unmarried', 'married']
    >>> [s.words for s in one_run("It was not opposed.", "It was opposed.", "not")]
    ['not opposed', 'opposed']
    """
    before, after = _tokens(original), _tokens(affirmative)
    matcher = SequenceMatcher(None, [t[2] for t in before], [t[2] for t in after], autojunk=False)
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    if len(changes) != 1:
        return None
    _kind, a, b, c, d = changes[0]
    said = " ".join(token[2] for token in before[a:b])
    if b - a > LONGEST or d - c > LONGEST or cue.casefold() not in said:
        return None
    if c == d:  # words that are only taken away: the next word shows where
        b, d = b + 1, d + 1
    if b > len(before) or d > len(after) or _repeated(before, after, (a, b), (c, d)):
        return None
    return (
        Statement(original, before[a][0], before[b - 1][1]),
        Statement(affirmative, after[c][0], after[d - 1][1]),
    )


def _repeated(
    before: list[_Token], after: list[_Token], ours: tuple[int, int], theirs: tuple[int, int]
) -> bool:
    """Whether the words of either run stand outside the run too; all that is outside is the same in
    both sentences.
    """
    outside = [[t[2] for t in before[: ours[0]]], [t[2] for t in before[ours[1] :]]]
    runs = [t[2] for t in before[slice(*ours)]], [t[2] for t in after[slice(*theirs)]]
    return any(
        part[at : at + len(run)] == run
        for run in runs
        for part in outside
        for at in range(len(part) - len(run) + 1)
    )


def _tokens(text: str) -> list[_Token]:
    """Start, end and form of every word, its punctuation left out; "a" and "an" have one form."""
    found = []
    for match in _TOKEN.finditer(text):
        word = match[0]
        left = len(word) - len(re.sub(r"^\W+", "", word))
        bare = _EDGE.sub("", word)
        if bare:
            start = match.start() + left
            form = "a" if bare.casefold() == "an" else bare.casefold()
            found.append((start, start + len(bare), form))
    return found


def _changed(sentence: str, original: str, affirmative: str) -> str | None:
    """The affirmative version's sentence, where everything round the original's is the same."""
    if not sentence or original.count(sentence) != 1:
        return None
    before, after = original.split(sentence)
    long_enough = len(affirmative) > len(before) + len(after)
    if not (long_enough and affirmative.startswith(before) and affirmative.endswith(after)):
        return None
    found = affirmative[len(before) : len(affirmative) - len(after)].strip()
    return found if found and found != sentence else None


def _versions(passages: Iterable[Mapping[str, Any]]) -> dict[Any, dict[str, Mapping[str, Any]]]:
    names = ("passage_id", "edit", "doc_id", "cue", "original_sentence", "text")
    found: dict[Any, dict[str, Mapping[str, Any]]] = defaultdict(dict)
    for number, row in enumerate(passages, start=1):
        key, edit, *_rest = needed(row, names, "passages.jsonl", number)
        found[key].setdefault(edit, row)
    return found


def _with_opposite_answers(questions: Iterable[Mapping[str, Any]]) -> set[Any]:
    found = set()
    for number, row in enumerate(questions, start=1):
        key, labels = needed(row, ("passage_id", "labels"), "questions.jsonl", number)
        if {labels.get(ORIGINAL), labels.get(AFFIRMATIVE)} == {"YES", "NO"}:
            found.add(key)
    return found


def _document(row: Mapping[str, Any]) -> Row:
    metadata = {"passage": str(row["passage_id"]), "edit": row["edit"]}
    return {"_id": row["doc_id"], "title": "", "text": row["text"], "metadata": metadata}


def _request(own: Statement, document: str) -> Row:
    return {
        "id": f"said-{document}",
        "class": "statement",
        "turns": [],
        "text": own.text,
        "evidence": [[document]],
        "metadata": {},
    }


def _contract(own: Statement, other: Statement, document: str) -> Row:
    constraint = {
        "id": "c1",
        "kind": "polarity",
        "materiality": "critical",
        "span": {"turn": 0, "start": own.start, "end": own.end},
        "value": {"mode": "negate", "target": other.words},
        "admissible": [own.words],
    }
    return {
        "request": f"said-{document}",
        "version": 1,
        "constraints": [constraint],
        "ambiguity": {"unresolved": False, "readings": []},
        "admissible_rewrites": [],
    }


def _twin(base: str, twin: str) -> Row:
    return {
        "id": f"{base} / {twin}",
        "family": "direction",
        "base": f"said-{base}",
        "twin": f"said-{twin}",
        "constraint": "c1",
    }
