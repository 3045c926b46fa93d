"""How a run goes on under its own name."""

from dataclasses import replace

from skipscan.aws.results import Results
from skipscan.aws.standing_work import standing_plan
from skipscan.dynamodb.table_description import TableDescription
from skipscan.listing.execution_input import ExecutionInput
from skipscan.listing.run import Run
from skipscan.scan.plan import resumed


def resume(asked: ExecutionInput, description: TableDescription, results: Results) -> Run:
    """Return the run that is to go on, with the rate and the budget that are asked for now.

    Raises `InputError` if there is no such run or it is complete, `TableError` if the table's keys have changed.
    """
    standing = Run.from_json(standing_plan(asked.resume, Run.noun, f'table "{asked.table}"', results))
    return replace(standing, plan=resumed(standing.plan, asked, description))
