"""An environment: where Skipscan runs, what it may read, when it starts and how much it may take.

Nothing of aws_cdk here, and nothing unchecked: `infra.cdk_json` makes these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from skipscan.inputs.names import TABLE_ARN

from .writing import Writing

LOG_DAYS = (1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653)
"""How long CloudWatch can be told to keep logs (API reference, PutRetentionPolicy)."""

FULL_VCPU_MB = 1769  # Lambda, "Configure function memory": from here on a function has one whole vCPU


@dataclass(frozen=True)
class Schedule:
    """When the state machine is started, and with which execution input.

    `flexible_minutes`: within how many it may start, `None` for at once. `retries`, `retry_minutes`: how often and how
    long a start that fails is tried again, `None` for what the service does. `late_after_hours`: how long its table may
    be without a finished run, `None` for as long as it likes. `overlap`: "skip" or "allow" a start while an earlier
    run with the same input goes on.
    """

    name: str
    expression: str
    timezone: str
    input: Mapping[str, object]
    enabled: bool
    flexible_minutes: int | None
    retries: int | None
    retry_minutes: int | None
    late_after_hours: int | None
    overlap: str


@dataclass(frozen=True)
class Limits:
    """What one invocation of Scan may take; `None` leaves it to the handler.

    `reserved_concurrency`: how many of them run at once, of each function that workers invoke; `None`: as many as the
    account has free.
    """

    batch_seconds: int | None
    batch_pages: int | None
    batch_keys: int | None
    batch_bytes: int | None
    memory_mb: int
    reserved_concurrency: int | None = None


@dataclass(frozen=True)
class Encryption:
    """ARNs of customers' KMS keys: of the results, of the logs (`None`: keys of AWS), of the tables, of the targets."""

    results: str | None
    logs: str | None
    tables: tuple[str, ...]
    queues: tuple[str, ...] = ()


@dataclass(frozen=True)
class Monitoring:
    """Whether there is a dashboard, and alarms; `topic`: the ARN of the SNS topic that they are sent to."""

    dashboard: bool
    alarms: bool
    topic: str | None


@dataclass(frozen=True)
class Announce:
    """Where a finished run is announced: a bus of EventBridge, by name or ARN, and the ARN of a topic of SNS."""

    bus: str | None
    topic: str | None


@dataclass(frozen=True)
class Retention:
    """How many days results (`None`: until somebody removes them) and logs are kept."""

    results_days: int | None
    logs_days: int


@dataclass(frozen=True)
class Vpc:
    """The subnets and security groups, by id, that the functions run in."""

    subnets: tuple[str, ...]
    security_groups: tuple[str, ...]


@dataclass(frozen=True)
class Company:
    """What a company asks of everything that is deployed.

    `permissions_boundary`: the ARN of a policy. `role_path`: of all roles, like "/team/". `tags`: of all resources that
    have any. `vpc`: where the functions run, `None` for no network of the account.
    """

    permissions_boundary: str | None = None
    role_path: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    vpc: Vpc | None = None


@dataclass(frozen=True)
class Environment:
    """One deployment of Skipscan and the tables it may read, each given by name or ARN.

    `tracing`: by X-Ray. `client`: who makes the workers' hot calls, see `skipscan.aws.lean`. `keep_results`: the bucket
    outlives the stack.
    """

    name: str
    account: str
    region: str
    tables: tuple[str, ...]
    schedules: tuple[Schedule, ...]
    limits: Limits
    encryption: Encryption
    monitoring: Monitoring
    retention: Retention
    tracing: bool
    client: str
    keep_results: bool
    writing: tuple[Writing, ...] = ()
    announce: Announce | None = None
    company: Company = field(default_factory=Company)

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
    def followers(self) -> Mapping[str, list[str]]:
        """What reads the stream of each table that has such readers, by the table's name."""
        return {w.table.rpartition("/")[2]: list(w.followers) for w in self.writing if w.followers}

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
