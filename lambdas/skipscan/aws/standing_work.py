"""How work comes to be: begun once, under its execution's name, or gone on with under its own."""

from collections.abc import Mapping
from typing import Any

from skipscan.aws.results import Results
from skipscan.errors import InputError
from skipscan.inputs.quoted import quoted
from skipscan.loop.work import Work


def check_same(standing: Work[Any], own: Work[Any]) -> None:
    """Raise `InputError` unless what lies on S3 under the execution's name was begun by the same execution."""
    if not standing.is_same_as(own):
        raise InputError(
            f"the execution's name is {quoted(own.name)}; an earlier {own.noun} of that name left its results on S3: "
            f'start the execution under another name, or go on with that {own.noun} by "resume": {quoted(own.name)}'
        )


def standing_plan(resume: str | None, noun: str, over: str, results: Results) -> Mapping[str, Any]:
    """Return what plan.json holds of the work that is to go on. `over`: what it is over, as messages name it.

    Any work with a plan and without a manifest can go on: its budget stopped it, a person did, or a step failed for
    good. An execution that still works on it does no harm, as every batch counts once.

    Raises `InputError` if there is none of that name, it was a dry run, or it is complete.
    """
    document = results.plan()
    if document is None:
        raise InputError(
            f"resume is {quoted(resume)}; {over} has no {noun} of that name: name one that was stopped or failed after "
            "its plan, or leave resume out to start a new one"
        )
    if document.get("dry_run"):
        raise InputError(f'resume is {quoted(resume)}; that was a dry run: start one anew with "dry_run": false')
    if results.manifest() is not None:
        raise InputError(f"resume is {quoted(resume)}; that {noun} is complete: leave resume out to start a new one")
    return document
