"""One execution of a copy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skipscan.copy.plan import CopyPlan
from skipscan.loop.work import Work


@dataclass(frozen=True)
class CopyJob(Work[CopyPlan]):
    """A plan of a copy, and the execution that carries it out."""

    noun = "copy"

    @classmethod
    def read_plan(cls, document: Mapping[str, Any]) -> CopyPlan:
        return CopyPlan.from_json(document)
