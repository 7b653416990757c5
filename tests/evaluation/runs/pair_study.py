"""What the small study needs to show near misses and false rejections: a candidate that sends each
twin the other's request, and two controls.
"""

from typing import Any

SWAPPED = {
    "a": "What revenue did Alder Foods report for fiscal year 2023?",
    "b": "What revenue did Alder Foods report for fiscal year 2022?",
    "c": "Norrby ferry plan approved by which ministry",
}
# x1 adds vocabulary only; x2 loses the year, so that the judge must reject it.
CONTROLS: list[dict[str, Any]] = [
    {
        "id": "x1",
        "family": "control",
        "base": "a",
        "accepts": ["Alder Foods revenue, turnover and sales in fiscal year 2022"],
    },
    {"id": "x2", "family": "control", "base": "b", "accepts": ["Alder Foods revenue and sales"]},
]
