"""Which schedules never fire: EventBridge Scheduler takes some of them, and a run would silently never start."""

from datetime import UTC, datetime
from typing import Any

import pytest

from skipscan.errors import InputError
from skipscan.inputs.relative_bound import checked, resolved
from skipscan.inputs.schedule_expression import check_expression
from tests.refusal import refused

# https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#cron-based
BOUNDS = [(0, "minutes", 0, 59), (1, "hours", 0, 23), (2, "day of the month", 1, 31), (3, "month", 1, 12)]
BOUNDS += [(4, "day of the week", 1, 7), (5, "year", 1970, 2199)]


def cron(place: int, part: object) -> str:
    fields = ["0", "12", "?", "*", "2", "*"] if place == 4 else ["0", "12", "1", "*", "?", "*"]
    fields[place] = str(part)
    return f"cron({' '.join(fields)})"


@pytest.mark.parametrize(("place", "name", "least", "most"), BOUNDS, ids=str)
def test_each_field_takes_its_bounds_and_nothing_beyond(place: int, name: str, least: int, most: int) -> None:
    for part in (least, most, f"{least}-{most}", f"{least},{most}", f"{least}/2", "*/2"):
        assert check_expression(cron(place, part)) is None
    beyond: list[object] = [
        most + 1,
        f"{least}-{most + 1}",
        f"{least},{most + 1}",
        f"{least}-{least}-{most}",
        f"{least}/0",
        f"{most + 1}/2",
        "X",
        "-",
    ]
    if least:
        beyond += [least - 1, f"{least - 1}-{most}"]
    for wrong in beyond:
        assert f"is not valid for the {name} ({least} to {most})" in str(check_expression(cron(place, wrong))), wrong


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("cron(0 12 30 2 ? *)", "month 2 has no day 30"),
        *((f"cron(0 12 31 {month} ? *)", f"month {month} has no day 31") for month in (4, 6, 9, 11)),
        *((f"cron(0 12 {day} {month} ? *)", None) for day, month in ((29, 2), (30, 4), (30, 6), (30, 9), (30, 11))),
        ("cron(0 12 * * * *)", "exactly one of"),
        ("cron(0 12 ? * ? *)", "exactly one of"),
        ("cron(0 12 32W * ? *)", "32W is not valid"),
        ("cron(0 12 ? * 6L *)", None),
        ("cron(0 12 ? * 8#1 *)", "8#1 is not valid"),
        ("at(2026-02-30T00:00:00)", "does not exist"),
        ("at(2026-02-28T00:00:00)", None),
        ("rate(5 minutes)", None),
    ],
)
def test_a_day_that_never_comes_is_said(expression: str, said: str | None) -> None:
    found = check_expression(expression)
    assert (found is None) == (said is None), found
    assert (said or "") in (found or "")


@pytest.mark.parametrize(
    ("place", "names"),
    [
        (3, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
        (4, "SUN MON TUE WED THU FRI SAT"),
    ],
)
def test_months_and_days_of_the_week_have_names(place: int, names: str) -> None:
    for name in names.split():
        assert check_expression(cron(place, name)) is None
    assert check_expression(cron(place, "ANY")) is not None


LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@pytest.mark.parametrize(("month", "days"), list(enumerate(LONGEST, start=1)))
def test_the_last_day_of_each_month_comes_and_no_later_one(month: int, days: int) -> None:
    assert check_expression(f"cron(0 12 {days} {month} ? *)") is None
    if days < 31:
        assert check_expression(f"cron(0 12 {days + 1} {month} ? *)") == f"month {month} has no day {days + 1}"
    else:
        assert check_expression(f"cron(0 12 32 {month} ? *)") == "32 is not valid for the day of the month (1 to 31)"


# Bounds that are times: what each is for a run, and what is refused.


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
    with refused(InputError, "until.previous", rule="only since"):
        checked("until", {"previous": True, "format": DAY})
