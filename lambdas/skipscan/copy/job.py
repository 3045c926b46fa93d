"""One execution of a copy, under the name that its results bear."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.copy.plan import CopyPlan


@dataclass(frozen=True)
class CopyJob:
    """A plan and the execution that carries it out; `name`, `execution` and `started` as a run has them."""

    name: str
    execution: str
    started: str
    plan: CopyPlan

    def is_same_as(self, other: "CopyJob") -> bool:
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
            plan=CopyPlan.from_json(document["plan"]),
        )
