"""Finds schedule expressions and time zones that EventBridge Scheduler does not take. Else only the deploy would fail.

Scheduler user guide, "Schedule types": https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
"""

import re
from datetime import datetime
from functools import cache
from math import inf

EXPRESSION = (
    r"rate\([1-9][0-9]* (minute|hour|day)s?\)"
    r"|cron\([0-9A-Z*?,/#-]+( [0-9A-Z*?,/#-]+){5}\)"
    r"|at\([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\)"
)
"""The form of an expression."""
MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
FIELDS = (
    ("minutes", 0, 59, (), r"\*"),
    ("hours", 0, 23, (), r"\*"),
    ("day of the month", 1, 31, (), r"\*|\?|L|LW|[0-9]+W"),
    ("month", 1, 12, MONTHS, r"\*"),
    ("day of the week", 1, 7, DAYS, r"\*|\?|L|[0-9A-Z]+L|[0-9A-Z]+#[1-5]"),
    ("year", 1970, 2199, (), r"\*"),
)
SHORTER_MONTHS = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}


def check_expression(expression: str) -> str | None:
    """Return why an expression of the right form never fires; `None` if it does."""
    kind, _, rest = expression.removesuffix(")").partition("(")
    if kind == "at":
        return _check_at(rest)
    return _check_cron(rest.split()) if kind == "cron" else None


TIMEZONE = "a name of the IANA database, such as Europe/Berlin"


@cache
def is_timezone(name: str) -> bool:
    """Return whether a name is one of the IANA database; true on a machine that has no database, as a small image."""
    from zoneinfo import available_timezones  # noqa: PLC0415 (looks for the database when it is imported)

    known = available_timezones()
    return name in known or not known


def _check_at(text: str) -> str | None:
    try:
        datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return "this date and time does not exist"
    return None


def _check_cron(fields: list[str]) -> str | None:
    for field, (name, least, most, words, special) in zip(fields, FIELDS, strict=True):
        for part in field.split(","):
            if not _is_possible(part, least, most, tuple(words), special):
                return f"{part} is not valid for the {name} ({least} to {most})"
    month_day, month, week_day = fields[2:5]
    if (month_day == "?") == (week_day == "?"):
        return "exactly one of the day of the month and the day of the week must be ?"
    if month_day.isdecimal() and month.isdecimal() and int(month_day) > SHORTER_MONTHS.get(int(month), inf):
        return f"month {month} has no day {month_day}"
    return None


def _is_possible(part: str, least: int, highest: int, words: tuple[str, ...], special: str) -> bool:
    if re.fullmatch(special, part):
        number = part.partition("#")[0].rstrip("LW*?")
        return not number or _number(number, least, words) in range(least, highest + 1)
    part, slash, step = part.partition("/")
    if slash and not (step.isdecimal() and int(step) > 0):
        return False
    if part == "*":
        return True
    bounds = [_number(number, least, words) for number in part.split("-")]
    return len(bounds) <= 2 and all(bound in range(least, highest + 1) for bound in bounds)


def _number(text: str, least: int, words: tuple[str, ...]) -> int:
    """Return the number in a part of a field; -1 if there is none."""
    if text in words:
        return least + words.index(text)
    return int(text) if text.isdecimal() else -1
