"""The keeper of one table: a function on the table's stream, and the queue for what it could not do."""

import hashlib
import json
import re

from aws_cdk import CfnOutput, Duration
from constructs import Construct

from .functions import Functions
from .stream import follow
from .tables import Tables
from .writing import Kept


class Keeper(Construct):
    """Puts and deletes markers of `table` (a name or ARN), and nothing else: its role knows no other table."""

    def __init__(
        self, scope: Construct, id: str, *, table: str, kept: Kept, functions: Functions, tables: Tables
    ) -> None:
        super().__init__(scope, id)
        name = table.rpartition("/")[2]
        role = functions.role(id)
        tables.grant_keep(role, table)
        function = functions.function(
            id,
            role,
            handler="stream.keeper",
            name=f"keeper-{short(name)}",
            memory_mb=512,
            timeout=Duration.minutes(5),
            SKIPSCAN_TABLE=name,
            SKIPSCAN_MARKER=json.dumps(kept.marker),
        )
        # Changes of items do not concern a marker.
        failures = follow(self, function, role, kept.stream, "INSERT", "REMOVE")
        CfnOutput(
            self,
            "FailuresUrl",
            key=f"KeeperFailures{''.join(filter(str.isalnum, name))}",
            description=f"The queue for changes of {name} that the keeper could not follow",
            value=failures.queue_url,
        )


def short(table: str) -> str:
    """Return a table's name as part of a function's: cut and told apart by a hash where it is too long for that."""
    fitting = re.sub(r"[^A-Za-z0-9_-]", "-", table)
    if len(table) <= 23 and fitting == table:  # skipscan-<24>-keeper- leaves so many of 64
        return table
    return f"{fitting[:14]}-{hashlib.sha256(table.encode()).hexdigest()[:8]}"
