"""What a run lists; two runs can be compared if their scopes are equal."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Self

from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.dynamodb.table_identity import TableIdentity
from skipscan.scan.plan import Plan


@dataclass(frozen=True)
class Scope:
    """Partition keys of a table or an index, however they are found and written.

    `sort_range`: they have an item in it.
    """

    table: TableIdentity
    index: str | None
    partition_key: tuple[KeyAttribute, ...]
    sort_range: SortRange | None = None

    @classmethod
    def of(cls, plan: Plan) -> Self:
        return cls(plan.identity, plan.source.index, plan.source.partition_key, plan.sort_range)

    @classmethod
    def of_manifest(cls, manifest: Mapping[str, Any]) -> Self:
        """Return the scope of a manifest's run."""
        keys = tuple(KeyAttribute(**entry) for entry in manifest["partition_key"])
        among = manifest.get("range") and SortRange.from_json(manifest["range"])
        return cls(TableIdentity.from_json(manifest["identity"]), manifest["index"], keys, among)

    @property
    def id(self) -> str:
        """Return a name for a folder, unique to this scope."""
        return hashlib.sha256(json.dumps(astuple(self), default=repr).encode()).hexdigest()[:16]

    def __str__(self) -> str:
        source = f'index "{self.index}"' if self.index else "the table itself"
        among = f" with {self.sort_range}" if self.sort_range else ""
        return f"{_words(self.partition_key)} of {source}{among}"


def _words(partition_key: Sequence[KeyAttribute]) -> str:
    return " and ".join(f"{json.dumps(key.name)} ({key.type})" for key in partition_key)
