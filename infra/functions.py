"""The functions behind the states, and those on streams."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aws_cdk import Duration, RemovalPolicy, Size, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from skipscan.loop.kind import Kind

from .environment import LOG_DAYS, Limits
from .section import CdkJsonError

RETENTION = dict(zip(LOG_DAYS, logs.RetentionDays, strict=False))
"""The CDK has a word for each of these numbers, in their order, and then one for ever."""

DISKS = {"Compare": Size.gibibytes(10)}
"""Where two runs are sorted on it, see `skipscan.compare.comparison`; the others have half a gigabyte and use none."""


MOST_VARIABLES_BYTES = 4096
"""https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html, "Function configuration, deployment, and
execution": all environment variables of a function together."""

MOST_REFERENCE_BYTES = 130
"""The URL of a queue, https://sqs.<region>.amazonaws.com/<account>/<80 characters>, is the longest."""


@dataclass(frozen=True)
class WorkFunctions:
    """The functions behind the states of one kind of work, and their roles. `turn`: the one that the loop turns."""

    plan_role: iam.Role
    turn_role: iam.Role
    finish_role: iam.Role
    report_role: iam.Role
    plan: lambda_.Function
    turn: lambda_.Function
    finish: lambda_.Function
    report: lambda_.Function


class Functions(Construct):
    """One function per state that computes, each with a role and a log group of its own.

    `name`: what the functions' names begin with. `code`: the Lambda zip, which is all functions' the same.
    `code_name`: what tells one code from another, where the code itself is not known at synth.
    `logs_days`: how long logs are kept, one of what CloudWatch Logs can be told.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        name: str,
        code: lambda_.Code,
        code_name: str | None,
        variables: Mapping[str, str],
        limits: Limits,
        logs_key: str | None,
        logs_days: int,
    ) -> None:
        super().__init__(scope, id)
        self._logs_key = kms.Key.from_key_arn(self, "LogsKey", logs_key) if logs_key else None
        self._name, self._code, self._code_name, self._logs_days = name, code, code_name, logs_days
        self._variables = {
            **variables,
            "POWERTOOLS_SERVICE_NAME": "skipscan",
            "POWERTOOLS_LOG_LEVEL": "INFO",
        }
        batch = {
            "SKIPSCAN_BATCH_SECONDS": limits.batch_seconds,
            "SKIPSCAN_BATCH_PAGES": limits.batch_pages,
            "SKIPSCAN_BATCH_KEYS": limits.batch_keys,
            "SKIPSCAN_BATCH_BYTES": limits.batch_bytes,
        }
        self._limited = _set(batch)
        planning = {
            "SKIPSCAN_BATCH_SECONDS": limits.batch_seconds,
            "SKIPSCAN_RESERVED_CONCURRENCY": limits.reserved_concurrency,
        }
        self._planning = _set(planning)
        self._memory_mb, self._reserved = limits.memory_mb, limits.reserved_concurrency

    def of(self, kind: Kind[Any, Any], **variables: str) -> WorkFunctions:
        """Return the functions behind a kind's states. `variables`: of the one that plans, see `Settings`."""
        names, variables = kind.states, {**self._planning, **variables}
        states = (names.plan, names.turn, names.finish, names.report)
        plan, turn, finish, report = map(self.role, states)
        modules = [f"{kind.machine}.{_lower(state, '_')}" for state in states]
        minutes = Duration.minutes
        turning = self.function(
            states[1], turn, handler=modules[1], memory_mb=self._memory_mb, timeout=minutes(15), **self._limited
        )
        made = turning.node.default_child
        if isinstance(made, lambda_.CfnFunction):
            made.reserved_concurrent_executions = self._reserved
        return WorkFunctions(
            plan,
            turn,
            finish,
            report,
            # A sample takes up to 4,000 pages and a minute and a half, more where the table is throttled.
            self.function(states[0], plan, handler=modules[0], memory_mb=1024, timeout=minutes(5), **variables),
            turning,
            # It asks S3 for every part, and there may be thousands.
            self.function(states[2], finish, handler=modules[2], memory_mb=1024, timeout=minutes(15)),
            # It reads at most some 10,000 checkpoints, see `skipscan.report.record`.
            self.function(states[3], report, handler=modules[3], memory_mb=1024, timeout=minutes(5)),
        )

    def role(self, state: str) -> iam.Role:
        """Return a role for a function, that may do nothing yet."""
        return iam.Role(self, f"{state}Role", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))

    def function(
        self,
        state: str,
        role: iam.Role,
        *,
        memory_mb: int,
        timeout: Duration,
        handler: str,
        name: str | None = None,
        **variables: str,
    ) -> lambda_.Function:
        """Return a function with a log group of its own. `handler`: its module below `handlers`.

        `name` follows the state unless given.
        """
        _check_size(self, state, {**self._variables, **variables})
        name = f"{self._name}-{name or _lower(state, '-')}"
        log_group = logs.LogGroup(
            self,
            f"{state}Logs",
            log_group_name=f"/aws/lambda/{name}",
            encryption_key=self._logs_key,
            retention=RETENTION[self._logs_days],
            removal_policy=RemovalPolicy.DESTROY,
        )
        log_group.grant_write(role)
        function = lambda_.Function(
            self,
            state,
            function_name=name,
            runtime=lambda_.Runtime.PYTHON_3_14,
            architecture=lambda_.Architecture.ARM_64,  # a fifth cheaper, and the bundle is pure Python
            handler=f"handlers.{handler}.handler",
            code=self._code,
            memory_size=memory_mb,
            ephemeral_storage_size=DISKS.get(state),
            timeout=timeout,
            environment={**self._variables, **variables},
            log_group=log_group,
            role=role,
            # Executions under way, and those that may be redriven, go on with the version that they began with.
            current_version_options=lambda_.VersionOptions(removal_policy=RemovalPolicy.RETAIN),
        )
        if self._code_name:
            function.invalidate_version_based_on(self._code_name)
        return function


def _set(variables: Mapping[str, int | None]) -> dict[str, str]:
    return {name: str(value) for name, value in variables.items() if value is not None}


def _check_size(scope: Construct, state: str, variables: Mapping[str, str]) -> None:
    """Raise `CdkJsonError` for more than Lambda takes, which only the deploy would say."""
    size = sum(len(name.encode()) + _most_bytes(scope, value) for name, value in variables.items())
    if size > MOST_VARIABLES_BYTES:
        raise CdkJsonError(
            f"cdk.json: what {state} is told of writing takes up to {size:,} bytes; a function's environment variables "
            f"may have {MOST_VARIABLES_BYTES:,} in all: shorten the marker, or put some of the tables into an "
            "environment of their own"
        )


def _most_bytes(scope: Construct, value: str) -> int:
    """Return how long a variable may be; what is known at deployment only is given the most it can be."""
    resolved = Stack.of(scope).resolve(value)
    if isinstance(resolved, str):
        return len(resolved.encode())
    _, parts = resolved.get("Fn::Join", ("", [resolved]))
    return sum(len(part.encode()) if isinstance(part, str) else MOST_REFERENCE_BYTES for part in parts)


def _lower(state: str, space: str) -> str:
    return state.lower().replace(" ", space)
