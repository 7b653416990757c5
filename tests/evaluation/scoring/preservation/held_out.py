"""The project's own labelled cases, written apart from the judge: where they are, as objects."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("cases")
FILES = sorted(FOLDER.glob("*.jsonl"))
CASES: list[dict[str, Any]] = [
    json.loads(line) for file in FILES for line in file.read_text(encoding="utf-8").splitlines()
]
