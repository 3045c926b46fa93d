"""The Python library: `import skipscan`, and these names.

    >>> import skipscan
    >>> for customer in skipscan.keys("Orders"):  # doctest: +SKIP
    ...     print(customer)

boto3 is imported at the first call, not before. Every function raises a `SkipscanError` whose text has the value, the
rule and the way out; AWS's and boto3's own errors are its cause.
"""

import os
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Unpack

import boto3

from skipscan.aws import lean
from skipscan.aws.clients import DynamoDBClient, default_session, dynamodb
from skipscan.dynamodb.prices import Prices
from skipscan.errors import InputError
from skipscan.folder.files import REFUSE, local_folder
from skipscan.inputs import field
from skipscan.inputs.fields import CENT
from skipscan.library.deployed import Deployed
from skipscan.library.finished import Run, StartedRun, open_run, python_group, python_key
from skipscan.library.into_folder import FolderListing
from skipscan.library.options import (
    Amount,
    FolderOptions,
    KeysOptions,
    PlanOptions,
    StartOptions,
    answers_in_words,
    check_names,
    name_of_work,
)
from skipscan.library.profiling import profiling_of
from skipscan.library.stream import Keys, Stream, explained
from skipscan.lines.given_keys import line_of
from skipscan.listing import price_requests
from skipscan.listing.execution_input import ExecutionInput, parse
from skipscan.listing.fields import RANGE
from skipscan.scan.take import ALL, TAKEN, take_from_options
from skipscan.scan.taken import COUNT
from skipscan.scan.width import MOST_WALKS


@answers_in_words
def keys(
    table: str,
    *,
    session: boto3.Session | None = None,
    client: DynamoDBClient | None = None,
    **options: Unpack[KeysOptions],
) -> Keys:
    """Return an iterator over the distinct partition keys of a table or index, each as soon as it is found.

    Its `read_units` and `requests` are what that has taken so far.

    A key is a `str`, `Decimal` or `bytes`, or a tuple of these where it has several attributes. With `first` or `last`
    (`"all"`, or a list of attributes) each value is a `Group`: the key and its collection's first or last item. With
    `count` (how far to count, or `"all"`) it is a `Group` with the number of its items, and with `items` (beside `most`
    and `order`) there is a `Group` for each item.

    `options`: the fields of an execution's input, such as `index`, `since`, `delimiter`, `segments` or `max_dollars`,
    with the members of `take` by themselves, and without the fields that only a deployed run has.
    `only`: the keys to list, or the path of a file with them.
    `client`: a boto3 client of DynamoDB to use in place of a session's. Closing the iterator ends the reading.

    Raises `InputError` and `TableError` before the first key, and `BudgetError` after the last that a budget allows.
    """
    listing_input = input_of(table, options, KeysOptions)
    made, prices = connected(session, client)
    stream = Stream(listing_input, made, prices)
    read = python_group if listing_input.take.members else python_key
    return Keys(stream, read(stream.plan.source.line))


@answers_in_words
def plan(
    table: str,
    *,
    session: boto3.Session | None = None,
    client: DynamoDBClient | None = None,
    seed: int | None = None,
    **options: Unpack[PlanOptions],
) -> Mapping[str, Any]:
    """Return the estimate of every way to list the keys, as the page "Plan" describes it, from a sample of the table.

    `options`: as in `keys`. `seed`: repeats an earlier sample.
    """
    listing_input = input_of(table, options, PlanOptions)
    return explained(listing_input, *connected(session, client), seed=seed)


@answers_in_words
def profile_table(
    table: str,
    *,
    session: boto3.Session | None = None,
    client: DynamoDBClient | None = None,
    max_dollars: Amount | None = CENT,
    max_read_units_per_second: Amount | None = None,
    seed: int | None = None,
) -> Mapping[str, Any]:
    """Return what is in a table, from random segments, as the page "Profile" describes it: no key and no value.

    `max_dollars`: the budget of read units, at prices on demand. `max_read_units_per_second`: default: a quarter of the
    table's provisioned capacity. `seed`: repeats an earlier sample.
    """
    session = session or default_session()
    made = client or dynamodb(session, connections=1)
    reading = profiling_of(
        table,
        session,
        made,
        is_aws=client is None,
        max_dollars=_as_json("max_dollars", max_dollars),
        max_read_units_per_second=_as_json("max_read_units_per_second", max_read_units_per_second),
        seed=seed,
    )
    found: Mapping[str, Any] = reading.read().to_json()
    return found


@answers_in_words
def list_into(
    folder: str | Path,
    table: str,
    *,
    session: boto3.Session | None = None,
    client: DynamoDBClient | None = None,
    finished: str = REFUSE,
    **options: Unpack[FolderOptions],
) -> Run:
    """List into a folder and return the finished run. After an interruption, the same call continues it.

    `finished`: what to do about a folder whose listing is finished: `"refuse"` (raise `InputError`), `"keep"` (return
    that run, however old its keys are) or `"again"` (remove it, and list again).
    `options`: as in `keys`, and `format`. Raises `BudgetError` when a budget is used up; the same call with a larger
    one continues.
    """
    listing_input, path = input_of(table, options, FolderOptions), local_folder(folder)
    made, prices = connected(session, client)
    FolderListing(path, listing_input, made, prices, finished).run()
    return open_run(folder)


@answers_in_words
def start(
    table: str,
    *,
    env: str,
    name: str | None = None,
    session: boto3.Session | None = None,
    **options: Unpack[StartOptions],
) -> StartedRun:
    """Start a run in a deployed environment and return it; `wait` on it for its keys.

    `options`: as in `keys`, and the other fields of an execution's input (`format`, `workers`, `compare`, `resume`).
    `name`: of the run; default: the time, and four random characters. Raises `InputError` before anything starts,
    `NotFoundError` without such an environment.
    """
    check_names(options, StartOptions.__annotations__)
    document = _document(table, options)
    name = name_of_work(name)
    parse(document)
    deployed = Deployed(env, table, session or default_session())
    execution = deployed.start("run", name, document)
    return StartedRun(execution.work, deployed, deployed.started("run", execution))


def input_of(table: str, options: Mapping[str, Any], of: type[KeysOptions]) -> ExecutionInput:
    """Return the checked input of a call; raise `InputError` for an option that does not exist or has a wrong value.

    `of`: the options of the called function. From here one worker lists, and walks its own segments alone.
    """
    check_names(options, of.__annotations__)
    return parse({"workers": 1, **_document(table, options)})


def _document(table: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a call as the input of an execution, which has what is taken of each group in one field."""
    fields = {name: _as_json(name, value) for name, value in options.items() if name != "only"}
    if (only := options.get("only")) is not None:
        fields["only"] = _given(only)
    if isinstance(count := fields.get(COUNT), str) and count != ALL:
        raise InputError(COUNT, count, f'it must be a whole number or "{ALL}"', "correct it or leave it out")
    take = take_from_options({name: fields.pop(name, None) for name in TAKEN})
    return {"table": field.table("table", table), **fields, **({"take": take} if take else {})}


def _given(only: Any) -> bytes:
    """Return a list of keys, or the file that has them, as the content of a file."""
    if not isinstance(only, (str, os.PathLike, Iterable)):
        raise InputError("only", only, "it must be a list of keys, or the path of a file with them", "correct it")
    if not isinstance(only, (str, os.PathLike)):
        return b"".join(line_of(key if isinstance(key, tuple) else (key,)) for key in only)
    try:
        return Path(only).read_bytes()
    except OSError as error:
        rule = f"is no file that can be read ({os.strerror(error.errno or 0)})"
        raise InputError("only", rule=rule, remedy="give the path of a file, or a list of keys") from None


def _as_json(name: str, value: Any) -> Any:
    """Return the value of an option in the form of an input field; a sort key keeps a type that JSON does not have."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_as_json(name, each) for each in value]
    if name not in RANGE:
        return float(value) if isinstance(value, Decimal) else value
    if isinstance(value, date):
        rule = "it must be a sort key, and a time has many forms"
        raise InputError(name, type(value).__name__, rule, "give it as the table has it, such as value.isoformat()")
    if isinstance(value, Decimal):
        return {"N": str(value)}
    return {"B": b64encode(value).decode()} if isinstance(value, (bytes, bytearray)) else value


def connected(
    session: boto3.Session | None, client: DynamoDBClient | None
) -> tuple[DynamoDBClient, Callable[[bool], Prices]]:
    """Return a client of DynamoDB, and the function that returns the prices of its region for a table class."""
    session = session or default_session()
    made = client or lean.lean_dynamodb(session, MOST_WALKS, notify=lambda reason, continues: None)
    # A caller's client may be of another account, or of an engine without prices.
    return made, price_requests.of_class(session, made.meta.region_name, is_aws=client is None)
