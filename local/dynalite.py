"""dynalite: DynamoDB with its hash order, its segments and its exact read units; in memory, or kept in a folder.

It never throttles, ignores ConsistentRead and answers DescribeTable with zero items and zero bytes.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from local.checkout import NODE, NODE_MODULES, environ
from local.server import HOST, free_port, serving

PROGRAM = NODE_MODULES / "dynalite" / "cli.js"
# It ends with an uncaught exception if a caller is gone in the middle of a request: killed, or left by Ctrl-C.
SURVIVING = (
    'process.on("uncaughtException",(error)=>{if(error.code!=="ECONNRESET"){console.error(error);process.exit(1)}})'
)
AT_ONCE = ("--createTableMs=0", "--deleteTableMs=0", "--updateTableMs=0")


def dynalite(*, folder: Path | None = None, port: int | None = None) -> AbstractContextManager[str]:
    """The endpoint URL of a DynamoDB where a table is ACTIVE, or gone, at once.

    It is empty, unless `folder` has what an earlier one left there; `port` defaults to a free one.
    """
    port = port or free_port()
    command = [
        str(NODE),
        f"--import=data:text/javascript,{SURVIVING}",
        str(PROGRAM),
        f"--host={HOST}",
        f"--port={port}",
        *AT_ONCE,
    ]
    if folder:
        command.append(f"--path={folder}")
    return serving("dynalite", port, command, environ=environ(), health="/")
