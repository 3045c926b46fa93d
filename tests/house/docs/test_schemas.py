"""The JSON Schemas of the inputs accept what the parsers accept, and refuse what is wrong in one field."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from skipscan.cli.commands.schema import schema_of
from skipscan.environment import KINDS
from skipscan.errors import InputError

TYPES: Mapping[str, Any] = {"string": str, "object": dict, "null": type(None), "boolean": bool, "array": list}
RUN = {"table": "Orders"}
ACT = {"table": "Orders", "run": "monday", "put_item": {"item": {"sk": "#static"}}}
RETROFIT = {"table": "Audit", "set": {"a": "{b}-{c}"}}
COPY = {"table": "Audit", "to": "Audit-2"}
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Orders"
BASES: Mapping[str, Mapping[str, Any]] = {"run": RUN, "act": ACT, "retrofit": RETROFIT, "copy": COPY}

ACCEPTED: list[tuple[str, dict[str, Any]]] = [
    ("run", {"table": ARN, "index": "by-date", "segments": 1_000_000, "workers": 1_000}),
    ("run", {"consistent_read": True, "strategy": "skip", "optimize": "cost", "format": "dynamodb-jsonl"}),
    ("run", {"max_read_units": 0.5, "max_read_units_per_second": 1e6, "max_dollars": 0.0001, "dry_run": True}),
    ("run", {"compare": "previous", "overlap": "skip", "index": None, "segments": None}),
    ("run", {"resume": "monday"}),
    ("act", {"dry_run": False, "workers": 100, "max_write_units": 1, "without_recovery": True, "show_items": True}),
    ("act", {"no_writes_elsewhere": True}),
    ("act", {"put_item": None, "resume": "tuesday"}),
    ("act", {"put_item": None, "undo": "tuesday"}),
    ("act", {"skip_ended": True}),
    ("retrofit", {"separator": "refuse", "verify": True, "count_indexes": True, "consistent_read": True}),
    ("retrofit", {"remove": ["old"]}),
    ("retrofit", {"set": None, "remove": ["old"]}),
    ("retrofit", {"set": None, "resume": "tuesday", "max_dollars": 5}),
    ("copy", {"create": True, "compare_items": 10, "segments": 5, "workers": 5}),
    ("copy", {"compare_only": True, "to": ARN}),
]
NO_TABLES: tuple[Any, ...] = (None, "a b", "", 5, "x" * 256, "arn:aws:s3:::b")
REFUSED: list[tuple[str, dict[str, Any]]] = [
    *((kind, {"table": value}) for kind in BASES for value in NO_TABLES),
    *((kind, {"unheard_of": 1}) for kind in BASES),
    *((kind, {"workers": value}) for kind in BASES for value in (0, 1_000_000, 1.5, "3", True)),
    *((kind, {"max_dollars": value}) for kind in BASES for value in (0, -1, "1", True)),
    *((kind, {"dry_run": value}) for kind in BASES for value in (1, "true")),
    *((kind, {"resume": value}) for kind in BASES for value in (5, "", "x" * 81)),
    ("run", {"strategy": "slow"}),
    ("run", {"segments": 1_000_001}),
    ("run", {"format": "csv-of-another-kind"}),
    ("run", {"overlap": "queue"}),
    ("run", {"take": "first"}),
    ("run", {"max_read_units": 0.4}),
    ("act", {"run": None}),
    ("act", {"put_item": "x"}),
    ("act", {"max_keys_per_second": 0}),
    ("retrofit", {"set": "a={b}"}),
    *(("retrofit", {"remove": value}) for value in ("old", [], [5], ["old", "old"], [f"a{n}" for n in range(11)])),
    ("retrofit", {"separator": "ignore"}),
    ("copy", {"to": None}),
    ("copy", {"compare_items": 0}),
]


def fits(value: Any, schema: Mapping[str, Any]) -> bool:  # noqa: PLR0911 (one return a type)
    """Tell whether a value is what a schema describes, as far as our schemas say anything."""
    if "anyOf" in schema and not any(fits(value, one) for one in schema["anyOf"]):
        return False
    types = schema.get("type")
    if types is not None and not any(_is(value, name) for name in ([types] if isinstance(types, str) else types)):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, str):
        sizes = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
        return sizes and bool(re.search(schema.get("pattern", ""), value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    if isinstance(value, list) and "items" in schema:
        is_long = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
        is_unique = not schema.get("uniqueItems") or len(set(value)) == len(value)
        return is_long and is_unique and all(fits(each, schema["items"]) for each in value)
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        return set(schema["required"]) <= value.keys() <= known.keys() and all(
            fits(each, known[name]) for name, each in value.items()
        )
    if isinstance(value, dict) and isinstance(others := schema.get("additionalProperties"), dict):
        return all(fits(each, others) for each in value.values())
    return True


def _is(value: Any, name: str) -> bool:
    if name in {"integer", "number"}:
        return isinstance(value, int if name == "integer" else int | float) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


@pytest.mark.parametrize(("kind", "more"), ACCEPTED)
def test_what_the_parser_accepts_fits_the_schema(kind: str, more: dict[str, Any]) -> None:
    document = {**BASES[kind], **more}
    KINDS[kind].parse(document)
    assert fits(document, schema_of(kind))


@pytest.mark.parametrize(("kind", "more"), REFUSED)
def test_what_is_wrong_in_one_field_is_refused_by_both(kind: str, more: dict[str, Any]) -> None:
    document = {**BASES[kind], **more}
    with pytest.raises(InputError):
        KINDS[kind].parse(document)
    assert not fits(document, schema_of(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_is_in_the_schema_and_the_example_fits(kind: str) -> None:
    with pytest.raises(InputError) as refused:
        KINDS[kind].parse({"": 1})
    [listed] = re.findall(r"is not a field of the input \((.*?)\)", refused.value.rule)
    assert sorted(listed.split(", ")) == sorted(schema_of(kind)["properties"])
    KINDS[kind].parse(dict(KINDS[kind].example))
    assert fits(dict(KINDS[kind].example), schema_of(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_the_schemas_in_the_documents_are_current(kind: str) -> None:
    path = Path(f"docs/schemas/{kind}.json")
    assert json.loads(path.read_text()) == schema_of(kind), f"skipscan schema {kind} > {path}"
