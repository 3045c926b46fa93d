"""What a table is, before it holds anything: keys, indexes, status."""

import hashlib
from dataclasses import dataclass
from typing import Any, Literal

from tests.fakes.attribute_value import KeyType

Status = Literal["CREATING", "UPDATING", "DELETING", "ACTIVE"]
Projection = Literal["ALL", "KEYS_ONLY", "INCLUDE"]


@dataclass(frozen=True)
class KeyAttribute:
    name: str
    type: KeyType


@dataclass(frozen=True)
class KeySchema:
    """One partition key attribute and at most one sort key attribute; a GSI may have up to four of each."""

    partition: tuple[KeyAttribute, ...]
    sort: tuple[KeyAttribute, ...] = ()

    @classmethod
    def of(cls, partition: tuple[str, KeyType], sort: tuple[str, KeyType] | None = None) -> "KeySchema":
        return cls((KeyAttribute(*partition),), (KeyAttribute(*sort),) if sort else ())

    @property
    def attributes(self) -> tuple[KeyAttribute, ...]:
        return self.partition + self.sort

    def request(self) -> list[dict[str, str]]:
        return [{"AttributeName": each.name, "KeyType": "HASH"} for each in self.partition] + [
            {"AttributeName": each.name, "KeyType": "RANGE"} for each in self.sort
        ]


@dataclass(frozen=True)
class IndexDefinition:
    name: str
    key: KeySchema
    kind: Literal["local", "global"] = "global"
    projection: Projection = "ALL"
    non_key_attributes: tuple[str, ...] = ()
    status: Status = "ACTIVE"

    def request(self) -> dict[str, Any]:
        projection: dict[str, Any] = {"ProjectionType": self.projection}
        if self.non_key_attributes:
            projection["NonKeyAttributes"] = list(self.non_key_attributes)
        return {"IndexName": self.name, "KeySchema": self.key.request(), "Projection": projection}


@dataclass(frozen=True)
class TableDefinition:
    """A table; without `read_capacity_units` it is billed on demand. `id`: its TableId. `stream`: its stream's ARN."""

    name: str
    key: KeySchema
    indexes: tuple[IndexDefinition, ...] = ()
    status: Status = "ACTIVE"
    read_capacity_units: int | None = None
    has_recovery: bool = True
    account: str = "000000000000"
    id: str = "00000000-0000-0000-0000-000000000000"
    stream: str | None = None

    @property
    def arn(self) -> str:
        return f"arn:aws:dynamodb:us-east-1:{self.account}:table/{self.name}"

    def index(self, name: str) -> IndexDefinition | None:
        return next((each for each in self.indexes if each.name == name), None)

    def key_attributes(self, index: IndexDefinition | None) -> tuple[KeyAttribute, ...]:
        """What a start key of the table or the index consists of; an index adds the table's own keys."""
        return tuple(dict.fromkeys((*index.key.attributes, *self.key.attributes) if index else self.key.attributes))

    def attribute_definitions(self) -> list[dict[str, str]]:
        """In a meaningless order, as the service may list them: no code can rely on the first being the key."""
        attributes = {
            attribute for key in (self.key, *(index.key for index in self.indexes)) for attribute in key.attributes
        }
        shuffled = sorted(attributes, key=lambda each: hashlib.md5(each.name.encode(), usedforsecurity=False).digest())
        return [{"AttributeName": each.name, "AttributeType": each.type} for each in shuffled]

    def request(self) -> dict[str, Any]:
        """The arguments of boto3's create_table, for engines other than the fake."""
        request: dict[str, Any] = {
            "TableName": self.name,
            "KeySchema": self.key.request(),
            "AttributeDefinitions": self.attribute_definitions(),
            "BillingMode": "PAY_PER_REQUEST",
        }
        for kind, parameter in (("local", "LocalSecondaryIndexes"), ("global", "GlobalSecondaryIndexes")):
            if indexes := [index.request() for index in self.indexes if index.kind == kind]:
                request[parameter] = indexes
        return request
