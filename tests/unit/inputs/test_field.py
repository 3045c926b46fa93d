"""Each reader of a field takes what its rule says and refuses the rest: by the field, the value and the rule."""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import pytest

from skipscan.act.input import parse_action
from skipscan.act.kind import ACT
from skipscan.copy.input import parse_copy
from skipscan.copy.kind import COPY
from skipscan.errors import OMITTED, InputError
from skipscan.inputs import field
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.loop.kind import Kind
from skipscan.retrofit.input import parse_retrofit
from skipscan.retrofit.kind import RETROFIT
from tests.refusal import refused

ARN = "arn:aws:dynamodb:us-east-1:111111111111:table/Orders"
EXAMPLE = '{"table": "Orders"}'


class Word(StrEnum):
    SKIP = "skip"
    PAGE = "page"


def read(name: str) -> Callable[[object], Any]:
    """Return a reader by its name, with the further arguments that it needs."""
    readers: dict[str, Callable[[object], Any]] = {
        "table": lambda value: field.table("f", value),
        "index": lambda value: field.index("f", value),
        "count": lambda value: field.count("f", value, 9, "DynamoDB allows"),
        "amount": lambda value: field.amount("f", value, 0.5),
        "flag": lambda value: field.flag("f", value),
        "choice": lambda value: field.choice("f", value, Word),
        "attributes": lambda value: field.attributes("f", value, "all"),
        "run_name": lambda value: field.run_name("f", value, "the name of a run"),
    }
    return readers[name]


@pytest.mark.parametrize(
    ("reader", "value", "taken"),
    [
        *(("table", "Orders", "Orders"), ("table", "abc", "abc"), ("table", ARN, ARN)),
        *(("index", "by-day", "by-day"), ("index", "abc", "abc")),
        *(("count", 1, 1), ("count", 9, 9), ("count", 8.0, 8), ("count", None, None)),
        *(("amount", 0.5, 0.5), ("amount", 1e15, 1e15), ("amount", 7, 7.0)),
        *(("flag", True, True), ("flag", False, False)),
        *(("choice", "skip", Word.SKIP), ("choice", "page", Word.PAGE)),
        *(("attributes", "all", None), ("attributes", ["a"], ("a",)), ("attributes", ["a" * 255], ("a" * 255,))),
        ("attributes", [str(n) for n in range(100)], tuple(str(n) for n in range(100))),
        *(("run_name", "r" * 80, "r" * 80), ("run_name", "r", "r")),
    ],
)
def test_a_value_within_the_rule_is_taken(reader: str, value: object, taken: object) -> None:
    assert read(reader)(value) == taken


@pytest.mark.parametrize(
    ("reader", "value", "rule"),
    [
        *(("table", "ab", "3 to 255"), ("table", 7, "a table's name"), ("table", None, "a table's name")),
        *(("index", "ab", "an index's name"), ("index", 7, "an index's name"), ("index", ARN, "an index's name")),
        *(("count", 0, "allows 1 to 9$"), ("count", 10, "allows 1 to 9$")),
        *(("count", True, "a whole number"), ("count", 1.5, "a whole number"), ("count", "1", "a whole number")),
        *(("amount", 0.4, "at least 0.5"), ("amount", 1.1e15, "at most 10000"), ("amount", True, "a number")),
        *(("flag", 1, "true or false"), ("flag", None, "true or false")),
        *(("choice", "SKIP", "one of skip, page"), ("choice", 1, "one of skip, page")),
        *(("attributes", [], "1 to 100 names"), ("attributes", "a", '"all", or a list'), ("attributes", [1], "a list")),
        *(
            ("attributes", ["a", "a"], "each once"),
            ("attributes", ["a" * 256], "at most 255"),
            ("attributes", [""], ""),
        ),
        ("attributes", [str(n) for n in range(101)], "1 to 100"),
        *(("run_name", "r" * 81, "the name of a run"), ("run_name", "..", "the name of a run")),
    ],
)
def test_a_value_beside_the_rule_is_refused(reader: str, value: object, rule: str) -> None:
    with refused(InputError, "f", value, rule=rule):
        read(reader)(value)


@pytest.mark.parametrize(
    ("value", "way"),
    [("Or/ders", "^correct it$"), ("Orders,Items", "once for each"), ("./Orders", "take a folder")],
)
def test_what_is_no_table_has_a_way_out(value: object, way: str) -> None:
    with refused(InputError, "f", value, rule="a table's name", way=way):
        read("table")(value)


def test_an_object_has_no_other_fields_than_the_named_and_null_is_none() -> None:
    asked = {"table": "Orders", "index": None}
    assert field.only(asked, ("table", "index"), what="the input", example=EXAMPLE) == {"table": "Orders"}
    documents: tuple[tuple[object, str, object, str, str], ...] = (
        ([], "the input", [], "an object", re.escape(EXAMPLE)),
        ({"tabel": 1}, '"tabel"', OMITTED, r"\(table, index\)$", r"\btable\b"),
        ({"zzz": 1}, '"zzz"', OMITTED, r"\(table, index\)$", "^leave"),
    )
    for document, subject, value, rule, way in documents:
        with refused(InputError, subject, value, rule=rule, way=way):
            field.only(document, ("table", "index"), what="the input", example=EXAMPLE)


HALF = "\ud83d"
"""Of the surrogate pair of an emoji. JSON can write it as an escape; UTF-8 cannot, and no key or name holds it."""


@pytest.mark.parametrize(
    "value", [HALF, [HALF], {HALF: 1}, {"a": HALF}, ["a", {"b": [1, [f"c{HALF}"]]}], {"a": [None, {f"{HALF}b": 1}]}]
)
def test_half_a_surrogate_pair_is_refused_wherever_a_field_holds_it(value: object) -> None:
    with refused(InputError, "take", value, rule="surrogate", way="^correct"):
        field.only({"table": "Orders", "take": value}, ("table", "take"), what="the input", example=EXAMPLE)


def test_a_field_has_at_most_as_many_bytes_as_the_state_can_hold_of_it() -> None:
    """Counted as JSON in ASCII: two quotes here, six bytes for a letter beyond ASCII, and twelve for an emoji."""
    for text, most in (("x", 32_766), ("\xe9", 5_461), ("\U0001f511", 2_730)):
        field.short("first", text * most)
        with refused(InputError, "first", rule="32,768", way="^shorten"):
            field.short("first", text * (most + 1))
    fits = ["x" * 32_764]
    field.short("first", fits)
    for value in ([*fits, 1], [f"{fits[0]}x"]):
        with refused(InputError, "first", rule="32,768", way="^shorten"):
            field.short("first", value)


LIMITS = {"max_read_units_per_second", "max_read_units", "max_dollars"}
WRITE_LIMITS = {"max_write_units_per_second", "max_write_units", "max_dollars", "without_recovery"}


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (LISTING, {*LIMITS, "overlap"}),
        (ACT, {*WRITE_LIMITS, "max_keys_per_second", "no_writes_elsewhere", "run"}),
        (RETROFIT, {*LIMITS, *WRITE_LIMITS, "no_writes_elsewhere"}),
        (COPY, {*LIMITS, *WRITE_LIMITS, "to"}),
    ],
)
def test_only_limits_and_what_each_start_must_say_may_change_when_work_is_resumed(
    kind: Kind[Any], names: set[str]
) -> None:
    assert {row.name for row in kind.fields if not row.is_fixed} == {"table", "resume", *names}


def test_work_that_is_resumed_keeps_what_was_planned_once() -> None:
    resumed = {"table": "Orders", "resume": "run-1"}
    assert parse({**resumed, "max_dollars": 2}).max_dollars == 2
    with refused(InputError, "segments", 4, "segments", rule="resumed run", resume="run-1"):
        parse({**resumed, "segments": 4})


# What AWS adds to an input, or sends in its place.


PARENT = {"AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID": "arn:aws:states:us-east-1:111111111111:execution:parent:1"}
EVENT = {"version": "0", "id": "1", "detail-type": "Scheduled Event", "source": "aws.events", "detail": {}}
PARSERS: list[tuple[Callable[[object], Any], dict[str, Any]]] = [
    (parse, {"table": "Orders"}),
    (parse_action, {"table": "Orders", "run": "nightly", "delete_item": {"key": {"sk": "#static"}}}),
    (parse_retrofit, {"table": "Orders", "set": {"a": "{b}"}}),
    (parse_copy, {"table": "Orders", "to": "Orders-2"}),
]


@pytest.mark.parametrize(("parser", "document"), PARSERS)
def test_an_input_may_name_the_execution_that_started_it(
    parser: Callable[[object], Any], document: dict[str, Any]
) -> None:
    assert parser({**document, **PARENT}) == parser(document)


@pytest.mark.parametrize(("parser", "document"), PARSERS)
def test_what_aws_sends_in_place_of_an_input_is_named(
    parser: Callable[[object], Any], document: dict[str, Any]
) -> None:
    with refused(InputError, "the input", rule="EventBridge rule", way="constant"):
        parser(EVENT)
    with refused(InputError, "the input", rule="example of the Step Functions console", way="write"):
        parser({"Comment": "Insert your JSON here"})
