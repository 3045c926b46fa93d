"""One execution of the job, under the name that its results bear."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.plan import Plan


@dataclass(frozen=True)
class Run:
    """A plan and the execution that carries it out.

    `name`: the execution's name. `execution`: its ARN. `started`: its start, ISO 8601. An execution's name may
    come back after 90 days, so only all three together say that two runs are the same.
    """

    name: str
    execution: str
    started: str
    plan: Plan

    def is_same_as(self, other: "Run") -> bool:
        return (self.name, self.execution, self.started) == (other.name, other.execution, other.started)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "execution": self.execution,
            "started": self.started,
            "plan": self.plan.to_json(),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(
            name=document["name"],
            execution=document["execution"],
            started=document["started"],
            plan=Plan.from_json(document["plan"]),
        )
