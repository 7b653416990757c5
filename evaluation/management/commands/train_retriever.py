import json
from argparse import ArgumentParser
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.management.sentences import SentenceCommand, project_named
from annotation.models import Corpus
from evaluation.management.training import read_bytes, read_mix
from evaluation.records import Document
from evaluation.registry import PartError
from evaluation.retrieval.embedding import passage_of
from evaluation.training.artefact import Artefact, check_free
from evaluation.training.files import golds_of, passages_of, questions_of
from evaluation.training.pairs import MIX, Corruption, Question, split, training_set
from evaluation.training.retriever import RetrieverSettings, train_retriever
from evaluation.variations.base import build_maker

Passages = Mapping[str, str]
_MIX = ",".join(f"{kind}:{weight}" for kind, weight in MIX.items())


class Command(SentenceCommand):
    help = (
        "Train an embedding model on questions and their gold passages, and write it as an artefact"
        ' for the retriever "trained". With --rate a share of the questions gets typing errors, '
        "which makes it robust to them; without, it is the clean baseline. On the processor: count "
        "with minutes for hundreds of questions."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        default = RetrieverSettings()
        parser.add_argument("--project", help="learn from a project's requests and newest corpus")
        parser.add_argument("--questions", type=Path, help="requests.jsonl or .csv with evidence")
        parser.add_argument("--corpus", type=Path, help="corpus.jsonl")
        parser.add_argument("--output", type=Path, required=True, help="a new folder")
        parser.add_argument(
            "--share",
            type=float,
            default=1.0,
            help="learn from about this share of the questions, by a seeded hash of their ids, and "
            "keep the others for measuring; default: all",
        )
        parser.add_argument("--rate", type=float, default=0.0, help="share with errors, default: 0")
        parser.add_argument("--mix", default=_MIX, help=f"weights of the kinds, default: {_MIX}")
        parser.add_argument("--mode", choices=["paper", "protect"], default="paper")
        parser.add_argument(
            "--anew", action="store_true", help="draw the errors anew for every epoch"
        )
        parser.add_argument("--base", help="a sentence-transformers folder; default: MiniLM")
        parser.add_argument("--epochs", type=int, default=default.epochs)
        parser.add_argument("--batch", type=int, default=default.batch)
        parser.add_argument("--tau", type=float, default=default.tau, help="temperature")
        parser.add_argument("--lr", type=float, default=default.lr, help="learning rate")
        parser.add_argument(
            "--max-tokens",
            type=int,
            default=default.max_tokens,
            help="word pieces of a text that are seen in training; fewer are faster",
        )
        parser.add_argument("--prefix", default="", help="stands before every query")
        parser.add_argument(
            "--threads", type=int, default=default.threads, help="threads of the processor"
        )
        parser.add_argument("--seed", type=int, default=default.seed)
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = self._trained(options)
        except PartError as fault:
            raise CommandError(str(fault)) from fault
        except ValueError as fault:  # what a dataclass of settings or the plan refuses
            raise CommandError(f"It cannot be trained so: {fault}") from fault
        told = {"folder": str(made.folder), "sha256": made.sha256, **made.told}
        if options["json"]:
            self.stdout.write(json.dumps(told, ensure_ascii=False))
            return
        data, losses = made.told["data"], ", ".join(f"{x:.4f}" for x in made.told["losses"])
        self.stdout.write(
            f"{made.folder} is written: {data['questions']} questions, {data['pairs']} pairs, "
            f"{data['epochs'][0]['corrupted']} questions with errors. Mean loss by epoch: {losses}."
        )
        self.stdout.write(
            "Measure it on other questions than these: artefact.json has their ids. Search with it "
            'by the retriever "trained" and its parameter "path", or INTACT_TRAINED_RETRIEVER.'
        )

    def _trained(self, options: dict[str, Any]) -> Artefact:
        settings = RetrieverSettings(
            epochs=options["epochs"],
            batch=options["batch"],
            tau=options["tau"],
            lr=options["lr"],
            max_tokens=options["max_tokens"],
            query_prefix=options["prefix"],
            threads=options["threads"],
            seed=options["seed"],
        )
        corruption = Corruption(options["rate"], read_mix(options["mix"]), options["anew"])
        check_free(options["output"])
        questions, passages = _data(options)
        learnt, _others = split(questions, options["share"], seed=settings.seed)
        data = training_set(
            learnt,
            passages,
            corruption=corruption,
            epochs=settings.epochs,
            seed=settings.seed,
            maker=partial(build_maker, parameters={"mode": options["mode"]}),
        )
        return train_retriever(
            options["output"],
            data,
            passages,
            settings,
            base=options["base"],
            progress=None if options["json"] else self._say,
        )

    def _say(self, epoch: int, step: int, steps: int, loss: float) -> None:
        self.stderr.write(f"epoch {epoch}, step {step} of {steps}: loss {loss:.4f}")


def _data(options: dict[str, Any]) -> tuple[list[Question], Passages]:
    """The questions and the passages, from a project or from two files."""
    questions, corpus = options["questions"], options["corpus"]
    if options["project"]:
        if questions or corpus:
            raise CommandError("Give either --project, or --questions and --corpus.")
        return _of_project(options["project"])
    if not questions or not corpus:
        raise CommandError("Give --questions and --corpus, or --project.")
    return (
        questions_of(read_bytes(questions), questions.name),
        passages_of(read_bytes(corpus), corpus.name),
    )


def _of_project(slug: str) -> tuple[list[Question], Passages]:
    project = project_named(slug)
    corpus = Corpus.objects.latest_of(project)
    if corpus is None:
        raise CommandError(f"“{slug}” has no corpus yet: import one first.")
    rows = project.requests.filter(turns=None).order_by("key")
    questions = [
        Question(key, text, golds_of(evidence), tuple(answers or ()))
        for key, text, evidence, answers in rows.values_list("key", "text", "evidence", "answers")
        if evidence
    ]
    documents = corpus.documents.values_list("key", "title", "text")
    return questions, {
        key: passage_of(Document(key, title, text)) for key, title, text in documents
    }
