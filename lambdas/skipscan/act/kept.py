"""The items that a run left out of each group so that they are kept: which they are now, before another is deleted."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.step import First
from skipscan.dynamodb.table_description import SourceKind, TableDescription
from skipscan.listing.scope import Scope
from skipscan.scan.groups import Groups


@dataclass(frozen=True)
class Kept:
    """So many `items` at one end of each group of a source. `is_backwards`: those with the greatest sort keys."""

    source: Source
    sort_range: SortRange | None
    items: int
    is_backwards: bool

    @classmethod
    def of_manifest(cls, manifest: Mapping[str, Any], table: str, description: TableDescription) -> Self | None:
        """Return what a run left out of each group; `None` if it listed them whole."""
        scope = Scope.of_manifest(manifest)
        source = Source.described(table, description, scope.index, scope.level)
        return cls(source, scope.sort_range, scope.beyond, scope.descends) if scope.beyond else None

    @cached_property
    def _groups(self) -> Groups:
        return Groups(self.source, self.sort_range)

    def look(self, item: Item) -> First:
        """Return the step that reads the keys of those to keep in the group of an item."""
        (key,), among = self._groups.query_key(self._groups.of(item))
        name, *names = self.source.key_names
        return First(
            self.source.table,
            {name: key},
            tuple(names),
            self.items,
            through=self.source.index,
            among=among,
            is_backwards=self.is_backwards,
            is_consistent=self.source.kind is not SourceKind.GLOBAL_INDEX,
        )
