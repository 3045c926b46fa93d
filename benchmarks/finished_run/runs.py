"""Two finished runs of many keys in folders, as `skipscan keys --folder` leaves them.

The second lacks some keys of the first, and has others in their place.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.blog_table.table import description
from skipscan.folder.storage import Folder, InFolder
from skipscan.lines.json_lines import JSONL
from skipscan.listing.execution_input import parse
from skipscan.listing.kind import LISTING
from skipscan.listing.plan import plan_listing
from skipscan.loop.finish import manifest
from skipscan.loop.proof import StoredParts
from skipscan.loop.results import Results
from skipscan.loop.storage import StoredPart, checksum
from skipscan.loop.work import ExecutionId
from skipscan.scan.progress import ScanCounts, ScanProgress

PART_KEYS = 500_000
CHANGED = 200
"""One key in so many vanishes, and another comes in its place."""

STRIDE = 7_368_787
"""A prime: steps of it go through all keys in an order that has nothing to do with theirs, as that of a table."""


def text(number: int) -> str:
    return f"customer-{number:010d}"


def old_keys(keys: int) -> Iterator[int]:
    return (number * STRIDE % keys for number in range(keys))


def new_keys(keys: int) -> Iterator[int]:
    return (number if number % CHANGED else number + keys for number in old_keys(keys))


def write_runs(folder: Path, keys: int) -> tuple[Path, Path]:
    """Write both runs, and return their folders."""
    if keys % STRIDE == 0:
        raise ValueError("steps of the stride would not reach every key")
    found = folder / "old", folder / "new"
    _write(found[0], old_keys(keys), keys)
    _write(found[1], new_keys(keys), keys)
    return found


def _write(folder: Path, numbers: Iterator[int], keys: int) -> None:
    plan = plan_listing(parse({"table": "Blog", "segments": 1, "workers": 1}), description(keys))
    run = LISTING.begun(ExecutionId(folder.name, "local", "2026-01-01T00:00:00+00:00"), plan)
    storage, layout = Folder(folder), InFolder("", "any", LISTING.folder, folder.name, LISTING.lines)
    storage.clear()
    encode = JSONL.encoder(plan.source.line)
    parts: list[StoredPart] = []
    while some := list(islice(numbers, PART_KEYS)):
        body = b"".join(encode({"S": text(number)}) for number in some)
        name, digest = layout.part(0, len(parts)), checksum(body)
        storage.put_once(name, body)
        parts.append(StoredPart(0, len(parts), name, len(some), len(body), digest, "", ""))
    counts = ScanCounts(keys=keys)
    reached = [ScanProgress(0, batch=len(parts), opened=1, counts=counts)]
    Results(storage, layout).put_manifest(manifest(LISTING, run, StoredParts(1, parts).rows, counts, reached))
