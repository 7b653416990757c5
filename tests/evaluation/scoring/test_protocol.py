"""Reading protocol.json."""

import pytest

from evaluation.scoring.protocol import (
    ProtocolError,
    parse_protocol,
    protocol_faults,
    wants_person,
)
from tests.evaluation.scoring.building import protocol_data

FAMILY = {"date": {"max_failure_rate": 0.2, "min_pairs": 5}}


def test_a_sound_protocol_is_read_and_written_alike():
    data = protocol_data(families=FAMILY)
    assert parse_protocol(data).to_json() == data


def test_a_class_that_is_not_named_falls_back_to_the_default():
    data = protocol_data()
    data["classes"]["follow-up"] = data["classes"]["*"] | {"min_requests": 60}
    rules = parse_protocol(data)
    sizes = [rules.rule_for(name).min_requests for name in ("follow-up", "status")]
    assert sizes == [60, 10]


def test_without_a_default_an_unnamed_class_has_no_rule():
    data = protocol_data()
    data["classes"] = {"follow-up": data["classes"]["*"]}
    assert parse_protocol(data).rule_for("status") is None


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": " "}, "name"),
        ({"alpha": 5}, "alpha"),
        ({"alpha": True}, "alpha"),
        ({"resamples": 10}, "resamples"),
        ({"seed": 1.5}, "seed"),
        ({"correction": "benjamini_hochberg"}, "correction"),
        ({"test": "wilcoxon"}, "test"),
        ({"judging": ["automatic"]}, "judging"),
        ({"classes": {}}, "classes"),
        ({"classes": {"a": None}}, "classes.a"),
        ({"cieling": 1}, "cieling"),
    ],
)
def test_a_fault_names_its_field(changes, field):
    (fault,) = protocol_faults(protocol_data() | changes)
    assert fault.startswith(f"{field} ")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"judges": 3}, "judges must be 1 or 2, not 3."),
        ({"judges": True}, "judges must be 1 or 2, not True."),
        ({"judges": 2.0}, "judges must be 1 or 2, not 2.0."),
        ({"judges": [1]}, "judges must be 1 or 2, not [1]."),
        (
            {"audit_per_kind": -1},
            "audit_per_kind must be a whole number of at least 0, not -1.",
        ),
        (
            {"audit_per_kind": "20"},
            "audit_per_kind must be a whole number of at least 0, not '20'.",
        ),
        (
            {"audit_per_kind": None},
            "audit_per_kind must be a whole number of at least 0, not None.",
        ),
        (
            {"max_judge_error": 0},
            "max_judge_error must be null or a number from 0 to 1 (0 excluded), not 0.",
        ),
        (
            {"max_judge_error": 1.01},
            "max_judge_error must be null or a number from 0 to 1 (0 excluded), not 1.01.",
        ),
        (
            {"max_judge_error": True},
            "max_judge_error must be null or a number from 0 to 1 (0 excluded), not True.",
        ),
        (
            {"max_judge_error": float("nan")},
            "max_judge_error must be null or a number from 0 to 1 (0 excluded), not nan.",
        ),
        ({"judge": 2}, "judge is no field of a protocol: check its spelling or remove it."),
    ],
)
def test_a_fault_of_what_is_said_of_the_judge_is_a_sentence(changes, sentence):
    assert protocol_faults(protocol_data() | changes) == (sentence,)


def test_what_is_said_of_the_judge_is_read_and_written_alike():
    data = protocol_data(families=FAMILY) | {
        "judges": 2,
        "audit_per_kind": 0,
        "max_judge_error": 0.1,
    }
    assert parse_protocol(data).to_json() == data


def test_a_protocol_that_says_nothing_of_the_judge_keeps_its_hash():
    silent = protocol_data(families=FAMILY)
    said = silent | {"judges": 1, "audit_per_kind": 20, "max_judge_error": None}
    assert parse_protocol(said).to_json() == parse_protocol(silent).to_json() == silent


@pytest.mark.parametrize(
    ("judging", "critical", "minor"),
    [
        ("automatic", False, False),
        ("human_for_critical", True, False),
        ("human_for_all", True, True),
    ],
)
def test_the_protocol_says_what_people_judge_whatever_the_judge_says(judging, critical, minor):
    assert (wants_person(judging, critical=True), wants_person(judging, critical=False)) == (
        critical,
        minor,
    )


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        ({"completeness_floor": 95}, "classes.*.completeness_floor"),
        ({"regression_ceiling": float("nan")}, "classes.*.regression_ceiling"),
        ({"min_requests": 0}, "classes.*.min_requests"),
        ({"families": []}, "classes.*.families"),
        ({"families": {"colour": {}}}, "classes.*.families.colour"),
        (
            {"families": {"date": {"max_failure_rate": 0.2}}},
            "classes.*.families.date.min_pairs",
        ),
        ({"floor": 1}, "classes.*.floor"),
    ],
)
def test_a_fault_in_a_class_names_its_path(rule, field):
    (fault,) = protocol_faults(protocol_data(**rule))
    assert fault.startswith(f"{field} ")


def test_all_faults_are_reported_at_once():
    with pytest.raises(ProtocolError) as error:
        parse_protocol(protocol_data() | {"alpha": 0, "seed": -1})
    assert len(error.value.faults) == 2


def test_a_protocol_that_is_no_object_is_refused():
    assert "not an object" in protocol_faults([])[0]


def test_what_is_missing_is_called_missing():
    data = protocol_data()
    del data["alpha"]
    with pytest.raises(ProtocolError) as refused:
        parse_protocol(data)
    assert refused.value.faults[0].endswith("(0 and 1 excluded), and is missing.")
