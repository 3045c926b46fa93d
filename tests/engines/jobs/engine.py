"""dynalite as the jobs see it: with what it lacks, and with requests that fail."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.fakes.error import service_error

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

STREAM = "arn:aws:dynamodb:us-east-1:000000000000:table/{}/stream/{}"
CREATED = "2026-01-01T00:00:00.000"
RECORDED = ("scan", "query", "get_item", "put_item", "update_item", "delete_item", "create_table")


class Engine:
    """dynalite's client with what dynalite lacks: streams, tags, backups, and `more` of each table's DescribeTable.

    `before`: called before requests. `created`: when the tables' streams were. `streamless`: tables without a stream.
    `unavailable`: how often recovery cannot be set yet.
    """

    def __init__(self, client: DynamoDBClient) -> None:
        self.client = client
        self.recovery = "ENABLED"
        self.has_stream = True
        self.streamless: set[str] = set()
        self.created = CREATED
        self.more: dict[str, dict[str, Any]] = {}
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.before: Any = None
        self.tags: list[dict[str, str]] = []
        self.unavailable = 0

    def __getattr__(self, name: str) -> Any:
        if name not in RECORDED:
            return getattr(self.client, name)

        def call(**parameters: Any) -> Any:
            self.requests.append((name, parameters))
            if self.before:
                self.before(name, parameters)
            if name == "create_table":
                self.tags = parameters.pop("Tags", [])
            return getattr(self.client, name)(**parameters)

        return call

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.requests]

    def fail(self, operation: str, *errors: Exception, key: str = "") -> None:
        """Have the first requests of an operation fail, with a last error that comes again; of one item alone."""
        faults = list(errors)

        def before(name: str, asked: dict[str, Any]) -> None:
            if name == operation and key in {"", asked.get("Key", asked.get("Item", {})).get("id", {}).get("S")}:
                raise faults.pop(0) if len(faults) > 1 else faults[0]

        self.before = before

    def describe_table(self, **parameters: Any) -> dict[str, Any]:
        table: dict[str, Any] = {**self.client.describe_table(**parameters)["Table"]}
        if self.has_stream and table["TableName"] not in self.streamless:
            table |= {
                "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
                "LatestStreamArn": STREAM.format(table["TableName"], self.created),
            }
        return {"Table": table | self.more.get(table["TableName"], {})}

    def get_paginator(self, operation: str) -> Any:
        """Of tables' tags; the first page has none."""
        assert operation == "list_tags_of_resource"
        return SimpleNamespace(paginate=lambda **_: iter([{"Tags": []}, {"Tags": self.tags}]))

    def describe_continuous_backups(self, **_: Any) -> dict[str, Any]:
        recovery = {"PointInTimeRecoveryStatus": self.recovery}
        return {"ContinuousBackupsDescription": {"PointInTimeRecoveryDescription": recovery}}

    def update_continuous_backups(self, **_: Any) -> None:
        """API reference, UpdateContinuousBackups: refused while backups of a new table are being enabled."""
        if self.unavailable:
            self.unavailable -= 1
            code = "ContinuousBackupsUnavailableException"
            raise self.client.exceptions.ContinuousBackupsUnavailableException(
                {"Error": {"Code": code, "Message": "Backups are being enabled for the table"}},
                "UpdateContinuousBackups",
            )
        self.recovery = "ENABLED"


def error(code: str, operation: str = "PutItem", **more: Any) -> Exception:
    refusal = service_error(code, "no", operation)
    refusal.response.update(more)  # type: ignore[typeddict-item]
    return refusal
