"""dynalite: DynamoDB with the same hash order, segments and exact read units; in memory.

It never throttles, ignores ConsistentRead, and DescribeTable shows zero items and zero bytes.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from local.checkout import NODE, NODE_MODULES, environ
from local.server import HOST, free_port, serving

PROGRAM = NODE_MODULES / "dynalite" / "cli.js"
# It ends with an uncaught exception if a client disconnects during a request: killed, or stopped by Ctrl-C.
SURVIVING = (
    'process.on("uncaughtException",(error)=>{if(error.code!=="ECONNRESET"){console.error(error);process.exit(1)}})'
)
AT_ONCE = ("--createTableMs=0", "--deleteTableMs=0", "--updateTableMs=0")


def dynalite() -> AbstractContextManager[str]:
    """Yield the endpoint URL of a DynamoDB in which tables are created and deleted at once."""
    port = free_port()
    command = [
        str(NODE),
        f"--import=data:text/javascript,{SURVIVING}",
        str(PROGRAM),
        f"--host={HOST}",
        f"--port={port}",
        *AT_ONCE,
    ]
    return serving("dynalite", port, command, environ=environ(), health="/")
