"""The keepers of one table: one keeps the markers of item collections, one keeps a retrofit's attribute on items.

The role of each has permissions on its own table only.
"""

import json

from constructs import Construct

from .follower import Follower
from .functions import Functions
from .tables import Tables
from .writing import Writing


def add_keepers(scope: Construct, writing: Writing, functions: Functions, tables: Tables) -> None:
    """Add the keepers that an environment names for a table."""
    name, table = writing.name, writing.table.rpartition("/")[2]
    if kept := writing.keeper:
        keeper = Follower(
            scope,
            f"Keeper-{name}",
            table=name,
            stream=kept.stream,
            events=("INSERT", "REMOVE"),  # updates of items do not concern a marker
            handler="keeper",
            name="keeper",
            output="KeeperFailures",
            functions=functions,
            variables={
                "SKIPSCAN_TABLE": table,
                "SKIPSCAN_STREAM": kept.stream,
                "SKIPSCAN_MARKER": json.dumps(kept.document),
            },
        )
        tables.grant_keep(keeper.role, writing.table)
    if kept := writing.attribute_keeper:
        keeper = Follower(
            scope,
            f"Attribute-keeper-{name}",
            table=name,
            stream=kept.stream,
            events=("INSERT", "MODIFY"),  # a deleted item needs no attribute
            handler="keep_attribute",
            name="keep",
            output="AttributeKeeperFailures",
            functions=functions,
            variables={
                "SKIPSCAN_TABLE": table,
                "SKIPSCAN_STREAM": kept.stream,
                "SKIPSCAN_KEPT": json.dumps(kept.document),
            },
        )
        tables.grant_update(keeper.role, writing.table)
