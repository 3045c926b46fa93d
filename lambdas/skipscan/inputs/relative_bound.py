"""A bound of sort keys that is a time, so that a schedule can ask for what is new.

{"ago": "1d", "format": "%Y-%m-%d"}: one day before the run's start, as the table's sort keys write times.
{"previous": true, "format": …, "overlap": "1h"}: the start of the last complete run of the same input, less an hour.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, TypeGuard

from skipscan.errors import OMITTED, InputError
from skipscan.inputs.quantities import seconds_of
from skipscan.inputs.schedule_expression import TIMEZONE, is_timezone

AGO, PREVIOUS, FORMAT, ZONE, OVERLAP = "ago", "previous", "format", "zone", "overlap"
MEMBERS = {AGO: {AGO, FORMAT, ZONE}, PREVIOUS: {PREVIOUS, FORMAT, ZONE, OVERLAP}}

_SPAN = re.compile(r"(0|[1-9][0-9]{0,8})([smhdw])")
LONGEST = "36525d"

_EPOCHS = {"epoch": 1, "epoch_ms": 1000}
ISO = "iso"
_TEXT = re.compile(r"(?:[^%\x00-\x1f]|%[YmdHMSfjGVu%])*%[YGmdHMSfjVu](?:[^%\x00-\x1f]|%[YmdHMSfjGVu%])*")
"""Directives of strftime that have digits alone, whatever the machine's language."""
MOST = 200


def is_relative(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping) and not MEMBERS.keys().isdisjoint(value)


def is_since_previous(value: object) -> bool:
    return is_relative(value) and PREVIOUS in value


def checked(name: str, value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the bound; raise `InputError` for one that is no time."""
    kind = AGO if AGO in value else PREVIOUS
    if not {kind, FORMAT} <= value.keys() <= MEMBERS[kind]:
        rule = f"a time has {AGO} or {PREVIOUS}, and {FORMAT}; it may have {ZONE}, and with {PREVIOUS} {OVERLAP}"
        raise InputError(name, value, rule, 'write it like {"ago": "1d", "format": "%Y-%m-%d"}')
    if kind == PREVIOUS and name != "since":
        rule = "is given; only since may begin at the previous run"
        raise InputError(f"{name}.{PREVIOUS}", OMITTED, rule, f"use {AGO}")
    if kind == PREVIOUS and value[PREVIOUS] is not True:
        raise InputError(f"{name}.{PREVIOUS}", value[PREVIOUS], "it must be true", "correct it")
    member = AGO if kind == AGO else OVERLAP
    span = value.get(member, "0s")
    if not isinstance(span, str) or not _SPAN.fullmatch(span) or seconds_of(span) > seconds_of(LONGEST):
        rule = "it must be a whole number and s, m, h, d or w, up to a hundred years"
        raise InputError(f"{name}.{member}", span, rule, "write it like 1d")
    form, zone = value[FORMAT], value.get(ZONE)
    if not isinstance(form, str) or not (
        form == ISO or form in _EPOCHS or (len(form) <= MOST and _TEXT.fullmatch(form))
    ):
        rule = f"it must be {ISO}, {', '.join(_EPOCHS)}, or text with %Y %m %d %H %M %S %f %j %G %V %u"
        raise InputError(f"{name}.{FORMAT}", form, rule, "write times as the sort keys do, like %Y-%m-%d")
    if zone is not None and not (isinstance(zone, str) and is_timezone(zone)):
        raise InputError(f"{name}.{ZONE}", zone, f"it must be {TIMEZONE}", "correct it, or leave it out for UTC")
    return value


def resolved(name: str, value: Mapping[str, Any], start: datetime) -> Mapping[str, str] | int:
    """Return the sort key that the bound is; a text with its type. `start`: from when it counts back, with its zone."""
    form = value[FORMAT]
    span = value.get(AGO) or value.get(OVERLAP, "0s")
    zone = _zone(name, value)
    back = timedelta(seconds=seconds_of(span))
    if span[-1] in "dw":
        # A day ago is the same time of the day before, also where a clock was put forward. One that came twice, or not
        # at all, is the earlier of the two that it can mean, or as an end the later.
        wall = start.astimezone(zone) - back
        moment = (max if name == "until" else min)(wall.replace(fold=0), wall.replace(fold=1), key=datetime.timestamp)
    else:
        moment = (start - back).astimezone(zone)
    if form in _EPOCHS:
        return int(moment.timestamp() * _EPOCHS[form])
    return {"S": moment.isoformat(timespec="seconds") if form == ISO else moment.strftime(form)}


def _zone(name: str, value: Mapping[str, Any]) -> tzinfo:
    if value.get(ZONE) is None:
        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415 (looks for the database when it is imported)

    try:
        return ZoneInfo(value[ZONE])
    except ZoneInfoNotFoundError:
        rule = "there is no database of time zones here"
        raise InputError(f"{name}.{ZONE}", value[ZONE], rule, "leave it out, and go back a day further") from None
