"""An environment: account and region, tables, schedules, limits.

Imports nothing of aws_cdk. `infra.cdk_json` makes these objects and has checked every value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from skipscan.inputs.names import TABLE_ARN, table_name

from .writing import Followed, Writing

LOG_DAYS = (1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653)
"""The retention periods that CloudWatch Logs accepts (API reference, PutRetentionPolicy)."""

DEFAULT_LOG_DAYS = 90

ITEMS, KEYS = "items", "keys"

FULL_VCPU_MB = 1769  # Lambda, "Configure function memory": from this size on a function has one full vCPU

ONE_HEAP = {"MALLOC_ARENA_MAX": "1"}
"""The variable by which the C library of a function keeps one heap instead of eight for each processor (glibc manual,
"Memory Allocation Tunables", arena_max). Each heap keeps what the longest page took of it, and Python's threads hardly
ever allocate at the same time."""


@dataclass(frozen=True)
class Schedule:
    """When a schedule starts the state machine, and with which execution input.

    `flexible_minutes`: the flexible time window; `None` for none. `retries`, `retry_minutes`: how often and for how
    long a failed start is retried; `None` for the service's defaults. `late_after_hours`: raise an alarm if the table
    has no finished run for this long; `None` for no alarm. `overlap`: "skip" or "allow" a start while an earlier run
    with the same input is running.
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
    """Limits of one invocation of Scan; `None` for the handler's default.

    `reserved_concurrency`: of each function that workers invoke; `None` for the account's unreserved concurrency.
    `max_dollars`: the highest budget of a run or a job.
    """

    batch_seconds: int | None
    batch_pages: int | None
    batch_keys: int | None
    batch_bytes: int | None
    memory_mb: int
    reserved_concurrency: int | None = None
    max_dollars: float | None = None


@dataclass(frozen=True)
class Encryption:
    """ARNs of customer managed KMS keys: for results, for logs (`None`: AWS owned keys), for tables, for targets.

    `topics`: for the topic of announcements. `executions`: for the definitions and histories of state machines.
    `late_looks`: for a copy's queue of keys and its dead letters.
    """

    results: str | None
    logs: str | None
    tables: tuple[str, ...]
    queues: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    executions: str | None = None
    late_looks: str | None = None


EVERY_TABLE, NO_TABLE = "*", "-"
"""Patterns of names of tables, which have at least three characters."""


@dataclass(frozen=True)
class Announce:
    """Where finished runs are announced: an EventBridge bus (name or ARN), and the ARN of an SNS topic.

    `published`, `only_if_changed`: the pattern of the tables whose runs are published to the topic, and of those whose
    runs are not if the comparison found no difference. A parameter of a template can decide both.
    """

    bus: str | None
    topic: str | None
    published: str = EVERY_TABLE
    only_if_changed: str = NO_TABLE


@dataclass(frozen=True)
class Company:
    """Company-wide settings of every deployment.

    `permissions_boundary`: the ARN of a policy. `role_path`: of all roles, for example "/team/". `tags`: of all
    taggable resources. `vpc`: the ids of the functions' `subnets` and `security_groups`; `None` to run outside a VPC.
    """

    permissions_boundary: str | None = None
    role_path: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    vpc: Mapping[str, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class Environment:
    """One deployment of Skipscan and the tables it may read, each given by name or ARN.

    `dashboard`, `alarms`: whether there are any. `alarm_topic`: the ARN of the SNS topic for alarms. `results_days`,
    `logs_days`: how long results (`None`: no expiry) and logs are kept. `tracing`: with X-Ray. `client`: which client
    makes the workers' frequent calls, see `skipscan.aws.lean`.
    `keep_results`: the bucket outlives the stack. `named_by_arn`: the names of tables whose ARNs are only known at
    deployment, by these ARNs. `take`: what runs may take of a table, items or only keys: the values of
    `key_attributes`.
    """

    name: str
    account: str
    region: str
    tables: tuple[str, ...]
    schedules: tuple[Schedule, ...]
    limits: Limits
    encryption: Encryption
    dashboard: bool
    alarms: bool
    alarm_topic: str | None
    results_days: int | None
    logs_days: int
    tracing: bool
    client: str
    keep_results: bool
    writing: tuple[Writing, ...] = ()
    announce: Announce | None = None
    company: Company = field(default_factory=Company)
    named_by_arn: Mapping[str, str] = field(default_factory=dict)
    take: str = ITEMS
    key_attributes: tuple[str, ...] = ()

    @property
    def deployment(self) -> str:
        """Return the prefix of all resource names."""
        return f"skipscan-{self.name}"

    def resource(self, table: str) -> str:
        """Return a table's ARN without "arn:<partition>:", the same whether the table is given by name or by ARN."""
        if TABLE_ARN.fullmatch(table):
            return table.split(":", 2)[2]
        return f"dynamodb:{self.region}:{self.account}:table/{table}"

    def reads(self, table: str) -> bool:
        """Return whether it may read a table given by name or ARN."""
        return self.resource(table) in map(self.resource, self.tables)

    def table_name(self, table: str) -> str:
        """Return the bare name of a table given by name or ARN."""
        return self.named_by_arn.get(table, table_name(table))

    @property
    def followers(self) -> Mapping[str, list[str]]:
        """Return the readers of each table's stream, by the table's name."""
        return {w.table.rpartition("/")[2]: list(w.followers) for w in self.writing if w.followers}

    def allowing(self, job: str) -> tuple[Writing, ...]:
        """Return the tables on which cdk.json allows a job: "act" or "retrofit"."""
        return tuple(writing for writing in self.writing if getattr(writing, job))

    @property
    def copies(self) -> tuple[tuple[str, Followed], ...]:
        """The tables that are copied to new ones, each with its copy."""
        return tuple((writing.table, writing.copy) for writing in self.writing if writing.copy)
