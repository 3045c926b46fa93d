"""How a retrofit comes to be: where the environment lets it, once or gone on with."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from skipscan.aws.results import Results
from skipscan.errors import InputError, TableError
from skipscan.prices import Prices
from skipscan.retrofit.input import RetrofitInput
from skipscan.retrofit.job import RetrofitJob
from skipscan.retrofit.plan import resumed_plan

FOLDER = "retrofit"
"""In place of a run's name in the names on S3: a retrofit is a job over the table itself."""


def check_enabled(description: Mapping[str, Any], tables: str) -> None:
    """Raise `TableError` unless the environment lets retrofits write to the table. `tables`: ARNs as JSON."""
    if description["TableArn"] not in json.loads(tables):
        name = description["TableName"]
        raise TableError(
            f'table is "{name}"; this environment lets no retrofit write to it: add "writing": {{"{name}": '
            '{"retrofit": true}} to it in cdk.json, and deploy'
        )


def check_recovery(asked: RetrofitInput, recovery: bool | None) -> None:
    """Raise `TableError` where a table without point-in-time recovery would be written to, unless told."""
    if not (recovery or asked.without_recovery or asked.dry_run):
        state = "off" if recovery is False else "not known to be on"
        raise TableError(
            f'point-in-time recovery of table "{asked.table}" is {state}; a job that writes should be one that can be '
            'taken back: switch it on, or say "without_recovery": true'
        )


def check_same(standing: RetrofitJob, job: RetrofitJob) -> None:
    """Raise `InputError` unless what lies on S3 under the retrofit's name was begun by the same execution."""
    if not standing.is_same_as(job):
        raise InputError(
            f'the execution\'s name is "{job.name}"; an earlier retrofit of that name left its results on S3: '
            "start the execution under another name"
        )


def resume(asked: RetrofitInput, description: Mapping[str, Any], results: Results, prices: Prices) -> RetrofitJob:
    """Return the retrofit that is to go on, with the rates and budgets that are asked for now.

    Raises `InputError` if there is no such retrofit, it was a dry run, or it is complete; `TableError` if the table's
    keys have changed.
    """
    document = results.plan()
    if document is None:
        raise InputError(
            f'resume is "{asked.resume}"; table "{asked.table}" has no retrofit of that name: name one that its budget '
            "stopped, or leave resume out to start a new one"
        )
    if document["dry_run"]:
        raise InputError(f'resume is "{asked.resume}"; that was a dry run: start one anew with "dry_run": false')
    if results.manifest() is not None:
        raise InputError(f'resume is "{asked.resume}"; that retrofit is complete: leave resume out to start a new one')
    standing = RetrofitJob.from_json(document)
    return replace(standing, plan=resumed_plan(standing.plan, asked, description, prices))
