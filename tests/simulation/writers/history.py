"""What was in a table or index while a run read it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from skipscan.dynamodb.source import PartitionKey


def frozen(key: PartitionKey) -> Any:
    """A partition key that can be in a set; keys are dictionaries, or tuples of them."""
    return tuple(map(frozen, key)) if isinstance(key, tuple) else tuple(key.items())


@dataclass
class History:
    """`always`: the items that were there at every moment so far. `ever`: the partition keys that were at any.

    Both are told by pairs of an item's own key and its partition key. A key that is kept alive by one item after the
    other is promised to nobody: a page is not read at one moment.
    """

    always: set[tuple[Any, Any]]
    ever: set[Any] = field(init=False)

    def __post_init__(self) -> None:
        self.ever = {key for _, key in self.always}

    def see(self, present: set[tuple[Any, Any]]) -> None:
        self.always &= present
        self.ever |= {key for _, key in present}

    def judge(self, keys: Iterable[PartitionKey]) -> None:
        """Assert that the keys of a run are right: all with an item that stayed, none that never was, none twice."""
        found = [frozen(key) for key in keys]
        assert len(found) == len(set(found)), "a key is reported twice"
        assert not set(found) - self.ever, "a key is reported that never was"
        assert not {key for _, key in self.always} - set(found), "a key is missing that was always there"
