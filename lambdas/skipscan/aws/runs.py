"""How a run comes to be: begun under its execution's name, or gone on with under its own."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skipscan.aws.results import Results
from skipscan.errors import InputError
from skipscan.execution_input import ExecutionInput
from skipscan.plan import resumed
from skipscan.run import Run
from skipscan.shown import shown


def check_same(standing: Run, run: Run) -> None:
    """Raise `InputError` unless what lies on S3 under the run's name was begun by the same execution."""
    if not standing.is_same_as(run):
        raise InputError(
            f"the execution's name is {shown(run.name)}; an earlier run of that name left its results on S3: "
            f'start the execution under another name, or go on with that run by "resume": {shown(run.name)}'
        )


def resume(asked: ExecutionInput, description: Mapping[str, Any], results: Results) -> Run:
    """Return the run that is to go on, with the rate and the budget that are asked for now.

    Any run with a plan and without a manifest can: its budget stopped it, a person did, or a step failed for good. An
    execution that still works on it does no harm, as every batch counts once.

    Raises `InputError` if there is no such run or it is complete, `TableError` if the table's keys have changed.
    """
    document = results.plan()
    if document is None:
        raise InputError(
            f'resume is {shown(asked.resume)}; table "{asked.table}" has no run of that name: name one that was '
            "stopped or failed after Plan, or leave resume out to start a new one"
        )
    if results.manifest() is not None:
        raise InputError(f"resume is {shown(asked.resume)}; that run is complete: leave resume out to start a new one")
    standing = Run.from_json(document)
    return replace(standing, plan=resumed(standing.plan, asked, description))
