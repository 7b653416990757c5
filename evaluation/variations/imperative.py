"""The request as a command: "Tell me who …"."""

import random

from evaluation.variations.base import Check, register
from evaluation.variations.base import in_catalogue as _
from evaluation.variations.english import words_of
from evaluation.variations.phrased import PhrasedMaker
from evaluation.variations.questions import Indirect

CLAUSES = ("Tell me", "Find out", "State", "Let me know")
NOUNS = ("Tell me", "Give", "Give me", "State", "Find")
CHOICES = ("Tell me", "Find out", "State", "Let me know")
FURTHER = ("Tell me also", "Find out also", "Let me also know")
# Base verbs that a command for an answer begins with.
VERBS = frozenset(
    "name list tell find give identify state provide show say describe explain specify report "
    "determine let look search check compare count choose pick locate indicate retrieve supply "
    "share write define".split()
)
INSTRUCTION = (
    "Rewrite the question as a command or request that begins with a verb, such as 'Name …', "
    "'Tell me …', 'Find …', 'Give …' or 'Identify …'. Keep every name, number, date, quotation, "
    "comparison, negation and condition exactly. Do not answer it. Do not add anything. It must "
    "not end with a question mark. Write the command on one line and nothing else."
)


@register("imperative", version="1")
class ImperativeMaker(PhrasedMaker):
    """The question as a command, by rules: "Tell me who …", "Give the name of …", "Name the band
    that …".

    The question becomes an indirect one in the right word order, behind a verb that the draws
    choose among those that fit. Where no rule applies surely there is no variation, with the
    reason, or a language model is asked if `model` allows it.

    Source: Jang et al. 2026, arXiv 2604.10745: "command or request". It printed no prompt; the
    rules and the list of verbs are our own.
    """

    category = _("Is it a command or request that begins with a verb?")
    instruction = INSTRUCTION

    def say(self, found: Indirect, draws: random.Random) -> str:
        ways = [
            f"{verb}{'' if found.text.startswith(',') else ' '}{found.text}"
            for verb in self._verbs(found)
        ]
        if found.asked is not None and not found.also:
            noun, rest = found.asked
            ways += [f"Name the {noun} that {rest}", f"Identify the {noun} that {rest}"]
        return f"{draws.choice(ways)}."

    def form(self, text: str) -> Check:
        words = words_of(text)
        first = words[0].lower() if words else ""
        if first == "please" and len(words) > 1:
            first = words[1].lower()
        fault = ""
        if first not in VERBS:
            fault = f'It begins with "{first}", which is no verb of a command for an answer.'
        elif text.rstrip(" \"'\u201d\u2019)").endswith("?"):
            fault = "It ends with a question mark, so it is no command."
        return Check("command_form", "1", not fault, fault)

    def _verbs(self, found: Indirect) -> tuple[str, ...]:
        if found.text.startswith(","):
            return ("Tell me", "Let me know")
        if found.also:
            return FURTHER
        return {"clause": CLAUSES, "noun": NOUNS, "choice": CHOICES}[found.shape]
