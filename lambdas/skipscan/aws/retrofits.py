"""Where an environment lets retrofits write, and how one goes on."""

import json
from dataclasses import replace

from skipscan.aws.results import Results
from skipscan.aws.standing_work import standing_plan
from skipscan.dynamodb.prices import Prices
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import TableError
from skipscan.retrofit.input import RetrofitInput
from skipscan.retrofit.job import RetrofitJob
from skipscan.retrofit.plan import resumed_plan


def check_enabled(description: TableDescription, tables: str) -> None:
    """Raise `TableError` unless the environment lets retrofits write to the table. `tables`: ARNs as JSON."""
    if description.arn not in json.loads(tables):
        name = description.name
        raise TableError(
            f'table is "{name}"; this environment lets no retrofit write to it: add "writing": {{"{name}": '
            '{"retrofit": true}} to it in cdk.json, and deploy'
        )


def resume(asked: RetrofitInput, description: TableDescription, results: Results, prices: Prices) -> RetrofitJob:
    """Return the retrofit that is to go on, with the rates and budgets that are asked for now.

    Raises `InputError` if there is no such retrofit, it was a dry run, or it is complete; `TableError` if the table's
    keys have changed.
    """
    standing = RetrofitJob.from_json(standing_plan(asked.resume, RetrofitJob.noun, f'table "{asked.table}"', results))
    return replace(standing, plan=resumed_plan(standing.plan, asked, description, prices))
