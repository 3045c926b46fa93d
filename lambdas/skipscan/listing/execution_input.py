"""The execution input of a listing and its rules, used by Plan, the command line, and the synth for schedules.

No boto3 here: Plan checks what depends on the table.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from skipscan.dynamodb.sort_range import Bound
from skipscan.dynamodb.source import Level
from skipscan.errors import OMITTED, InputError, leave_out, named
from skipscan.inputs import relative_bound
from skipscan.inputs.fields import read_input
from skipscan.inputs.relative_bound import is_relative, is_since_previous
from skipscan.lines.json_lines import JSONL
from skipscan.listing.fields import EXAMPLE, FIELDS, FIXED, ONLY, RANGE, Overlap
from skipscan.listing.scope import line_labels
from skipscan.scan.plan import Optimize, Strategy
from skipscan.scan.take import ALL, KEYS, LEAD_OF, EachItem, Take


@dataclass(frozen=True)
class ExecutionInput:
    """A person's choices for a run; `None`: Plan chooses. `format`: the name of a line format.

    `only`: the name of an object, or here the content of a file. `only_run`: the run whose keys are listed.
    `prefix`, `between`, `since`, `until`: of the sort keys that make a range, as `_check_range` allows them together.
    """

    table: str
    index: str | None = None
    segments: int | None = None
    workers: int | None = None
    consistent_read: bool = False
    strategy: Strategy = Strategy.AUTO
    optimize: Optimize = Optimize.BALANCED
    format: str = JSONL.name
    delimiter: str | None = None
    depth: int | None = None
    prefix_length: int | None = None
    only: str | bytes | None = None
    only_run: str | None = None
    take: Take = KEYS
    prefix: Bound | None = None
    between: Sequence[Bound] | None = None
    since: Bound | None = None
    until: Bound | None = None
    dry_run: bool = False
    profile: bool = False
    max_read_units_per_second: float | None = None
    max_read_units: float | None = None
    max_dollars: float | None = None
    compare: str | None = None
    resume: str | None = None
    overlap: Overlap = Overlap.ALLOW

    @property
    def level(self) -> Level | None:
        """The groups to find within item collections; `None`: the item collections themselves."""
        if self.delimiter is None and self.prefix_length is None:
            return None
        return Level(self.delimiter, self.depth or 1, self.prefix_length)

    @property
    def labels(self) -> str:
        """Return what the run lists, in the plural."""
        return line_labels(has_level=self.level is not None, has_items=isinstance(self.take, EachItem))


def parse(document: object) -> ExecutionInput:
    """Return the checked input; raise `InputError` with the field, the rule and the way out.

    An optional field that is null counts as missing.
    """
    checked = ExecutionInput(**read_input(FIELDS, document, label="run", example=EXAMPLE))
    if checked.segments and checked.workers and checked.workers > checked.segments:
        raise InputError(
            "workers",
            checked.workers,
            "every worker needs a segment of its own",
            f"lower {named('workers')}, raise {named('segments')}, or leave one of the two out",
            others={"segments": checked.segments},
        )
    _check_level(checked)
    _check_range(checked)
    for name in ONLY:
        if getattr(checked, name) is not None:
            rule = "Queries read the keys that it gives, and nothing is scanned"
            _check_alone(checked, name, rule, {*ONLY, "segments", "strategy"} - {name})
    if checked.compare is not None and isinstance(checked.take, EachItem):
        rule = "runs are compared by their keys, and here a key has a line for each item"
        raise InputError("compare", checked.compare, rule, leave_out("compare"))
    return _profiling(checked) if checked.profile else checked


def check_taken(listing_input: ExecutionInput, key_attributes: Sequence[str]) -> None:
    """Refuse other attributes than keys where an environment lets runs take keys alone; it names these keys."""
    if not key_attributes:
        return
    rule = f"runs in this environment take keys alone, of the attributes {', '.join(key_attributes)}"
    if listing_input.profile:
        raise InputError("profile", True, f"{rule}, and a profile reads whole items", leave_out("profile"))
    for member, names in listing_input.take.attributes.items():
        if names is None or {*names} - {*key_attributes}:
            requested = LEAD_OF.get(member, member)
            way = f"name these alone, or {leave_out('take')}"
            raise InputError(f"take.{requested}", ALL if names is None else [*names], rule, way)


BOUNDS = ("max_read_units_per_second", "max_read_units", "max_dollars")
"""The rate and the budgets of a run."""

WITH_PROFILE = ("table", "profile", "dry_run", *BOUNDS, "overlap")
"""The fields that mean something to a profile, which is of the whole table."""


def _profiling(listing_input: ExecutionInput) -> ExecutionInput:
    """Return the input of a profile, which ends after Plan like a dry run; refuse fields that only a listing has."""
    rule = "it is of the whole table, and lists no keys"
    _check_alone(listing_input, "profile", rule, {row.name for row in FIELDS} - {*WITH_PROFILE})
    return replace(listing_input, dry_run=True)


def _check_alone(listing_input: ExecutionInput, name: str, rule: str, others: Container[str]) -> None:
    """Refuse other fields, which mean nothing beside this one."""
    for row in FIELDS:
        if row.name in others and getattr(listing_input, row.name) != row.default:
            words = f"cannot be combined with {named(name)}: {rule}"
            raise InputError(row.name, OMITTED, words, leave_out(row.name, name))


def _check_level(listing_input: ExecutionInput) -> None:
    """Refuse fields of a level that contradict each other or another field."""
    if listing_input.depth is not None and listing_input.delimiter is None:
        way = f"give {named('delimiter')}, or {leave_out('depth')}"
        raise InputError("depth", listing_input.depth, "it counts delimiters", way)
    if listing_input.prefix_length is not None and listing_input.delimiter is not None:
        raise InputError(
            "prefix_length",
            listing_input.prefix_length,
            "a prefix ends behind a delimiter or after a number of characters",
            leave_out("prefix_length", "delimiter"),
            others={"delimiter": listing_input.delimiter},
        )


def _check_range(listing_input: ExecutionInput) -> None:
    """Refuse bounds that do not go together: a prefix is a range by itself, and so is `between`."""
    bounds = {name: value for name in RANGE if (value := getattr(listing_input, name)) is not None}
    name, value = next(iter(bounds.items()), ("", None))
    others = {other: each for other, each in bounds.items() if other != name}
    if others and name in {"prefix", "between"}:
        rule = "a run has one range of sort keys: those with a prefix, or those between two values"
        raise InputError(name, value, rule, leave_out(name, *others), others=others)
    if is_since_previous(listing_input.since) and listing_input.until is not None:
        rule = "what came between this end and the next run's beginning would be in no run"
        raise InputError("until", listing_input.until, rule, leave_out("until"))
    ends = (*(listing_input.between or ()), listing_input.since, listing_input.until)
    if listing_input.compare is not None and any(map(is_relative, ends)):
        rule = "the range is another one in each run, so there is nothing to compare with"
        raise InputError("compare", listing_input.compare, rule, leave_out("compare"))


def resolve_bounds(
    listing_input: ExecutionInput, started: datetime, previous: Callable[[], datetime | None] | None = None
) -> ExecutionInput:
    """Return the input with the sort keys that its bounds are for a run that started then.

    `previous`: returns the start of the last complete run of the same input; `None` where runs have no series.
    """

    def fixed(name: str, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(fixed(name, each) for each in value)
        if not is_relative(value):
            return value
        if is_since_previous(value) and previous is None:
            raise InputError(name, value, "only runs of an environment know the run before", "use ago in its place")
        start = previous() if previous and is_since_previous(value) else started
        return start and relative_bound.resolved(name, value, start)

    return replace(listing_input, **{name: fixed(name, getattr(listing_input, name)) for name in RANGE})


def fixed_fields(listing_input: ExecutionInput) -> dict[str, Any]:
    """Return the fields that must stay the same when a run is continued, as they were requested."""
    document = document_of(listing_input)
    if isinstance(listing_input.only, bytes):
        document["only"] = sha256(listing_input.only).hexdigest()[:16]  # which a person may see
    return {name: document[name] for name in sorted({"table", *FIXED} & document.keys())}


def document_of(listing_input: ExecutionInput) -> dict[str, Any]:
    """Return the input as a document that `parse` reads."""
    between = listing_input.between
    return {**vars(listing_input), "take": listing_input.take.words, "between": between and [*between]}
