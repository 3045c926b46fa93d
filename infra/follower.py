"""A function that follows a table's stream: role, event filter, queue for failed records; and a table's keepers."""

import json
import re

from aws_cdk import Duration
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from skipscan.copy.kind import COPY

from .functions import Functions, lower
from .grant import allow
from .names import digest, output, output_key
from .queues import dead_letters
from .tables import Tables
from .writing import Writing

RETRIES = 10
BATCH_RECORDS = 100
TIMEOUT = Duration.minutes(5)
WHY_WILDCARD = "Lambda asks for ListStreams when a mapping is made; it has no resources that could be named."


class Follower(Construct):
    """One follower of one table. Its role may only read the stream; the caller grants what the follower's effect needs.

    `table`: a name or ARN. `events`: the kinds of record that the function receives. `name`: the first part of the
    function's name, before the table's. `output`: the first part of the output that holds the queue of failures.
    `variables`: environment variables of the function. `mapping`: of the stream. `failures`: the queues of what it gave
    up, which need a person: the name of the alarm, what the messages are about, and the queue. `waiting`: queues that
    the function empties besides the stream.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        table: str,
        stream: str,
        events: tuple[str, ...],
        handler: str,
        name: str,
        output: str,
        functions: Functions,
        variables: dict[str, str],
    ) -> None:
        super().__init__(scope, id)
        self.failures: list[tuple[str, str, sqs.Queue]] = []
        self.waiting: list[sqs.Queue] = []
        self.table = table.rpartition("/")[2]
        own = function_name(name, self.table)
        self.name = f"{functions.name}-{own}"
        self.role = functions.role(id)
        allow(self.role, ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], [stream])
        allow(self.role, "dynamodb:ListStreams", ["*"], why_wildcard=WHY_WILDCARD)
        self.function = functions.function(
            id,
            self.role,
            handler=f"stream.{handler}",
            name=own,
            memory_mb=512,
            timeout=TIMEOUT,
            variables=variables,
        )
        failures = dead_letters(self, "Failures", "a stream")
        self.mapping = lambda_.EventSourceMapping(
            self,
            "Stream",
            target=self.function,
            event_source_arn=stream,
            # From the oldest record on, so that no change between a run over the table and this deployment is lost.
            starting_position=lambda_.StartingPosition.TRIM_HORIZON,
            filters=[lambda_.FilterCriteria.filter({"eventName": lambda_.FilterRule.or_(*events)})],
            batch_size=BATCH_RECORDS,
            max_batching_window=Duration.seconds(1),  # several events of one item in one invocation cost one look
            parallelization_factor=1,
            report_batch_item_failures=True,
            bisect_batch_on_error=True,
            retry_attempts=RETRIES,
            on_failure=sources.SqsDlq(failures),
        )
        self.add_failures("FailuresUrl", output, failures, f"changes of {self.table} that were not followed")

    def add_failures(self, id: str, first: str, failures: sqs.Queue, what: str) -> None:
        """Add a queue of failures, and its stack output, named after the table."""
        about = f"The queue for {what}"
        output(self, id, key=output_key(first, self.table), value=failures.queue_url, description=about)
        name = re.sub("(?<!^)(?=[A-Z])", "-", first).lower()
        self.failures.append((f"{name}-{short(self.table)}", what, failures))


def short(table: str) -> str:
    """Return a table's name as part of a function's name: a long one is cut, with a hash that keeps it unique."""
    fitting = re.sub(r"[^A-Za-z0-9_-]", "-", table)
    if len(table) <= 23 and fitting == table:  # skipscan-<24>-keeper- leaves so many of 64
        return table
    return f"{fitting[:14]}-{digest(table)}"


def function_name(first: str, table: str) -> str:
    """Return the name of a table's follower. That of a table `page` would be the name of the state "Copy page"."""
    name = f"{first}-{short(table)}"
    return f"{name}-{digest(table)}" if name == lower(COPY.states["turn"], "-") else name


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
        tables.grant(keeper.role, writing.table, "DescribeTable", "GetItem", "Query", "PutItem", "DeleteItem")
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
        tables.grant(keeper.role, writing.table, "DescribeTable", "GetItem", "UpdateItem")
