"""Figures that add up: over pages or requests, over batches and over workers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from operator import add
from typing import Any, Self


@dataclass(frozen=True)
class Figures:
    """Numbers by name, the fields of a dataclass; every field is one of them."""

    def __add__(self, other: Self) -> Self:
        # A dataclass without slots keeps its fields in their order, and this is done for every page.
        return type(self)(*map(add, self.__dict__.values(), other.__dict__.values()))

    @classmethod
    def total(cls, parts: Iterable[Self]) -> Self:
        return sum(parts, cls())

    def to_json(self) -> dict[str, Any]:
        return dict(self.__dict__)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(**{f.name: document[f.name] for f in fields(cls)})
