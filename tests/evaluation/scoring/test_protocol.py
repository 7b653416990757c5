"""Reading protocol.json."""

import pytest

from evaluation.scoring.protocol import ProtocolError, parse_protocol, protocol_faults
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
