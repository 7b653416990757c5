"""The request as a statement: "I want to know who …"."""

import random

from evaluation.variations.base import Check, register
from evaluation.variations.base import in_catalogue as _
from evaluation.variations.english import AUXILIARIES, WH_WORDS, words_of
from evaluation.variations.phrased import PhrasedMaker
from evaluation.variations.questions import Indirect

OPENINGS = ("I want to know", "I would like to know", "I need to know", "I wish to know")
FURTHER = ("I also want to know", "I would also like to know", "I also need to know")
INSTRUCTION = (
    "Rewrite the question as a statement that says what the speaker wants to know or is looking "
    "for, such as 'I want to know who …' or 'I am looking for the year in which …'. Keep every "
    "name, number, date, quotation, comparison, negation and condition exactly. Do not answer it. "
    "Do not add anything. It must not end with a question mark and must not begin with a question "
    "word or an auxiliary verb. Write the statement on one line and nothing else."
)


@register("declarative", version="1")
class DeclarativeMaker(PhrasedMaker):
    """The question as a statement of what somebody wants to know, by rules.

    The question becomes an indirect one in the right word order, behind one of a few openings that
    the draws choose. Where no rule applies surely there is no variation, with the reason, or a
    language model is asked if `model` allows it.

    Source: Jang et al. 2026, arXiv 2604.10745: "statement of desire or knowledge". It printed no
    prompt; the rules are our own.
    """

    category = _("Is it a statement, not a question and not a command?")
    instruction = INSTRUCTION

    def say(self, found: Indirect, draws: random.Random) -> str:
        opening = draws.choice(FURTHER if found.also else OPENINGS)
        comma = "" if found.text.startswith(",") else " "
        return f"{opening}{comma}{found.text}."

    def form(self, text: str) -> Check:
        words = words_of(text)
        first = words[0].lower() if words else ""
        begins = first.split("'")[0].split("\u2019")[0]
        fault = ""
        if text.rstrip(" \"'\u201d\u2019)").endswith("?"):
            fault = "It ends with a question mark, so it is no statement."
        elif begins in WH_WORDS | AUXILIARIES:
            fault = f'It begins with "{first}", so it is no statement.'
        return Check("statement_form", "1", not fault, fault)
