"""What makes a new table follow an old one: a function on the stream, and the queue of keys to look at later."""

from aws_cdk import CfnOutput, Duration
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from .functions import Functions
from .grant import acknowledge, allow
from .keeper import short
from .stream import follow
from .tables import Tables
from .writing import Copied

TIMEOUT = Duration.minutes(5)
RECEIVES = 10
BATCH_MESSAGES = 10


class Replicator(Construct):
    """Reads `table` (a name or ARN) and writes to the new one, and nothing else: its role knows no other table.

    `replica`: what the function is told, and the copy too (`skipscan.copy.replica`). `late_looks`: the queue.
    """

    def __init__(
        self, scope: Construct, id: str, *, table: str, copied: Copied, functions: Functions, tables: Tables
    ) -> None:
        super().__init__(scope, id)
        name = table.rpartition("/")[2]
        failures = _queue(self, "Late failures", retention=Duration.days(14))
        acknowledge(failures, "AwsSolutions-SQS3", "It is a dead-letter queue itself: the one of the late looks.")
        self.late_looks = _queue(
            self,
            "Late looks",
            # Lambda asks for six times the function's time-out, so that a message is not looked at twice at once.
            visibility_timeout=Duration.minutes(30),
            retention=Duration.days(4),
            dead_letter_queue=sqs.DeadLetterQueue(queue=failures, max_receive_count=RECEIVES),
        )
        self.replica = {
            "source": table,
            "target": copied.to,
            "stream": copied.stream,
            "queue": self.late_looks.queue_url,
            "templates": copied.document.get("set", {}),
            "separator": copied.document.get("separator", "refuse"),
        }
        role = functions.role(id)
        tables.grant_follow(role, source=table, target=copied.to)
        allow(
            role,
            ["sqs:SendMessage", "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
            [self.late_looks.queue_arn],
        )
        function = functions.function(
            id,
            role,
            handler="stream.replicator",
            name=f"copy-{short(name)}",
            memory_mb=512,
            timeout=TIMEOUT,
            SKIPSCAN_REPLICA=self.late_looks.stack.to_json_string(self.replica),
        )
        undone = follow(self, function, role, copied.stream, "INSERT", "MODIFY", "REMOVE")
        lambda_.EventSourceMapping(
            self,
            "Late",
            target=function,
            event_source_arn=self.late_looks.queue_arn,
            batch_size=BATCH_MESSAGES,
            report_batch_item_failures=True,
        )
        letters = "".join(filter(str.isalnum, name))
        CfnOutput(
            self,
            "FailuresUrl",
            key=f"ReplicatorFailures{letters}",
            description=f"The queue for changes of {name} that the replicator could not follow",
            value=undone.queue_url,
        )
        CfnOutput(
            self,
            "LateFailuresUrl",
            key=f"ReplicatorLateFailures{letters}",
            description=f"The queue for keys of {name} that {copied.to} does not take",
            value=failures.queue_url,
        )


def _queue(
    scope: Construct,
    id: str,
    *,
    retention: Duration,
    visibility_timeout: Duration | None = None,
    dead_letter_queue: sqs.DeadLetterQueue | None = None,
) -> sqs.Queue:
    return sqs.Queue(
        scope,
        id,
        encryption=sqs.QueueEncryption.SQS_MANAGED,
        enforce_ssl=True,
        retention_period=retention,
        visibility_timeout=visibility_timeout,
        dead_letter_queue=dead_letter_queue,
    )
