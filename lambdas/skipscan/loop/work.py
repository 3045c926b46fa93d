"""What an execution of any of the state machines works on, under the name that its results bear."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_identity import TableIdentity
from skipscan.loop.stored_form import stamped
from skipscan.pace.amounts import Amounts


class Planned(Protocol):
    """A plan of any kind.

    `table`: what is worked on, by name or ARN. `identity`: which table that is. `bounds`: its budgets by their names in
    the input, `None` for none. `stated`: what the manifest says of the plan.
    """

    @property
    def table(self) -> str: ...
    @property
    def identity(self) -> TableIdentity: ...
    @property
    def workers(self) -> int: ...
    @property
    def bounds(self) -> Mapping[str, float | None]: ...
    @property
    def prices(self) -> Prices: ...
    @property
    def budget(self) -> Amounts: ...
    @property
    def page(self) -> Amounts:
        """The most that one request takes."""

    @property
    def least(self) -> Amounts:
        """The least that one request takes."""

    @property
    def stated(self) -> Mapping[str, Any]: ...
    def to_json(self) -> dict[str, Any]: ...


P_co = TypeVar("P_co", bound=Planned, covariant=True)


@dataclass(frozen=True)
class ExecutionId:
    """Which execution it is. `name`: of the execution. `arn`: of the execution. `started`: ISO 8601.

    An execution's name may come back after 90 days, so only all three together say that two are the same.
    """

    name: str
    arn: str
    started: str


@dataclass(frozen=True)
class Work(Generic[P_co]):
    """A plan and the execution that carries it out. `noun`: what people call the work: a run, an act, a copy."""

    noun: str
    execution: ExecutionId
    plan: P_co

    @property
    def name(self) -> str:
        return self.execution.name

    @property
    def started(self) -> str:
        return self.execution.started

    def to_json(self) -> dict[str, Any]:
        """Return what rides in state and what plan.json begins with."""
        execution = self.execution
        return stamped(
            {
                "name": execution.name,
                "execution": execution.arn,
                "started": execution.started,
                "plan": self.plan.to_json(),
            }
        )


def execution_of(document: Mapping[str, Any]) -> ExecutionId:
    """Return the execution of work, of a manifest or of a state machine's event."""
    return ExecutionId(document["name"], document["execution"], document["started"])
