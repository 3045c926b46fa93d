"""The deployed environment: its functions, and runs of it over tables of the kit's own."""

import json
import time
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from skipscan.environment.execution import Execution
from skipscan.environment.executions import PREFIX, Executions
from skipscan.listing.kind import LISTING
from verify.errors import NotTriedError
from verify.kit import UNKNOWN_OPERATION, Kit

STATES = (LISTING.states["plan"], LISTING.states["turn"], LISTING.states["finish"])
"""The states of runs whose functions read the table."""

POLICY_BUSY = {"LimitExceededException", "ResourceInUseException"}


def executions(kit: Kit, label: str = "run") -> Executions:
    """Return the executions of the environment's runs, or of another kind of work.

    Raises `NotTriedError` if the environment has no such kind.
    """
    if label not in kit.deployment.machines:
        raise NotTriedError(
            f"the environment has no {label}: docs/verify.md says how to let the kit's table be written"
        )
    return Executions(kit.client("stepfunctions"), kit.deployment.machines[label])


def let_read(kit: Kit, table: str, *states: str) -> None:
    """Let the environment's functions read one of the kit's tables, by a policy of the table.

    An engine that has no such policies enforces none either.
    """
    arn = kit.dynamodb.describe_table(TableName=table)["Table"]["TableArn"]
    roles = [function(kit, state)["Role"] for state in states]
    statement = {
        "Effect": "Allow",
        "Principal": {"AWS": roles},
        "Action": ["dynamodb:DescribeTable", "dynamodb:Query", "dynamodb:Scan"],
        "Resource": [arn, f"{arn}/index/*"],
    }
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})

    def put() -> bool | None:
        try:
            kit.dynamodb.put_resource_policy(ResourceArn=arn, Policy=policy)
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code not in UNKNOWN_OPERATION | POLICY_BUSY:
                raise
            return None if code in POLICY_BUSY else False
        return True

    kit.until("a policy of a table", put, seconds=60)


def wait_for_policy(kit: Kit) -> None:
    """Wait until the policy of a table can be expected to have taken effect, or longer if it has not."""
    time.sleep(kit.policy_seconds)


def function(kit: Kit, state: str) -> Any:
    """Return the configuration of the environment's function behind a state of runs."""
    name = f"skipscan-{kit.deployment.environment}-{state.lower()}"
    return kit.client("lambda").get_function_configuration(FunctionName=name)


def runtime(kit: Kit) -> dict[str, Any]:
    """Return the runtime and the architecture of the environment's functions, as CreateFunction takes them."""
    found = function(kit, STATES[1])
    return {name: found[name] for name in ("Runtime", "Architectures") if found.get(name)}


def definition(kit: Kit) -> Any:
    """Return the definition of the environment's state machine of runs."""
    described = kit.client("stepfunctions").describe_state_machine(stateMachineArn=kit.deployment.machines["run"])
    return json.loads(described["definition"])


def retriers(kit: Kit) -> Any:
    """Return the retriers of the task that the environment's workers turn."""
    workers = next(state for state in definition(kit)["States"].values() if state["Type"] == "Map")
    inner = (workers.get("ItemProcessor") or workers.get("Iterator"))["States"]
    return next(state["Retry"] for state in inner.values() if state["Type"] == "Task")


def start(kit: Kit, what: str, table: str, label: str = "run", **document: Any) -> Execution:
    """Start a run or other work of the environment over one of the kit's tables."""
    started = executions(kit, label).start(f"verify-{kit.launch}-{what}", {"table": table, **document})
    kit.started.append(started.arn)
    return started


def ended(kit: Kit, execution: Execution) -> Execution:
    """Return an execution when it has ended, however it did."""

    def look() -> Execution | None:
        found = executions(kit).at(execution.arn)
        return found if found and not found.is_running else None

    return kit.until(f"the end of execution {execution.name}", look)


def run(kit: Kit, what: str, table: str, **document: Any) -> Mapping[str, Any]:
    """Return the output of a run; raise `NotTriedError` with its error if it fails.

    A policy of a table takes effect after a while, so a run that is denied is started again.
    """
    for attempt in range(6):
        wait_for_policy(kit)
        found = ended(kit, start(kit, f"{what}-{attempt}", table, **document))
        if found.status == "SUCCEEDED":
            return found.output or {}
        if "do not allow DescribeTable" not in (found.cause or "") and "DeniedError" not in (found.error or ""):
            break
    raise NotTriedError(f"execution {found.name} ended {found.status}: {found.error}: {(found.cause or '')[:300]}")


def result(kit: Kit, table: str, run: str, name: str) -> dict[str, Any]:
    """Return a JSON object that a run put, by its name below the run's folder."""
    key = f"{LISTING.layout(PREFIX, table, run).root}{name}"
    found: dict[str, Any] = json.loads(read(kit, key))
    return found


def read(kit: Kit, key: str) -> bytes:
    """Return an object of the environment's bucket."""
    body: bytes = kit.client("s3").get_object(Bucket=kit.deployment.bucket, Key=key)["Body"].read()
    return body
