"""SuRe: candidate answers, a summary for each, and the candidate whose summary holds best.

The prompts are here and nowhere else; their texts and hashes are frozen with the pipeline.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from evaluation.pipelines._mixing import likeliest
from evaluation.pipelines._prompts import messages, numbered
from evaluation.pipelines._trail import Trail
from evaluation.pipelines.base import Entry, Kit, Outcome, Pipeline, register
from evaluation.readers.base import Passage
from evaluation.readers.prompted import PASSAGE
from evaluation.records import Answer

CANDIDATES = (
    "Read the passages and give two candidates for the answer to the question, each of a few words "
    "only, in the form: (a) first candidate (b) second candidate. Write nothing else."
)
SUMMARY = (
    "Write a short summary of what the passages say that supports the given answer to the "
    "question. Use only the passages. Write the summary and nothing else."
)
VALIDITY = (
    "Does the summary correctly support the given answer to the question? Write True or False and "
    "nothing else."
)
PREFERENCE = (
    "Which of the two summaries says more that answers the question? Write Summary 1 or Summary 2 "
    "and nothing else."
)
ASKED = {
    "asked_candidates": "{passages}\n\nQuestion: {question}\nCandidates:",
    "asked_summary": "{passages}\n\nQuestion: {question}\nGiven answer: {candidate}\nSummary:",
    "asked_validity": (
        "Question: {question}\nGiven answer: {candidate}\nSummary: {summary}\nTrue or False:"
    ),
    "asked_preference": (
        "Summary 1: {first}\nSummary 2: {second}\nQuestion: {question}\nSummary 1 or Summary 2:"
    ),
}
COUNT = 2

# Not the "(s)" of "author(s)", nor the "(d)" of "vitamin (d)".
_MARK = re.compile(r"(?<!\w)\(\s*([abc])\s*\)", re.IGNORECASE)
_VERDICT = re.compile(r"\b(true|false)\b", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:summary|passage)\s*#?\s*([12])\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SureParameters:
    """How long each reply may be, in tokens, and what the model gets to read. A cut reply is kept.

    `candidate_tokens`: the reply with the candidates.
    `summary_tokens`: each summary.
    `verdict_tokens`: each verdict, of a summary or between two.
    `max_passage_words`: words of each passage that are shown; the rest of it is cut.
    """

    candidate_tokens: int = 64
    summary_tokens: int = 192
    verdict_tokens: int = 12
    max_passage_words: int = 200

    def __post_init__(self) -> None:
        if min(self.candidate_tokens, self.summary_tokens, self.verdict_tokens) < 1:
            raise ValueError("candidate_tokens, summary_tokens, verdict_tokens must be at least 1.")
        if self.max_passage_words < 1:
            raise ValueError("max_passage_words must be at least 1.")


@register("sure", version="1")
class SurePipeline(Pipeline):
    """Two candidates, a summary that supports each, and the candidate that scores best.

    A candidate scores 1 when its summary is judged True, and with every other summary 1 when its
    own, put first, is preferred, 0 when the other is and 0.5 when the reply names neither. The
    highest sum wins, the first on a tie. Of a reply the first word that decides counts. A single
    candidate, or two that are alike, is ranked with none; without any the answer is empty, which is
    wrong and no abstention. Two candidates take 7 calls of the model, one takes 3.

    It takes the likeliest token each time. The kit's reader is not used; where it is the reader
    "local", the same model is asked.

    Source: Kim et al. 2024, "SuRe: Summarizing Retrievals using Answer Candidates for Open-domain
    QA of LLMs", arXiv 2404.13081; a baseline of QE-RAG (Zhang et al. 2025, arXiv 2504.04062), which
    prints no prompt. The four steps, their forms and the scores are SuRe's; the wording is ours.
    """

    Parameters = SureParameters
    parameters: SureParameters
    needs_model = True

    def prompts(self) -> Mapping[str, str]:
        return {
            "candidates": CANDIDATES,
            "summary": SUMMARY,
            "validity": VALIDITY,
            "preference": PREFERENCE,
            "passage": PASSAGE,
            **ASKED,
        }

    def run(self, entry: Entry, kit: Kit) -> Outcome:
        trail = Trail(kit)
        passages = trail.search(entry.searched)
        if not passages:
            return trail.outcome(Answer(text=None), passages)
        asking = _Asking(trail, self.parameters, " ".join(entry.shown.split()), passages)
        reply = asking.candidates()
        candidates = candidates_in(reply)
        if not candidates:
            return trail.outcome(Answer(text=""), passages, candidates=[], reply=reply)
        summaries = [asking.summary(candidate) for candidate in candidates]
        valid = [
            float(is_true(asking.validity(candidate, summary)))
            for candidate, summary in zip(candidates, summaries, strict=True)
        ]
        preferred = {
            (first, second): preference(asking.preference(summaries[first], summaries[second]))
            for first, second in permutations(range(len(candidates)), 2)
        }
        totals = total_scores(valid, preferred)
        return trail.outcome(
            Answer(candidates[likeliest(totals)]),
            passages,
            candidates=candidates,
            reply=reply,
            summaries=summaries,
            validity=valid,
            preferences=[[*pair, value] for pair, value in preferred.items()],
            totals=totals,
        )


class _Asking:
    """The four prompts about one question."""

    def __init__(
        self, trail: Trail, parameters: SureParameters, question: str, passages: Sequence[Passage]
    ) -> None:
        self._trail = trail
        self._parameters = parameters
        self._question = question
        self._passages = passages

    def candidates(self) -> str:
        limit = self._parameters.candidate_tokens
        return self._said(CANDIDATES, "asked_candidates", limit, self._passages)

    def summary(self, candidate: str) -> str:
        limit = self._parameters.summary_tokens
        said = self._said(SUMMARY, "asked_summary", limit, self._passages, candidate=candidate)
        return " ".join(said.split())

    def validity(self, candidate: str, summary: str) -> str:
        limit = self._parameters.verdict_tokens
        about = {"candidate": candidate, "summary": summary}
        return self._said(VALIDITY, "asked_validity", limit, (), **about)

    def preference(self, first: str, second: str) -> str:
        limit = self._parameters.verdict_tokens
        return self._said(PREFERENCE, "asked_preference", limit, (), first=first, second=second)

    def _said(
        self,
        instruction: str,
        asked: str,
        limit: int,
        passages: Sequence[Passage],
        **about: str,
    ) -> str:
        def build(shown: Sequence[Passage]) -> list[Mapping[str, str]]:
            told = numbered(shown, self._parameters.max_passage_words)
            text = ASKED[asked].format(passages=told, question=self._question, **about)
            return messages(instruction, text, "user")

        return self._trail.ask(build, passages, max_tokens=limit).text


def candidates_in(reply: str) -> list[str]:
    """Return the candidates of a reply "(a) x (b) y": at most two, no two alike, in order.

    What stands before the first mark is talk; a candidate ends at its line's end.
    """
    marked = _MARK.split(reply)[2::2]
    lines = [text.strip().splitlines()[:1] for text in marked]
    found: dict[str, str] = {}
    for line in lines:
        candidate = " ".join(" ".join(line).split()).strip(" ,;*\"'")
        if candidate:
            found.setdefault(candidate.casefold(), candidate)
    return list(found.values())[:COUNT]


def is_true(reply: str) -> bool:
    """Return whether the first verdict in a reply is True; without one it is not."""
    found = _VERDICT.search(reply)
    return found is not None and found[1].lower() == "true"


def preference(reply: str) -> float:
    """Return 1 when the first summary that a reply names is Summary 1, 0 when it is Summary 2, and
    0.5 when it names none.
    """
    found = _CHOICE.search(reply)
    if found is None:
        return 0.5
    return 1.0 if found[1] == "1" else 0.0


def total_scores(
    validity: Sequence[float], preferred: Mapping[tuple[int, int], float]
) -> list[float]:
    """Return validity and sum of the row of each candidate.

    `preferred` holds, for an ordered pair, how the first one's summary did when it stood first.
    """
    return [
        valid + sum(value for (first, _second), value in preferred.items() if first == place)
        for place, valid in enumerate(validity)
    ]
