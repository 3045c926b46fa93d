"""The keepers of one table: one keeps the markers of item collections, one keeps a retrofit's attribute on items."""

import json

from constructs import Construct

from .follower import Follower
from .functions import Functions
from .tables import Tables
from .writing import AttributeKeeperSettings, KeeperSettings


class Keeper(Follower):
    """Puts and deletes markers of `table` (a name or ARN). Its role has no permissions on other tables."""

    def __init__(
        self, scope: Construct, id: str, *, table: str, kept: KeeperSettings, functions: Functions, tables: Tables
    ) -> None:
        super().__init__(
            scope,
            id,
            table=table,
            stream=kept.stream,
            events=("INSERT", "REMOVE"),  # updates of items do not concern a marker
            handler="keeper",
            name="keeper",
            output="KeeperFailures",
            functions=functions,
            variables={"SKIPSCAN_TABLE": table.rpartition("/")[2], "SKIPSCAN_MARKER": json.dumps(kept.marker)},
        )
        tables.grant_keep(self.role, table)


class AttributeKeeper(Follower):
    """Updates items of `table` (a name or ARN). Its role has no permissions on other tables."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        table: str,
        kept: AttributeKeeperSettings,
        functions: Functions,
        tables: Tables,
    ) -> None:
        super().__init__(
            scope,
            id,
            table=table,
            stream=kept.stream,
            events=("INSERT", "MODIFY"),  # a deleted item needs no attribute
            handler="keep_attribute",
            name="keep",
            output="AttributeKeeperFailures",
            functions=functions,
            variables={"SKIPSCAN_TABLE": table.rpartition("/")[2], "SKIPSCAN_KEPT": json.dumps(kept.document)},
        )
        tables.grant_update(self.role, table)
