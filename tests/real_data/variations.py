"""Measure query variations on public data and write docs/query-variations.md:

python -m tests.real_data.variations [--write] [--without-training | --only-training]
    [--trained FILE] [--corrector FILE]

Training takes long and is a step of its own: --trained is what `python -m
tests.real_data.training_measures FOLDER` printed, --corrector what `python -m
tests.real_data.corrector_measures --base FOLDER` did. Without one of them, or with
--without-training, the page keeps what it has of it; with --only-training it keeps all others.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

PAGE = Path(__file__).parents[2] / "docs" / "query-variations.md"
_END = "\n\nMeasured in "
NEEDED = {
    "multihop-hotpotqa": "HotpotQA",
    "multihop-2wiki": "2WikiMultiHopQA",
    "noiseqa": "NoiseQA",
    "dl-typo": "DL-Typo",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.real_data.variations")
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--without-training", action="store_true", help="keep the page's trained")
    part.add_argument("--only-training", action="store_true", help="keep all that is not trained")
    parser.add_argument("--trained", type=Path, help="what was printed of trained retrievers")
    parser.add_argument("--corrector", type=Path, help="what was printed of a trained corrector")
    given = parser.parse_args()

    import django

    django.setup()
    from django.test.utils import setup_databases, teardown_databases

    from tests.real_data.sources import is_here

    absent = [title for folder, title in NEEDED.items() if not is_here(folder)]
    if absent:
        sys.exit(
            f"Not on this machine: {', '.join(absent)}. The page is written from all data sets or "
            "not at all: put their folders beside the others and start again."
        )
    began = time.monotonic()
    if given.only_training:  # nothing runs
        _put(_page(given, Path(), lambda: 0.0), write=given.write)
        return
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        with tempfile.TemporaryDirectory() as folder:
            text = _page(given, Path(folder), lambda: time.monotonic() - began)
    finally:
        teardown_databases(databases, verbosity=0)
    _put(text, write=given.write)


def _put(text: str, *, write: bool) -> None:
    if write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)


def _page(given: argparse.Namespace, folder: Path, seconds: Callable[[], float]) -> str:
    from tests.real_data import variations_page as page
    from tests.real_data import variations_training as training
    from tests.real_data.__main__ import machine

    kept = _kept()
    if given.only_training:
        sections = [text for title, text in kept.items() if title not in training.TITLES]
        end = _ended()
    else:
        sections = [
            page.growth(),
            page.damage(),
            page.hotpotqa_sets(),
            page.noiseqa(),
            page.correctors(folder),
        ]
        end = page.ending(machine(), seconds())
    for title, file, told in (
        (training.RETRIEVERS, given.trained, training.retrievers_as_told),
        (training.CORRECTOR, given.corrector, training.corrector_as_told),
    ):
        new = file is not None and not given.without_training
        sections.append(told(file) if new else kept.get(title) or training.not_measured(title))
    return page.page(sections, end)


def _kept() -> dict[str, str]:
    """The sections of the page as it is, by their titles."""
    if not PAGE.exists():
        return {}
    _head, *sections = PAGE.read_text(encoding="utf-8").split("\n## ")
    named = {one.partition("\n")[0]: f"## {one}".strip() for one in sections}
    return {title: text.partition(_END)[0] for title, text in named.items()}


def _ended() -> str:
    """The last line of the page as it is."""
    if not PAGE.exists():
        sys.exit("There is no page yet whose tables could be kept: leave --only-training out.")
    return PAGE.read_text(encoding="utf-8").rpartition("\n\n")[2].strip()


if __name__ == "__main__":
    main()
