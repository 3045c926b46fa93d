"""Which table it is. A name is not enough: every account may have a table of that name, and it may be created anew.

Resolved once, when work is planned. It stands in plan and manifest, and is compared wherever two things meet.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.errors import TableError


@dataclass(frozen=True)
class TableIdentity:
    """One table for as long as it lives.

    `arn`: partition, region, account and name. `table_id`: another one for each table that is created, whatever its
    name; empty for an engine that knows none.
    """

    arn: str
    table_id: str

    def check(self, found: "TableIdentity", what: str) -> None:
        """Raise `TableError` unless both are the same table. `what`: whose table this is, for messages."""
        if found.arn != self.arn:
            raise TableError(
                f"{what} is over table {self.arn}, and this is table {found.arn}: name the table by the ARN that is "
                "meant"
            )
        if found.table_id != self.table_id:
            raise TableError(
                f"{what} is over a table that is gone: {self.arn} was deleted and created anew since (TableId "
                f"{self.table_id or 'unknown'}, now {found.table_id or 'unknown'}): start anew without it"
            )

    def to_json(self) -> dict[str, str]:
        return dict(vars(self))

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(document["arn"], document["table_id"])
