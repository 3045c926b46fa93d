"""Which schedules never fire: EventBridge Scheduler takes some of them, and a run would silently never start."""

import pytest

from skipscan.inputs.schedule_expression import check_expression

# https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#cron-based
BOUNDS = [(0, "minutes", 0, 59), (1, "hours", 0, 23), (2, "day of the month", 1, 31), (3, "month", 1, 12)]
BOUNDS += [(4, "day of the week", 1, 7), (5, "year", 1970, 2199)]


def cron(place: int, part: object) -> str:
    fields = ["0", "12", "?", "*", "2", "*"] if place == 4 else ["0", "12", "1", "*", "?", "*"]
    fields[place] = str(part)
    return f"cron({' '.join(fields)})"


@pytest.mark.parametrize(("place", "name", "least", "most"), BOUNDS, ids=str)
def test_each_field_takes_its_bounds_and_nothing_beyond(place: int, name: str, least: int, most: int) -> None:
    for part in (least, most, f"{least}-{most}", f"{least},{most}", f"{least}/2"):
        assert check_expression(cron(place, part)) is None
    beyond: list[object] = [
        most + 1,
        f"{least}-{most + 1}",
        f"{least},{most + 1}",
        f"{least}-{least}-{most}",
        f"{least}/0",
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
        ("cron(0 12 31 4 ? *)", "month 4 has no day 31"),
        ("cron(0 12 29 2 ? *)", None),
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
