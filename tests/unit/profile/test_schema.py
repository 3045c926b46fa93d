"""Every document of a profile is as its schema says: with these members and no others."""

import json
from pathlib import Path
from typing import Any

from skipscan.profile.circumstances import ExpirySetting
from skipscan.profile.segments import ReadingPlan
from tests.unit.profile.tables import budget, index, read

SCHEMA = json.loads(Path("docs/schemas/profile.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def is_valid(document: Any, schema: dict[str, Any]) -> bool:
    if "anyOf" in schema:
        return any(is_valid(document, one) for one in schema["anyOf"])
    allowed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_has_type(document, kind) for kind in allowed):
        return False
    if isinstance(document, dict):
        known: dict[str, Any] = schema.get("properties", {})
        others: Any = schema.get("additionalProperties")
        return set(schema.get("required", ())) <= set(document) and all(
            is_valid(value, known.get(name, others)) for name, value in document.items()
        )
    if isinstance(document, list):
        places = schema.get("prefixItems") or [schema["items"]] * len(document)
        return len(places) == len(document) and all(map(is_valid, document, places))
    return True


def _has_type(document: Any, kind: str) -> bool:
    if kind in ("integer", "number"):
        return isinstance(document, int if kind == "integer" else int | float) and not isinstance(document, bool)
    return isinstance(document, TYPES[kind])


def test_a_profile_is_as_the_schema_says() -> None:
    items = [
        {"pk": {"S": f"k{n % 90}"}, "sk": {"S": f"ORDER#{n}"}, "ik": {"S": "a"}, "t": {"N": str(n)}} for n in range(700)
    ]
    expiry, indexes = ExpirySetting("t", "ENABLED"), [index("one"), index("two", "KEYS_ONLY")]
    sample = ReadingPlan(30, 12, budget(), 100.0)
    for profile, _ in (
        read(items, expiry=expiry, GlobalSecondaryIndexes=indexes),
        read(items, plan=sample, LocalSecondaryIndexes=[index("one")]),
        read(items, stop_after=0, GlobalSecondaryIndexes=indexes),
        read([]),
    ):
        assert is_valid(json.loads(json.dumps(profile.to_json())), SCHEMA)
