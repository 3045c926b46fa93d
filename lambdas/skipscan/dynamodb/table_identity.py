"""The identity of a table. A name is not enough: accounts share names, and a table may be created again.

It is resolved once, by Plan, stored in plan and manifest, and compared wherever two of them meet.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.errors import OMITTED, TableError


@dataclass(frozen=True)
class TableIdentity:
    """One table, from its creation to its deletion.

    `arn`: partition, region, account and name. `table_id`: unique to each created table, whatever its name; empty for
    an engine without one.
    """

    arn: str
    table_id: str

    def check(self, found: "TableIdentity", what: str) -> None:
        """Raise `TableError` unless both are the same table. `what`: what this table belongs to, for messages."""
        if found.arn != self.arn:
            raise TableError(
                what,
                OMITTED,
                f"belongs to table {self.arn}; this is table {found.arn}",
                "give the ARN of the table that you mean",
            )
        if found.table_id != self.table_id:
            raise TableError(
                what,
                OMITTED,
                f"belongs to a table that no longer exists: {self.arn} was deleted and created again (TableId "
                f"{self.table_id or 'unknown'}, now {found.table_id or 'unknown'})",
                "start a new one without it",
            )

    def to_json(self) -> dict[str, str]:
        return dict(vars(self))

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(document["arn"], document["table_id"])
