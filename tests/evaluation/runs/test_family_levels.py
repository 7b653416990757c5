"""The intervals of twin-pair families have the level of the protocol."""

from annotation.models import Person, Project
from evaluation.services.protocols import register_protocol
from evaluation.services.runs import start_run
from tests.evaluation.runs.small_study import finish, freeze

CONTENT = {
    "name": "wide",
    "alpha": 0.2,
    "resamples": 1000,
    "seed": 7,
    "correction": "holm",
    "test": "mcnemar_exact",
    "judging": "automatic",
    "classes": {"*": {"completeness_floor": 0.5, "regression_ceiling": 0.9, "min_requests": 1}},
}


def test_families_have_the_level_of_the_protocol(study: Project, engineer: Person) -> None:
    run = finish(
        start_run(
            actor=engineer,
            project=study,
            protocol=register_protocol(actor=engineer, project=study, content=CONTENT),
            conditions=freeze(engineer, study),
            arm_names=["original", "human"],
        )
    )
    families = (run.result or {})["families"]
    levels = {row["passes"]["worst"]["level"] for rows in families.values() for row in rows}
    assert levels == {0.8}
