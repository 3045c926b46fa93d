"""A world with one table that is enabled for every kind of work, and small executions of each kind over it."""

import io
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

from tests.fakes.attribute_value import Item
from tests.fakes.definition import KeySchema, TableDefinition
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.s3 import FakeS3
from tests.fakes.services import Denied, Queue
from tests.simulation.world.attempt import Attempt
from tests.simulation.world.execution import Execution, State
from tests.simulation.world.functions import BUCKET, STREAM, TABLE, TARGET
from tests.simulation.world.world import World

MARKER = {"sk": "#static", "GSI-pk": "{pk}"}
SMALL = {"segments": 2, "workers": 1, "dry_run": False}
INPUTS: dict[str, dict[str, Any]] = {
    "listing": {"table": TABLE, "segments": 2, "workers": 1, "compare": "previous"},
    "act": {"table": TABLE, "run": "run-1", "workers": 1, "dry_run": False, "put_item": {"item": MARKER}},
    "retrofit": {"table": TABLE, "set": {"made": "{a}_{b}"}, **SMALL},
    "copy": {"table": TABLE, "to": TARGET, **SMALL},
}


class Orders(FakeDynamoDB):
    """The table with a stream, and the new one. `name`: begins all keys and values."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        key = KeySchema.of(("pk", "S"), ("sk", "S"))
        self.add(TableDefinition(TABLE, key, stream=STREAM), items(name))
        self.add(TableDefinition(TARGET, key, id="target", stream=STREAM))

    def items(self, table: str) -> list[Item]:
        return sorted(self.table(table).items(), key=repr)


class Receiver(Denied):
    """Lambda, of which only the function that gets keys may be called."""

    exceptions = SimpleNamespace()

    def invoke(self, **_: Any) -> dict[str, Any]:
        return {"Payload": io.BytesIO(b"null")}


class OrdersWorld(World):
    """A world whose attempts run to their end, one after another. `name`: begins all keys and values."""

    most_attempts = 100_000

    def __init__(self, name: str = "") -> None:
        self.dynamodb, self.queue = Orders(name), Queue()
        services = {"dynamodb": lambda: self.dynamodb, "sqs": lambda: self.queue, "lambda_": Receiver}
        super().__init__(FakeS3(BUCKET), {**dict.fromkeys(("pricing", "stepfunctions", "keys"), Denied), **services})

    def go_on(self, attempt: Attempt, *given: Any) -> None:
        self.random.seed(0)  # a state with the same event makes the same calls
        super().go_on(attempt, *given)

    def carry_out(
        self, kind: str, name: str, before: Callable[[str, State], None] = lambda *_: None, **more: Any
    ) -> State:
        """Return the output of an execution, or its error. `before`: called before each state, with its event.

        `more`: further fields of the input; `None` leaves one out.
        """
        document = {field: value for field, value in {**INPUTS[kind], **more}.items() if value is not None}
        execution = self.start(kind, name, document, is_whole=True)
        while execution.tasks:
            attempt = self._next(execution)
            before(attempt.function, attempt.event)
            self.go_on(attempt)
            assert attempt.error is None, attempt.error
        assert execution.outcome, execution.planned
        return execution.outcome

    def _next(self, execution: Execution) -> Attempt:
        ((attempt,),) = (task.attempts for task in execution.tasks)
        return attempt


def items(name: str) -> Iterator[Item]:
    """Return five collections of one to three items."""
    for pk in range(5):
        for sk in range(1 + pk % 3):
            values = {"pk": f"{name}{pk}", "sk": f"{name}-{sk}", "a": f"{name}a", "b": f"{name}b{sk}"}
            yield {attribute: {"S": value} for attribute, value in values.items()}
