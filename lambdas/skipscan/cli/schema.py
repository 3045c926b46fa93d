"""`skipscan schema KIND`: the input of a state machine as a JSON Schema."""

import json

import click

from skipscan.environment.kinds import KINDS
from skipscan.inputs.fields import Schema


def schema_of(kind: str) -> Schema:
    """Return the schema of an input. Plan checks what depends on the table, and rules over several fields."""
    fields = KINDS[kind].fields
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The input of a Skipscan {kind}",
        "description": "A null field counts as left out.",
        "type": "object",
        "required": [field.name for field in fields if field.need is not None],
        "additionalProperties": False,
        "properties": {field.name: field.schema for field in fields},
        "examples": [dict(KINDS[kind].example)],
    }


def schema(*, kind: str) -> None:
    """Carry out `skipscan schema`."""
    click.echo(json.dumps(schema_of(kind), indent=2))
