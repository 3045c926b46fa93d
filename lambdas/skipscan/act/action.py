"""The actions that a job can do for each key of a run: what every action declares.

An action is one class in `act/actions` and one line in `act/input`. No boto3 here: `act/requests.py` carries an
action out.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from skipscan.act.item import ActedTable
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.step import ItemSteps
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.dynamodb.write_units import MOST_ITEM_UNITS, WriteUnits, WrittenTable
from skipscan.errors import InputError
from skipscan.items.estimate import WORKER_WRITES


class ActionRequest(ABC):
    """An action as the input names it. Plan may have to look it up before it can be done."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """What the action does, in a sentence for the command's help."""

    metavar: ClassVar[str] = "JSON"
    """The value that the command's option takes."""

    writes: ClassVar[bool] = False
    """Whether it writes to the table. If so, budget and rate are in write units; if not, the rate is in keys."""

    writes_are: ClassVar[str] = ""
    """What its writes are called, such as puts; empty if it writes nothing."""

    @property
    @abstractmethod
    def effect(self) -> str:
        """What becomes of items that exist, in a sentence for a person."""


class Action(ActionRequest):
    """One action, checked and ready."""

    permissions: ClassVar[tuple[str, ...]]
    """The permissions of Act's role on the table, or on those targets of the environment that fit `targets`."""

    targets: ClassVar[re.Pattern[str] | None] = None
    target_field: ClassVar[str] = ""
    """The input field of the target."""

    requests_per_second: ClassVar[float] = WORKER_WRITES
    """The requests per second that one worker is assumed to make, for the duration of a plan."""

    reads_items: ClassVar[bool] = False
    """Whether it reads the item of each key, with strong consistency, before it writes."""

    takes_items: ClassVar[bool] = False
    """Whether it is done for each item of a run's parts, and its key is the whole item."""

    bytes_together: ClassVar[int] = 1
    """The most bytes of keys in one task."""

    tasks_together: ClassVar[int] = 1
    """The most tasks in one request."""

    @classmethod
    @abstractmethod
    def parse(cls, document: object) -> ActionRequest:
        """Return the action in an input; raise `InputError`."""

    keys_together: int = 1
    """The number of keys in one task: all are done or none, except those that a function refuses."""

    target: str | None = None
    """The ARN that receives the keys; `None` for an action on the table itself."""

    @property
    @abstractmethod
    def is_idempotent(self) -> bool:
        """Whether the action is idempotent, even after others have written to the table."""

    @property
    @abstractmethod
    def repeat_means(self) -> str:
        """The effect of repeating it for a key after a crash, for a person."""

    def check(self, table: Source, keys: Sequence[KeyAttribute]) -> None:
        """Raise `InputError` for what DynamoDB would refuse. `keys`: of the table and all its indexes."""

    def written(self, key: Item, mark: str) -> Item:
        """Return the attributes besides the key that are written, or that select the item to delete."""
        return {}

    def units(self, table: WrittenTable, items: Sequence[Item]) -> WriteUnits:
        """Return the write units of a key, for a sample of items."""
        return WriteUnits.of(())

    def most_units(self, table: WrittenTable, new: float) -> float:
        """Return the most units of the rate that a key can consume, whatever item exists. `new`: if none does."""
        return new

    @property
    def units_are(self) -> str:
        """How certain the write units are, for a person."""
        return "none: Skipscan does not know what the target does with the keys"


class WritingAction(Action):
    """An action on the table itself, one key at a time."""

    writes = True

    def units(self, table: WrittenTable, items: Sequence[Item]) -> WriteUnits:
        """Return the write units of putting one of the items as a new one; its delete costs as much."""
        return WriteUnits.of([table.units({}, item) for item in items])

    def most_units(self, table: WrittenTable, new: float) -> float:
        # A write whose condition fails is billed by the existing item (developer guide, "Write operation units").
        return max(MOST_ITEM_UNITS, new)

    @abstractmethod
    def steps(self, at: ActedTable, key: Item) -> ItemSteps:
        """Do the action for a key; return its counts, or `Refused`."""


def arn(name: str, value: object, pattern: re.Pattern[str], what: str) -> str:
    """Return the ARN in a field. `what`: the kind of resource it must name."""
    if isinstance(value, str) and pattern.fullmatch(value):
        return value
    if value is None:
        raise InputError(name, rule="is missing", remedy=f"give the ARN of {what}")
    raise InputError(name, value, f"it must be the ARN of {what}", "correct it")
