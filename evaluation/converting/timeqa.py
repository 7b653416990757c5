"""From human-written TimeQA questions to twin pairs of the family date.

The source has `corpus.jsonl` (doc_id, title, para, text: every paragraph of a page) and
`questions.jsonl` (qid, page, relation, question, answers, gold_doc_ids, answerable). Chen, Wang and
Wang, "A Dataset for Answering Time-Sensitive Questions" (NeurIPS 2021). No Django here.

A pair is two questions of one page whose words are the same but for one time ("from 1912 to 1949",
"in Dec 1922"), with different answers and with gold paragraphs of which none is shared. Of such a
group one question is the base, the one with the most possible twins, and every possible twin of it
makes a pair: pairs of a group share their base. The contract of both has the same referent (the
page's title, on the words that name it) and a time that differs.

What this cannot do: questions that somebody worded anew for each time make no pair, nor do those
that name the page in other words than its title. The gold paragraphs are those in which the
annotators found the answer; another paragraph may say it too, so evidence recall is a lower bound.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.converting.source import ConvertedPairs, Row, needed

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:(?P<{0}m>[A-Z][a-z]{{2,8}})\s+)?(?P<{0}y>1\d{{3}}|20\d{{2}})\b"
_FIRST, _LAST = _MONTH.format("a"), _MONTH.format("b")
_TIME = re.compile(
    rf"\b(?:from\s+(?:the\s+year\s+)?|between\s+|(?:in|during)\s+(?:the\s+years?\s+)?){_FIRST}"
    rf"(?:\s+(?:to|until|till|and|through|-|–)\s+{_LAST})?",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*", re.UNICODE)

NO_ANSWER = "questions without an answer on their page"
NO_TIME = "questions without exactly one time that can be read"
NO_NAME = "questions that do not name their page by its title"
ALONE = "questions that no other question differs from by its time alone"
SAME_ANSWER = "questions whose answer is also an answer of their group's base"
SAME_EVIDENCE = "questions that share a gold paragraph with their group's base"


@dataclass(frozen=True, slots=True)
class _Question:
    key: str
    page: str
    text: str
    answers: tuple[str, ...]
    gold: tuple[str, ...]
    name: tuple[int, int]
    time: tuple[int, int]
    value: Mapping[str, Any]

    @property
    def pattern(self) -> tuple[str, str]:
        """The page and the question's words without its time: equal for what may be twins."""
        rest = f"{self.text[: self.time[0]]} @ {self.text[self.time[1] :]}"
        return self.page, " ".join(rest.casefold().split())


def convert(
    documents: Iterable[Mapping[str, Any]], questions: Iterable[Mapping[str, Any]]
) -> ConvertedPairs:
    """Return corpus, requests, contracts and twins in the order of the source, and what was left
    out. Raises SourceError for a row that lacks a field.
    """
    corpus, titles = _corpus(documents)
    left_out: Counter[str] = Counter()
    groups: dict[tuple[str, str], list[_Question]] = defaultdict(list)
    for number, row in enumerate(questions, start=1):
        found = _read(row, number, titles)
        if isinstance(found, str):
            left_out[found] += 1
        else:
            groups[found.pattern].append(found)
    requests: list[Row] = []
    contracts: list[Row] = []
    twins: list[Row] = []
    for group in groups.values():
        base, others = _paired(group, left_out)
        if not others:
            continue
        for question in (base, *others):
            requests.append(_request(question))
            contracts.append(_contract(question, titles[question.page]))
        twins += [_twin(base, other) for other in others]
    return ConvertedPairs(corpus, tuple(requests), tuple(contracts), tuple(twins), dict(left_out))


def read_time(text: str) -> tuple[int, int, dict[str, Any]] | None:
    """Return start, end and typed value of the only time in `text`; None if there is not exactly
    one, or its parts are in the wrong order.

    >>> read_time("She lived where from Dec 1922 to 1949?")[2]["start"]
    '1922-12'
    """
    found = list(_TIME.finditer(text))
    if len(found) != 1:
        return None
    match = found[0]
    first, last = _point(match, "a"), _point(match, "b")
    if first is None or (match["by"] and last is None):
        return None
    if last is None:
        single = {"relation": "during", "start": first, "end": None, "calendar": "calendar"}
        return (*match.span(), single) if match[0][:2].lower() in ("in", "du") else None
    if last < first:
        return None
    value = {"relation": "between", "start": first, "end": last, "calendar": "calendar"}
    return (*match.span(), value)


def find_name(text: str, title: str) -> tuple[int, int] | None:
    """Return where `text` names what a page is about: the longest run of the title's words (without
    its bracket), at least half of them; None if there is none.

    >>> find_name("Canth lived where?", "Minna Canth")
    (0, 5)
    """
    wanted = [word.casefold() for word in _WORD.findall(re.sub(r"\s*\(.*\)$", "", title))]
    words = list(_WORD.finditer(text))
    asked = [word[0].casefold() for word in words]
    for size in range(len(wanted), (len(wanted) + 1) // 2 - 1, -1):
        for at in range(len(wanted) - size + 1 if size else 0):
            run = wanted[at : at + size]
            for place in range(len(asked) - size + 1):
                if asked[place : place + size] == run and any(len(word) > 2 for word in run):
                    return words[place].start(), words[place + size - 1].end()
    return None


def _corpus(documents: Iterable[Mapping[str, Any]]) -> tuple[tuple[Row, ...], dict[str, str]]:
    rows, titles = [], {}
    for number, document in enumerate(documents, start=1):
        key, title, text = needed(document, ("doc_id", "title", "text"), "corpus.jsonl", number)
        page = key.rpartition("#")[0]
        titles[page] = title
        rows.append({"_id": key, "title": title, "text": text, "metadata": {"page": page}})
    return tuple(rows), titles


def _read(row: Mapping[str, Any], number: int, titles: Mapping[str, str]) -> _Question | str:
    """A question, or why it is left out."""
    names = ("qid", "page", "question", "answers", "gold_doc_ids")
    key, page, text, answers, gold = needed(row, names, "questions.jsonl", number)
    if not answers or not gold:
        return NO_ANSWER
    time = read_time(text)
    if time is None:
        return NO_TIME
    name = find_name(text, titles.get(page, ""))
    if name is None or (name[0] < time[1] and time[0] < name[1]):
        return NO_NAME
    return _Question(
        key.removeprefix("/wiki/"), page, text, tuple(answers), tuple(gold), name, time[:2], time[2]
    )


def _point(match: re.Match[str], which: str) -> str | None:
    year, month = match[f"{which}y"], match[f"{which}m"]
    if not year:
        return None
    if not month:
        return str(year)
    short = month.lower()[:3]
    return f"{year}-{_MONTHS.index(short) + 1:02}" if short in _MONTHS else None


def _paired(
    group: Sequence[_Question], left_out: Counter[str]
) -> tuple[_Question, list[_Question]]:
    """The base of a group and its twins; the others are counted by why they are none."""
    base = max(group, key=lambda one: sum(_fault(one, other) is None for other in group))
    twins: list[_Question] = []
    for other in group:
        if other is base:
            continue
        fault = _fault(base, other)
        if fault is None:
            twins.append(other)
        else:
            left_out[fault] += 1
    if not twins:
        left_out[ALONE] += 1
    return base, twins


def _fault(base: _Question, other: _Question) -> str | None:
    if base.value == other.value:
        return ALONE
    if {_folded(one) for one in base.answers} & {_folded(one) for one in other.answers}:
        return SAME_ANSWER
    return SAME_EVIDENCE if set(base.gold) & set(other.gold) else None


def _folded(answer: str) -> str:
    return " ".join(_WORD.findall(answer.casefold()))


def _request(question: _Question) -> Row:
    return {
        "id": question.key,
        "class": "dated-fact",
        "turns": [],
        "text": question.text,
        "answers": list(question.answers),
        # Each gold paragraph holds one of several answers, and any of them answers the question.
        "evidence": [sorted(question.gold)],
        "metadata": {"page": question.page},
    }


def _contract(question: _Question, title: str) -> Row:
    start, end = question.name
    name, said = re.sub(r"\s*\(.*\)$", "", title), question.text[start:end]
    aliases = [said] if said.casefold() != name.casefold() else []
    referent = {"name": name, "aliases": aliases, "from_turn": None, "unresolved": False}
    return {
        "request": question.key,
        "version": 1,
        "constraints": [
            _constraint("c1", "referent", question.name, referent),
            _constraint("c2", "time", question.time, question.value),
        ],
        "ambiguity": {"unresolved": False, "readings": []},
        "admissible_rewrites": [],
    }


def _constraint(
    key: str, kind: str, place: tuple[int, int], value: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "id": key,
        "kind": kind,
        "materiality": "critical",
        "span": {"turn": 0, "start": place[0], "end": place[1]},
        "value": dict(value),
        "admissible": [],
    }


def _twin(base: _Question, other: _Question) -> Row:
    return {
        "id": f"{base.key} / {other.key}",
        "family": "date",
        "base": base.key,
        "twin": other.key,
        "constraint": "c2",
    }
