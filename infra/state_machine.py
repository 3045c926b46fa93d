"""The state machines: Plan, then a Map of workers that each loop one state until nothing is left, then Finish.

Report then draws the page about the finished work. A run may also be compared and announced.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from aws_cdk import Duration, IResolvable, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from aws_cdk.aws_stepfunctions import Condition, JsonPath
from constructs import Construct

from skipscan.copy.kind import COPY
from skipscan.errors import DeniedError, IncompleteRunError, InputError, StateError, TableError, page
from skipscan.loop.kind import PAID_OFF, Kind

from .announcing import Announcing, forgiven
from .environment import Announce
from .grant import acknowledge, allow, arn_here

MAP = "Workers"
SOURCES = (("execution", ":*"), ("execution", "/*"), ("mapRun", "/*"))
"""What else may act for a machine: its executions, its workers, and its Map Runs. What follows the machine's name ends
it, so that `skipscan-dev` does not include `skipscan-dev-act`."""
HOPELESS = [error.__name__ for error in (InputError, StateError, TableError, DeniedError, IncompleteRunError)]
"""Errors that would occur again with the same event. Lambda reports an error under its class's name.

MiniStack reports Runtime.HandlerError for every exception, so the embedded AWS retries these, too.
"""

NO_SLOT = "Lambda.TooManyRequestsException"
"""Lambda answers 429 while the account's concurrency is used up (Lambda developer guide, "Lambda quotas"). A running
worker takes its slot back within a tenth of a second, so a refused worker may have to wait until another one ends."""

SLOT_ATTEMPTS, SLOT_MAX_DELAY = 1_000, Duration.minutes(15)
"""Five days: the mean delay is half the maximum. Each attempt adds 3 events to the execution's history of at most
25,000, see `skipscan.scan.history`."""

WAKING = [f"Lambda.{error}Exception" for error in ("CodeArtifactUserPending", "ResourceConflict", "ResourceNotReady")]
"""What an invocation meets whose function has been idle for weeks: Lambda then takes its resources away (in a VPC after
14 days), and the first invocation begins to make them again, which can take minutes (Lambda developer guide, "Lambda
function states"; the first name: https://github.com/boto/boto3/issues/3788)."""

NO_RECOVERY_YET = "ContinuousBackupsUnavailableException"
"""DynamoDB's answer for some minutes after a table was created; Terraform's provider retries for twenty minutes."""


def _wait_until_awake(task: tasks.LambdaInvoke) -> None:
    """Retry for ten minutes while the function is `WAKING`."""
    task.add_retry(errors=WAKING, max_attempts=60, interval=Duration.seconds(10), backoff_rate=1)


def _comment(kind: Kind[Any]) -> str:
    """Return the description that the console shows: what the machine does, an example input, and where to read on."""
    where = page(kind.page)
    read = f"{where}, or skipscan schema {kind.label}" if where else f"skipscan schema {kind.label}"
    return f"{kind.comment}. Example: {json.dumps(kind.example)}. All fields: {read}"


def _allow_key(role: iam.Role, name: str, key: str) -> None:
    """Grant the machine's role the key of its executions, and of the workers of its Map.

    Step Functions developer guide, "Data at rest encryption":
    https://docs.aws.amazon.com/step-functions/latest/dg/encryption-at-rest.html
    """
    machine = arn_here(role, "states", f"stateMachine:{name}")
    context = {"StringLike": {"kms:EncryptionContext:aws:states:stateMachineArn": [machine, f"{machine}/*"]}}
    allow(role, ["kms:Decrypt", "kms:GenerateDataKey"], [key], conditions=context)


class StateMachine(Construct):
    """The `machine` is a Standard one without a time-out: a run may take days, an execution may last a year.

    It writes no log: Step Functions keeps every history for 90 days, states hold cursors and therefore key values, and
    the permission to deliver logs cannot be limited to one log group. `announce`: where a finished run is announced.
    `topic_keys`: the ARNs of that topic's KMS keys. `key`: the ARN of the KMS key for definition and histories; `None`
    for keys of AWS.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        name: str,
        kind: Kind[Any],
        functions: Mapping[str, lambda_.Function],
        compare: lambda_.Function | None = None,
        announce: Announce | None = None,
        topic_keys: Sequence[str] = (),
        key: str | None = None,
    ) -> None:
        super().__init__(scope, id)
        states, title = kind.states, kind.label.capitalize()
        plan = self._task(
            states["plan"],
            functions["plan"],
            attempts=4,
            waits_for_recovery=kind.label == COPY.label,
            payload={
                "input": JsonPath.entire_payload,
                "name": JsonPath.execution_name,
                "execution": JsonPath.execution_id,
                "started": JsonPath.execution_start_time,
            },
        )
        plan_accepted = sfn.Choice(self, "Plan accepted?")
        plan_refused = sfn.Fail(self, "Plan refused", error_path="$.error", cause_path="$.cause")
        plan_only = sfn.Succeed(self, "Plan only", output_path="$.explanation")

        turn = self._task(states["turn"], functions["turn"], attempts=8, result_path="$.progress")
        is_left = sfn.Choice(self, kind.question)
        paid_off = f"$.progress.{PAID_OFF}"
        rest = sfn.Wait(self, "Wait for the rate", time=sfn.WaitTime.timestamp_path(paid_off))
        worker_done = sfn.Succeed(self, "Worker done", output_path="$.progress.report")
        workers = sfn.DistributedMap(
            self,
            "Workers",
            label=MAP,
            map_execution_type=sfn.StateMachineType.STANDARD,  # a worker may take longer than Express's 5 minutes
            items_path="$.workers",
            item_selector={"work": JsonPath.object_at("$.work"), "worker": JsonPath.string_at("$$.Map.Item.Value")},
            max_concurrency_path="$.workers_at_once",
            result_path="$.reports",
        )

        finish = self._task(
            states["finish"],
            functions["finish"],
            attempts=8,
            payload={"work": JsonPath.object_at("$.work"), "reports": JsonPath.object_at("$.reports")},
        )
        run_complete = sfn.Choice(self, f"{title} complete?")
        run_incomplete = sfn.Fail(self, f"{title} incomplete", error_path="$.error", cause_path="$.cause")
        run_done = sfn.Succeed(self, f"{title} done")
        announcing = Announcing(self, "Announcing", announce=announce, name=name, end=run_done) if announce else None
        ending = self._compared(compare, announcing.start if announcing else run_done)
        report = self._report(states["report"], functions["report"], ending)

        error = Condition.is_present("$.error")
        workers.item_processor(
            turn.next(
                is_left.when(Condition.boolean_equals("$.progress.done", False), turn)
                .when(Condition.is_present(paid_off), rest.next(worker_done))
                .otherwise(worker_done)
            )
        )
        finish.next(run_complete.when(error, run_incomplete).otherwise(report))
        dry_run = Condition.is_present("$.explanation")
        plan.next(plan_accepted.when(error, plan_refused).when(dry_run, plan_only).otherwise(workers.next(finish)))

        invoked = [functions[step] for step in states]
        role = self._role(name, [*invoked, compare] if compare else invoked)
        if announcing:
            announcing.grant(role, topic_keys)
        if key:
            _allow_key(role, name, key)
        self.machine = sfn.StateMachine(
            self,
            "Machine",
            state_machine_name=name,
            role=role.without_policy_updates(),
            comment=_comment(kind),
            definition_body=sfn.DefinitionBody.from_chainable(plan),
            encryption_configuration=(
                sfn.CustomerManagedEncryptionConfiguration(kms.Key.from_key_arn(self, "Key", key)) if key else None
            ),
        )
        self.machine.node.try_remove_child(
            "DistributedMapPolicy"
        )  # attached to nothing: the role already has these permissions
        self.machine.node.add_dependency(role)
        acknowledge(
            self.machine,
            "AwsSolutions-SF1",
            "The states hold cursors, and so key values of customers; Step Functions keeps every history for 90 days.",
        )
        acknowledge(
            self.machine,
            "AwsSolutions-SF2",
            "The right to send traces cannot be narrowed to a resource, and a trace says less than the history.",
        )

    def _report(self, state: str, function: lambda_.Function, following: sfn.State) -> sfn.TaskStateBase:
        """Return the task that draws the page."""
        task = tasks.LambdaInvoke(
            self,
            state,
            lambda_function=function.current_version,
            payload_response_only=True,
            result_path="$.report",
            task_timeout=sfn.Timeout.duration(Duration.minutes(6)),
            retry_on_service_exceptions=False,
        )
        # A page is not worth days of waiting, so this task does not wait for a slot as `_task` does.
        _wait_until_awake(task)
        return forgiven(task, following, attempts=2, note="$.not_reported")

    def _compared(self, compare: lambda_.Function | None, end: sfn.State) -> sfn.State:
        """Return the states after a complete run: the comparison if the input has one, then the end."""
        if compare is None:
            return end
        is_requested = sfn.Choice(self, "Comparison asked?")
        task = self._task("Compare", compare, attempts=4, result_path="$.diff")
        notice = sfn.Pass(self, "Notice of both runs", input_path="$.diff.notice", result_path="$.notice")
        return is_requested.when(Condition.is_present("$.compare"), task.next(notice).next(end)).otherwise(end)

    def _role(self, name: str, functions: Sequence[lambda_.Function]) -> iam.Role:
        """Return a role that may invoke the functions' versions and run the Map."""
        machine = arn_here(self, "states", f"stateMachine:{name}")
        # Step Functions developer guide, "Cross-service confused deputy prevention". It does not say which ARN the
        # workers of a Map send: their machine's, their own or their Map Run's. If one is missing here, no run works.
        sources = [
            machine,
            f"{machine}/*",
            *(arn_here(self, "states", f"{kind}:{name}{rest}") for kind, rest in SOURCES),
        ]
        source = {
            "StringEquals": {"aws:SourceAccount": Stack.of(self).account},
            "ArnLike": {"aws:SourceArn": sources},
        }
        role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("states.amazonaws.com", conditions=source))
        # Every version: a running execution keeps the versions that it started with.
        versions = [f"{function.function_arn}:*" for function in functions]
        allow(
            role, "lambda:InvokeFunction", versions, why_wildcard="A deployment publishes a version of each function."
        )
        # The permissions of a Distributed Map: Step Functions, "IAM policies for using Distributed Map state".
        why = "Executions get their names when they start; the state machine is named."
        allow(role, "states:StartExecution", [machine])
        executions = arn_here(self, "states", f"execution:{name}")
        allow(role, ["states:DescribeExecution", "states:StopExecution"], [f"{executions}:*"], why_wildcard=why)
        allow(role, "states:RedriveExecution", [f"{executions}/{MAP}:*"], why_wildcard=why)
        return role

    def _task(
        self,
        state: str,
        function: lambda_.Function,
        *,
        attempts: int,
        payload: Mapping[str, str | IResolvable] | None = None,
        result_path: str | None = None,
        waits_for_recovery: bool = False,
    ) -> tasks.LambdaInvoke:
        """Return a task that retries any other error: 4 attempts take at most half a minute, 8 nine minutes.

        A retry is always safe: each step adopts or repeats what an earlier attempt left on S3. Errors that need a
        person are not raised but returned, and end in a Fail state. `waits_for_recovery`: retry for half an hour while
        a table that was just created has no point-in-time recovery.
        """
        task = tasks.LambdaInvoke(
            self,
            state,
            lambda_function=function.current_version,
            payload=sfn.TaskInput.from_object(payload) if payload else None,
            payload_response_only=True,
            result_path=result_path,
            # A minute more than a Lambda function may run: a lost answer must not hold the execution for a year.
            task_timeout=sfn.Timeout.duration(Duration.minutes(16)),
            retry_on_service_exceptions=False,  # CDK's list of errors does not contain Lambda.TooManyRequestsException
        )
        task.add_retry(errors=HOPELESS, max_attempts=0)
        if waits_for_recovery:
            task.add_retry(errors=[NO_RECOVERY_YET], max_attempts=90, interval=Duration.seconds(20), backoff_rate=1)
        _wait_until_awake(task)
        task.add_retry(
            errors=[NO_SLOT],
            max_attempts=SLOT_ATTEMPTS,
            interval=Duration.seconds(2),
            backoff_rate=2,
            max_delay=SLOT_MAX_DELAY,
            jitter_strategy=sfn.JitterType.FULL,
        )
        task.add_retry(
            errors=[sfn.Errors.ALL],
            max_attempts=attempts,
            interval=Duration.seconds(2),
            backoff_rate=2,
            max_delay=Duration.minutes(5),
            jitter_strategy=sfn.JitterType.FULL,  # workers that were refused together must not retry together
        )
        return task
