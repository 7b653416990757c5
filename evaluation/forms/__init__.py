"""The shape of what people send about protocols, conditions, arms, runs and judgements."""

from evaluation.forms.arms import ArmForm
from evaluation.forms.conditions import ConditionsForm
from evaluation.forms.judgements import JudgementForm
from evaluation.forms.parameters import ParametersForm
from evaluation.forms.protocols import (
    DEFAULTS,
    ClassRuleForm,
    FamilyRow,
    PastedProtocolForm,
    ProtocolForm,
    protocol_initial,
    rule_initial,
)
from evaluation.forms.starting import ArmOption, StartForm, arm_options

__all__ = [
    "DEFAULTS",
    "ArmForm",
    "ArmOption",
    "ClassRuleForm",
    "ConditionsForm",
    "FamilyRow",
    "JudgementForm",
    "ParametersForm",
    "PastedProtocolForm",
    "ProtocolForm",
    "StartForm",
    "arm_options",
    "protocol_initial",
    "rule_initial",
]
