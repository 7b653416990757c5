"""What is measured on each data set, and the figures of others that stand beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from tests.real_data import sources
from tests.real_data.studies import Change, Concluded, Estimate, project_of, run_of

ORIGINAL = "original"
SYSTEMS = {
    "vdb": "text-embedding-3-small",
    "lightrag": "LightRAG",
    "nano": "nano-graphrag",
    "graph": "fast-graphrag",
}


@dataclass(frozen=True)
class Beside:
    """The same figure as somebody else has it: a share over `n` requests."""

    value: float
    n: int


@dataclass(frozen=True)
class Figure:
    """One number of a concluded run: a share (0 to 1) over `n` requests, of which `hits` have what
    is counted, where it is a count. `other` is that of another implementation, `change` the paired
    comparison with the same figure of the original.
    """

    key: str
    what: str
    value: float
    n: int
    hits: int | None = None
    other: Beside | None = None
    published: Beside | None = None
    change: Change | None = None


@dataclass(frozen=True)
class Study:
    """A data set: where it lies, its public name and source, and how it is measured. `noted` says
    what the other figures beside it are.
    """

    folder: str
    title: str
    source: str
    noted: str
    measure: Callable[[], list[Figure]]


def whole_questions(name: str) -> list[Figure]:
    """Recall@2 and Recall@5 of BM25 over a data set of multi-hop questions."""
    with project_of(sources.multihop(name)) as project:
        return _bm25(name, run_of(project, k=5))


def musique() -> list[Figure]:
    """The same for MuSiQue, and its gold sub-questions instead of the question."""
    with project_of(sources.multihop("musique")) as project:
        five = run_of(project, "sub-questions", k=5)
        two_each = run_of(project, "sub-questions", k=8, per_query=2)
    arm = "sub-questions"
    whole, each = five.complete(ORIGINAL), two_each.complete(arm)
    question, found = "the question, 5 documents", "gold sub-questions, 5 documents"
    two = "2 documents for each gold sub-question"
    return [
        *_bm25("musique", five),
        _figure("whole-complete", f"{question}: all gold", whole, Beside(0.15, 100)),
        _figure("sub@5", f"{found}: recall", five.recall(arm)),
        _figure("sub-complete@5", f"{found}: all gold", five.complete(arm)),
        _figure("sub-two", f"{two}: recall", two_each.recall(arm), Beside(0.795, 100)),
        _figure("sub-two-complete", f"{two}: all gold", each, Beside(0.61, 100)),
    ]


def cast() -> list[Figure]:
    """The own response of a turn, searched with the turn as it is and with two rewrites."""
    arms = {ORIGINAL: 0.412, "automatic": 0.648, "manual": 0.779}
    said = {
        ORIGINAL: "the raw turn",
        "automatic": "the track's automatic rewrite",
        "manual": "the track's human rewrite",
    }
    with project_of(sources.cast2022()) as project:
        run = run_of(project, "automatic", "manual", k=5)
    return [
        _figure(arm, f"{said[arm]}: Recall@5", run.recall(arm), Beside(other, 199))
        for arm, other in arms.items()
    ]


def hipporag() -> list[Figure]:
    """Saved rankings of four systems, and BM25 over the same corpus."""
    with project_of(sources.hipporag()) as project:
        arms = [f"{system}-{subset}" for subset in (51, 101) for system in SYSTEMS]
        run = run_of(project, *arms, k=8)
    figures = [
        _figure("bm25@2", "BM25: Recall@2", run.recall_at(2, ORIGINAL), Beside(0.562, 101)),
        _figure("bm25@5", "BM25: Recall@5", run.recall_at(5, ORIGINAL), Beside(0.656, 101)),
    ]
    for arm, shares in PUBLISHED_SHARES.items():
        system, _, subset = arm.partition("-")
        for scope, published in zip(("all", "multi-hop"), shares, strict=True):
            what = f"{SYSTEMS[system]}, {subset} questions, {scope}: all gold retrieved"
            found = run.complete(arm, scope)
            beside = Beside(published, _ASKED[subset, scope])
            figures.append(_figure(f"{arm}/{scope}", what, found, published=beside))
    return figures


def mtrag() -> list[Figure]:
    """The last turn of a conversation, and its automatic rewrite."""
    with project_of(sources.mtrag()) as project:
        run = run_of(project, "automatic", k=5)
    last, rewrite = run.recall(ORIGINAL), run.recall("automatic")
    return [
        _figure(ORIGINAL, "the last turn: Recall@5", last, Beside(0.580, 113)),
        _figure("automatic", "the benchmark's rewrite: Recall@5", rewrite, Beside(0.653, 113)),
    ]


def noiseqa() -> list[Figure]:
    """Clean questions and their noisy forms at one and at five documents, each form paired with
    the clean question; and the questions alone that people changed when they typed them again.
    """
    with project_of(sources.noiseqa()) as project:
        found = {depth: run_of(project, *sources.NOISY, k=depth) for depth in (1, 5)}
        return [
            *(
                figure
                for arm in (ORIGINAL, *sources.NOISY)
                for figure in _at_depths(found, arm, _NOISEQA[arm], 1190)
            ),
            *(
                figure
                for arm, others in _RETYPED.items()
                for figure in _at_depths(found, arm, others, 614, scope=sources.CHANGED[True])
            ),
        ]


def _at_depths(
    found: Mapping[int, Concluded],
    arm: str,
    others: tuple[float, ...],
    n: int,
    scope: str = "all",
) -> list[Figure]:
    """An arm's recall of each run, with its change against the original."""
    said = _FORMS[arm] + (", of those changed by typing" if scope != "all" else "")
    return [
        replace(
            _figure(
                f"{arm}@{depth}/{scope}",
                f"{said}: Recall@{depth}",
                run.recall(arm, scope),
                Beside(other, n),
            ),
            change=run.against_original(arm, scope) if arm != ORIGINAL else None,
        )
        for (depth, run), other in zip(found.items(), others, strict=True)
    ]


def _bm25(name: str, run: Concluded) -> list[Figure]:
    """Recall at 2 and 5 of one run of five documents."""
    found = {2: run.recall_at(2, ORIGINAL), 5: run.recall(ORIGINAL)}
    return [
        _figure(
            f"bm25@{depth}",
            f"BM25: Recall@{depth}",
            estimate,
            Beside(other, estimate["n"]),
            Beside(published, 1000),
        )
        for (depth, estimate), (other, published) in zip(found.items(), _BM25[name], strict=True)
    ]


def _figure(
    key: str,
    what: str,
    estimate: Estimate,
    other: Beside | None = None,
    published: Beside | None = None,
) -> Figure:
    value, n, hits = estimate["value"], estimate["n"], estimate["numerator"]
    return Figure(key, what, value, n, hits, other, published)


# Recall@2 and Recall@5, each as another BM25 has it for the same questions over the same
# paragraphs, and as HippoRAG's table (NeurIPS 2024) has it for 1,000 others.
_BM25 = {
    "2wiki": ((0.563, 0.518), (0.671, 0.619)),
    "hotpotqa": ((0.569, 0.554), (0.720, 0.722)),
    "musique": ((0.372, 0.323), (0.465, 0.412)),
}
_ASKED = {("51", "all"): 51, ("51", "multi-hop"): 37, ("101", "all"): 101, ("101", "multi-hop"): 69}
# fast-graphrag, benchmarks/README.md: share of questions of which all gold titles were retrieved,
# over all questions and over the multi-hop ones.
PUBLISHED_SHARES = {
    "vdb-51": (0.49019607843137253, 0.32432432432432434),
    "lightrag-51": (0.47058823529411764, 0.32432432432432434),
    "nano-51": (0.7450980392156863, 0.6756756756756757),
    "graph-51": (0.9607843137254902, 0.9459459459459459),
    "vdb-101": (0.4158415841584158, 0.2318840579710145),
    "lightrag-101": (0.44554455445544555, 0.2753623188405797),
    "nano-101": (0.7326732673267327, 0.6376811594202898),
    "graph-101": (0.9306930693069307, 0.8985507246376812),
}
# Recall@1 and Recall@5 of another BM25 over all 1,190 questions, and over the 614 that people
# changed when they typed them again.
_NOISEQA = {
    ORIGINAL: (0.922, 0.985),
    "keyboard_natural": (0.897, 0.975),
    "keyboard_synthetic": (0.845, 0.950),
    "asr_natural": (0.779, 0.889),
    "asr_synthetic": (0.875, 0.961),
    "translation_natural": (0.872, 0.963),
    "translation_synthetic": (0.873, 0.964),
}
_RETYPED = {ORIGINAL: (0.925, 0.980), "keyboard_natural": (0.876, 0.961)}
_FORMS = {
    ORIGINAL: "the clean question",
    "keyboard_natural": "typed again by people",
    "keyboard_synthetic": "typing errors by a machine",
    "asr_natural": "read aloud by people and recognised",
    "asr_synthetic": "read aloud by a machine and recognised",
    "translation_natural": "translated by machine from people’s translations",
    "translation_synthetic": "translated by machine there and back",
}
_ADARAGUE = "https://github.com/s-nlp/AdaRAGUE, commit 31c3428c37b2"
_SINGLE_STEP = (
    "Beside it: another BM25 (same k1, b, title and text; words are runs of letters and digits) "
    "over the same questions and paragraphs. Published, for comparison only: BM25 in HippoRAG's "
    "table of single-step retrieval (NeurIPS 2024), which has other questions over another corpus: "
)
_ABOUT = {
    "2wiki": (
        "2WikiMultiHopQA",
        f"`data/adaptive_rag_2wikimultihopqa/test.csv` of {_ADARAGUE}; 335 of its 500 questions "
        "over the 3,273 paragraphs of all 500",
        f"{_SINGLE_STEP}1,000 over 6,119 paragraphs.",
    ),
    "hotpotqa": (
        "HotpotQA",
        f"`data/adaptive_rag_hotpotqa/test.csv` of {_ADARAGUE}; 350 of its 500 questions over the "
        "4,931 paragraphs of all 500",
        f"{_SINGLE_STEP}1,000 over 9,221 paragraphs.",
    ),
    "musique": (
        "MuSiQue",
        "`data/musique_train.json` of https://github.com/OSU-NLP-Group/HippoRAG, branch legacy, "
        "commit b144c46df14c; 65 of its 100 questions over the 1,890 paragraphs of all 100",
        f"{_SINGLE_STEP}1,000 over 11,656 paragraphs. Sub-questions: `#n` is replaced by the gold "
        "answer of step n and `>>` by a blank. They are an oracle: they contain gold "
        "answers. Two documents for each is `bm25` with `per_query` 2 and k = 8.",
    ),
}
STUDIES = {
    "2wiki": Study("multihop-2wiki", *_ABOUT["2wiki"], partial(whole_questions, "2wiki")),
    "hotpotqa": Study(
        "multihop-hotpotqa", *_ABOUT["hotpotqa"], partial(whole_questions, "hotpotqa")
    ),
    "musique": Study("multihop-musique", *_ABOUT["musique"], musique),
    "cast": Study(
        "cast-rewrites",
        "TREC CAsT 2022",
        "https://github.com/daltonj/treccastweb, commit 33846610b736; 141 of the 199 turns that "
        "have a response by the organisers, which is their one gold document among all 199",
        "Beside it: another BM25 over all 199 turns. Published figures need 38 million passages.",
        cast,
    ),
    "hipporag": Study(
        "hipporag-2wiki-101",
        "Saved rankings of four systems for 2WikiMultiHopQA",
        "`benchmarks/results` and `benchmarks/questions` of "
        "https://github.com/circlemind-ai/fast-graphrag, commit 23b3a1bef643; corpus of 6,119 "
        "paragraphs: `reproduce/dataset/2wikimultihopqa_corpus.json` of "
        "https://github.com/OSU-NLP-Group/HippoRAG, commit c617143f0147",
        "Each ranking (at most 8 titles) came in as a logged run; nothing was executed for these "
        "arms. Published: `benchmarks/README.md` of fast-graphrag, whose multi-hop figures come "
        "out only without the questions that have a letter beyond ASCII. BM25 stands beside "
        "another BM25 over the same 101 questions.",
        hipporag,
    ),
    "mtrag": Study(
        "mtrag-mini",
        "MTRAG",
        "https://github.com/IBM/mt-rag-benchmark, commit cc5b1d481b39: the tasks with human "
        "evaluation of three domains that have a rewrite, a part of 113, over the 239 documents "
        "that they name",
        "Beside it: another BM25 over all 113. Published figures are over 366,000 passages.",
        mtrag,
    ),
    "noiseqa": Study(
        "noiseqa",
        "NoiseQA",
        "https://github.com/noiseQA/NoiseQA, commit 25c49cea2b54 (Ravichander et al., EACL 2021): "
        "820 of its 1,190 questions, which are XQuAD's, over the 240 paragraphs of all",
        "Each noisy form came in as the rewrites of an arm. Beside it: another BM25 over all 1,190 "
        "questions (614 changed by typing). Published figures are of models that read the gold "
        "paragraph, not of retrieval. The corpus is small, so the clean questions leave little "
        "room above.",
        noiseqa,
    ),
}
