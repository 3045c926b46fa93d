"""What a run lists, so that runs that list the same can be told from others."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Self

from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.inputs.names import TABLE_ARN, table_name
from skipscan.loop.work import Work
from skipscan.scan.plan import Plan


@dataclass(frozen=True)
class Scope:
    """Partition keys of a table or an index; how they are found and written is no matter. `table`: with its place."""

    table: str
    index: str | None
    partition_key: tuple[KeyAttribute, ...]

    @classmethod
    def of(cls, run: Work[Plan]) -> Self:
        source = run.plan.source
        return cls(_placed(source.table, run.execution.arn), source.index, source.partition_key)

    @classmethod
    def of_manifest(cls, manifest: Mapping[str, Any]) -> Self:
        """Return what the run of a manifest listed."""
        keys = tuple(KeyAttribute(**entry) for entry in manifest["partition_key"])
        return cls(_placed(manifest["table"], manifest["execution"]), manifest["index"], keys)

    @property
    def id(self) -> str:
        """A name for a folder: another one for whatever else is listed."""
        return hashlib.sha256(json.dumps(astuple(self)).encode()).hexdigest()[:16]

    def __str__(self) -> str:
        source = f'index "{self.index}"' if self.index else "the table itself"
        return f"{_words(self.partition_key)} of {source}"


def _placed(table: str, execution: str) -> str:
    """Return region, account and name; a table that is given by name is where the execution is that lists it."""
    arn = table if TABLE_ARN.fullmatch(table) else execution
    _, _, _, region, account, *_ = f"{arn}:::::".split(":")
    return f"{region}:{account}:{table_name(table)}"


def _words(partition_key: Sequence[KeyAttribute]) -> str:
    return " and ".join(f"{json.dumps(key.name)} ({key.type})" for key in partition_key)
