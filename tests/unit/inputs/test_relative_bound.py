"""Bounds that are times: what each is for a run, and what is refused."""

from datetime import UTC, datetime
from typing import Any

import pytest

from skipscan.errors import InputError
from skipscan.inputs.relative_bound import checked, resolved
from tests.refusal import refused

BERLIN, DAY = "Europe/Berlin", "%Y-%m-%d"
SUMMER = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
"""3:30 in Berlin, half an hour after its clocks went from 2 to 3."""


@pytest.mark.parametrize(
    ("value", "bound"),
    [
        ({"ago": "1d", "format": DAY}, "2026-03-28"),
        ({"ago": "0d", "format": f"ORDER#{DAY}T%H:%M:%SZ"}, "ORDER#2026-03-29T01:30:00Z"),
        ({"ago": "90m", "format": "epoch"}, int(datetime(2026, 3, 29, tzinfo=UTC).timestamp())),
        ({"ago": "1w", "format": "epoch_ms"}, int(datetime(2026, 3, 22, 1, 30, tzinfo=UTC).timestamp()) * 1000),
        # A day ago it was 3:30 too, 23 hours ago; an hour ago is 3,600 seconds.
        ({"ago": "1d", "format": "iso", "zone": BERLIN}, "2026-03-28T03:30:00+01:00"),
        ({"ago": "1h", "format": "iso", "zone": BERLIN}, "2026-03-29T01:30:00+01:00"),
        ({"previous": True, "format": "iso"}, "2026-03-29T01:30:00+00:00"),
        ({"previous": True, "format": "iso", "overlap": "30m"}, "2026-03-29T01:00:00+00:00"),
    ],
)
def test_a_bound_counts_back_in_a_zone_and_has_the_form_of_the_sort_keys(value: Any, bound: object) -> None:
    found = resolved("since", checked("since", value), SUMMER)
    assert found == ({"S": bound} if isinstance(bound, str) else bound)


def test_a_time_that_came_twice_or_never_is_the_earlier_one_and_as_an_end_the_later() -> None:
    twice = {"ago": "1d", "format": "epoch", "zone": BERLIN}
    begun = datetime(2026, 10, 26, 1, 30, tzinfo=UTC)  # 2:30, which came twice the day before
    ends = [int(datetime(2026, 10, 25, hour, 30, tzinfo=UTC).timestamp()) for hour in (0, 1)]
    assert [resolved(name, twice, begun) for name in ("since", "until")] == ends
    begun = datetime(2026, 3, 30, 0, 30, tzinfo=UTC)  # 2:30, which there was not the day before
    ends = [int(datetime(2026, 3, 29, hour, 30, tzinfo=UTC).timestamp()) for hour in (0, 1)]
    assert [resolved(name, twice, begun) for name in ("since", "until")] == ends


@pytest.mark.parametrize(
    ("value", "field", "held"),
    [
        ({"ago": "1d"}, "since", {"ago": "1d"}),
        ({"ago": "1d", "previous": True, "format": DAY}, "since", {"ago": "1d", "previous": True, "format": DAY}),
        ({"ago": "1d", "overlap": "1d", "format": DAY}, "since", {"ago": "1d", "overlap": "1d", "format": DAY}),
        ({"ago": "1 day", "format": DAY}, "since.ago", "1 day"),
        ({"ago": "99999w", "format": DAY}, "since.ago", "99999w"),
        ({"ago": "999999999w", "format": DAY}, "since.ago", "999999999w"),  # more than Python's timedelta holds
        ({"ago": 1, "format": DAY}, "since.ago", 1),
        ({"previous": True, "overlap": "x", "format": DAY}, "since.overlap", "x"),
        ({"previous": False, "format": DAY}, "since.previous", False),
        ({"ago": "1d", "format": "%B"}, "since.format", "%B"),
        ({"ago": "1d", "format": "%Y\0"}, "since.format", "%Y\0"),
        ({"ago": "1d", "format": "%Y" * 101}, "since.format", "%Y" * 101),
        ({"ago": "1d", "format": "yesterday"}, "since.format", "yesterday"),
        ({"ago": "1d", "format": DAY, "zone": "Berlin"}, "since.zone", "Berlin"),
    ],
)
def test_what_is_no_time_is_refused(value: Any, field: str, held: object) -> None:
    with refused(InputError, field, held):
        checked("since", value)
    with refused(InputError, "until.previous", True):
        checked("until", {"previous": True, "format": DAY})
