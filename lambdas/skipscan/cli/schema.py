"""`skipscan schema KIND`: the input of a state machine as a JSON Schema."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import click

from skipscan.act.registry import ACTIONS
from skipscan.aws.kinds import KINDS
from skipscan.cli import work_options
from skipscan.copy.input import MOST_COMPARE_ITEMS
from skipscan.inputs.names import TABLE_NAME
from skipscan.items.concatenation import Separator
from skipscan.keys.formats import STORED
from skipscan.listing.execution_input import MAX_WORKERS, Overlap
from skipscan.pace import shares
from skipscan.scan.plan import Optimize, Strategy
from skipscan.scan.segments import MAX_SEGMENTS
from skipscan.scan.take import ALL, ENDS

Schema = Mapping[str, Any]

ARN = "arn:[a-z-]+:dynamodb:[a-z0-9-]+:[0-9]{12}:table/"


def _flag(meaning: str) -> Schema:
    return {"type": ["boolean", "null"], "description": meaning}


def _count(meaning: str, most: int) -> Schema:
    return {"type": ["integer", "null"], "minimum": 1, "maximum": most, "description": meaning}


def _amount(meaning: str, least: float) -> Schema:
    return {"type": ["number", "null"], "minimum": least, "description": meaning}


def _choice(meaning: str, values: Iterable[str]) -> Schema:
    return {"enum": [*map(str, values), None], "description": meaning}


def _name(meaning: str) -> Schema:
    return {"type": ["string", "null"], "minLength": 1, "maxLength": 80, "description": meaning}


def _table(meaning: str) -> Schema:
    return {"type": "string", "pattern": f"^({ARN})?{TABLE_NAME.pattern}$", "description": meaning}


TABLE = _table("The table's name or ARN")
READS = {
    "max_read_units_per_second": _amount("Maximum read rate of all workers together, in read units per second", 0.5),
    "max_read_units": _amount("Read budget, in read units", 0.5),
}
DOLLARS = {"max_dollars": _amount("Budget in dollars for the whole bill", 0.0001)}
WRITES = {
    "max_write_units_per_second": _amount("Maximum write rate of all workers together, in write units per second", 1),
    "max_write_units": _amount("Write budget, in write units", 1),
}
RESUME = {"resume": _name("Resume the run or job with this name from its checkpoints")}
DRY = {"dry_run": _flag("Only plan and preview, without writing; default for a job: true")}
UNPROTECTED = {"without_recovery": _flag("Write even if point-in-time recovery is off")}
ALONE = {"no_writes_elsewhere": _flag(work_options.ALONE.removesuffix("."))}
ITEMS = {
    "segments": _count("Parallel segments", MAX_SEGMENTS),
    "workers": _count("Number of concurrent Lambda functions", shares.MAX_WORKERS),
    "verify": _flag("Read all items again at the end; default: true"),
    **DRY,
    **READS,
    **WRITES,
    **DOLLARS,
    **UNPROTECTED,
    **RESUME,
}
PROPERTIES: Mapping[str, dict[str, Schema]] = {
    "run": {
        "table": TABLE,
        "index": {"type": ["string", "null"], "description": "List the partition keys of this index"},
        "segments": _count("Parallel segments", MAX_SEGMENTS),
        "workers": _count("Number of concurrent Lambda functions", MAX_WORKERS),
        "consistent_read": _flag("Strongly consistent reads, at twice the read units"),
        "strategy": _choice("How to move to the next key", Strategy),
        "optimize": _choice("What to optimize the page length for", Optimize),
        "format": _choice("Format of the keys", STORED),
        "take": {
            "type": ["object", "null"],
            "anyOf": [{"required": [member]} for member in ENDS],
            "additionalProperties": False,
            "properties": {
                **{
                    member: {
                        "anyOf": [{"const": ALL}, {"type": "array", "items": {"type": "string"}, "minItems": 1}],
                        "description": f'Attributes of the {member} item of each item collection, or "all"',
                    }
                    for member in ENDS
                },
                "within": {
                    "type": ["string", "null"],
                    "description": "Prefix of the sort keys to choose from",
                },
            },
            "description": "Items to write with each key",
        },
        "dry_run": _flag("Only plan and estimate, without listing"),
        **READS,
        **DOLLARS,
        "compare": _name('Run to compare with; "previous": the last finished run with the same scope'),
        **RESUME,
        "overlap": _choice("What to do if an earlier run with the same input is still running", Overlap),
    },
    "act": {
        "table": TABLE,
        "run": {**_name("The finished run with the keys to act on"), "type": "string"},
        **{
            name: {"type": [*(["string"] if name == "undo" else ["object"]), "null"], "description": action.summary}
            for name, action in ACTIONS.items()
        },
        "skip_ended": _flag("Check before each action that the item collection still has an item"),
        **DRY,
        "show_items": _flag("Show the first items in the preview, with their values and keys"),
        "workers": _count("Number of concurrent Lambda functions", shares.MAX_WORKERS),
        **WRITES,
        **DOLLARS,
        "max_keys_per_second": _amount("Maximum rate of invoke and send, in keys per second", 0.1),
        **UNPROTECTED,
        **ALONE,
        **RESUME,
    },
    "retrofit": {
        "table": TABLE,
        "set": {"type": ["object", "null"], "description": "Attributes to set, each with its template"},
        "separator": _choice("How to treat a value that contains the separator", Separator),
        "consistent_read": _flag("Strongly consistent reads, at twice the read units"),
        "count_indexes": _flag("Count the entries of the indexes at the end"),
        "show_items": _flag("Show the first items in the preview, with their values and keys"),
        **ITEMS,
        **ALONE,
    },
    "copy": {
        "table": TABLE,
        "to": _table("The new table's name or ARN"),
        "create": _flag("Create the new table if it does not exist"),
        "compare_items": _count(
            "Approximate number of keys of each table that the verification compares", MOST_COMPARE_ITEMS
        ),
        "compare_only": _flag("Only compare both tables, without writing"),
        **ITEMS,
    },
}
REQUIRED = {"run": ["table"], "act": ["table", "run"], "retrofit": ["table"], "copy": ["table", "to"]}


def schema_of(kind: str) -> Schema:
    """Return the schema of an input. Plan checks what depends on the table, and rules over several fields."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The input of a Skipscan {kind}",
        "description": "A null field counts as left out.",
        "type": "object",
        "required": REQUIRED[kind],
        "additionalProperties": False,
        "properties": PROPERTIES[kind],
        "examples": [dict(KINDS[kind].example)],
    }


def schema(*, kind: str) -> None:
    """Carry out `skipscan schema`."""
    click.echo(json.dumps(schema_of(kind), indent=2))
