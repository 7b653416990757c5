"""No judge beside the matchers."""

from collections.abc import Mapping

from evaluation.constraint_judges.base import ConstraintJudge, OpenCase, Opinion, register


@register("none", version="1")
class NoJudge(ConstraintJudge):
    """Settles nothing: what the matchers leave unsure waits for a person.

    Conditions do not mention it, so they are the ones that they were before there was a choice.
    """

    def judge(self, case: OpenCase) -> Mapping[str, Opinion]:
        return {}
