"""The tables of fields: a row says once what a field of an execution input is.

The parser, the JSON Schema, the commands' options with their completion, and the tests of the reference pages read it.
Each kind of work has its table beside its input; here are the rows that several kinds share.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from skipscan.errors import OMITTED, InputError, leave_out
from skipscan.inputs import field
from skipscan.inputs.names import TABLE_NAME

MAX_JOB_WORKERS = 100  # sixteen concurrent requests each: more than most tables and targets can take
MAX_SEGMENTS = 1_000_000  # DynamoDB's own bound on TotalSegments (API reference, Scan)
READ_UNITS = 0.5  # the units of the smallest page
DOLLARS = 0.0001
ARN = "arn:[a-z-]+:dynamodb:[a-z0-9-]+:[0-9]{12}:table/"

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Form:
    """The values that a field may have.

    `read`: takes the field's name and a value that is not null, returns the checked value or raises `InputError`.
    `schema`: the JSON Schema of these values.
    """

    read: Callable[[str, Any], Any]
    schema: Schema


def count_form(ceiling: int, who: str) -> Form:
    """Return the form of a whole number from 1 to `ceiling`. `who`: begins the rule, such as "a run has"."""
    schema = {"type": "integer", "minimum": 1, "maximum": ceiling}
    return Form(lambda name, value: field.count(name, value, ceiling, who), schema)


def amount_form(least: float) -> Form:
    schema = {"type": "number", "minimum": least}
    return Form(lambda name, value: field.amount(name, value, least), schema)


def words_form(words: Sequence[str]) -> Form:
    return Form(lambda name, value: field.one_of(name, value, words), {"enum": [*words, None]})


def choice_form(choices: type[StrEnum]) -> Form:
    schema = {"enum": [*map(str, choices), None]}
    return Form(lambda name, value: field.choice(name, value, choices), schema)


def name(what: str) -> Form:
    """Return the form of the name of a run or job. `what`: the kind of work that has the name."""
    schema = {"type": "string", "minLength": 1, "maxLength": 80}
    return Form(lambda name, value: field.run_name(name, value, what), schema)


MOST_FILE_BYTES = 128 << 20
"""Of a list of keys: a million of 128 bytes."""


def document(**schema: Any) -> Form:
    """Return the form of a document that the input's own parser reads: its rules depend on other fields."""
    return Form(lambda name, value: value, {"type": "object", **schema})


FLAG = Form(field.flag, {"type": "boolean"})
TABLE = Form(field.table, {"type": "string", "pattern": f"^({ARN})?{TABLE_NAME.pattern}$"})


class OptionGroup(StrEnum):
    """What an option is about: the parts of a command's help, in their order."""

    READ = "What to read"
    WRITE = "What to do"
    SPEND = "How much to spend"
    PLACE = "Where to put it"
    CONNECTION = "Connection"
    ADVANCED = "Advanced"


@dataclass(frozen=True)
class Field:
    """One field of an execution input. A null counts as missing.

    `meaning`: one or more sentences, without the last full stop. `help`: of the command's option, where that says
    something else. `default`: `None` where the plan chooses, or for none. `is_fixed`: planned once, so it must not be
    given when work is resumed. `need`: of a required field: why, and what to do. `metavar`: what the option takes.
    `group`: where the help shows the option.
    """

    name: str
    form: Form
    meaning: str
    help: str = ""
    default: Any = None
    is_fixed: bool = False
    need: tuple[str, str] | None = None
    metavar: str | None = None
    group: OptionGroup = OptionGroup.READ

    def read(self, document: Mapping[str, object]) -> Any:
        """Return the field's checked value, or its default."""
        value = document.get(self.name)
        if value is not None:
            return self.form.read(self.name, value)
        if self.need is not None:
            why, remedy = self.need
            raise InputError(self.name, OMITTED, f"is missing; {why}", remedy)
        return self.default

    @property
    def schema(self) -> Schema:
        kind = self.form.schema.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        optional = {"type": [*kinds, "null"]} if kind and self.need is None else {}
        default = {"default": self.default} if isinstance(self.default, str | bool | int) else {}
        return {**self.form.schema, **optional, **default, "description": self.meaning}


Fields = Sequence[Field]


def fields_named(fields: Fields, *names: str) -> Fields:
    """Return the rows of these names."""
    return [field for field in fields if field.name in names]


STARTED_BY = "AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID"
"""The field by which an execution that starts another one is linked to it, as AWS advises. No input's field."""


def without_parent(document: object) -> object:
    """Return the input of an execution without the field that names the execution that started it."""
    if not isinstance(document, Mapping):
        return document
    return {name: value for name, value in document.items() if name != STARTED_BY}


def _check_is_input(document: object, example: str) -> None:
    """Raise `InputError` for what AWS sends or suggests in place of an input."""
    if not isinstance(document, Mapping) or "table" in document:
        return
    if "detail-type" in document and "source" in document:
        rule = "is an event of an EventBridge rule, which sends the event itself unless its target has a constant input"
        way = f"give the rule's target a constant (JSON text) such as {example}, or an input transformer that makes one"
        raise InputError("the input", OMITTED, rule, way)
    if document.keys() == {"Comment"}:
        raise InputError("the input", OMITTED, "is the example of the Step Functions console", f"write {example}")


def read_input(fields: Fields, document: object, *, label: str, example: str) -> dict[str, Any]:
    """Return the checked value of every field by its name; raise `InputError`.

    `label`: what resumed work is called. `example`: a valid document.
    """
    document = without_parent(document)
    _check_is_input(document, example)
    given = field.only(document, [row.name for row in fields], what="the input", example=example)
    resume = next(row for row in fields if row.name == RESUMED).read(given)
    for row in fields if resume else ():
        if row.is_fixed and row.name in given:
            rule, others = f"a resumed {label} keeps its plan", {RESUMED: resume}
            raise InputError(row.name, given[row.name], rule, leave_out(row.name), others=others)
    values = {row.name: row.read(given) for row in fields}
    return {**values, "dry_run": resume is None and values["dry_run"]}  # a resumed job writes


RESUMED = "resume"


def member_of_take(field: str) -> str:
    """Return a field's name, of a member of the field `take` its own: a member is an option by itself."""
    return field.removeprefix("take.").removesuffix(".up_to")


def resume_field(label: str) -> Field:
    what = f"the name of the {label} to resume, which is its execution's name"
    writes = "" if label == "run" else f". A resumed {label} writes"
    return Field(RESUMED, name(what), f"Resume the {label} with this name from its checkpoints{writes}")


def workers(ceiling: int, label: str) -> Field:
    meaning = "Concurrent Lambda functions (default: chosen by the plan)"
    return Field(
        "workers", count_form(ceiling, f"a {label} may have"), meaning, is_fixed=True, group=OptionGroup.ADVANCED
    )


SEGMENTS = Field(
    "segments",
    count_form(MAX_SEGMENTS, "DynamoDB allows"),
    "Parallel segments (default: chosen by the plan)",
    is_fixed=True,
    group=OptionGroup.ADVANCED,
)
CONSISTENT_READ = Field(
    "consistent_read", FLAG, "Strongly consistent reads, at twice the read units", default=False, is_fixed=True
)
MAX_READ_UNITS_PER_SECOND = Field(
    "max_read_units_per_second",
    amount_form(READ_UNITS),
    "Maximum read rate of all workers together, in read units per second",
    group=OptionGroup.SPEND,
)
MAX_READ_UNITS = Field(
    "max_read_units",
    amount_form(READ_UNITS),
    "Budget in read units. The work stops there and can be resumed",
    group=OptionGroup.SPEND,
)
MAX_WRITE_UNITS_PER_SECOND = Field(
    "max_write_units_per_second",
    amount_form(1),
    "Maximum write rate of all workers together, in write units per second",
    group=OptionGroup.SPEND,
)
MAX_WRITE_UNITS = Field(
    "max_write_units",
    amount_form(1),
    "Budget in write units. The job stops there and can be resumed",
    group=OptionGroup.SPEND,
)
MAX_DOLLARS = Field(
    "max_dollars", amount_form(DOLLARS), "Budget in dollars for the whole bill", group=OptionGroup.SPEND
)
CENT = 0.01
"""The budget of a profile in dollars, where nobody gave one."""

PREVIEW = Field("dry_run", FLAG, "Only plan and preview, without writing", default=True, is_fixed=True)
SHOW_ITEMS = Field(
    "show_items",
    FLAG,
    "Show the first items in the preview, with their values and keys",
    default=False,
    is_fixed=True,
    group=OptionGroup.PLACE,
)
WITHOUT_RECOVERY = Field(
    "without_recovery", FLAG, "Write even if point-in-time recovery is off", default=False, group=OptionGroup.WRITE
)
NO_WRITES_ELSEWHERE = Field(
    "no_writes_elsewhere",
    FLAG,
    "Confirm that nobody writes to the table's replicas in other regions. Required for global tables with eventual "
    "consistency (MREC)",
    default=False,
    group=OptionGroup.WRITE,
)
UNPROTECTED = (WITHOUT_RECOVERY, NO_WRITES_ELSEWHERE)
"""The fields by which a job gives up a protection."""


@dataclass(frozen=True, kw_only=True)
class ItemInput:
    """A person's choices for a job; `None`: Plan chooses."""

    table: str
    dry_run: bool = True
    segments: int | None = None
    workers: int | None = None
    verify: bool = True
    max_read_units_per_second: float | None = None
    max_write_units_per_second: float | None = None
    max_read_units: float | None = None
    max_write_units: float | None = None
    max_dollars: float | None = None
    without_recovery: bool = False
    resume: str | None = None


def item_fields(label: str) -> Sequence[Field]:
    """Return the rows of these fields, but `table`, for a kind of job."""
    return (
        SEGMENTS,
        workers(MAX_JOB_WORKERS, label),
        Field(
            "verify",
            FLAG,
            "Read all items again at the end",
            help="Skip the final verification",
            default=True,
            is_fixed=True,
        ),
        PREVIEW,
        MAX_READ_UNITS_PER_SECOND,
        MAX_READ_UNITS,
        MAX_WRITE_UNITS_PER_SECOND,
        MAX_WRITE_UNITS,
        MAX_DOLLARS,
        WITHOUT_RECOVERY,
        resume_field(label),
    )
