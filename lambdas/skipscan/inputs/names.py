"""What tables, indexes and runs may be named, and how a value is quoted in a message for a person."""

import json
import re

TABLE_NAME = re.compile(r"[a-zA-Z0-9_.-]{3,255}")
"""A table's or an index's (developer guide, "Naming rules and data types")."""

TABLE_ARN = re.compile(
    r"arn:aws[a-z-]*:dynamodb:(?P<region>[a-z0-9-]+):(?P<account>[0-9]{12}):table/(?P<name>[a-zA-Z0-9_.-]{3,255})"
)

# What an execution may be named (Step Functions API reference, StartExecution): nearly nothing that means something
# to a path, a URL or a shell. Names of dots alone are left out of it, see `is_run_name`.
RUN_NAME = re.compile(r"[^\s<>{}\[\]?*\"#%\\^|~`$&,;:/\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]{1,80}")


def is_table(table: str) -> bool:
    """Tell whether a text can be a table's name or its ARN."""
    return bool(TABLE_NAME.fullmatch(table) or TABLE_ARN.fullmatch(table))


def table_name(table: str) -> str:
    """Return the bare name of a table given by name or ARN."""
    arn = TABLE_ARN.fullmatch(table)
    return arn["name"] if arn else table


def table_owner(table: str, place: str) -> str:
    """Return what tells a table of another account or region from the stack's own of that name; of its own, nothing.

    `place`: region and account of the stack, like us-east-1:111111111111. No table's name has an @.
    """
    arn = TABLE_ARN.fullmatch(table)
    if not arn or f"{arn['region']}:{arn['account']}" == place:
        return ""
    return f"@{arn['account']}-{arn['region']}"


def table_arn(table: str, like: str) -> str:
    """Return the ARN of a table; one given by its name is in the account and region of another resource.

    `like`: the ARN of that resource.
    """
    if TABLE_ARN.fullmatch(table):
        return table
    _, partition, _, region, account, *_ = like.split(":")
    return f"arn:{partition}:dynamodb:{region}:{account}:table/{table}"


def is_run_name(name: str) -> bool:
    """Tell whether a run can have that name: one step of a path on S3, and no way out of it."""
    return bool(RUN_NAME.fullmatch(name) and name.strip("."))


MOST_CHARACTERS = 100


def quoted(value: object) -> str:
    """Return a value as JSON writes it, in ASCII, cut where it would drown the message.

    ASCII, because a look-alike letter, a line end or a lone surrogate shows itself only when escaped.
    """
    try:
        text = json.dumps(value, default=repr)
    except (RecursionError, ValueError):  # deeper, or a number longer, than Python turns into text
        return f"a value too {'long' if isinstance(value, int) else 'deep'} to show"
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 3]}..."


def printable(text: str) -> str:
    """Return a message that holds names and texts as they were given with all of them in printable ASCII."""
    return "".join(c if " " <= c <= "~" else c.encode("unicode_escape").decode() for c in text)
