"""The Act state machine in a few lines, over runs of the listing one, and the table that its tests act on."""

import io
import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ReadTimeoutError

from skipscan.dynamodb.table_description import TableDescription
from skipscan.items import mark
from tests.fakes.definition import IndexDefinition, KeySchema
from tests.fakes.dynamodb import FakeDynamoDB
from tests.fakes.handlers.execution import CONTEXT, Machine

TARGET = "arn:aws:lambda:us-east-1:000000000000:function:receiver"
QUEUE = "arn:aws:sqs:us-east-1:123456789012:keys"
FIFO = f"{QUEUE}.fifo"
KEYS = 23
MARKERS = IndexDefinition("markers", KeySchema.of(("GSI-pk", "S")), projection="KEYS_ONLY")
SCHEMA = KeySchema.of(("pk", "S"), ("sk", "S"))
MARKER = {"item": {"sk": "#static", "GSI-pk": "{pk}"}}


@dataclass
class Acting(Machine):
    """The state machine of jobs, and the listing whose runs they act on."""

    listing: Machine

    def act(self, name: str = "job-1", **document: Any) -> dict[str, Any]:
        """Return an execution's output, or its error and cause; the job writes by default."""
        return self.run({"table": "T-1", "run": "run-1", "dry_run": False, **document}, name)

    def planned(
        self, document: object, name: str = "job-1", started: str = "2026-01-01T00:00:00Z", arn: str = ""
    ) -> dict[str, Any]:
        return super().planned(document, name, started, arn)

    def failed(self, job: str = "job-1") -> list[Any]:
        """Return the failed keys of a job with their reasons."""
        names = self.objects(f"/acts/{job}/failed/")
        return [json.loads(line) for name in names for line in self.read(name).splitlines()]


def home(dynamodb: FakeDynamoDB) -> str:
    description = dynamodb.describe_table(TableName="T-1")["Table"]
    return mark.home("unnamed", CONTEXT.invoked_function_arn, TableDescription.from_json(description))


def markers(dynamodb: FakeDynamoDB) -> set[str]:
    return {item["pk"]["S"] for item in dynamodb.table("T-1").items() if item["sk"]["S"] == "#static"}


class Receiver:
    """A function that records its invocations, and answers as configured."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.events = list(answers), list[Any]()
        self.exceptions = SimpleNamespace()

    def invoke(self, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803 (boto3's names)
        assert FunctionName == TARGET
        self.events.append(json.loads(Payload))
        answer = self.answers.pop(0) if self.answers else {}
        if answer == "silent":
            raise ReadTimeoutError(endpoint_url="http://localhost")
        if answer == "raises":
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b'{"errorMessage": "a key"}')}
        return {"Payload": io.BytesIO(json.dumps(answer).encode())}
