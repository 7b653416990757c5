"""A faultless file: what is stored."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from annotation.importing.problems import Problems
from annotation.importing.reading import read_rows
from annotation.models import Corpus, Project, Request
from tests.annotation.conftest import DOCUMENTS, REQUESTS, Import, lines


def test_a_corpus_keeps_order_text_and_metadata(filled: Project) -> None:
    corpus = Corpus.objects.latest_of(filled)
    assert corpus is not None
    assert [(d.key, d.text) for d in corpus.documents.all()] == [
        (d["_id"], d["text"]) for d in DOCUMENTS
    ]
    assert corpus.documents.get(key="d2").metadata == {"year": 2022}


def test_requests_keep_their_turns_in_order(filled: Project) -> None:
    asked = Request.objects.get(key="r2")
    assert asked.texts == ["Profit in 2022?", "4 m.", "And before that?"]


def test_unknown_fields_become_metadata(take_in: Import) -> None:
    take_in("requests", [{"id": "a", "class": "c", "text": "x", "ticket": 7}])
    assert Request.objects.get().metadata == {"ticket": 7}


def test_a_byte_order_mark_is_no_part_of_the_first_id(take_in: Import) -> None:
    take_in("requests", b"\xef\xbb\xbfid,class,text\na,c,x\n", "requests.csv")
    assert Request.objects.get().key == "a"


def test_a_csv_cell_may_hold_a_list(take_in: Import) -> None:
    take_in("corpus", DOCUMENTS)
    header = "id,class,text,answers,evidence,reference_date\n"
    csv = header + 'a,c,x,"[""1"", ""one""]","[[""d1""]]",2024-06-30\n'
    take_in("requests", csv.encode(), "requests.csv")
    asked = Request.objects.get()
    assert (asked.answers, asked.evidence) == (["1", "one"], [["d1"]])
    assert asked.reference_date == date(2024, 6, 30)


def test_the_same_file_twice_changes_nothing(filled: Project, take_in: Import) -> None:
    entries = filled.ledger.count()
    report = take_in("requests", REQUESTS)
    assert (report.already_present, report.written) == (True, 0)
    assert (Request.objects.count(), filled.ledger.count()) == (2, entries)


def test_a_corpus_in_another_order_is_the_same_corpus(filled: Project, take_in: Import) -> None:
    assert take_in("corpus", DOCUMENTS[::-1]).written == 0
    assert Corpus.objects.count() == 1


def test_another_corpus_is_the_next_version(filled: Project, take_in: Import) -> None:
    take_in("corpus", DOCUMENTS[:1])
    assert list(filled.corpora.values_list("version", flat=True)) == [2, 1]


def test_a_dry_run_writes_nothing(project: Project, take_in: Import) -> None:
    report = take_in("corpus", DOCUMENTS, dry_run=True)
    assert (report.rows, report.written, Corpus.objects.count()) == (2, 0, 0)


def test_importing_is_in_the_ledger(filled: Project) -> None:
    kinds = list(filled.ledger.values_list("kind", flat=True))
    assert kinds[-2:] == ["corpus.frozen", "requests.imported"]


@given(st.lists(st.fixed_dictionaries({"_id": st.text(), "text": st.text()}), min_size=1))
def test_what_json_lines_carry_is_read_back_as_it_was(rows: list[dict[str, str]]) -> None:
    clean = [r for r in rows if "\x00" not in r["_id"] + r["text"]] or [{"_id": "a", "text": "b"}]
    problems = Problems("f.jsonl")
    assert [row.values for row in read_rows(lines(clean), "f.jsonl", problems)] == clean


@given(st.binary(max_size=200), st.sampled_from(["f.jsonl", "f.csv"]))
def test_no_bytes_at_all_break_the_reader(data: bytes, filename: str) -> None:
    problems = Problems(filename)
    assert read_rows(data, filename, problems) or problems.total
