"""The planning of a copy: describe both tables, sample a few items, create the new table on request.

A created table is like the source, with a tag by which a retry finds it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from botocore.exceptions import ClientError

from skipscan.aws import table
from skipscan.aws.clients import DynamoDBClient
from skipscan.aws.faults import code_of
from skipscan.aws.function import Settings
from skipscan.copy.input import CopyInput, parse_copy
from skipscan.copy.plan import CopyForecast, CopyPlan, copy_plan
from skipscan.copy.replica import Replica, check_apart, target_warnings
from skipscan.dynamodb.delivery import reader_warnings
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import (
    INDEXES,
    TableDescription,
    check_recovery,
    key_schema,
    vector_warnings,
)
from skipscan.errors import TableError, give, leave_out
from skipscan.inputs.names import table_name
from skipscan.items.sample_requests import sample_items
from skipscan.listing import price_requests
from skipscan.loop.allotment import PlanAttempt
from skipscan.loop.begin import Planning
from skipscan.loop.work import ExecutionId

COPY_OF = "skipscan:copy-of"
"""The tag of a table that a copy created. Its value is the source's TableId, because names recur."""

DEFAULT_KEY = "alias/aws/dynamodb"


def target_of(
    client: DynamoDBClient, keys: Any, description: TableDescription, name: str, *, create: bool, dry_run: bool
) -> TableDescription:
    """Return the target's description. If it is to be created, create it; for a dry run describe the future table.

    For some minutes after a table was created, raises DynamoDB's ContinuousBackupsUnavailableException: a retry of the
    plan then finds the created table. Raises `TableError` for a target that does not exist, and for one that would
    lack the source's vector indexes.
    """
    try:
        found = table.describe(client, name)
    except TableError as error:
        refusal = error.__context__
        if not create and isinstance(refusal, ClientError) and code_of(refusal) == "ResourceNotFoundException":
            raise TableError("to", name, error.rule, f"{error.way}; to make it, {give('create', True)}") from None
        if not create:
            raise
    else:
        is_own = create and not dry_run and not table.has_recovery(client, name) and _is_own(client, found, description)
        return _protected(client, name) if is_own else found
    if description.vector_indexes:
        raise TableError(
            "create",
            True,
            f'table "{description.name}" has vector indexes '
            f"({', '.join(description.vector_indexes)}), which a copy does not create",
            f'create table "{name}" yourself, with the vector indexes that it needs, switch point-in-time recovery on, '
            f"and {leave_out('create')}",
        )
    if dry_run:
        parameters = new_table(description, name, default_key=None)
        return TableDescription.from_json({**parameters, "TableStatus": "ACTIVE"})
    parameters = new_table(description, name, default_key=_default_key(keys) if description.kms_key else None)
    with suppress(client.exceptions.ResourceInUseException):  # another attempt created it a moment ago
        client.create_table(**parameters, Tags=[{"Key": COPY_OF, "Value": _identity(description)}])
    return _protected(client, name)


def _protected(client: DynamoDBClient, name: str) -> TableDescription:
    """Wait for a table, enable its point-in-time recovery, and return its description."""
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 2, "MaxAttempts": 60})
    client.update_continuous_backups(
        TableName=name, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )
    return table.describe(client, name)


def _is_own(client: DynamoDBClient, found: TableDescription, source: TableDescription) -> bool:
    """Return whether a copy of this same source created the table."""
    own = {"Key": COPY_OF, "Value": _identity(source)}
    pages = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=found.arn)
    return any(own in page["Tags"] for page in pages)


def _identity(source: TableDescription) -> str:
    """Return the source's TableId. For engines without one it is made from the ARN."""
    return source.table_id or source.arn[-256:]


def _default_key(keys: Any) -> str | None:
    """Return the ARN of the account's AWS managed key for DynamoDB, which CreateTable does not accept."""
    try:
        return str(keys.describe_key(KeyId=DEFAULT_KEY)["KeyMetadata"]["Arn"])
    except ClientError as error:
        if error.response["Error"]["Code"] == "NotFoundException":
            return None
        raise


def new_table(description: TableDescription, name: str, *, default_key: str | None) -> dict[str, Any]:
    """Return CreateTable's parameters for a table like the described one.

    Local indexes can only be created with their table. Other settings (streams, time to live, tags, policies) are for
    the owner to choose again. `default_key`: the ARN of the account's AWS managed key for DynamoDB, which CreateTable
    does not accept (API reference, SSESpecification).
    """
    made: dict[str, Any] = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in description.attribute_types.items()
        ],
        "KeySchema": key_schema(description.partition_key, description.sort_key),
    }
    for kind, field in INDEXES.items():
        if indexes := [index for index in description.indexes if index.kind is kind]:
            made[field] = [
                {
                    "IndexName": index.name,
                    "KeySchema": key_schema(index.partition_key, index.sort_key),
                    "Projection": index.projection_request,
                }
                for index in indexes
            ]
    if description.kms_key is not None:
        own = {} if description.kms_key == default_key else {"KMSMasterKeyId": description.kms_key}
        made["SSESpecification"] = {"Enabled": True, "SSEType": "KMS", **own}
    return made


@dataclass(frozen=True)
class CopyPlanning(Planning[CopyPlan]):
    """One input and both tables. `recovery`: the target's point-in-time recovery; `None` if unknown.

    `check_on`: raises `TableError` if the replicator is switched off.
    """

    work_input: CopyInput
    replica: Replica
    target: TableDescription
    recovery: bool | None
    prices: Prices
    client: DynamoDBClient
    warnings: list[str]
    check_on: Callable[[Replica], object]

    @classmethod
    def open(
        cls,
        document: object,
        client: DynamoDBClient,
        pricing: Any,
        settings: Settings,
        *,
        keys: Any,
        check_on: Callable[[Replica], object],
    ) -> "CopyPlanning":
        """Return the planning; raise `InputError` or `TableError` for a copy that must not start."""
        copy_input = parse_copy(document)
        description = table.describe(client, copy_input.table)
        replica = replica_of(copy_input, description, settings.replicas)
        if not copy_input.compare_only:
            others = [pair for pair in map(Replica.configured, settings.replicas) if pair != replica]
            check_apart(replica, others, settings.followers, settings.retrofitted)
        if not (copy_input.compare_only or copy_input.resume):
            check_on(replica)  # before a table is created
        name = table_name(replica.target)
        target = target_of(client, keys, description, name, create=copy_input.create, dry_run=copy_input.dry_run)
        replica.check(description, target)
        recovery = table.has_recovery(client, replica.target)
        if not (copy_input.dry_run or copy_input.compare_only or copy_input.without_recovery or copy_input.resume):
            check_recovery(copy_input.to, recovery)
        # One price counts for both tables, so it is the higher one.
        is_infrequent_access = description.is_infrequent_access or target.is_infrequent_access
        prices = price_requests.prices(pricing, client.meta.region_name, is_infrequent_access=is_infrequent_access)
        vectors = [] if copy_input.compare_only else vector_warnings(target)
        warnings = [*reader_warnings(description, settings.followers), *target_warnings(target), *vectors]
        return cls(copy_input, description, replica, target, recovery, prices, client, warnings, check_on)

    def resumed(self, fixed: CopyPlan) -> CopyPlan:
        if not fixed.compare_only:
            self.check_on(self.replica)
            if not self.work_input.without_recovery:
                check_recovery(self.work_input.to, self.recovery)
        if fixed.replica != self.replica:
            raise TableError(
                "resume",
                self.work_input.resume,
                "the environment has another target, stream or set for the table since",
                "start a new copy; items that are already correct cost one write unit per KB and are not written again",
            )
        fixed.target.check(self.target.identity, f'resume is "{self.work_input.resume}"; what that copy writes')
        return fixed.resumed(self.work_input, self.description, self.target, self.prices)

    def planned(self, execution: ExecutionId, attempt: PlanAttempt) -> tuple[CopyPlan, Mapping[str, Any]]:
        decided = copy_plan(self.work_input, self.replica, self.description, self.target, self.prices)
        decided = decided.described(attempt.sampled_units())
        sample = sample_items(self.client, decided, crc32(execution.arn.encode()), attempt)
        forecast = CopyForecast.of(self.replica, sample, decided.reading.segments, self.description, self.target)
        decided = decided.sampled(attempt.sampled_units(), forecast.item_bytes, forecast.units).over(forecast.items)
        explanation = forecast.to_json(decided, recovery=self.recovery)
        general = decided.warnings(self.work_input.workers, explanation["minutes"])
        return decided, {"explanation": {**explanation, "warnings": [*self.warnings, *general]}}


def replica_of(copy_input: CopyInput, description: TableDescription, replicas: Sequence[Mapping[str, Any]]) -> Replica:
    """Return the pair that the environment names for the table.

    Raises `TableError` if it names none, or another target than the input.
    """
    name = description.name
    for document in replicas:
        replica = Replica.configured(document)
        if replica.source in (name, description.arn):
            if copy_input.to not in (replica.target, table_name(replica.target)):
                raise TableError(
                    "to",
                    copy_input.to,
                    f'this environment copies table "{name}" to {table_name(replica.target)}, and its '
                    "replicator writes there",
                    "use that table, or change it in cdk.json and deploy",
                )
            return replica
    raise TableError(
        "table",
        name,
        "this environment does not copy it",
        f'add "writing": {{"{name}": {{"copy": {{"to": "<target>", "stream": "<ARN>"}}}}}} to it in cdk.json, '
        "and deploy",
    )
