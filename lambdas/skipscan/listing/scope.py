"""What a run lists; two runs can be compared if their scopes are equal."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Self

from skipscan.dynamodb.level import Level
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.dynamodb.table_identity import TableIdentity
from skipscan.scan.plan import Plan


@dataclass(frozen=True)
class Scope:
    """Partition keys of a table or an index, or the groups of a level, however they are found and written."""

    table: TableIdentity
    index: str | None
    partition_key: tuple[KeyAttribute, ...]
    level: Level | None = None

    @classmethod
    def of(cls, plan: Plan) -> Self:
        return cls(plan.identity, plan.source.index, plan.source.partition_key, plan.source.level)

    @classmethod
    def of_manifest(cls, manifest: Mapping[str, Any]) -> Self:
        """Return the scope of a manifest's run."""
        keys = tuple(KeyAttribute(**entry) for entry in manifest["partition_key"])
        level = manifest.get("level")
        identity = TableIdentity.from_json(manifest["identity"])
        return cls(identity, manifest["index"], keys, Level.from_json(level) if level else None)

    @property
    def id(self) -> str:
        """Return a name for a folder, unique to this scope."""
        *whole, level = astuple(self)
        scope = [*whole, level] if level else whole  # runs without a level keep the name that they have
        return hashlib.sha256(json.dumps(scope).encode()).hexdigest()[:16]

    def __str__(self) -> str:
        source = f'index "{self.index}"' if self.index else "the table itself"
        level = f", {self.level}" if self.level else ""
        return f"{_words(self.partition_key)} of {source}{level}"


def _words(partition_key: Sequence[KeyAttribute]) -> str:
    return " and ".join(f"{json.dumps(key.name)} ({key.type})" for key in partition_key)
