"""Services beside DynamoDB and S3, as far as Skipscan calls them, a class each; `faulty` refuses what they do not."""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ClientError


class Denied:
    """Any boto3 client whose every call AWS refuses; planning then continues without prices, slots and executions."""

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def refused(*_: Any, **__: Any) -> Any:
            raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": "no"}}, operation)

        return refused


class Queue:
    """SQS with a queue that takes every message. `entries`: of all messages."""

    def __init__(self, url: str = "https://queue") -> None:
        self.url = url
        self.entries: list[dict[str, Any]] = []

    @property
    def bodies(self) -> list[str]:
        return [entry["MessageBody"] for entry in self.entries]

    def get_queue_url(self, **_: str) -> dict[str, str]:
        return {"QueueUrl": self.url}

    def send_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803 (boto3's)
        assert QueueUrl == self.url
        assert 0 < len(Entries) == len({entry["Id"] for entry in Entries}) <= 10
        self.entries += Entries
        return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}

    def close(self) -> None: ...


class Stacks:
    """CloudFormation with one stack and its outputs, in so many words; without outputs only a list has its name."""

    def __init__(self, name: str, outputs: Mapping[str, str] | None, region: str = "us-east-1") -> None:
        self._name, self._outputs = name, outputs
        self.meta = SimpleNamespace(region_name=region)

    def describe_stacks(self, *, StackName: str) -> dict[str, Any]:  # noqa: N803 (boto3's)
        if StackName != self._name or self._outputs is None:
            error: Any = {"Code": "ValidationError", "Message": f"Stack with id {StackName} does not exist"}
            raise ClientError({"Error": error}, "DescribeStacks")
        outputs = [{"OutputKey": key, "OutputValue": value} for key, value in self._outputs.items()]
        return {"Stacks": [{"Outputs": outputs}]}

    def list_stacks(self, **_: Any) -> dict[str, Any]:
        return {"StackSummaries": [{"StackName": self._name}]}

    def get_paginator(self, _name: str) -> Any:
        return SimpleNamespace(paginate=lambda **_: [self.list_stacks()])


class Mappings:
    """`states`: by UUID. `code`: of the refusal where a mapping has none."""

    def __init__(self, *states: str, code: str = "ResourceNotFoundException") -> None:
        self.states = {f"mapping-{number}": state for number, state in enumerate(states, start=1)}
        self._code = code

    def get_event_source_mapping(self, UUID: str) -> dict[str, str]:  # noqa: N803 (boto3's)
        if UUID not in self.states:
            raise ClientError({"Error": {"Code": self._code, "Message": ""}}, "GetEventSourceMapping")
        return {"UUID": UUID, "State": self.states[UUID]}
