"""An environment: where the job runs, what it may read, when it starts and how much it may take.

Nothing of aws_cdk here, and nothing unchecked: `infra.cdk_json` makes these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from skipscan.execution_input import TABLE_ARN

from .writing import Writing


@dataclass(frozen=True)
class Schedule:
    """When the state machine is started, and with which execution input."""

    name: str
    expression: str
    timezone: str
    input: Mapping[str, object]
    enabled: bool


@dataclass(frozen=True)
class Limits:
    """What one invocation of Scan may take; `None` leaves it to the handler."""

    batch_seconds: int | None
    batch_pages: int | None
    batch_keys: int | None
    batch_bytes: int | None
    memory_mb: int


@dataclass(frozen=True)
class Encryption:
    """ARNs of customers' KMS keys: of the results, of the logs (`None`: keys of AWS), and of the tables."""

    results: str | None
    logs: str | None
    tables: tuple[str, ...]


@dataclass(frozen=True)
class Environment:
    """One deployment of the job and the tables it may read, each given by name or ARN."""

    name: str
    account: str
    region: str
    tables: tuple[str, ...]
    schedules: tuple[Schedule, ...]
    limits: Limits
    encryption: Encryption
    writing: tuple[Writing, ...] = ()

    @property
    def deployment(self) -> str:
        """What the names of all its resources begin with."""
        return f"skipscan-{self.name}"

    def resource(self, table: str) -> str:
        """Return a table's ARN without "arn:<partition>:": the same whether it is given by name or ARN."""
        if TABLE_ARN.fullmatch(table):
            return table.split(":", 2)[2]
        return f"dynamodb:{self.region}:{self.account}:table/{table}"

    @property
    def acting(self) -> tuple[Writing, ...]:
        """The tables that jobs may act on."""
        return tuple(writing for writing in self.writing if writing.act)

    @property
    def retrofitting(self) -> tuple[Writing, ...]:
        """The tables whose items retrofits may update."""
        return tuple(writing for writing in self.writing if writing.retrofit)

    @property
    def copying(self) -> tuple[Writing, ...]:
        """The tables that are copied to new ones."""
        return tuple(writing for writing in self.writing if writing.copy)
