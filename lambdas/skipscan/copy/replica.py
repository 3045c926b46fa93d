"""A table and the new one that follows it, as the environment names them; copy and replicator share this."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import OMITTED, InputError, TableError
from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Separator, Unmade
from skipscan.stream.followed import check_followed


@dataclass(frozen=True)
class Made:
    """A transformed item. `reason`: why attributes could not be set, so that the item is copied unchanged."""

    item: Item
    reason: str = ""


@dataclass(frozen=True)
class Transform:
    """A function of the item alone, so its result never depends on who calls it, or when. `targets`: what it sets."""

    targets: Assignments

    def of(self, item: Item) -> Made:
        match self.targets.judge(item):
            case Update(values=values):
                return Made({**item, **values})
            case Unmade(reason=reason):
                return Made(item, reason)
        return Made(item)


@dataclass(frozen=True)
class Replica:
    """`source` and `target`: tables, by name or ARN. `stream`: the source's, by ARN. `queue`: of late looks, by URL.

    `templates`: attributes that the target's items have in addition; none if items are copied unchanged.
    """

    source: str
    target: str
    stream: str
    queue: str
    templates: Mapping[str, str] = field(default_factory=dict)
    separator: Separator = Separator.REFUSE

    @property
    def transform(self) -> Transform:
        return Transform(Assignments.parse(self.templates, self.separator) if self.templates else Assignments(()))

    def check(self, source: TableDescription, target: TableDescription) -> None:
        """Raise `TableError` or `InputError` unless the two tables can be a pair."""
        check_followed(source, self.stream)
        if source.key != target.key:
            raise TableError(
                f'table "{target.name}"',
                OMITTED,
                f'has the key {_said(target)}; table "{source.name}" has {_said(source)}; a copied item keeps its key',
                "create the target with the same key",
            )
        if target.status != "ACTIVE":
            raise TableError(f'table "{target.name}"', OMITTED, f"is {target.status}; wait until it is ACTIVE")
        names = {attribute.name for attribute in source.key}
        for attribute in self.templates:
            if attribute in names:
                raise InputError(
                    f"set.{attribute}",
                    OMITTED,
                    "is a key attribute of the table; a copied item keeps its key",
                    "use another attribute",
                )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(**{**document, "separator": Separator(document.get("separator", Separator.REFUSE))})


def _said(description: TableDescription) -> str:
    return ", ".join(f"{attribute.name} ({attribute.type})" for attribute in description.key)
