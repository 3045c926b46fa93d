"""dynalite: DynamoDB in memory, with its hash order, its segments and its exact read units.

It never throttles, ignores ConsistentRead and answers DescribeTable with zero items and zero bytes.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from local.checkout import NODE, NODE_MODULES, environ
from local.server import HOST, free_port, serving

PROGRAM = NODE_MODULES / "dynalite" / "cli.js"
AT_ONCE = ("--createTableMs=0", "--deleteTableMs=0", "--updateTableMs=0")


def dynalite() -> AbstractContextManager[str]:
    """The endpoint URL of an empty DynamoDB, where a table is ACTIVE, or gone, at once."""
    port = free_port()
    command = [str(NODE), str(PROGRAM), f"--host={HOST}", f"--port={port}", *AT_ONCE]
    return serving("dynalite", port, command, environ=environ(), health="/")
