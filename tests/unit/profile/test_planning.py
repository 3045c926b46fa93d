"""The summary of a profile in an execution's output."""

from typing import Any

from skipscan.profile.planning import profile_summary

POINT = {"estimate": 4, "low": 4, "high": 4}
READING = {"is_exact": True, "segments": 3, "segments_read": 2, "read_units": 1.5, "dollars": 0.25}
PROFILE: dict[str, Any] = {
    "table": "Orders",
    "region": "us-east-1",
    "reading": {**READING, "items": 4, "seed": 1},
    "items": {"count": POINT, "bytes": {"estimate": 900}, "deepest": 2},
    "collections": {"count": {"estimate": 3}, "histogram": []},
    "advice": [{"rule": "rounding", "sentence": "Items are small."}],
    "missing": ["Time to live could not be read."],
}
SUMMARY = {
    "table": "Orders",
    "items": POINT,
    "bytes": {"estimate": 900},
    "keys": {"estimate": 3},
    **READING,
    "advice": ["Items are small."],
    "missing": ["Time to live could not be read."],
}


def test_the_summary_has_the_totals_the_advice_and_what_is_missing() -> None:
    assert profile_summary(PROFILE) == SUMMARY
