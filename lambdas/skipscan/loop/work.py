"""One execution of a state machine: its kind, its name, its table and its plan.

Plans, states, checkpoints and manifests carry a format number, which is checked before anything else is read. Work that
another version began is refused in words. Golden files in the tests pin each format.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from skipscan.dynamodb.table_identity import TableIdentity
from skipscan.errors import OMITTED, StateError
from skipscan.pace.shares import Budgeted

FORM = 7


FIELD = "form"


def stamped(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with its format number in front."""
    return {FIELD: FORM, **document}


def is_readable(document: Mapping[str, Any]) -> bool:
    """Return whether this version can read the document."""
    return document.get(FIELD) == FORM


def form_of(document: Mapping[str, Any]) -> int | None:
    """Return a document's format number; `None` if it has none."""
    form = document.get(FIELD)
    return form if isinstance(form, int) else None


def check_form(document: Mapping[str, Any], what: str) -> None:
    """Raise `StateError` unless this version can read the document. `what`: its name in messages."""
    if not is_readable(document):
        raise StateError(
            what,
            OMITTED,
            f"has form {form_of(document) or 'unknown'}, and this version of Skipscan reads form {FORM}",
            "finish the work with the version that started it, or start it again",
        )


class Planned(Budgeted, Protocol):
    """A plan of any kind.

    `table`: the table's name or ARN. `identity`: which table that is. `bounds`: the budgets by their names in the
    input, `None` for none. `stated`: what the manifest says of the plan.
    """

    @property
    def table(self) -> str: ...
    @property
    def identity(self) -> TableIdentity: ...
    @property
    def tables(self) -> Mapping[str, TableIdentity]:
        """Return the tables that must not be created again before the manifest, by name or ARN."""

    @property
    def workers_at_once(self) -> int:
        """Return how many of the workers may run at the same time, so that they keep the rates together."""

    @property
    def bounds(self) -> Mapping[str, float | None]: ...
    @property
    def stated(self) -> Mapping[str, Any]: ...
    def to_json(self) -> dict[str, Any]: ...


P_co = TypeVar("P_co", bound=Planned, covariant=True)


@dataclass(frozen=True)
class ExecutionId:
    """An execution's identity. `name`, `arn`: of the execution. `started`: ISO 8601.

    A name may recur after 90 days, so two executions are the same only if all three fields are.
    """

    name: str
    arn: str
    started: str


@dataclass(frozen=True)
class Work(Generic[P_co]):
    """A plan and the execution that carries it out. `noun`: the name of its kind: run, act, copy, retrofit."""

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
        """Return the state's copy of the work, which plan.json begins with."""
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
    """Return the execution of a piece of work, of a manifest or of a state machine's event."""
    return ExecutionId(document["name"], document["execution"], document["started"])
