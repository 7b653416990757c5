"""Write docs/examples anew: the demo study is evaluated by a real worker in a folder of its own,
and its report is written in every form that is small enough to stand beside the docs.

    .venv/bin/python -m tests.example_report
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "docs/examples"
RUN = "demo/1"
ARMS = "original,human,keywords,recorded"
FORMS = {
    "html": "demo-report.html",
    "junit": "demo-report-junit.xml",
    "csv-wide": "demo-report.csv",
}
LABEL = """# Examples

`demo-report.html`, `demo-report.csv` and `demo-report-junit.xml` are the report of a run of the
demo study, as `report` writes it. **The study is hypothetical: its documents, names and figures
are invented**, so the numbers say how a report reads and nothing about any real rewriter.

Measured with {cases} cases ({requests} requests under {arms} arms) on {machine}, Python {python};
loading and evaluating took {seconds} s, and `report --verify` of the same run as JSON ({size} MB,
not kept here) found no difference. Latencies in the report are of that machine.

`.venv/bin/python -m tests.example_report` writes all three anew.

`gate-workflow.yml` is a workflow for GitHub that asks the gate ([ci-gate.md](../ci-gate.md)).
"""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=PLACE)
    place: Path = parser.parse_args().output
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="intact-example-") as folder:
        began = time.monotonic()
        manage(folder, "demo", "--no-serve", "--arms", ARMS)
        seconds = time.monotonic() - began
        for form, name in FORMS.items():
            manage(folder, "report", RUN, "--format", form, "--output", str(place / name))
        whole = Path(folder) / "demo-report.json"
        manage(folder, "report", RUN, "--output", str(whole))
        manage(folder, "report", "--verify", str(whole))
        label = labelled(whole, round(seconds))
    (place / "README.md").write_text(label, encoding="utf-8")


def labelled(whole: Path, seconds: int) -> str:
    """What stands beside the files: of what they are, on what machine, at what scale."""
    facts = json.loads(whole.read_text(encoding="utf-8"))["facts"]
    return LABEL.format(
        cases=facts["cases"],
        requests=facts["requests"],
        arms=len(ARMS.split(",")),
        machine=f"{os.cpu_count()} processors ({platform.system()}, {platform.machine()})",
        python=platform.python_version(),
        seconds=seconds,
        size=f"{whole.stat().st_size / 1e6:.1f}",
    )


def manage(folder: str, *words: str) -> None:
    env = {**os.environ, "INTACT_DEMO": "1", "INTACT_DATA_DIR": folder}
    command = [sys.executable, str(ROOT / "manage.py"), *words]
    subprocess.run(command, cwd=ROOT, env=env, check=True)  # noqa: S603 our own commands


if __name__ == "__main__":
    main()
