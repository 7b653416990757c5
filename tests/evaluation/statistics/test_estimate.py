"""The shape of a number."""

import json

import pytest

from evaluation.statistics import Estimate


def test_a_missing_value_needs_a_reason():
    with pytest.raises(ValueError, match="needs a reason"):
        Estimate(None, "", 0)


def test_nan_is_refused():
    with pytest.raises(ValueError, match="None with a reason"):
        Estimate(float("nan"), "", 1)


def test_json_says_null_for_what_is_undefined():
    data = json.loads(json.dumps(Estimate.undefined("There is no request.").to_json()))
    assert (data["value"], data["reason"], data["n"]) == (None, "There is no request.", 0)
