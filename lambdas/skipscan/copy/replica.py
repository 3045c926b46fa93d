"""A table and the new one that follows it, as an environment says: the copy and the replicator go by the same words."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from skipscan.copy.transform import Transform
from skipscan.errors import InputError, TableError
from skipscan.items.concatenation import Separator
from skipscan.items.targets import Targets


@dataclass(frozen=True)
class Replica:
    """`source` and `target`: tables, by name or ARN. `stream`: of the source, by ARN. `queue`: of late looks, by URL.

    `templates`: attributes that the target's items have besides, none if they go over as they are.
    """

    source: str
    target: str
    stream: str
    queue: str
    templates: Mapping[str, str] = field(default_factory=dict)
    separator: Separator = Separator.REFUSE

    @property
    def transform(self) -> Transform:
        return Transform(Targets.parse(self.templates, self.separator) if self.templates else Targets(()))

    def check(self, source: Mapping[str, Any], target: Mapping[str, Any]) -> None:
        """Raise `TableError` or `InputError` unless the tables that DescribeTable describes so can be a pair."""
        name = source["TableName"]
        if not source.get("StreamSpecification", {}).get("StreamEnabled"):
            raise TableError(
                f'table "{name}" has no stream, which tells the replicator what changes during the copy: switch it on '
                "(keys are enough), write its ARN into cdk.json, and deploy"
            )
        if source.get("LatestStreamArn") != self.stream:
            raise TableError(
                f'table "{name}" has another stream than the one the replicator follows, {self.stream}: write its '
                "LatestStreamArn into cdk.json, and deploy"
            )
        if _keys(source) != _keys(target):
            raise TableError(
                f'table "{target["TableName"]}" has the key {_said(target)}; table "{name}" has {_said(source)}, and '
                "an item keeps its key: create the target with the same key"
            )
        if target["TableStatus"] != "ACTIVE":
            raise TableError(f'table "{target["TableName"]}" is {target["TableStatus"]}; wait until it is ACTIVE')
        names = {key for key, _ in _keys(source)}
        for attribute in self.templates:
            if attribute in names:
                raise InputError(
                    f"set.{attribute} is a key attribute of the table; an item keeps its key: name another attribute"
                )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(**{**document, "separator": Separator(document.get("separator", Separator.REFUSE))})


def _keys(description: Mapping[str, Any]) -> list[tuple[str, str]]:
    types = {a["AttributeName"]: a["AttributeType"] for a in description["AttributeDefinitions"]}
    schema = sorted(description["KeySchema"], key=lambda entry: str(entry["KeyType"]))
    return [(entry["AttributeName"], types[entry["AttributeName"]]) for entry in schema]


def _said(description: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} ({kind})" for name, kind in _keys(description))
