"""What the plan's sample estimated, beside what came."""

from collections.abc import Iterator, Mapping
from typing import Any

from skipscan.report.record import Record
from skipscan.report.report import Expected


def comparison(record: Record) -> list[Expected]:
    """Return the figures of a complete run that a sample had estimated; none where no sample was taken."""
    estimated = (record.ending or {}).get("estimated")
    if estimated is None or not record.is_complete:
        return []
    return list(_rows(record, estimated))


def _rows(record: Record, estimated: Mapping[str, Any]) -> Iterator[Expected]:
    counts = record.counts
    for name, field, came in (
        ("keys", "keys", counts.keys),
        ("read units", "read_units", counts.read_units),
        ("requests", "requests", counts.requests),
    ):
        interval = estimated[field]
        if came and interval["estimate"]:
            yield Expected(name, interval["estimate"], interval["low"], interval["high"], came)
    minutes = estimated.get("minutes")
    if minutes and record.seconds:
        unit, seconds = ("minutes", 60) if record.seconds > 600 else ("seconds", 1)
        yield Expected(unit, minutes * 60 / seconds, None, None, record.seconds / seconds)
