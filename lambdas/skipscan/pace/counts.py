"""Counts that add up: over pages or requests, over batches and over workers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from operator import add
from typing import Any, Self


@dataclass(frozen=True)
class Summable:
    """Numbers by name that add up: the fields of a dataclass, all of them numbers."""

    def __add__(self, other: Self) -> Self:
        # Called for every page: the constructor of a frozen dataclass takes most of the time. One without slots keeps
        # its fields in order.
        summed = object.__new__(type(self))
        summed.__dict__.update(
            zip(self.__dict__, map(add, self.__dict__.values(), other.__dict__.values()), strict=True)
        )
        return summed

    def times(self, factor: float) -> Self:
        return type(self)(*(each * factor for each in self.__dict__.values()))

    @classmethod
    def total(cls, parts: Iterable[Self]) -> Self:
        return sum(parts, cls())

    @classmethod
    def stated(cls, document: Mapping[str, Any]) -> Self:
        """Return the counts that a manifest states. One that it lacks is 0: an earlier version did not count that."""
        return cls(**{f.name: document.get(f.name, 0) for f in fields(cls)})


class Counts(Summable):
    """What a batch, a worker or a whole piece of work did.

    `requests`: those that were answered. `throttles`: throttled requests, which were made again.
    """

    # Each kind of work has these fields in its own order, so here they are none of a dataclass.
    requests: int
    throttles: int
    read_units: float

    @property
    def write_units(self) -> float:
        """A kind of work that writes nothing has no such field."""
        return 0.0

    @property
    def units(self) -> float:
        """Read and write units."""
        return self.read_units + self.write_units

    @property
    def outcomes(self) -> Mapping[str, int]:
        """Return what became of the keys or items, by the names of the counts; of a run nothing."""
        return {}

    def nonzero(self, *names: str) -> dict[str, int]:
        """Return the counts of these names that are not 0."""
        return {name: getattr(self, name) for name in names if getattr(self, name)}

    @property
    def lines(self) -> int:
        """Return how many lines the parts hold."""
        raise NotImplementedError

    @property
    def units_done(self) -> int:
        """Return how far a batch came, in its own unit; 0 if the next one would come no further."""
        raise NotImplementedError
