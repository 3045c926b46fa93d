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
            "start the execution under another name"
        )


def resume(asked: ExecutionInput, description: Mapping[str, Any], results: Results) -> Run:
    """Return the run that is to go on, with the rate and the budget that are asked for now.

    Raises `InputError` if there is no such run or it is complete, `TableError` if the table's keys have changed.
    """
    document = results.plan()
    if document is None:
        raise InputError(
            f'resume is {shown(asked.resume)}; table "{asked.table}" has no run of that name: name one that its budget '
            "stopped, or leave resume out to start a new one"
        )
    if results.manifest() is not None:
        raise InputError(f"resume is {shown(asked.resume)}; that run is complete: leave resume out to start a new one")
    standing = Run.from_json(document)
    return replace(standing, plan=resumed(standing.plan, asked, description))
