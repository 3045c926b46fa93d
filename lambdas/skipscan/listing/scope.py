"""What a run lists; two runs can be compared if their scopes are equal."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Self

from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.dynamodb.table_identity import TableIdentity
from skipscan.scan.plan import Plan


@dataclass(frozen=True)
class Scope:
    """Partition keys of a table or an index, however they are found and written."""

    table: TableIdentity
    index: str | None
    partition_key: tuple[KeyAttribute, ...]

    @classmethod
    def of(cls, plan: Plan) -> Self:
        return cls(plan.identity, plan.source.index, plan.source.partition_key)

    @classmethod
    def of_manifest(cls, manifest: Mapping[str, Any]) -> Self:
        """Return the scope of a manifest's run."""
        keys = tuple(KeyAttribute(**entry) for entry in manifest["partition_key"])
        return cls(TableIdentity.from_json(manifest["identity"]), manifest["index"], keys)

    @property
    def id(self) -> str:
        """Return a name for a folder, unique to this scope."""
        return hashlib.sha256(json.dumps(astuple(self)).encode()).hexdigest()[:16]

    def __str__(self) -> str:
        source = f'index "{self.index}"' if self.index else "the table itself"
        return f"{_words(self.partition_key)} of {source}"


def _words(partition_key: Sequence[KeyAttribute]) -> str:
    return " and ".join(f"{json.dumps(key.name)} ({key.type})" for key in partition_key)
