"""One execution of a job over a finished run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skipscan.act.plan import ActPlan
from skipscan.loop.work import Work


@dataclass(frozen=True)
class Job(Work[ActPlan]):
    """A plan of a job, and the execution that carries it out."""

    noun = "job"

    @classmethod
    def read_plan(cls, document: Mapping[str, Any]) -> ActPlan:
        return ActPlan.from_json(document)
