"""The names of a run's objects on S3, all below `<prefix>/<table>/<run>/`.

- `plan.json`
- `keys/worker=0007/part-00000.jsonl`
- `checkpoints/worker=0007/batch-00000-<attempt>.json`
- `unfinished.json`, how far a run came that its budget stopped
- `manifest.json`, written last: a run without it is not finished
- `diff/new/part-00000.jsonl`, `diff/vanished/part-00000.jsonl` and `diff.json`, where it was compared with another
- `jobs/<job>/`: the same names again for each job over the run, with `failed/` in place of `keys/`

Beside them, `<prefix>/<table>/finished/<what is listed>/` has an empty object for every finished run, in the order in
which S3 lists them the last begun first.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from skipscan.errors import InputError
from skipscan.inputs.names import TABLE_NAME, is_run_name
from skipscan.inputs.quoted import quoted

_PART = re.compile(r"worker=(\d+)/part-(\d+)\.jsonl")
_LATEST_MS = 9_999_999_999_999  # S3 lists names in ascending order, so an entry is named by how long before this it was


@dataclass(frozen=True)
class Layout:
    """Object names of one run, or of one job over it. `table`: its bare name, never an ARN.

    Raises `InputError` for a name that would lead out of the run's prefix.
    """

    prefix: str
    table: str
    run: str
    job: str | None = None

    def __post_init__(self) -> None:
        if not TABLE_NAME.fullmatch(self.table):
            raise InputError(
                f"table is {quoted(self.table)}; it names a folder on S3 and is no table's name: correct it"
            )
        name = self.run if self.job is None or not is_run_name(self.run) else self.job
        if not is_run_name(name):
            raise InputError(
                f"the execution's name is {quoted(name)}; it names a folder on S3 and would lead elsewhere: start "
                "the execution under another name"
            )

    @property
    def root(self) -> str:
        root = f"{self.prefix}/{self.table}/{self.run}/"
        return root if self.job is None else f"{root}jobs/{self.job}/"

    @property
    def plan(self) -> str:
        return f"{self.root}plan.json"

    @property
    def manifest(self) -> str:
        return f"{self.root}manifest.json"

    @property
    def parts(self) -> str:
        """The prefix of all parts; nothing but parts of the result ever lies below it."""
        return f"{self.root}{'keys' if self.job is None else 'failed'}/"

    @property
    def unfinished(self) -> str:
        return f"{self.root}unfinished.json"

    @property
    def diff(self) -> str:
        return f"{self.root}diff.json"

    def diff_part(self, change: str, number: int) -> str:
        return f"{self.root}diff/{change}/part-{number:05d}.jsonl"

    def finished(self, listed: str) -> str:
        """The prefix of the entries of finished runs that list the same; no name of a run's objects begins so."""
        return f"{self.prefix}/{self.table}/finished/{listed}/"

    def entry(self, listed: str, started: str) -> str:
        """The name of this run's entry. `started`: ISO 8601."""
        before_ms = _LATEST_MS - round(datetime.fromisoformat(started).timestamp() * 1000)
        return f"{self.finished(listed)}{before_ms:013d}-{self.run}"

    def worker(self, worker: int) -> str:
        """The prefix of one worker's parts."""
        return f"{self.parts}worker={worker:04d}/"

    def part(self, worker: int, batch: int) -> str:
        return f"{self.worker(worker)}part-{batch:05d}.jsonl"

    def checkpoint(self, worker: int, batch: int, attempt: str) -> str:
        return f"{self.root}checkpoints/worker={worker:04d}/batch-{batch:05d}-{attempt}.json"

    def worker_and_batch(self, part: str) -> tuple[int, int] | None:
        """Return whose part a name below `parts` is, or `None` if it is nobody's."""
        match = _PART.fullmatch(part.removeprefix(self.parts))
        return (int(match[1]), int(match[2])) if match else None
