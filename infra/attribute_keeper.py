"""The keeper of a retrofit's attribute on one table: a function on its stream, and the queue for what it cannot do."""

import json

from aws_cdk import CfnOutput, Duration
from constructs import Construct

from .functions import Functions
from .keeper import short
from .stream import follow
from .tables import Tables
from .writing import KeptAttribute


class AttributeKeeper(Construct):
    """Updates items of `table` (a name or ARN), and nothing else: its role knows no other table."""

    def __init__(
        self, scope: Construct, id: str, *, table: str, kept: KeptAttribute, functions: Functions, tables: Tables
    ) -> None:
        super().__init__(scope, id)
        name = table.rpartition("/")[2]
        role = functions.role(id)
        tables.grant_update(role, table)
        function = functions.function(
            id,
            role,
            handler="stream.keep_attribute",
            name=f"keep-{short(name)}",
            memory_mb=512,
            timeout=Duration.minutes(5),
            SKIPSCAN_TABLE=name,
            SKIPSCAN_KEPT=json.dumps(kept.document),
        )
        # What is deleted needs no attribute.
        failures = follow(self, function, role, kept.stream, "INSERT", "MODIFY")
        CfnOutput(
            self,
            "FailuresUrl",
            key=f"AttributeKeeperFailures{''.join(filter(str.isalnum, name))}",
            description=f"The queue for changes of {name} whose items the keeper could not set",
            value=failures.queue_url,
        )
