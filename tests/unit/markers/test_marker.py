import re
from typing import Any

import pytest

from skipscan.dynamodb.table_description import TableDescription
from skipscan.errors import InputError, TableError
from skipscan.markers.marker import Marker
from tests.fakes.definition import KeySchema, TableDefinition
from tests.refusal import refused
from tests.unit.markers import sample

KEY = {"S": "customer-1"}


def described(document: object, definition: TableDefinition | None = None) -> Marker:
    return Marker.described(
        document,
        "Orders",
        TableDescription.from_json((definition or sample.definition("Orders")).request()),
        sample.HOME,
    )


@pytest.mark.parametrize(
    ("change", "is_marker"),
    [
        ({}, True),
        ({"skipscan_job": {"S": "somebody"}}, True),  # whose it is, is another question
        ({"version": {"N": "1.0"}}, True),
        ({"version": {"N": "2"}}, False),
        ({"tags": {"SS": ["b", "a"]}}, True),
        ({"tags": {"SS": ["a"]}}, False),
        ({"GSI-pk": {"S": "another"}}, False),
        ({"more": {"M": {"list": {"L": [{"N": "0.10"}, {"NULL": True}]}}}}, True),
        ({"more": {"M": {"list": {"L": []}}}}, False),
    ],
)
def test_an_item_is_a_marker_if_it_has_all_that_the_template_says(change: dict[str, Any], is_marker: bool) -> None:
    marker = described(
        {
            "sk": "#static",
            "GSI-pk": "{pk}",
            "version": 1,
            "tags": {"SS": ["a", "b"]},
            "counts": {"NS": ["1", "2"]},
            "more": {"list": [0.1, None]},
        }
    )
    assert marker.is_marker({**marker.item(KEY), **change}) is is_marker


@pytest.mark.parametrize(
    ("mark", "is_marked"),
    [
        (f"{sample.HOME}/keeper", True),
        (f"{sample.HOME}/job-1/2026-01-01T00:00:00Z", True),  # put by a job of the environment
        ("dev-fedcba9876543210/keeper", False),
        (f"{sample.HOME}0/keeper", False),
        (sample.HOME, False),
        ("job-1", False),
        ("", False),
    ],
)
def test_a_marker_is_known_by_its_environment_s_mark(mark: str, is_marked: bool) -> None:
    marker = sample.marker()
    assert marker.is_marked({**marker.item(KEY), "skipscan_job": {"S": mark}}) is is_marked
    assert not marker.is_marked({**marker.item(KEY), "skipscan_job": {"N": "1"}})
    assert not marker.is_marked(sample.item("customer-1", "#static"))


def test_a_marker_to_which_something_was_added_is_not_bare() -> None:
    marker = sample.marker()
    assert marker.is_bare(marker.item(KEY))
    assert not marker.is_bare({**marker.item(KEY), "balance": {"N": "7"}})


@pytest.mark.parametrize(
    ("document", "field", "rule"),
    [
        ({}, "marker", "an object of attributes"),
        ({"GSI-pk": "{pk}"}, "marker.sk", "is missing; it is the table's sort key"),
        ({"sk": "#static"}, "marker", "only the table's sort key"),
        ({"sk": "#static", "pk": "p", "GSI-pk": "{pk}"}, "marker.pk", "is the table's partition key"),
        ({"sk": "#static", "GSI-pk": "{order}"}, "marker", 'names "{order}"; only {pk} is known'),
        ({"sk": "#static", "skipscan_job": "{pk}"}, "marker.skipscan_job", "is the mark by which Skipscan recognizes"),
        ({"sk": None, "GSI-pk": "{pk}"}, "marker.sk", "is null; it is a key attribute"),
        ({"sk": "#static", "GSI-pk": None}, "marker.GSI-pk", "is null; it is a key attribute"),
        ({"sk": "#static", "GSI-pk": ""}, "marker.GSI-pk", "has 0 bytes"),
        ({"sk": "#static", "GSI-pk": 7}, "marker.GSI-pk", "is a number; it is a key attribute"),
        ({"sk": "#static", "GSI-pk": "{pk}", **{f"a{number}": 1 for number in range(148)}}, "marker", "has 150 attr"),
    ],
)
def test_a_template_that_dynamodb_would_refuse_is_refused(document: object, field: str, rule: str) -> None:
    with refused(InputError, field, rule=re.escape(rule)):
        described(document)


def test_a_table_without_sort_key_has_no_room_for_markers() -> None:
    with refused(TableError, "table", "Orders", rule="it has no sort key"):
        described(sample.TEMPLATE, TableDefinition("Orders", KeySchema.of(("pk", "S"))))
