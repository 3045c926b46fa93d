"""What an execution of any of the state machines works on, under the name that its results bear."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar


class Planned(Protocol):
    """A plan of any kind."""

    def to_json(self) -> dict[str, Any]: ...


P = TypeVar("P", bound=Planned)


@dataclass(frozen=True)
class Work(ABC, Generic[P]):
    """A plan and the execution that carries it out.

    `name`: the execution's name. `execution`: its ARN. `started`: its start, ISO 8601. An execution's name may
    come back after 90 days, so only all three together say that two are the same. `noun`: what people call it.
    """

    noun: ClassVar[str]

    name: str
    execution: str
    started: str
    plan: P

    @classmethod
    @abstractmethod
    def read_plan(cls, document: Mapping[str, Any]) -> P:
        """Return the plan that its JSON stands for."""

    def is_same_as(self, other: Self) -> bool:
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
            plan=cls.read_plan(document["plan"]),
        )
