"""How a job over a finished run comes to be, and goes on."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from botocore.exceptions import ClientError

from skipscan.act.action import Action, Asked
from skipscan.act.actions.put_item import PutItem
from skipscan.act.actions.undo import Undo, UndoOf
from skipscan.act.input import ActionInput, check_bounds
from skipscan.act.job import Job
from skipscan.act.plan import budget, rate
from skipscan.aws.results import Results
from skipscan.aws.standing_work import standing_plan
from skipscan.aws.table import QUIET
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import ActError, InputError, SkipscanError
from skipscan.inputs.names import table_name


def finished(asked: ActionInput, run: Results) -> Mapping[str, Any]:
    """Return the run's manifest; raise `InputError` unless it is a finished run over the table."""
    manifest = run.manifest()
    if manifest is None:
        raise InputError(
            f'run is "{asked.run}"; table "{asked.table}" has no finished run of that name: name one whose execution '
            "succeeded"
        )
    listed = manifest["table"]
    if table_name(listed) != table_name(asked.table) or (
        ":" in listed and ":" in asked.table and listed != asked.table
    ):
        raise InputError(f'run is "{asked.run}"; it listed another table: name a run of table "{asked.table}"')
    return manifest


def resolve(asked: Asked, undone: Results) -> Action:
    """Return the action; of an undo, what the job put. `undone`: the results of the job to undo."""
    if isinstance(asked, Action):
        return asked
    if not isinstance(asked, UndoOf):
        raise TypeError(f"{asked.name} is no action that can be looked up")
    document = undone.plan()
    if document is None:
        raise InputError(f'undo is "{asked.job}"; the run has no job of that name: name one of its put_item jobs')
    put = Job.from_json(document).plan.action
    if not isinstance(put, PutItem):
        raise InputError(f'undo is "{asked.job}"; that job did {put.name}, and only put_item can be undone')
    return Undo(asked.job, put.item)


def resumed(asked: ActionInput, description: TableDescription, results: Results, prices: Prices) -> Job:
    """Return the job that is to go on, with the rate and the budget that are asked for now."""
    standing = Job.from_json(standing_plan(asked.resume, Job.noun, f'run "{asked.run}"', results))
    action = standing.plan.action
    check_bounds(asked, action)
    now = replace(
        standing.plan,
        max_units_per_second=rate(asked, action, description),
        max_write_units=budget(asked, prices),
    )
    return replace(standing, plan=now)


def without_values(error: Exception) -> Exception:
    """Return an error that ended a batch as it may be raised, logged and shown: free of key values."""
    if isinstance(error, ClientError):
        code = str(error.response["Error"].get("Code"))
        metadata: Any = error.response.get("ResponseMetadata", {})
        said = f"AWS refused {error.operation_name} with {code if code.isalnum() else 'an unknown code'}"
        said += f" (HTTP status {metadata.get('HTTPStatusCode')}, request {metadata.get('RequestId')})"
    elif isinstance(error, (SkipscanError, *QUIET)):
        return error
    else:
        said = f"a step of the job failed: {type(error).__name__}"
    return ActError(said).with_traceback(error.__traceback__)
