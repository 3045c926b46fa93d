"""What is done to one item or key, as a generator: it yields steps, is sent their answers, and returns how it ended.

Steps are data, so the same generator runs in a keeper, which does each step at once, and in a batch, which does those
of many items together, within a rate and a budget. The one who runs it makes a throttled step again, without the
generator noticing. Only the generator knows what a lost answer means: whether the same step may be made again, and
what a conflict says then.

A generator may be dropped at any step: with a batch that is over, or killed. So it has no effects of its own, and no
`try ... finally` around a `yield`, which would run at some later moment, in the thread that drops it.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Item


class Get(NamedTuple):
    """GetItem, strongly consistent; its answer is the item, `None` if there is none.

    `names`: of the attributes to read; all unless given.
    """

    table: str
    key: Item
    names: tuple[str, ...] = ()


class First(NamedTuple):
    """Query of an item collection's first items, at most `most`, strongly consistent; its answer is a list of them.

    `key`: the partition key. `names`: of the other attributes to read. `through`: the index whose order it has.
    `among`: the sort keys to look among. `is_backwards`: its last items. `is_consistent`: a global index cannot be.
    """

    table: str
    key: Item
    names: tuple[str, ...]
    most: int
    through: str | None = None
    among: SortRange | None = None
    is_backwards: bool = False
    is_consistent: bool = True


class Unless(NamedTuple):
    """A condition: there is no item whose attribute has this value."""

    name: str
    value: AttributeValue


class Write(NamedTuple):
    """PutItem of `put`, UpdateItem that `sets` attributes and `removes` others, or with neither DeleteItem.

    `expects`: the condition, by attribute its value, or `None` if it must be absent; it is on an existing item if it is
    an update or a delete. Unless it expects anything, the write is made whatever is there.
    """

    table: str
    key: Item
    put: Item | None = None
    sets: Mapping[str, AttributeValue] | None = None
    removes: Sequence[str] = ()
    expects: Mapping[str, AttributeValue | None] | Unless | None = None


class Wait(NamedTuple):
    """A step without a request: go on after so many seconds."""

    seconds: float


class Given(Enum):
    """Answers that hold nothing."""

    WRITTEN = "written"
    LOST = "lost"  # the answer; the step may have been made


WRITTEN, LOST = Given.WRITTEN, Given.LOST


class Conflict(NamedTuple):
    """An answer: the condition failed. `item`: the current one; `None` if there is none, or the engine is silent."""

    item: Item | None


class Refused(NamedTuple):
    """An answer: DynamoDB refuses this write, and always will. `code`: of the error."""

    code: str


class Answer(NamedTuple):
    """The answer to a step, and what its `requests` consumed.

    DynamoDB bills a write whose condition fails by the existing item, and does not report it: these `write_units` are
    computed.
    """

    value: Any
    read_units: float = 0.0
    write_units: float = 0.0
    requests: int = 1


ItemSteps = Generator[Any, Any, Any]


def answered(step: Any) -> ItemSteps:
    """Return the answer to a step, which is made again however often the answer is lost."""
    while (answer := (yield step)) is LOST:
        pass
    return answer


def do_steps(steps: ItemSteps, do: Callable[[Any], Any]) -> Any:
    """Do all steps of an item here and now; return how it ended. `do`: returns a step's answer."""
    try:
        step = next(steps)
        while True:
            step = steps.send(do(step))
    except StopIteration as end:
        return end.value
