"""A budget too small for a single request is refused, with the smallest sensible budget."""

from dataclasses import replace

import pytest

from skipscan.dynamodb.prices import US_EAST_1
from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError
from skipscan.retrofit.input import RetrofitInput
from tests.money.whole_job import Act, Copy, Items, Retrofit
from tests.unit.retrofit.small_table import DESCRIPTION

pytestmark = pytest.mark.slow

LARGE = 100 * 1024


@pytest.mark.parametrize("kind", [Retrofit, Copy])
@pytest.mark.parametrize(
    ("name", "least", "why"),
    [
        ("max_write_units", 100, "a write takes about that many"),
        ("max_read_units", 12.5, "the sample and a page of one item"),
        ("max_dollars", 0.000432, "the other services cost about that much for one write"),
    ],
)
def test_of_a_job_over_items(kind: type[Items], name: str, least: float, why: str) -> None:
    with pytest.raises(InputError, match=f"{name} is .*; a job over table .* needs at least {least:g}, because {why}"):
        assert kind(((name, 0.99 * least),), 1, LARGE).plan
    assert kind(((name, least),), 1, LARGE).plan.workers == 1


@pytest.mark.parametrize(("name", "least"), [("max_write_units", 100), ("max_dollars", 0.00043)])
def test_of_an_act(name: str, least: float) -> None:
    with pytest.raises(InputError, match=f"{name} is .*; an act on table .* needs at least {least:g}, because "):
        assert Act(((name, 0.99 * least),), 1, 100.0, keys=10).plan
    assert Act(((name, least),), 1, 100.0, keys=10).plan.workers == 1


def test_of_a_job_that_is_resumed() -> None:
    begun = Retrofit((("max_write_units", 500),), 1, LARGE).plan
    table = TableDescription.from_json(DESCRIPTION)
    asked = RetrofitInput(table="Audit", templates={}, resume="begun", max_write_units=99)
    with pytest.raises(InputError, match=r"max_write_units is 99; .* needs at least 100"):
        begun.resumed(asked, table, table, US_EAST_1)
    assert begun.resumed(replace(asked, max_write_units=100), table, table, US_EAST_1).max_write_units == 100


def test_a_copy_that_only_compares_writes_nothing() -> None:
    comparing = replace(Copy((("max_write_units", 100),), 1, LARGE).plan, compare_only=True, max_write_units=1)
    assert comparing.checked().max_write_units == 1
