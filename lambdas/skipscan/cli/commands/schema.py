"""`skipscan schema KIND`: the JSON Schema of an input."""

import click

from skipscan.cli.commands import KIND_LABELS
from skipscan.cli.options import examples, grouped_command
from skipscan.cli.output import print_json
from skipscan.inputs.fields import Schema


@grouped_command(epilog=examples("skipscan schema run", "skipscan schema act > act.schema.json"))
@click.argument("kind", type=click.Choice(KIND_LABELS))
def schema_command(kind: str) -> None:
    """Print the JSON Schema of the input of a state machine: of a run, an act, a retrofit or a copy."""
    print_json(schema_of(kind))


def schema_of(kind: str) -> Schema:
    """Return the schema of an input. Plan checks what depends on the table, and rules over several fields."""
    from skipscan.environment import KINDS

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
