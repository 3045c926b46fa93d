"""`skipscan keys` from far away, compared with sixteen walks: whole processes, with a table of long item collections.

As a program, `python -m benchmarks.client.far PORT COLLECTIONS MILLISECONDS`, it is the table: a formula behind HTTP
that answers so many milliseconds late. It listens on all addresses, because the command treats 127.0.0.1 as near.
"""

import asyncio
import json
import socket
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.blog_table.table import Shape, VirtualTable
from benchmarks.blog_table.table import answer as virtual_answer
from benchmarks.client import MILLISECONDS
from benchmarks.client.canned import DESCRIPTION, content_length, response
from local.checkout import ACCESS_KEY, REGION, ROOT, environ
from local.server import free_port, serving
from skipscan.listing.execution_input import parse
from skipscan.listing.plan import plan_listing

WALKS = 16


@dataclass(frozen=True)
class Far:
    """Seconds of a whole command, as medians; `cpu_seconds` of its processor time.

    `bound`: the time of sixteen walks with one page for each key, if nothing else takes time. `of_bound`, `of_sixteen`:
    our time divided by that, and by the time of the same command with `--segments 16`.
    """

    keys: int
    requests: int
    segments: int
    seconds: float
    cpu_seconds: float
    sixteen_seconds: float
    bound: float
    of_bound: float
    of_sixteen: float


def measure(collections: int, *, rounds: int, milliseconds: float = MILLISECONDS) -> Far:
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.client.far", str(port), str(collections), str(milliseconds)]
    bound = collections * milliseconds / 1000 / WALKS
    ours, sixteen = [], []
    with serving("far", port, command, environ=environ(), health="/"):
        url = f"http://{own_address()}:{port}"
        for _ in range(rounds):
            ours.append(listed(url, collections))
            sixteen.append(listed(url, collections, "--segments", str(WALKS)))
    seconds, sixteen_seconds = (median(run.seconds for run in runs) for runs in (ours, sixteen))
    figures = ours[0].figures
    return Far(
        keys=figures["keys"],
        requests=figures["requests"],
        segments=figures["segments"],
        seconds=seconds,
        cpu_seconds=median(run.cpu_seconds for run in ours),
        sixteen_seconds=sixteen_seconds,
        bound=bound,
        of_bound=seconds / bound,
        of_sixteen=seconds / sixteen_seconds,
    )


class Listed(NamedTuple):
    """The time of one command, and its figures."""

    seconds: float
    cpu_seconds: float
    figures: Any


def listed(url: str, collections: int, *options: str) -> Listed:
    """Run the command, and check the keys that it found."""
    summary = ROOT / "build" / "bench" / "far.json"
    summary.parent.mkdir(parents=True, exist_ok=True)
    variables = environ(
        PYTHONPATH=str(ROOT / "lambdas"),
        AWS_ACCESS_KEY_ID=ACCESS_KEY,
        AWS_SECRET_ACCESS_KEY=ACCESS_KEY,
        AWS_REGION=REGION,
        no_proxy="*",
    )
    command = [sys.executable, "-m", "skipscan", "keys", DESCRIPTION.name, "--endpoint-url", url, *options]
    begun, before = perf_counter(), _cpu_seconds()
    done = subprocess.run(
        [*command, "--summary", str(summary)], env=variables, cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    seconds = perf_counter() - begun
    found = done.stdout.split()
    if not len(found) == len(set(found)) == collections:
        raise RuntimeError(f"{len(found)} keys of {collections}")
    return Listed(seconds, _cpu_seconds() - before, json.loads(summary.read_text()))


def _cpu_seconds() -> float:
    import resource  # Windows has none

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def own_address() -> str:
    """Return an address of this machine that is not 127.0.0.1. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("198.51.100.1", 9))
        address: str = probe.getsockname()[0]
    return address


class Table:
    def __init__(self, collections: int) -> None:
        self._collections = collections
        self._source = plan_listing(parse({"table": DESCRIPTION.name}), DESCRIPTION).source
        self._in = cache(lambda segments: VirtualTable(self._source, Shape.table(collections), segments))
        names = {"pk": "HASH", "sk": "RANGE"}
        self._description = {
            "TableName": DESCRIPTION.name,
            "TableStatus": "ACTIVE",
            "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in names.items()],
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in names],
        }

    def answer(self, head: bytes, body: bytes) -> bytes:
        if head.startswith(b"GET"):
            return response("200 OK")
        if b".DescribeTable\r\n" in head:
            return response("200 OK", json.dumps({"Table": self._description}).encode())
        asked = json.loads(body)
        found = virtual_answer(self._in(asked["TotalSegments"]), asked)
        return response("200 OK", json.dumps(found, separators=(",", ":")).encode())


async def main(port: int, collections: int, delay: float) -> None:
    table, later = Table(collections), asyncio.get_running_loop().call_later

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                body = await reader.readexactly(content_length(head))
                later(delay, writer.write, table.answer(head, body))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(talk, "0.0.0.0", port)  # noqa: S104 - see above
    await server.serve_forever()


if __name__ == "__main__":
    given_port, given_collections, given_milliseconds = sys.argv[1:]
    asyncio.run(main(int(given_port), int(given_collections), float(given_milliseconds) / 1000))
