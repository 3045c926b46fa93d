"""The observations of others: their tests here exist, their page is theirs, and our code agrees with their values."""

import math
from decimal import Decimal
from typing import Any

import pytest

from skipscan.dynamodb.attribute_value import MAXIMUM
from skipscan.dynamodb.page import STEP_UNITS, most_page_units
from skipscan.dynamodb.table_description import TableDescription
from skipscan.dynamodb.write_units import MOST_ITEM_UNITS, UNIT_BYTES, WrittenTable, value_bytes
from skipscan.inputs.fields import MAX_SEGMENTS
from tests.engines.conformance import observations
from tests.engines.conformance.deviations import deviation
from tests.fakes.description import description
from tests.fakes.page import PAGE_LIMIT_BYTES
from tests.fakes.table import FakeTable
from tests.house.docs.test_promises import named_by


@pytest.mark.parametrize("assumption", observations.assumptions(), ids=lambda each: each["id"])
def test_every_assumption_says_who_saw_it_and_names_tests_that_exist(assumption: dict[str, object]) -> None:
    proof = {"observed": "observations", "documented": "source", "unproven": None}[str(assumption["state"])]
    assert {key for key in ("observations", "source") if key in assumption} == ({proof} if proof else set())
    tests = observations.tests_of(assumption)
    assert tests
    assert [name for name in tests if not named_by(name)] == []


def test_the_pages_say_what_the_data_says() -> None:
    assert observations.page() == observations.PAGE.read_text(), "run python -m tests.engines.conformance.observations"
    for page in observations.QUOTING:
        assert observations.quoted(page) == page.read_text()
        assert len(observations.SENTENCE.findall(page.read_text())) == 1


@pytest.mark.parametrize(("engine", "row"), observations.rows())
def test_no_test_trusts_an_engine_on_a_row_that_it_gets_wrong(engine: str, row: dict[str, Any]) -> None:
    """Our test must fail there, unless our version of the engine is mended; or no test of the engines rests on it."""
    assert ("tests" in row) != ("unused" in row)
    for test in row.get("tests", ()):
        name, _, case = test.partition("[")
        assert named_by(f"{observations.SUITE}{name}")
        must_fail = deviation(engine, f"{name.partition('::')[2]}[{engine}-{case}") is not None
        assert must_fail != ("mended" in row)


@pytest.mark.parametrize(("literal", "size"), observations.number_bytes().items())
def test_numbers_have_the_observed_sizes(literal: str, size: int) -> None:
    assert value_bytes({"N": literal}) == size


@pytest.mark.parametrize(("literal", "size"), observations.undecided_number_bytes().items())
def test_undecided_numbers_are_those_where_the_rules_differ(literal: str, size: int) -> None:
    assert value_bytes({"N": literal}) == size + 1


@pytest.mark.parametrize("case", observations.WRITES, ids=lambda case: case.what)
def test_writes_cost_the_observed_units(case: observations.Write) -> None:
    table = WrittenTable.described(TableDescription.from_json(description(FakeTable(observations.written_table()))))
    found = table.units(case.before or {}, case.after)
    assert {name or "table": count for name, count in found.items()} == case.units


def test_the_largest_item_and_the_longest_keys_are_the_observed_ones() -> None:
    assert observations.value("largest-item")["largest_item_bytes"] == MOST_ITEM_UNITS * UNIT_BYTES
    longest = observations.value("longest-sort-key")["sort_key_bytes"]
    assert len(MAXIMUM["S"]["S"].encode()) == len(MAXIMUM["B"]["B"]) == longest
    greatest = observations.value("greatest-number")
    assert Decimal(MAXIMUM["N"]["N"]) == Decimal(greatest["greatest_number"])


def test_segments_and_pages_are_within_what_was_observed() -> None:
    assert observations.value("most-segments")["total_segments"] == MAX_SEGMENTS
    page = observations.value("page-of-a-megabyte")
    assert math.ceil(page["items"] * page["item_bytes"] / PAGE_LIMIT_BYTES) >= page["least_pages"]


def test_a_page_may_cross_partitions() -> None:
    """The most that a page costs is above what a whole new table of one item did."""
    observed = observations.value("fresh-table-units")
    assert most_page_units(STEP_UNITS, 1) > observed["eventually"]
    assert observed["strongly"] == 2 * observed["eventually"]
