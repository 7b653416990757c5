"""CoT-RAG: the model reasons, about errors in the question too, before it answers.

The prompt is here and nowhere else; its text and hash are frozen with the pipeline.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.pipelines._prompts import MARKER, after_marker, messages, numbered
from evaluation.pipelines._trail import Trail
from evaluation.pipelines.base import Entry, Kit, Outcome, Pipeline, register
from evaluation.readers.base import Passage
from evaluation.readers.prompted import ABSTENTION, PASSAGE, Prompting, parse_answer
from evaluation.records import Answer

INSTRUCTION = (
    "Answer the question from the numbered passages only. The question may have spelling, "
    "keyboard or visual typing errors: consider first whether it has any, and what is meant. Then "
    "think step by step about what the passages say. At the end write one line that begins with "
    f'"{MARKER}", then the shortest answer that is complete and the number of the passage in '
    f"square brackets, for example: {MARKER} 12 March [2]. If the passages do not hold the answer, "
    f"write {MARKER} {ABSTENTION}."
)
ASKED = "{passages}\n\nQuestion: {question}\nThoughts:"


@dataclass(frozen=True, slots=True)
class CotParameters(Prompting):
    """Room for the thoughts before the answer."""

    max_tokens: int = 384


@register("cot_rag", version="1")
class CotRagPipeline(Pipeline):
    """One search; the model is told to consider whether the question has errors while it answers.

    It takes the likeliest token each time. The answer is the line after the last "Final answer:";
    a reply without one is an error, and the thoughts are never taken for an answer. The kit's
    reader is not used; where it is the reader "local", the same model is asked.

    Source: the baseline CoT-RAG of Zhang et al. 2025, "QE-RAG", arXiv 2504.04062. It prints no
    prompt and does not say how the answer is taken from the thoughts: the prompt and its marker
    are our own.
    """

    Parameters = CotParameters
    parameters: CotParameters
    needs_model = True

    def prompts(self) -> Mapping[str, str]:
        return {"instruction": INSTRUCTION, "asked": ASKED, "passage": PASSAGE}

    def run(self, entry: Entry, kit: Kit) -> Outcome:
        p = self.parameters
        trail = Trail(kit)
        passages = trail.search(entry.searched)
        if not passages:
            return trail.outcome(Answer(text=None), passages)

        def build(shown: Sequence[Passage]) -> list[Mapping[str, str]]:
            question = " ".join(entry.shown.split())
            asked = ASKED.format(passages=numbered(shown, p.max_passage_words), question=question)
            return messages(INSTRUCTION, asked, p.instruction_in)

        said = trail.ask(build, passages, max_tokens=p.max_tokens)
        if said.truncated and p.on_cut == "error":
            raise trail.failed(f"the reply was cut at {p.max_tokens} tokens", said.text)
        marked = after_marker(said.text)
        if marked is None:
            raise trail.failed(f'the model wrote no line with "{MARKER}"', said.text)
        text, numbers = parse_answer(marked)
        if text == "":
            raise trail.failed(f'the model wrote no answer after "{MARKER}"', said.text)
        cited = [said.shown[n - 1][0].id for n in numbers if 1 <= n <= len(said.shown)]
        answer = Answer(text, tuple(dict.fromkeys(cited)))
        return trail.outcome(answer, said.shown, thoughts=said.text)
