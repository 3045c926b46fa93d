"""The input of a retrofit and its rules. What only the table can tell is checked by Plan retrofit."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from skipscan.act.input import MAX_WORKERS
from skipscan.errors import InputError
from skipscan.execution_input import MAX_SEGMENTS, RUN_NAME, TABLE_ARN, TABLE_NAME
from skipscan.field import amount, count, flag, only
from skipscan.retrofit.concatenation import Separator
from skipscan.retrofit.targets import Targets
from skipscan.shown import shown

BOUNDS = (
    "max_read_units_per_second",
    "max_write_units_per_second",
    "max_read_units",
    "max_write_units",
    "max_dollars",
)
STANDING = ("set", "separator", "segments", "workers", "consistent_read", "verify", "dry_run", "show_items")
"""What a retrofit is planned with for good; its bounds may be others when it is resumed."""

FIELDS = ("table", *STANDING, *BOUNDS, "without_recovery", "resume")
EXAMPLE = '{"table": "Audit", "set": {"resource-action": "{resourceId}-{action}"}}'

MOST_CHARACTERS = 8_192
"""Of all templates together: they ride in state, which holds 256 KiB."""


@dataclass(frozen=True)
class RetrofitInput:
    """What a person asks of a retrofit; `None` means: Plan chooses. `templates`: none where one is resumed."""

    table: str
    templates: Mapping[str, str] = field(default_factory=dict)
    separator: Separator = Separator.REFUSE
    dry_run: bool = True
    show_items: bool = False
    segments: int | None = None
    workers: int | None = None
    consistent_read: bool = False
    verify: bool = True
    max_read_units_per_second: float | None = None
    max_write_units_per_second: float | None = None
    max_read_units: float | None = None
    max_write_units: float | None = None
    max_dollars: float | None = None
    without_recovery: bool = False
    resume: str | None = None


def parse(document: object) -> RetrofitInput:
    """Return the checked input; raise `InputError` naming the field, the rule and the way out."""
    given = only(document, FIELDS, what="the input", example=EXAMPLE)
    resume = _run(given.get("resume"))
    for name in STANDING if resume else ():
        if name in given:
            raise InputError(
                f"{name} is {shown(given[name])} and resume is {shown(resume)}; a retrofit that is resumed goes on as "
                f"it was planned: leave {name} out"
            )
    separator = _separator(given.get("separator", Separator.REFUSE))
    return RetrofitInput(
        table=_table(given.get("table")),
        templates={} if resume else _templates(given.get("set"), separator),
        separator=separator,
        dry_run=not resume and flag("dry_run", given.get("dry_run", True)),
        show_items=flag("show_items", given.get("show_items", False)),
        segments=count("segments", given.get("segments"), MAX_SEGMENTS, "DynamoDB allows"),
        workers=count("workers", given.get("workers"), MAX_WORKERS, "a retrofit may have"),
        consistent_read=flag("consistent_read", given.get("consistent_read", False)),
        verify=flag("verify", given.get("verify", True)),
        max_read_units_per_second=amount("max_read_units_per_second", given, 0.5),
        max_write_units_per_second=amount("max_write_units_per_second", given, 1),
        max_read_units=amount("max_read_units", given, 0.5),
        max_write_units=amount("max_write_units", given, 1),
        max_dollars=amount("max_dollars", given, 0.0001),
        without_recovery=flag("without_recovery", given.get("without_recovery", False)),
        resume=resume,
    )


def _templates(document: object, separator: Separator) -> dict[str, str]:
    if document is None:
        raise InputError(f"set is missing; a retrofit sets an attribute by a template: write it like {EXAMPLE}")
    targets = Targets.parse(document, separator)
    templates = dict(zip(targets.names, document.values(), strict=True)) if isinstance(document, Mapping) else {}
    if sum(map(len, (*templates, *templates.values()))) > MOST_CHARACTERS:
        raise InputError(f"set has more than {MOST_CHARACTERS} characters; state could not carry it: shorten it")
    return templates


def _separator(value: object) -> Separator:
    if value not in list(Separator):
        words = ", ".join(Separator)
        raise InputError(f"separator is {shown(value)}; it must be one of {words}: correct it or leave it out")
    return Separator(str(value))


def _table(value: object) -> str:
    if value is None:
        raise InputError(f"table is missing; a retrofit sets the items of one table: write it like {EXAMPLE}")
    if isinstance(value, str) and (TABLE_NAME.fullmatch(value) or TABLE_ARN.fullmatch(value)):
        return value
    raise InputError(
        f"table is {shown(value)}; it must be a table's name (3 to 255 of a-z, A-Z, 0-9, _, . and -) or its "
        "ARN (arn:aws:dynamodb:REGION:ACCOUNT:table/NAME): correct it"
    )


def _run(value: object) -> str | None:
    if value is None or (isinstance(value, str) and RUN_NAME.fullmatch(value) and value.strip(".")):
        return value
    raise InputError(
        f"resume is {shown(value)}; it must be the name of the retrofit to go on with, the name of its execution: "
        "correct it"
    )
