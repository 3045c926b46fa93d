"""The fields of a listing's execution input, each with its form.

No boto3 here: the command line makes its options of them, and the synth checks schedules by them.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TypeGuard

from skipscan.dynamodb.attribute_value import MOST_SORT_KEY_BYTES
from skipscan.dynamodb.sort_range import Bound
from skipscan.errors import InputError
from skipscan.inputs import field, fields
from skipscan.inputs.fields import Field, Form, OptionGroup, choice_form, words_form
from skipscan.inputs.relative_bound import checked, is_relative
from skipscan.lines.formats import STORED
from skipscan.lines.json_lines import JSONL
from skipscan.scan.plan import Optimize, Strategy
from skipscan.scan.take import KEYS, SCHEMA, read_take

MAX_WORKERS = 1_000  # their reports together must stay below the state's 256 KiB
EXAMPLE = '{"table": "Orders"}'

PREVIOUS = "previous"
"""Compare with the newest finished run with the same scope."""


class Overlap(StrEnum):
    """What a run does while an earlier one with the same input is running."""

    ALLOW = "allow"
    SKIP = "skip"  # end at once, and read nothing


def _object(name: str, value: object) -> str | bytes:
    """Return the checked name of an object, or as it is the content of a file that a command or a program has read."""
    if isinstance(value, bytes) or (isinstance(value, str) and _OBJECT.fullmatch(value)):
        return value
    rule = f'it must be the name of an object below "{ONLY_PREFIX}" in the results bucket'
    raise InputError(name, value, rule, f'correct it: "tenants.txt" stands for {ONLY_PREFIX}tenants.txt')


ONLY_PREFIX = "only/"
"""Where in the results bucket the lists of keys are."""

_OBJECT = re.compile(r"(?!/)[\w!.*'()/=@+-]{1,1000}", re.ASCII)  # S3 user guide, "Naming Amazon S3 objects"


def _delimiter(name: str, value: object) -> str:
    if isinstance(value, str) and 1 <= len(value.encode()) <= MOST_SORT_KEY_BYTES:
        return value
    raise InputError(name, value, f"it must be a text of 1 to {MOST_SORT_KEY_BYTES} bytes", "correct it")


def _is_typed(value: object) -> TypeGuard[Mapping[str, str]]:
    """Return whether a value is a sort key with its type, which JSON does not have: {"B": "aGk="}."""
    pairs = list(value.items()) if isinstance(value, dict) else []
    return len(pairs) == 1 and pairs[0][0] in {"S", "N", "B"} and isinstance(pairs[0][1], str) and pairs[0][1] != ""


def _bound(name: str, value: object) -> Bound:
    """Return the checked end of a range; only the plan knows the sort key's type."""
    if is_relative(value):
        return checked(name, value)
    if _is_typed(value):
        return value
    if isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
        return value
    rule = 'it must be a sort key: a text, a number, base64 for binary, or one with its type such as {"B": "aGk="}'
    raise InputError(name, value, rule, "correct it or leave it out")


def _bounds(name: str, value: object) -> Sequence[Bound]:
    if not isinstance(value, list) or len(value) != 2:
        raise InputError(name, value, "it must be a list of the first and the last sort key", "correct it")
    return tuple(_bound(name, each) for each in value)


def _prefix(name: str, value: object) -> Bound:
    if _is_typed(value) or (isinstance(value, str) and value):
        return value
    raise InputError(name, value, "it must be a text of at least one character", "correct it or leave it out")


LEVEL = ("delimiter", "prefix_length")
"""The fields that divide item collections into groups."""

ONLY = ("only", "only_run")
"""The fields that name the keys to list."""

RANGE = ("prefix", "between", "since", "until")
"""The fields that bound sort keys."""

_BOUND_SCHEMA = {"type": ["string", "number", "object"]}

FIELDS = (
    Field(
        "table",
        fields.TABLE,
        "The table's name or ARN",
        need=("a run lists the keys of one table", f"give its name or ARN, like {EXAMPLE}"),
    ),
    Field("index", Form(field.index, {"type": "string"}), "List the partition keys of this index", is_fixed=True),
    fields.SEGMENTS,
    fields.workers(MAX_WORKERS, "run"),
    fields.CONSISTENT_READ,
    Field(
        "strategy",
        choice_form(Strategy),
        "How to move to the next key: skip, or read every page",
        default=Strategy.AUTO,
        is_fixed=True,
        group=OptionGroup.ADVANCED,
    ),
    Field(
        "optimize",
        choice_form(Optimize),
        "What to optimize the page length for",
        default=Optimize.BALANCED,
        is_fixed=True,
        group=OptionGroup.ADVANCED,
    ),
    Field("format", words_form(STORED), "Format of the keys", default=JSONL.name, is_fixed=True),
    Field(
        "delimiter",
        Form(_delimiter, {"type": "string", "minLength": 1, "maxLength": MOST_SORT_KEY_BYTES}),
        "Find the groups within each item collection whose sort keys share the text up to and with this delimiter",
        is_fixed=True,
    ),
    Field(
        "depth",
        fields.count_form(MOST_SORT_KEY_BYTES, "a sort key can have"),
        "The number of delimiters in that text (default: 1)",
        is_fixed=True,
    ),
    Field(
        "prefix_length",
        fields.count_form(MOST_SORT_KEY_BYTES, "a sort key can have"),
        "Find the groups whose sort keys share so many first characters (binary: bytes)",
        is_fixed=True,
    ),
    Field(
        "only",
        Form(_object, {"type": "string", "minLength": 1}),
        f"List only the keys in this object below `{ONLY_PREFIX}` in the results bucket, by Queries: a key a line, as "
        "text, JSON or csv",
        help="List only the keys in this file, by Queries: a key a line, as text, JSON or csv with a header",
        is_fixed=True,
        metavar="FILE",
    ),
    Field(
        "only_run",
        fields.name("a finished run of the table"),
        "List only the keys that this finished run of the table found",
        is_fixed=True,
    ),
    Field(
        "take",
        Form(read_take, SCHEMA),
        "Items, or a count of items, to write with each key",
        default=KEYS,
        is_fixed=True,
    ),
    Field(
        "prefix",
        Form(_prefix, {"type": ["string", "object"], "minLength": 1}),
        "List only keys with items whose sort key begins with this, and take items from these only. A delimiter or a "
        "prefix length counts behind it",
        is_fixed=True,
    ),
    Field(
        "between",
        Form(_bounds, {"type": "array", "items": _BOUND_SCHEMA, "minItems": 2, "maxItems": 2}),
        "List only keys with items whose sort key is between these two values, both included, and take items from "
        "these only",
        is_fixed=True,
        metavar="FROM TO",
    ),
    Field(
        "since",
        Form(_bound, _BOUND_SCHEMA),
        "List only keys with items whose sort key is this value or greater, and take items from these only. A time "
        'before the start of the run is {"ago": "1d", "format": "%Y-%m-%d"}',
        is_fixed=True,
    ),
    Field(
        "until",
        Form(_bound, _BOUND_SCHEMA),
        "List only keys with items whose sort key is this value or less, and take items from these only",
        is_fixed=True,
    ),
    Field("dry_run", fields.FLAG, "Only plan and estimate, without listing", default=False, is_fixed=True),
    Field(
        "profile",
        fields.FLAG,
        "Only write what is in the table, from a sample of its items, without listing. The default budget is one cent",
        default=False,
        is_fixed=True,
    ),
    fields.MAX_READ_UNITS_PER_SECOND,
    fields.MAX_READ_UNITS,
    fields.MAX_DOLLARS,
    Field(
        "compare",
        fields.name(f'"{PREVIOUS}", or the name of an earlier run to compare with'),
        "Run to compare with (previous: the last one with the same scope); writes the difference to S3",
        is_fixed=True,
        group=OptionGroup.PLACE,
    ),
    fields.resume_field("run"),
    Field(
        "overlap",
        choice_form(Overlap),
        "What to do if an earlier run with the same input is still running",
        default=Overlap.ALLOW,
    ),
)
FIXED = tuple(row.name for row in FIELDS if row.is_fixed)
"""The fields that are planned once; all others may change when a run is resumed."""
