"""What the stages of one case need, as plain values: read from the rows before, kept after.

A `CaseWork` may be handed to another thread: nothing in it touches the database.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.models import StageResult
from evaluation.records import Document
from evaluation.runs.stages import CaseInput

Stage = StageResult.Stage
STAGES: tuple[str, ...] = (Stage.REWRITE, Stage.RETRIEVE, Stage.ANSWER, Stage.JUDGE)


@dataclass
class CaseWork:
    """One case on its way through the stages. `done` holds the content of every stage by name.

    `given_stages` are the contents that need no computing: a person's reference, an uploaded row.
    `kept` counts the stages whose rows stand; `documents` are the texts of its hits, once read.
    `has_paid` says that one of the unkept stages called out, so that they are kept before the next.
    `status` and `error` are set when it ends, `alone` says that no other case was under way.
    """

    pk: int
    request_key: str
    arm: str
    given: CaseInput
    constraints: Mapping[str, int]
    given_stages: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    done: dict[str, dict[str, Any]] = field(default_factory=dict)
    kept: int = 0
    has_paid: bool = False
    alone: bool = False
    documents: Mapping[str, Document] | None = None
    status: str = ""
    error: str = ""
    failed: bool = False

    @property
    def next_stage(self) -> str | None:
        """The first stage that has no content yet; None when all have."""
        return next((stage for stage in STAGES if stage not in self.done), None)

    @property
    def unkept(self) -> list[str]:
        """The stages that are computed and have no row yet, in order."""
        return [stage for stage in STAGES[self.kept :] if stage in self.done]

    def spoil(self, why: str) -> None:
        """It ends without what it has not kept yet, and with `why`; it is never scored."""
        for stage in self.unkept:
            del self.done[stage]
        self.status, self.error, self.failed = "judge_error", why, True

    @property
    def hit_ids(self) -> list[str]:
        """The documents that were found, in order."""
        return [hit["id"] for hit in self.done.get(Stage.RETRIEVE, {}).get("hits", ())]
