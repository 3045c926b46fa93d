"""`skipscan schema KIND`: the input of a state machine as a JSON Schema."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import click

from skipscan.act.registry import ACTIONS
from skipscan.aws.kinds import KINDS
from skipscan.cli.options import examples
from skipscan.copy.input import MOST_COMPARE_ITEMS
from skipscan.inputs.names import TABLE_NAME
from skipscan.items.concatenation import Separator
from skipscan.keys.formats import STORED
from skipscan.listing.execution_input import MAX_WORKERS, Overlap
from skipscan.pace import workers
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


TABLE = _table("The table: its name, or its ARN")
READS = {
    "max_read_units_per_second": _amount("The rate of reads of all workers together", 0.5),
    "max_read_units": _amount("The budget of read units", 0.5),
}
DOLLARS = {"max_dollars": _amount("The budget in dollars, of the whole bill", 0.0001)}
WRITES = {
    "max_write_units_per_second": _amount("The rate of writes of all workers together", 1),
    "max_write_units": _amount("The budget of write units", 1),
}
RESUME = {"resume": _name("Resume the work of this name from its checkpoints")}
DRY = {"dry_run": _flag("Plan and preview, and write nothing; true for a job unless it says false")}
UNPROTECTED = {"without_recovery": _flag("Write although the table has no point-in-time recovery")}
ITEMS = {
    "segments": _count("Parallel segments", MAX_SEGMENTS),
    "workers": _count("How many Lambda functions work at the same time", workers.MAX_WORKERS),
    "verify": _flag("Read all items again at the end; true by default"),
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
        "workers": _count("How many Lambda functions work at the same time", MAX_WORKERS),
        "consistent_read": _flag("Strongly consistent reads, at twice the read units"),
        "strategy": _choice("How to pass over item collections", Strategy),
        "optimize": _choice("What the length of a page is chosen for", Optimize),
        "format": _choice("How keys are written", STORED),
        "take": {
            "type": ["object", "null"],
            "anyOf": [{"required": [member]} for member in ENDS],
            "additionalProperties": False,
            "properties": {
                **{
                    member: {
                        "anyOf": [{"const": ALL}, {"type": "array", "items": {"type": "string"}, "minItems": 1}],
                        "description": f"Attributes of the {member} item of each item collection, or all of them",
                    }
                    for member in ENDS
                },
                "within": {
                    "type": ["string", "null"],
                    "description": "Among the sort keys that begin with this prefix",
                },
            },
            "description": "Write along with each key",
        },
        "dry_run": _flag("Plan and estimate, and list nothing"),
        **READS,
        **DOLLARS,
        "compare": _name('Compare with this run; "previous": with the last one that lists the same'),
        **RESUME,
        "overlap": _choice("What to do while an earlier run with the same input goes on", Overlap),
    },
    "act": {
        "table": TABLE,
        "run": {**_name("The finished run whose keys to act on"), "type": "string"},
        **{
            name: {"type": [*(["string"] if name == "undo" else ["object"]), "null"], "description": action.summary}
            for name, action in ACTIONS.items()
        },
        "skip_ended": _flag("Look before each action whether the item collection still has an item"),
        **DRY,
        "show_items": _flag("Preview the first items with their values, and so with keys"),
        "workers": _count("How many Lambda functions work at the same time", workers.MAX_WORKERS),
        **WRITES,
        **DOLLARS,
        "max_keys_per_second": _amount("The rate of an act that calls or sends", 0.1),
        **UNPROTECTED,
        **RESUME,
    },
    "retrofit": {
        "table": TABLE,
        "set": {"type": ["object", "null"], "description": "Templates by the attribute that each of them sets"},
        "separator": _choice("What to do with a value that holds the separator", Separator),
        "consistent_read": _flag("Strongly consistent reads, at twice the read units"),
        "count_indexes": _flag("Count the entries of the indexes at the end"),
        "show_items": _flag("Preview the first items with their values, and so with keys"),
        **ITEMS,
    },
    "copy": {
        "table": TABLE,
        "to": _table("The new table: its name, or its ARN"),
        "create": _flag("Create the new table if it is not there"),
        "compare_items": _count("About how many keys of each table a verification compares", MOST_COMPARE_ITEMS),
        "compare_only": _flag("Only compare both tables, and write nothing"),
        **ITEMS,
    },
}
REQUIRED = {"run": ["table"], "act": ["table", "run"], "retrofit": ["table"], "copy": ["table", "to"]}


def schema_of(kind: str) -> Schema:
    """Return the schema of an input. What only the table can tell, and rules over several fields, Plan checks."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The input of a Skipscan {kind}",
        "description": "A field that is null counts as left out.",
        "type": "object",
        "required": REQUIRED[kind],
        "additionalProperties": False,
        "properties": PROPERTIES[kind],
        "examples": [dict(KINDS[kind].example)],
    }


@click.command(epilog=examples("skipscan schema run", "skipscan schema act > act.schema.json"))
@click.argument("kind", type=click.Choice(list(PROPERTIES)))
def schema(*, kind: str) -> None:
    """Print the JSON Schema of the input of a state machine: of a run, an act, a retrofit or a copy."""
    click.echo(json.dumps(schema_of(kind), indent=2))
