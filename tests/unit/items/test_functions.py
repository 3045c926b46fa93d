"""The functions of templates: their results, and what they refuse."""

from typing import Any

import pytest

from skipscan.items.assignments import Assignments, Update
from skipscan.items.concatenation import Separator, Unmade


def assignments(**templates: str) -> Assignments:
    return Assignments.parse(templates, Separator.REFUSE)


def made(template: str, item: Any) -> Any:
    """Return the value of the attribute `to`, or why it has none."""
    judged = assignments(to=template).judge(item)
    return judged.values["to"] if isinstance(judged, Update) else judged and judged.reason


NINES = "9" * 38


@pytest.mark.parametrize(
    ("template", "value", "result"),
    [
        ("{a|ms_to_s}", {"N": "1800000000999"}, {"N": "1800000000"}),
        ("{a|ms_to_s}", {"N": "1800000000"}, {"N": "1800000000"}),
        ("{a|ms_to_s}", {"N": "1800000000999000"}, "a holds no time in milliseconds or seconds"),
        ("{a|ms_to_s}", {"N": NINES}, "a holds no time in milliseconds or seconds"),
        ("{a|ms_to_s}", {"S": "1800000000999"}, "a holds no time in milliseconds or seconds"),
        ("{a|number}", {"S": "-12.50"}, {"N": "-12.50"}),
        ("{a|number}", {"S": "1e3"}, {"N": "1e3"}),
        ("{a|number}", {"N": "7"}, {"N": "7"}),
        ("{a|number}", {"S": "1e999"}, "a holds no number that DynamoDB can store"),
        ("{a|number}", {"S": "1" * 39}, "a holds no number that DynamoDB can store"),
        ("{a|number}", {"S": " 7"}, "a holds no number that DynamoDB can store"),
        ("{a|string}", {"N": "7"}, {"S": "7"}),
        ("{a|string}", {"S": "x"}, {"S": "x"}),
        ("{a|string}", {"B": b"x"}, "a is no string or number"),
        ("{a|epoch}", {"S": "2026-01-01T01:00:00.9+01:00"}, {"N": "1767225600"}),
        ("{a|epoch}", {"S": "2026-01-01"}, {"N": "1767225600"}),
        ("{a|epoch}", {"S": "1969-12-31T23:59:59.5Z"}, {"N": "-1"}),
        ("{a|epoch}", {"N": "5"}, {"N": "5"}),
        ("{a|epoch}", {"S": "1712011500000"}, "a holds no time in ISO 8601"),
        ("{a|epoch}", {"S": "20260101"}, "a holds no time in ISO 8601"),
        ("{a|epoch}", {"S": "yesterday"}, "a holds no time in ISO 8601"),
        ("{a|epoch}", {"L": []}, "a holds no time in ISO 8601"),
        ("{a|epoch+90d}", {"S": "2026-01-01T00:00:00Z"}, {"N": str(1767225600 + 90 * 86_400)}),
        ("{a|epoch-1w}", {"N": "604800"}, {"N": "0"}),
        ("{a|epoch+1d}", {"N": NINES}, "a is out of the range of times"),
        ("T#{a|epoch}", {"S": "2026-01-01"}, {"S": "T#1767225600"}),
    ],
)
def test_a_function_has_a_declared_result_or_says_why_not(template: str, value: Any, result: object) -> None:
    assert made(template, {"a": value}) == result


def test_an_attribute_may_be_set_from_itself_if_a_second_time_changes_nothing() -> None:
    mended = assignments(expires="{expires|ms_to_s}")
    change = mended.judge({"expires": {"N": "1800000000999"}})
    assert isinstance(change, Update)
    assert (change.values, change.read) == ({"expires": {"N": "1800000000"}}, {"expires": {"N": "1800000000999"}})
    assert mended.judge({**change.values}) is None
    assert isinstance(mended.judge({}), Unmade)
