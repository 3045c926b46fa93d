"""One execution of a retrofit, under the name that its results bear."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.retrofit.plan import RetrofitPlan


@dataclass(frozen=True)
class RetrofitJob:
    """A plan and the execution that carries it out; `name`, `execution` and `started` as a run has them."""

    name: str
    execution: str
    started: str
    plan: RetrofitPlan

    def is_same_as(self, other: "RetrofitJob") -> bool:
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
            plan=RetrofitPlan.from_json(document["plan"]),
        )
