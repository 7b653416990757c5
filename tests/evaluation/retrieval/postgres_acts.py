"""What the tests have done in a process whose database is PostgreSQL:
`python -m tests.evaluation.retrieval.postgres_acts FOLDER` prints one line of JSON.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import django


def found(retriever: Any, query: str, k: int = 4, **filters: Any) -> list[list[Any]]:
    return [[hit.id, hit.score] for hit in retriever.search([query], k=k, filters=filters)]


def main(folder: Path) -> dict[str, Any]:
    from django.db import connection

    from evaluation.records import Document
    from evaluation.retrieval import PartError, retriever_names
    from tests.evaluation.retrieval.corpora import RAIL, build, build_from

    alike = [Document(f"d{n:02}", "", "the same ferry") for n in range(20, 0, -1)]
    text = build("postgres_text", RAIL, folder)
    simple = build("postgres_text", RAIL, folder, {"config": "simple"})
    with connection.cursor() as cursor:
        try:
            build("pgvector", RAIL, folder)
            without = ""
        except PartError as fault:
            without = str(fault)
        cursor.execute("CREATE EXTENSION vector")

    def never() -> list[Document]:
        raise AssertionError("it was built again")

    def race(number: int) -> list[list[Any]]:
        return found(build("postgres_text", RAIL, folder / str(number), corpus="race"), "ferry")

    with ThreadPoolExecutor(4) as pool:
        raced = list(pool.map(race, range(4)))

    return {
        "raced": raced,
        "names": retriever_names(),
        "without": without,
        "stemmed": found(text, "Which ferry?"),
        "unstemmed": found(simple, "Which ferry?"),
        "revenue": found(text, "revenues of Harbor Rail"),
        "only_stop_words": found(text, "who is the"),
        "odd": found(text, "ferry's \\ 'x' | & ! :* <-> \x00 ("),
        "filtered": found(text, "harbor", date={"gt": "2021"}),
        "ties": found(build("postgres_text", alike, folder, corpus="alike"), "ferry", 3),
        "empty": found(build("postgres_text", [], folder, corpus="none"), "ferry"),
        "again": found(build_from("postgres_text", never, folder), "Which ferry?"),
        "described": text.describe(),
        "vector": found(build("pgvector", RAIL, folder), "ships across the sea in cold months"),
        "dense": found(build("dense", RAIL, folder), "ships across the sea in cold months"),
        "vector_filtered": found(build("pgvector", RAIL, folder), "ferries", date={"lt": "2021"}),
        "vector_ties": found(build("pgvector", alike, folder, corpus="alike"), "ferry", 3),
    }


if __name__ == "__main__":
    django.setup()
    sys.stdout.write(json.dumps(main(Path(sys.argv[1]))) + "\n")
