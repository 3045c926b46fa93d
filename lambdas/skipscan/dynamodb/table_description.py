"""A table and its indexes as DescribeTable describes them (API reference, "TableDescription").

Counts and sizes are up to six hours old. A missing field has the value that its absence stands for.

The identity of a table is resolved once, by Plan, stored in plan and manifest, and compared wherever two of them meet.
A name is not enough: accounts share names, and a table may be created again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from skipscan.errors import OMITTED, TableError, give, leave_out


@dataclass(frozen=True)
class TableIdentity:
    """One table, from its creation to its deletion.

    `arn`: partition, region, account and name. `table_id`: unique to each created table, whatever its name; empty for
    an engine without one.
    """

    arn: str
    table_id: str

    def check(self, found: "TableIdentity", what: str) -> None:
        """Raise `TableError` unless both are the same table. `what`: what this table belongs to, for messages."""
        if found.arn != self.arn:
            raise TableError(
                what,
                OMITTED,
                f"belongs to table {self.arn}; this is table {found.arn}",
                "give the ARN of the table that you mean",
            )
        if found.table_id != self.table_id:
            raise TableError(
                what,
                OMITTED,
                f"belongs to a table that no longer exists: {self.arn} was deleted and created again (TableId "
                f"{self.table_id or 'unknown'}, now {found.table_id or 'unknown'})",
                "start a new one without it",
            )


class SourceKind(StrEnum):
    TABLE = "table"
    LOCAL_INDEX = "local index"
    GLOBAL_INDEX = "global index"


@dataclass(frozen=True)
class KeyAttribute:
    name: str
    type: str  # S, N or B


@dataclass(frozen=True)
class Throughput:
    """Units a second. `read_units`, `write_units`: provisioned; `max_...`: the most on demand; `None` without one.

    `warm_...`: what is served at once (developer guide, "warm throughput"); `None` where the answer does not say so.
    """

    read_units: int | None
    write_units: int | None
    max_read_units: int | None
    max_write_units: int | None
    warm_read_units: int | None
    warm_write_units: int | None

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Self:
        """Return the throughput of a table's or index's entry. A table on demand has a provisioned throughput of 0."""
        provisioned, on_demand = entry.get("ProvisionedThroughput") or {}, entry.get("OnDemandThroughput") or {}
        warm = entry.get("WarmThroughput") or {}
        return cls(
            read_units=provisioned.get("ReadCapacityUnits") or None,
            write_units=provisioned.get("WriteCapacityUnits") or None,
            max_read_units=_maximum(on_demand.get("MaxReadRequestUnits")),
            max_write_units=_maximum(on_demand.get("MaxWriteRequestUnits")),
            warm_read_units=warm.get("ReadUnitsPerSecond") or None,
            warm_write_units=warm.get("WriteUnitsPerSecond") or None,
        )


@dataclass(frozen=True)
class IndexDescription:
    """One index. `projection`: ALL, KEYS_ONLY or INCLUDE. `status`: of a global index; a local one has none."""

    name: str
    kind: SourceKind
    partition_key: tuple[KeyAttribute, ...]
    sort_key: tuple[KeyAttribute, ...]
    projection: str
    non_key_attributes: tuple[str, ...]
    status: str | None
    throughput: Throughput
    items: int
    size_bytes: int

    @property
    def key(self) -> tuple[KeyAttribute, ...]:
        return self.partition_key + self.sort_key

    @property
    def projection_request(self) -> dict[str, Any]:
        """The projection as CreateTable takes it."""
        others = {"NonKeyAttributes": list(self.non_key_attributes)} if self.non_key_attributes else {}
        return {"ProjectionType": self.projection, **others}


@dataclass(frozen=True)
class TableDescription:
    """One table. `attribute_types`: of all key attributes, of the table and its indexes, by name.

    `stream`: the ARN of its stream; `None` without one. `kms_key`: the ARN of the KMS key that encrypts it. `table_id`:
    unique to each created table, whatever its name. `is_global`: it has replicas in other regions; `is_merged`: and
    they are merged item by item, some time after each write (MultiRegionConsistency EVENTUAL). `vector_indexes`: their
    names. Nothing can be listed through them, because they take no Scan and no Query.
    """

    name: str
    arn: str
    table_id: str
    status: str | None
    partition_key: tuple[KeyAttribute, ...]
    sort_key: tuple[KeyAttribute, ...]
    attribute_types: Mapping[str, str]
    indexes: tuple[IndexDescription, ...]
    vector_indexes: tuple[str, ...]
    is_on_demand: bool
    throughput: Throughput
    items: int
    size_bytes: int
    is_infrequent_access: bool
    is_global: bool
    is_merged: bool
    stream: str | None
    kms_key: str | None

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Return the description from DescribeTable's `Table` document."""
        types = {a["AttributeName"]: a["AttributeType"] for a in document["AttributeDefinitions"]}
        partition_key, sort_key = _keys(document["KeySchema"], types)
        stream_is_on = (document.get("StreamSpecification") or {}).get("StreamEnabled", False)
        encryption = document.get("SSEDescription") or {}
        is_global = bool(document.get("Replicas"))
        return cls(
            name=document.get("TableName", ""),
            arn=document.get("TableArn", ""),
            table_id=document.get("TableId", ""),
            status=document.get("TableStatus"),
            partition_key=partition_key,
            sort_key=sort_key,
            attribute_types=types,
            indexes=tuple(
                _index(entry, kind, types) for kind, field in INDEXES.items() for entry in document.get(field) or ()
            ),
            vector_indexes=tuple(entry["IndexName"] for entry in document.get("VectorIndexes") or ()),
            is_on_demand=(document.get("BillingModeSummary") or {}).get("BillingMode") == "PAY_PER_REQUEST",
            throughput=Throughput.from_json(document),
            items=document.get("ItemCount", 0),
            size_bytes=document.get("TableSizeBytes", 0),
            is_infrequent_access=(document.get("TableClassSummary") or {}).get("TableClass")
            == "STANDARD_INFREQUENT_ACCESS",
            is_global=is_global,
            is_merged=is_global and document.get("MultiRegionConsistency") != "STRONG",
            stream=document.get("LatestStreamArn") if stream_is_on else None,
            kms_key=encryption.get("KMSMasterKeyArn") if encryption.get("SSEType") == "KMS" else None,
        )

    @property
    def identity(self) -> TableIdentity:
        return TableIdentity(self.arn, self.table_id)

    @property
    def key(self) -> tuple[KeyAttribute, ...]:
        return self.partition_key + self.sort_key

    @property
    def key_attributes(self) -> tuple[KeyAttribute, ...]:
        """Return every key attribute of the table and its indexes."""
        return tuple(KeyAttribute(name, kind) for name, kind in self.attribute_types.items())

    def index(self, name: str) -> IndexDescription:
        """Return an index; raise `TableError` if there is none of that name."""
        for index in self.indexes:
            if index.name == name:
                return index
        names = ", ".join(sorted(index.name for index in self.indexes)) or "none"
        raise TableError(
            "index",
            name,
            f"the table's indexes are {names}",
            f"use one of them, or {leave_out('index')} to list the table's own keys",
        )


INDEXES = {SourceKind.LOCAL_INDEX: "LocalSecondaryIndexes", SourceKind.GLOBAL_INDEX: "GlobalSecondaryIndexes"}
"""The member of DescribeTable and CreateTable that lists the indexes of a kind."""


def key_schema(partition_key: Sequence[KeyAttribute], sort_key: Sequence[KeyAttribute]) -> list[dict[str, str]]:
    """Return the KeySchema of CreateTable for these keys."""
    return [
        {"AttributeName": attribute.name, "KeyType": role}
        for role, keys in (("HASH", partition_key), ("RANGE", sort_key))
        for attribute in keys
    ]


def _index(entry: Mapping[str, Any], kind: SourceKind, types: Mapping[str, str]) -> IndexDescription:
    partition_key, sort_key = _keys(entry.get("KeySchema") or (), types)
    projection = entry.get("Projection") or {}
    return IndexDescription(
        name=entry["IndexName"],
        kind=kind,
        partition_key=partition_key,
        sort_key=sort_key,
        projection=projection.get("ProjectionType", "ALL"),
        non_key_attributes=tuple(projection.get("NonKeyAttributes") or ()),
        status=entry.get("IndexStatus"),
        throughput=Throughput.from_json(entry),
        items=entry.get("ItemCount", 0),
        size_bytes=entry.get("IndexSizeBytes", 0),
    )


def _keys(
    schema: Sequence[Mapping[str, str]], types: Mapping[str, str]
) -> tuple[tuple[KeyAttribute, ...], tuple[KeyAttribute, ...]]:
    """Return the partition key and the sort key of a KeySchema."""

    def of(role: str) -> tuple[KeyAttribute, ...]:
        names = (entry["AttributeName"] for entry in schema if entry["KeyType"] == role)
        return tuple(KeyAttribute(name, types[name]) for name in names)

    return of("HASH"), of("RANGE")


def _maximum(units: int | None) -> int | None:
    """Return a maximum on demand; -1 takes one away (API reference, "OnDemandThroughput")."""
    return units if units is not None and units > 0 else None


def check_replicas(table: TableDescription, *, no_writes_elsewhere: bool) -> None:
    """Raise `TableError` for a global table whose replicas may be written to while a job writes here.

    Its regions are merged item by item: of two writes the later one wins as a whole, whatever attributes it changed,
    and no condition sees a write that has not arrived yet (developer guide, "How DynamoDB global tables work").
    """
    if table.is_merged and not no_writes_elsewhere:
        raise TableError(
            f'table "{table.name}"',
            OMITTED,
            "is a global table with eventual consistency; a write of the job would replace a write to the "
            "same item that another region has just made, and no condition prevents that",
            f"let the applications write in this region only, and set {give('no_writes_elsewhere', True)}",
        )


def check_recovery(table: str, recovery: bool | None) -> None:
    """Raise `TableError` for a table without point-in-time recovery; `None`: unknown."""
    if not recovery:
        state = "off" if recovery is False else "not known to be on"
        raise TableError(
            f'point-in-time recovery of table "{table}"',
            OMITTED,
            f"is {state}; without it, you cannot restore what a job overwrites",
            f"switch it on, or set {give('without_recovery', True)}",
        )


def vector_warnings(written: TableDescription) -> list[str]:
    """Return what the figures of a job lack that writes to a table with vector indexes.

    Writes to these are billed by the byte, and ConsumedCapacity has them beside the units (API reference,
    "ConsumedCapacity").
    """
    if not written.vector_indexes:
        return []
    names = ", ".join(written.vector_indexes)
    return [
        f'Table "{written.name}" has vector indexes ({names}). DynamoDB bills writes to them by the byte, in addition '
        "to write units: the dollars of this plan and its budgets do not include that."
    ]
