"""The JSON Schema of a profile, from its classes: `python -m skipscan.profile.schema` prints it."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from skipscan.listing.estimate.interval import Interval
from skipscan.profile.table_profile import TableProfile

NUMBER, NULL = {"type": "number"}, {"type": "null"}
INTERVAL = {
    name: NUMBER if name == "estimate" else {"type": ["number", "null"]} for name in ("estimate", "low", "high")
}


def profile_schema() -> dict[str, Any]:
    """Return the schema."""
    about = "Intervals are 95 % confidence intervals; equal ends: exact; a null end: unknown."
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The profile of a table",
        "description": about,
        **_schema(TableProfile),
    }


def _schema(kind: Any) -> dict[str, Any]:  # noqa: PLR0911 (one return for each kind of type)
    if kind is Interval:
        return _object(INTERVAL)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return _object({one.name: _schema(hints[one.name]) for one in fields(kind)})
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return {"anyOf": [NULL if one is NoneType else _schema(one) for one in inner]}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema(inner[1])}
    if origin is Sequence:
        return {"type": "array", "items": _schema(inner[0])}
    if origin is tuple:
        return {"type": "array", "prefixItems": [_schema(one) for one in inner], "minItems": len(inner)}
    return {"type": {str: "string", bool: "boolean", int: "integer", float: "number"}[kind]}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(properties),
        "additionalProperties": False,
        "properties": dict(properties),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(profile_schema(), indent=2) + "\n")
