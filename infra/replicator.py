"""Makes a new table follow an old one: a follower of the stream, and a queue of keys for a late look."""

from typing import Any

from aws_cdk import Duration, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from .follower import Follower
from .functions import Functions
from .grant import allow, via
from .queues import dead_letters, queue
from .tables import Tables
from .writing import Followed

RECEIVES = 10
BATCH_MESSAGES = 10
FIELDS = {"set": "templates", "separator": "separator"}
"""Of cdk.json, and what a replica calls them. Those that are not given are left out: a function's variables are few."""

INVOCATIONS = 10
"""At once, for late looks. Else Lambda makes up to 1,000 after a backlog, which all read the old table."""


class Replicator(Construct):
    """Reads `table` (a name or ARN) and writes to the new one. Its role has no permissions on other tables.

    `key`: the ARN of the KMS key of the late looks, which hold keys of items; `None` for a key of SQS.
    `replica`: the function's configuration, also used by the copy (`skipscan.copy.replica`). `late_looks`: the queue.
    `mappings`: what invokes the function, which a cut-over switches off.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        table: str,
        copied: Followed,
        functions: Functions,
        tables: Tables,
        key: str | None,
    ) -> None:
        super().__init__(scope, id)
        self._key = key
        encrypting = kms.Key.from_key_arn(self, "Late key", key) if key else None
        failures = dead_letters(self, "Late failures", "the late looks", encrypting)
        self.late_looks = queue(
            self,
            "Late looks",
            # Lambda recommends six times the function's time-out, so that a message is not processed twice at once.
            visibility_timeout=Duration.minutes(30),
            retention=Duration.days(4),
            dead_letter_queue=sqs.DeadLetterQueue(queue=failures, max_receive_count=RECEIVES),
            key=encrypting,
        )
        self.replica: dict[str, Any] = {
            "source": table,
            "target": copied.to,
            "stream": copied.stream,
            "queue": self.late_looks.queue_url,
            **{FIELDS[name]: value for name, value in copied.document.items()},
        }
        follower = Follower(
            self,
            id,
            table=table,
            stream=copied.stream,
            events=("INSERT", "MODIFY", "REMOVE"),
            handler="replicator",
            name="copy",
            output="ReplicatorFailures",
            functions=functions,
            variables={"SKIPSCAN_REPLICA": Stack.of(self).to_json_string(self.replica)},
        )
        tables.grant(follower.role, table, "DescribeTable", "GetItem")
        tables.grant(follower.role, copied.to, "GetItem", "PutItem", "DeleteItem")
        allow(
            follower.role,
            ["sqs:SendMessage", "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
            [self.late_looks.queue_arn],
        )
        self.allow_key(follower.role)
        late = lambda_.EventSourceMapping(
            self,
            "Late",
            target=follower.function,
            event_source_arn=self.late_looks.queue_arn,
            batch_size=BATCH_MESSAGES,
            max_concurrency=INVOCATIONS,
            report_batch_item_failures=True,
        )
        follower.waiting.append(self.late_looks)
        self.mappings = [follower.mapping, late]
        what = f"keys of {table.rpartition('/')[2]} that {copied.to} does not take"
        follower.add_failures("LateFailuresUrl", "ReplicatorLateFailures", failures, what)

    def allow_key(self, role: iam.IRole) -> None:
        """Grant a role that sends or receives late looks the use of their key.

        SQS developer guide, "Key management": what producers and consumers of an encrypted queue need.
        """
        if self._key:
            allow(role, ["kms:GenerateDataKey", "kms:Decrypt"], [self._key], conditions=via(self, "sqs"))
