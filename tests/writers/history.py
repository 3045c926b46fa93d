"""What was in a table or index while a run read it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from skipscan.source import PartitionKey


def frozen(key: PartitionKey) -> Any:
    """A partition key that can be in a set; keys are dictionaries, or tuples of them."""
    return tuple(map(frozen, key)) if isinstance(key, tuple) else tuple(key.items())


@dataclass
class History:
    """`always`: the keys that were there at every moment so far. `ever`: those that were at any."""

    always: set[Any]
    ever: set[Any] = field(init=False)

    def __post_init__(self) -> None:
        self.ever = set(self.always)

    def see(self, present: set[Any]) -> None:
        self.always &= present
        self.ever |= present

    def judge(self, keys: Iterable[PartitionKey]) -> None:
        """Assert that the keys of a run are right: all that were always there, none that never was, none twice."""
        found = [frozen(key) for key in keys]
        assert len(found) == len(set(found)), "a key is reported twice"
        assert not set(found) - self.ever, "a key is reported that never was"
        assert not self.always - set(found), "a key is missing that was always there"
