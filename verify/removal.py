"""Removes what the kit made: at the end by its own list, and with `--clean` by names and tags."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from skipscan.aws.faults import NO_QUEUE
from skipscan.environment.executions import PREFIX
from verify.kit import Kit
from verify.thing import TAG, Kind, Thing, prefix

GONE = {
    *("ResourceNotFoundException", "NoSuchBucket", "NoSuchEntity", "StateMachineDoesNotExist", "404"),
    *("ResourceNotFound", "ExecutionDoesNotExist", "NoSuchKey"),
    *NO_QUEUE,
}
BUSY_SECONDS = 300.0
"""How long a table that is being created may take until it can be deleted."""


def remove(kit: Kit, things: Iterable[Thing]) -> list[str]:
    """Remove things; return a line about each that could not be removed. What is gone already is removed."""
    order = list(Kind)
    left = []
    for thing in sorted(things, key=lambda each: order.index(each.kind)):
        try:
            _REMOVALS[thing.kind](kit, thing.name)
        except (ClientError, BotoCoreError) as error:
            if _code(error) not in GONE:
                left.append(f"{thing.kind} {thing.name}: {error}")
    return left


def found(kit: Kit, report: Callable[[str], object], unseen: Callable[[str], object] | None = None) -> Iterator[Thing]:
    """Return what earlier launches have left in the environment's account: by name, and only with the kit's tag.

    `unseen`: takes a line about each kind that could not be looked for; `None`: `report` does.
    """
    start = prefix(kit.deployment.environment)
    for kind, find in _FINDERS.items():
        with _looking(kind, unseen or report):
            for name, tags in find(kit, start):
                if (of_thing := _tags(tags)) is None:
                    report(f"{kind} {name} is gone: it was removed after it was listed")
                elif of_thing.get(TAG) == kit.deployment.environment:
                    yield Thing(kind, name)
                else:
                    report(f"{kind} {name} lacks the tag {TAG}={kit.deployment.environment} and is left")
    for kind, look in ((Kind.RESULTS, _results), (Kind.EXECUTION, _executions)):
        with _looking(kind, unseen or report):
            yield from look(kit, start)


@contextmanager
def _looking(kind: Kind, unseen: Callable[[str], object]) -> Iterator[None]:
    try:
        yield
    except (ClientError, BotoCoreError) as error:
        unseen(f"cannot look for any {kind}: {error}")


Found = Iterator[tuple[str, Callable[[], dict[str, str]]]]


def _tags(look: Callable[[], dict[str, str]]) -> dict[str, str] | None:
    """Return the tags; `None` of what is gone since it was listed."""
    try:
        return look()
    except ClientError as error:
        if _code(error) == "NoSuchTagSet":  # of a bucket that has none
            return {}
        if _code(error) not in GONE:
            raise
        return None


def _all(client: Any, operation: str, field: str, **asked: Any) -> Iterator[Any]:
    """Return what a list of AWS has, from all of its pages. `operation`: the client's name of it."""
    for page in client.get_paginator(operation).paginate(**asked):
        yield from page.get(field, ())


def _tables(kit: Kit, start: str) -> Found:
    for name in _all(kit.dynamodb, "list_tables", "TableNames"):
        if name.startswith(start):
            yield name, lambda name=name: _table_tags(kit, name)  # type: ignore[misc]


def _table_tags(kit: Kit, name: str) -> dict[str, str]:
    arn = kit.dynamodb.describe_table(TableName=name)["Table"]["TableArn"]
    return _pairs(_all(kit.dynamodb, "list_tags_of_resource", "Tags", ResourceArn=arn))


def _buckets(kit: Kit, start: str) -> Found:
    s3 = kit.client("s3")
    # With a size of pages: S3 refuses a list without, in an account that may have more than 10,000 buckets (API
    # reference, ListBuckets).
    for bucket in _all(s3, "list_buckets", "Buckets", PaginationConfig={"PageSize": 1000}):
        if (name := bucket["Name"]).startswith(start):
            yield name, lambda name=name: _pairs(s3.get_bucket_tagging(Bucket=name)["TagSet"])  # type: ignore[misc]


def _functions(kit: Kit, start: str) -> Found:
    client = kit.client("lambda")
    for function in _all(client, "list_functions", "Functions"):
        if function["FunctionName"].startswith(start):
            arn = function["FunctionArn"]
            yield function["FunctionName"], lambda arn=arn: client.list_tags(Resource=arn)["Tags"]  # type: ignore[misc]


def _mappings(kit: Kit, start: str) -> Found:
    client = kit.client("lambda")
    for mapping in _all(client, "list_event_source_mappings", "EventSourceMappings"):
        if mapping["FunctionArn"].split(":")[6].startswith(start):
            arn = mapping["EventSourceMappingArn"]
            yield mapping["UUID"], lambda arn=arn: client.list_tags(Resource=arn)["Tags"]  # type: ignore[misc]


def _machines(kit: Kit, start: str) -> Found:
    client = kit.client("stepfunctions")
    for machine in _all(client, "list_state_machines", "stateMachines"):
        if machine["name"].startswith(start):
            arn = machine["stateMachineArn"]
            yield arn, lambda arn=arn: _pairs(client.list_tags_for_resource(resourceArn=arn)["tags"])  # type: ignore[misc]


def _roles(kit: Kit, start: str) -> Found:
    client = kit.client("iam")
    for role in _all(client, "list_roles", "Roles"):
        if (name := role["RoleName"]).startswith(start):
            yield name, lambda name=name: _pairs(_all(client, "list_role_tags", "Tags", RoleName=name))  # type: ignore[misc]


def _queues(kit: Kit, start: str) -> Found:
    client = kit.client("sqs")
    for url in _all(client, "list_queues", "QueueUrls", QueueNamePrefix=start):
        yield url, lambda url=url: client.list_queue_tags(QueueUrl=url).get("Tags", {})  # type: ignore[misc]


def _schedules(kit: Kit, start: str) -> Found:
    client = kit.client("scheduler")
    for group in _all(client, "list_schedule_groups", "ScheduleGroups", NamePrefix=start):
        arn = group["Arn"]
        if group["State"] == "ACTIVE":
            yield group["Name"], lambda arn=arn: _pairs(client.list_tags_for_resource(ResourceArn=arn)["Tags"])  # type: ignore[misc]


_FINDERS: dict[Kind, Callable[[Kit, str], Found]] = {
    Kind.SCHEDULES: _schedules,
    Kind.MAPPING: _mappings,
    Kind.STATE_MACHINE: _machines,
    Kind.FUNCTION: _functions,
    Kind.ROLE: _roles,
    Kind.BUCKET: _buckets,
    Kind.QUEUE: _queues,
    Kind.TABLE: _tables,
}


def _results(kit: Kit, start: str) -> Iterator[Thing]:
    """Return the kit's tables that the environment has results of: objects have no tag of the kit's, their names do."""
    asked = {"Bucket": kit.deployment.bucket, "Prefix": f"{PREFIX}/{start}", "Delimiter": "/"}
    for entry in _all(kit.client("s3"), "list_objects_v2", "CommonPrefixes", **asked):
        # It ends at the first slash after the prefix, so after the table's name.
        yield Thing(Kind.RESULTS, entry["Prefix"].removeprefix(f"{PREFIX}/").rstrip("/"))


def _executions(kit: Kit, start: str) -> Iterator[Thing]:
    """Return the executions over the kit's own tables. A person's may have any name, also one like the kit's."""
    client = kit.client("stepfunctions")
    for machine in kit.deployment.machines.values():
        running = {"stateMachineArn": machine, "statusFilter": "RUNNING"}
        for execution in _all(client, "list_executions", "executions", **running):
            if execution["name"].startswith("verify-") and _table_of(kit, execution["executionArn"]).startswith(start):
                yield Thing(Kind.EXECUTION, execution["executionArn"])


def _table_of(kit: Kit, execution: str) -> str:
    asked = json.loads(kit.client("stepfunctions").describe_execution(executionArn=execution)["input"])
    return str(asked.get("table")) if isinstance(asked, dict) else ""


def _stop(kit: Kit, arn: str) -> None:
    client = kit.client("stepfunctions")
    if client.describe_execution(executionArn=arn)["status"] == "RUNNING":
        client.stop_execution(executionArn=arn, error="Stopped", cause="stopped by `make verify`")


def _remove_machine(kit: Kit, arn: str) -> None:
    kit.client("stepfunctions").delete_state_machine(stateMachineArn=arn)


def _remove_mapping(kit: Kit, uuid: str) -> None:
    _once_free(lambda: kit.client("lambda").delete_event_source_mapping(UUID=uuid))


def _remove_function(kit: Kit, name: str) -> None:
    kit.client("lambda").delete_function(FunctionName=name)


def _remove_role(kit: Kit, name: str) -> None:
    client = kit.client("iam")
    for policy in [*_all(client, "list_role_policies", "PolicyNames", RoleName=name)]:
        client.delete_role_policy(RoleName=name, PolicyName=policy)
    client.delete_role(RoleName=name)


def _remove_queue(kit: Kit, url: str) -> None:
    kit.client("sqs").delete_queue(QueueUrl=url)


def _remove_schedules(kit: Kit, group: str) -> None:
    kit.client("scheduler").delete_schedule_group(Name=group)


def _remove_results(kit: Kit, table: str) -> None:
    _remove_objects(kit, kit.deployment.bucket, f"{PREFIX}/{table}/")


def _remove_bucket(kit: Kit, name: str) -> None:
    _remove_objects(kit, name, "")
    kit.client("s3").delete_bucket(Bucket=name)


def _remove_objects(kit: Kit, bucket: str, start: str) -> None:
    s3 = kit.client("s3")
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=start):
        if objects := [{"Key": entry["Key"]} for entry in page.get("Contents", ())]:
            answer = s3.delete_objects(Bucket=bucket, Delete={"Objects": objects, "Quiet": True})
            for refusal in answer.get("Errors", ()):
                raise ClientError({"Error": {"Code": refusal["Code"], "Message": refusal["Key"]}}, "DeleteObjects")


def _remove_table(kit: Kit, name: str) -> None:
    _once_free(lambda: kit.dynamodb.delete_table(TableName=name), lambda: _is_being_deleted(kit, name))


def _once_free(delete: Callable[[], object], is_deleted: Callable[[], bool] = lambda: False) -> None:
    """Delete what may still be being created or changed."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            delete()
        except ClientError as error:
            if _code(error) != "ResourceInUseException" or time.monotonic() > deadline:
                raise
            if is_deleted():
                return
            time.sleep(1)
        else:
            return


def _is_being_deleted(kit: Kit, name: str) -> bool:
    with suppress(ClientError):
        return bool(kit.dynamodb.describe_table(TableName=name)["Table"]["TableStatus"] == "DELETING")
    return True


_REMOVALS: dict[Kind, Callable[[Kit, str], None]] = {
    Kind.SCHEDULES: _remove_schedules,
    Kind.EXECUTION: _stop,
    Kind.STATE_MACHINE: _remove_machine,
    Kind.MAPPING: _remove_mapping,
    Kind.FUNCTION: _remove_function,
    Kind.ROLE: _remove_role,
    Kind.RESULTS: _remove_results,
    Kind.BUCKET: _remove_bucket,
    Kind.QUEUE: _remove_queue,
    Kind.TABLE: _remove_table,
}


def _pairs(tags: Iterable[dict[str, Any]]) -> dict[str, str]:
    return {str(tag.get("Key", tag.get("key"))): str(tag.get("Value", tag.get("value"))) for tag in tags}


def _code(error: Exception) -> str:
    return str(error.response["Error"].get("Code")) if isinstance(error, ClientError) else ""
