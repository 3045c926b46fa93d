"""What an execution of any of the state machines works on, under the name that its results bear.

Plans, states, checkpoints and manifests carry the number of the form in which they are written. Who reads one checks
the number first, so that work begun by another version is refused in words. Golden files in the tests pin each form.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_identity import TableIdentity
from skipscan.errors import StateError
from skipscan.pace.amounts import Amounts

FORM = 3


FIELD = "form"


def stamped(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the number of its form, first."""
    return {FIELD: FORM, **document}


def check_form(document: Mapping[str, Any], what: str) -> None:
    """Raise `StateError` unless this version can read the document. `what`: how messages call it."""
    form = document.get(FIELD)
    if form != FORM:
        raise StateError(
            f"{what} has form {form if isinstance(form, int) else 'unknown'}, and this version of Skipscan reads form "
            f"{FORM}: finish the work with the version that began it, or start it anew"
        )


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
