"""The functions of the states, and those of the streams."""

from collections.abc import Mapping
from typing import Any

from aws_cdk import Duration, RemovalPolicy, Size, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from skipscan.loop.kind import Kind

from .environment import LOG_DAYS, ONE_HEAP, Limits
from .grant import parts_of
from .names import free
from .section import CdkJsonError

RETENTION = dict(zip(LOG_DAYS, logs.RetentionDays, strict=False))
"""CDK has an enum member for each of these numbers, in their order, and then one for "infinite"."""

DISKS = {"Compare": Size.gibibytes(10)}
"""Ephemeral storage of the function that sorts two runs, see `skipscan.listing.compare.comparison`. The others keep the
default of half a gigabyte and use none."""


MOST_VARIABLES_BYTES = 4096
"""https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html, "Function configuration, deployment, and
execution": all environment variables of a function together."""

MOST_REFERENCE_BYTES = 130
"""The URL of a queue, https://sqs.<region>.amazonaws.com/<account>/<80 characters>, is the longest."""

REFERENCE_BYTES = {"SKIPSCAN_MAPPINGS": 36}
"""The variable whose references are all shorter: it has UUIDs of event source mappings."""


class Functions(Construct):
    """One function for each Lambda state, each with its own role and log group.

    `name`: the prefix of the functions' names. `code`: the Lambda zip, shared by all functions. `code_name`: identifies
    the code where it is not known at synth. `logs_days`: the retention of logs, one that CloudWatch Logs accepts.
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
        self.name, self._code, self._code_name, self._logs_days = name, code, code_name, logs_days
        self._variables = {
            **variables,
            **ONE_HEAP,
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
        self._planning = _set(
            {
                **batch,
                "SKIPSCAN_RESERVED_CONCURRENCY": limits.reserved_concurrency,
                "SKIPSCAN_MAX_DOLLARS": limits.max_dollars,
            }
        )
        self._memory_mb, self._reserved = limits.memory_mb, limits.reserved_concurrency

    def of(
        self, kind: Kind[Any], roles: Mapping[str, iam.Role], variables: Mapping[str, str]
    ) -> dict[str, lambda_.Function]:
        """Return the functions of a kind's states by their steps, as `roles` has their roles.

        `variables`: of the function that plans, see `Settings`.
        """
        functions = {}
        for step, (memory_mb, minutes, its_variables) in {
            "turn": (self._memory_mb, 15, self._limited),
            # A sample takes up to 4,000 pages and a minute and a half, more where the table is throttled. A profile
            # reads until its budget or its time is used up.
            "plan": (1024, 15, {**self._planning, **variables}),
            # Finish asks S3 for every part, and there may be thousands.
            "finish": (1024, 15, {}),
            # Report reads at most some 10,000 checkpoints, see `skipscan.report.record`.
            "report": (1024, 5, {}),
        }.items():
            state = kind.states[step]
            functions[step] = self.function(
                state,
                roles[step],
                handler=f"{kind.machine}.{lower(state, '_')}",
                memory_mb=memory_mb,
                timeout=Duration.minutes(minutes),
                variables=its_variables,
                reserved=self._reserved if step == "turn" else None,
            )
        return functions

    def role(self, state: str) -> iam.Role:
        """Return a role for a function, without permissions."""
        return iam.Role(self, free(self, f"{state}Role"), assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))

    def function(
        self,
        state: str,
        role: iam.Role,
        *,
        memory_mb: int,
        timeout: Duration,
        handler: str,
        variables: Mapping[str, str],
        name: str | None = None,
        reserved: int | None = None,
    ) -> lambda_.Function:
        """Return a function with its own log group. `handler`: its machine's file and its name there.

        The default `name` is made from the state's. `reserved`: its share of the account's concurrency, if it has one.
        """
        _check_size(self, state, {**self._variables, **variables})
        name = f"{self.name}-{name or lower(state, '-')}"
        log_group = logs.LogGroup(
            self,
            free(self, f"{state}Logs"),
            log_group_name=f"/aws/lambda/{name}",
            encryption_key=self._logs_key,
            retention=RETENTION[self._logs_days],
            removal_policy=RemovalPolicy.DESTROY,
        )
        log_group.grant_write(role)
        function = lambda_.Function(
            self,
            free(self, state),
            function_name=name,
            runtime=lambda_.Runtime.PYTHON_3_14,
            architecture=lambda_.Architecture.ARM_64,  # a fifth cheaper than x86, and the bundle is pure Python
            handler=f"handlers.{handler}",
            code=self._code,
            memory_size=memory_mb,
            ephemeral_storage_size=DISKS.get(state),
            timeout=timeout,
            reserved_concurrent_executions=reserved,
            environment={**self._variables, **variables},
            log_group=log_group,
            role=role,
            # Running executions, and those that may be redriven, keep the version that they started with.
            current_version_options=lambda_.VersionOptions(removal_policy=RemovalPolicy.RETAIN),
        )
        if self._code_name:
            function.invalidate_version_based_on(self._code_name)
        return function


def _set(variables: Mapping[str, float | None]) -> dict[str, str]:
    return {name: str(value) for name, value in variables.items() if value is not None}


def _check_size(scope: Construct, state: str, variables: Mapping[str, str]) -> None:
    """Raise `CdkJsonError` for more variables than Lambda accepts. Otherwise only the deploy would fail."""
    size = sum(len(name.encode()) + _most_bytes(scope, name, value) for name, value in variables.items())
    if size > MOST_VARIABLES_BYTES:
        raise CdkJsonError(
            f'cdk.json: the settings of "writing" take up to {size:,} bytes in the function of {state}; its '
            f"environment variables may have {MOST_VARIABLES_BYTES:,} in all: shorten the marker, or move some of the "
            "tables to another environment"
        )


def _most_bytes(scope: Construct, name: str, value: str) -> int:
    """Return how long a variable may be. A value that is only known at deployment counts with its maximum."""
    most = REFERENCE_BYTES.get(name, MOST_REFERENCE_BYTES)
    parts = parts_of(Stack.of(scope).resolve(value))
    return sum(len(part.encode()) if isinstance(part, str) else most for part in parts)


def lower(state: str, space: str) -> str:
    """Return a state's name as part of a resource's or a module's."""
    return state.lower().replace(" ", space)
