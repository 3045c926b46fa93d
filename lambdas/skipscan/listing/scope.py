"""What a run lists; two runs can be compared if their scopes are equal."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Self

from skipscan import form
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Level, level_of, partition_key_of
from skipscan.dynamodb.table_description import KeyAttribute, TableIdentity
from skipscan.inputs.quantities import counted
from skipscan.scan.plan import Only, Plan
from skipscan.scan.take import EachItem, Take


def line_labels(*, has_level: bool, has_items: bool) -> str:
    """Return what a run's lines are, for people; fields and names of files say keys whatever they are."""
    if has_items:
        return "items"
    return "groups" if has_level else "keys"


@dataclass(frozen=True)
class Scope:
    """Partition keys of a table or an index, or the groups of a level, however they are found and written.

    `sort_range`: they have an item in it. `has_items`: each item is a line, so that a key can have several. `most`: a
    group has at most so many; `descends`: the last of them; `beyond`: without so many before them. `only`: of given
    keys. What is taken along with a key, or counted, changes no line's key.
    """

    table: TableIdentity
    index: str | None
    partition_key: tuple[KeyAttribute, ...]
    level: Level | None = None
    sort_range: SortRange | None = None
    has_items: bool = False
    most: int | None = None
    descends: bool = False
    beyond: int = 0
    only: Only | None = None

    @classmethod
    def of(cls, plan: Plan) -> Self:
        source = plan.source
        items = _items(plan.take)
        return cls(plan.identity, source.index, source.partition_key, source.level, plan.sort_range, *items, plan.only)

    @classmethod
    def of_manifest(cls, manifest: Mapping[str, Any]) -> Self:
        """Return the scope of a manifest's run."""
        level, among, take, only = (manifest.get(name) for name in ("level", "range", "take", "only"))
        return cls(
            form.read(TableIdentity, manifest["identity"]),
            manifest["index"],
            partition_key_of(manifest),
            level_of(level),
            SortRange.of_stated(among) if among else None,
            *_items(Take.of_words(take)),
            form.read(Only, only) if only else None,
        )

    @property
    def labels(self) -> str:
        """Return what is listed, in the plural."""
        return line_labels(has_level=self.level is not None, has_items=self.has_items)

    @property
    def within(self) -> str:
        """Return which part of them, to be said behind the label, without bounds; empty for all."""
        among = f" in a range of {json.dumps(self.sort_range.attribute, ensure_ascii=False)}" if self.sort_range else ""
        return among + (f" of {counted(self.only.keys, 'given key')}" if self.only else "")

    @property
    def id(self) -> str:
        """Return a name for a folder, unique to this scope."""
        *whole, level, among, has_items, most, descends, beyond, only = astuple(self)
        # A run of all keys keeps its name, whatever else runs may list.
        parts = (level, among, has_items, most, descends, beyond and {"beyond": beyond}, only and {"only": only})
        scope = [*whole, *(each for each in parts if each)]
        return hashlib.sha256(json.dumps(scope, default=repr).encode()).hexdigest()[:16]

    def __str__(self) -> str:
        source = f'index "{self.index}"' if self.index else "the table itself"
        level = f", {self.level}" if self.level else ""
        among = f" with {self.sort_range}" if self.sort_range else ""
        end = "last" if self.descends else "first"
        which = "all" if self.most is None else f"the {end} {self.most}"
        if self.beyond:
            which = f"{'all but' if self.most is None else f'{self.most} after'} the {end} {self.beyond}"
        items = f"{which} items by " if self.has_items else ""
        only = f", only {counted(self.only.keys, 'given key')} (list {self.only.id[:8]})" if self.only else ""
        return f"{items}{_words(self.partition_key)} of {source}{level}{among}{only}"


def _items(take: Take) -> tuple[bool, int | None, bool, int]:
    """Return whether each item is a line, how many of a group, and whether the last: the order alone is no scope."""
    if not isinstance(take, EachItem):
        return False, None, False, 0
    return True, take.most, take.descends and bool(take.most or take.beyond), take.beyond


def _words(partition_key: Sequence[KeyAttribute]) -> str:
    return " and ".join(f"{json.dumps(key.name)} ({key.type})" for key in partition_key)
