"""Manifests, parts and acts of form 8 are read by every later version. These documents are never generated anew."""

import json
from typing import Any

import pytest

from skipscan.act.actions.put_item import PutItem
from skipscan.act.plan import DoneAct
from skipscan.dynamodb.sort_range import SortRange
from skipscan.dynamodb.source import Level
from skipscan.dynamodb.table_description import KeyAttribute, TableIdentity
from skipscan.lines.convert import convert
from skipscan.listing.scope import Scope
from skipscan.loop.work import is_readable

ORDERS = {"arn": "arn:aws:dynamodb:us-east-1:111111111111:table/Orders", "table_id": "table-1"}
MANIFEST: dict[str, Any] = {
    "form": 8,
    "complete": True,
    "run": "monday",
    "started": "2026-01-01T00:00:00+00:00",
    "table": "Orders",
    "identity": ORDERS,
    "index": None,
    "partition_key": [{"name": "id", "type": "S"}],
    "sort_key": [{"name": "at", "type": "S"}],
    "format": "dynamodb-jsonl",
    "take": None,
    "level": None,
    "range": None,
    "keys": 1,
    "parts": [{"name": "worker-0000/part-00000.jsonl", "keys": 1, "bytes": 1, "sha256": ""}],
}
READ = '"read":{"S":"2026-01-01T00:00:01.000+00:00"}'
LATER = {"attribute": "at", "since": {"S": "2026"}}


@pytest.mark.parametrize(
    ("differing", "scope", "part", "line"),
    [
        ({}, {}, '{"id":{"S":"a"}}', {"id": "a"}),
        (
            {"level": {"delimiter": "#", "depth": 2, "type": "S"}, "range": LATER},
            {"level": Level("#", 2), "sort_range": SortRange("at", since={"S": "2026"})},
            '{"id":{"S":"a"},"prefix":{"S":"2026#1#"}}',
            {"id": "a", "prefix": "2026#1#"},
        ),
        (
            {"take": {"last": ["total"]}},
            {},
            f'{{"id":{{"S":"a"}},"last":{{"M":{{"at":{{"S":"9"}},"total":{{"N":"5"}}}}}},{READ}}}',
            {"id": "a", "last": {"at": "9", "total": 5}, "read": "2026-01-01T00:00:01.000+00:00"},
        ),
        (
            {"take": {"items": "all", "most": 10, "order": "descending"}},
            {"has_items": True, "most": 10, "descends": True},
            f'{{"id":{{"S":"a"}},"item":{{"M":{{"at":{{"S":"9"}}}}}},{READ}}}',
            {"id": "a", "item": {"at": "9"}, "read": "2026-01-01T00:00:01.000+00:00"},
        ),
        (
            {"take": {"count": {"up_to": 5}}},
            {},
            f'{{"id":{{"S":"a"}},"count":{{"N":"5"}},"more":{{"BOOL":true}},"read_units":{{"N":"0.5"}},{READ}}}',
            {"id": "a", "count": 5, "more": True, "read_units": 0.5, "read": "2026-01-01T00:00:01.000+00:00"},
        ),
    ],
)
def test_a_run_is_compared_and_downloaded(
    differing: dict[str, Any], scope: dict[str, Any], part: str, line: dict[str, Any]
) -> None:
    manifest = {**MANIFEST, **differing}
    assert is_readable(manifest)
    assert Scope.of_manifest(manifest) == Scope(TableIdentity(**ORDERS), None, (KeyAttribute("id", "S"),), **scope)
    assert json.loads(b"".join(convert([part.encode() + b"\n"], manifest, "jsonl"))) == line


def test_an_act_is_undone() -> None:
    action = {"put_item": {"item": {"at": "#static"}, "overwrite": False}}
    plan = {"identity": ORDERS, "run": "monday", "manifest_sha256": "x", "action": action, "mark": "dev-0/act-1"}
    done = DoneAct.of_any_version({"form": 8, "plan": {**plan, "workers": 2}})
    assert (done.identity, done.run, done.mark) == (TableIdentity(**ORDERS), "monday", "dev-0/act-1")
    assert isinstance(done.action, PutItem)
