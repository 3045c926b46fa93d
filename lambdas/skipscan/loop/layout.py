"""The names of all objects, each kind of work in a folder of its own: `<prefix>/<table>/<folder>/<name>/`.

A table of another account than the stack's, or of another region, has the folder `<table>@<account>-<region>`: two
tables of one name never share a folder (the design: "Results never change").

- `plan.json`
- `keys/worker-0007/part-00000.jsonl` (`.csv` where parts are csv), or `failed/…` where the parts list what could not be
done
- `checkpoints/worker-0007/batch-00000-<attempt>.json`
- `only/<id>-00000.jsonl`, the keys of a run that lists only these
- `allotments/worker-0007/batch-00000-<attempt>-<read units>-<write units>-<millionths of dollars>`, empty, where there
is a budget: what an attempt may consume
- `errors/worker-0007.json`, why the worker's last failed attempt committed nothing
- `resumes/<execution>`, empty, for each execution that resumed the work: its bill has their fixed parts
- `unfinished.json`, how far work came that its budget stopped
- `manifest.json`, written last: work without it is not finished
- `report.html`, the page about finished work
- `profile.json` and `profile.html`, what is in the table, where Plan was to make them
- `diff/new/part-00000.jsonl`, `diff/vanished/part-00000.jsonl` and `diff.json`, where a run was compared with another

`folder`: `runs`, `acts`, `retrofits` or `copies`. Beside these, `<prefix>/<table>/finished/<scope>/` has an empty
object for every finished run, in the order in which S3 lists them the last started first. No name that a user chooses
shares a level with a name that we choose.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime

from skipscan.errors import InputError
from skipscan.inputs.names import MEDIA_TYPES, TABLE_NAME, is_run_name
from skipscan.pace.bill import Amounts

JSON_LINES = "jsonl"

CHECKPOINT_DAYS = 90
"""How long an environment keeps a checkpoint. Work can be resumed for as long: a retrofit of two billion items at 500
write units a second takes 46 days."""

OWN_NAMES = frozenset(
    {
        *("plan.json", "manifest.json", "unfinished.json", "diff.json", "profile.json", "profile.html"),
        *("keys", "failed", "checkpoints", "allotments", "errors", "resumes", "diff", "only"),
    }
)
"""What the names of work begin with below its folder, except for its report, which can be drawn again."""

WORKER = "worker-"
"""What the name of a worker's folder begins with. Spark, DuckDB and Arrow take a folder `worker=0007` for a column,
which hides a key attribute called worker; the parts of an earlier version lie in such folders."""

_WORKER = r"worker[-=](?:\d{4}|[1-9]\d{4,})"
_NUMBER = r"(?:\d{5}|[1-9]\d{5,})"
_FORMS = (
    r"(?:plan|manifest|unfinished|diff|profile)\.json|(?:report|profile)\.html",
    rf"(?:keys|failed)/{_WORKER}/part-{_NUMBER}\.(?:{'|'.join(MEDIA_TYPES)})",
    rf"checkpoints/{_WORKER}/batch-{_NUMBER}-[\w-]+\.json",
    rf"allotments/{_WORKER}/batch-{_NUMBER}-[\w-]+-\d+-\d+-\d+",
    rf"errors/{_WORKER}\.json",
    r"resumes/[0-9a-f]{16}",
    rf"only/[0-9a-f]{{32}}-{_NUMBER}\.{JSON_LINES}",
    rf"diff/(?:new|vanished)/part-{_NUMBER}\.{JSON_LINES}",
    r"finished/\w+/\d{13}-[^/]+",
)
_OWN = re.compile(f"(?:.*/)?(?:{'|'.join(_FORMS)})", re.ASCII)

_PART = re.compile(r"worker[-=](\d+)/part-(\d+)\.\w+")
_CHECKPOINT = re.compile(r"worker[-=](\d+)/batch-(\d+)-.+\.json")
_LATEST_MS = 9_999_999_999_999  # S3 lists ascending; names that count down to this moment list the newest first


@dataclass(frozen=True)
class Layout:
    """Object names of one piece of work. `table`: its bare name, never an ARN. `lines`: the folder of the parts.

    `suffix`: how the names of the parts end. `folders`: what the names of the workers' folders begin with. `owner`:
    see `skipscan.inputs.names.table_owner`. `at`: what all names begin with, of work that lies by itself: nothing in a
    folder, which may be moved and copied, or a prefix that ends in a slash.

    Raises `InputError` for a name that would lead out of the prefix.
    """

    prefix: str
    table: str
    folder: str
    name: str
    lines: str = "keys"
    owner: str = ""
    suffix: str = JSON_LINES
    folders: str = WORKER
    at: str | None = None

    def __post_init__(self) -> None:
        if not TABLE_NAME.fullmatch(self.table):
            raise InputError(
                "table", self.table, "it becomes the name of a folder on S3 and is not a valid table name", "correct it"
            )
        if not is_run_name(self.name):
            raise InputError(
                "the execution's name",
                self.name,
                "it becomes the name of a folder on S3: 1 to 80 letters, digits and -_.+=@",
                "use another name",
            )

    @property
    def of_table(self) -> str:
        """Return the prefix of all work over the table."""
        return f"{self.prefix}/{self.table}{self.owner}/"

    @property
    def all(self) -> str:
        """Return the prefix of all work of this kind over the table."""
        return f"{self.of_table}{self.folder}/"

    @property
    def root(self) -> str:
        return f"{self.all}{self.name}/" if self.at is None else self.at

    @property
    def plan(self) -> str:
        return f"{self.root}plan.json"

    @property
    def manifest(self) -> str:
        return f"{self.root}manifest.json"

    @property
    def report(self) -> str:
        return f"{self.root}report.html"

    @property
    def profile(self) -> str:
        return f"{self.root}profile.json"

    @property
    def profile_page(self) -> str:
        return f"{self.root}profile.html"

    @property
    def unfinished(self) -> str:
        return f"{self.root}unfinished.json"

    @property
    def parts(self) -> str:
        """Return the prefix of all parts. Only parts of the result are below it."""
        return f"{self.root}{self.lines}/"

    @property
    def diff(self) -> str:
        return f"{self.root}diff.json"

    def diff_part(self, change: str, number: int) -> str:
        return f"{self.root}diff/{change}/part-{number:05d}.jsonl"

    def finished(self, scope: str) -> str:
        """Return the prefix of the entries of finished runs with the same scope."""
        return f"{self.of_table}finished/{scope}/"

    def entry(self, scope: str, started: str) -> str:
        """Return the name of this run's entry. `started`: ISO 8601."""
        before_ms = _LATEST_MS - round(datetime.fromisoformat(started).timestamp() * 1000)
        return f"{self.finished(scope)}{before_ms:013d}-{self.name}"

    def worker(self, worker: int) -> str:
        """Return the prefix of one worker's parts."""
        return f"{self.parts}{self.folders}{worker:04d}/"

    def part(self, worker: int, batch: int) -> str:
        return f"{self.worker(worker)}part-{batch:05d}.{self.suffix}"

    @property
    def checkpoints(self) -> str:
        """Return the prefix of the checkpoints of all attempts."""
        return f"{self.root}checkpoints/"

    def checkpoint(self, worker: int, batch: int, attempt: str) -> str:
        return f"{self.checkpoints}{self.folders}{worker:04d}/batch-{batch:05d}-{attempt}.json"

    def allotments(self, worker: int) -> str:
        """Return the prefix of one worker's allotments, which exist where there is a budget."""
        return f"{self.root}allotments/{self.folders}{worker:04d}/"

    def allotment(self, worker: int, batch: int, attempt: str, ceiling: Amounts) -> str:
        amounts = f"{ceiling.read_units:.0f}-{ceiling.write_units:.0f}-{ceiling.dollars * 1e6:.0f}"
        return f"{self.allotments(worker)}batch-{batch:05d}-{attempt}-{amounts}"

    def given_keys(self, id: str, number: int) -> str:
        """Return the name of some of the keys that the run lists only. `id`: of the list of them all."""
        return f"{self.root}only/{id}-{number:05d}.{JSON_LINES}"

    @property
    def errors(self) -> str:
        """Return the prefix of an object for each worker of which an attempt failed."""
        return f"{self.root}errors/"

    def error(self, worker: int) -> str:
        return f"{self.errors}{self.folders}{worker:04d}.json"

    @property
    def resumes(self) -> str:
        """Return the prefix of an object for each execution that resumed the work."""
        return f"{self.root}resumes/"

    def resume(self, execution: str) -> str:
        """Return the name for an execution that resumed the work. `execution`: its ARN."""
        return f"{self.resumes}{hashlib.sha256(execution.encode()).hexdigest()[:16]}"

    def worker_and_batch(self, name: str) -> tuple[int, int] | None:
        """Return the worker and the batch of a part's or a checkpoint's name; `None` if it is neither."""
        match = _PART.fullmatch(name.removeprefix(self.parts))
        match = match or _CHECKPOINT.fullmatch(name.removeprefix(self.checkpoints))
        return (int(match[1]), int(match[2])) if match else None


def is_in_root(name: str) -> bool:
    """Return whether a layout gives this name, relative to the folder of the work: not that of a copy below it."""
    return any(re.fullmatch(form, name, re.ASCII) for form in _FORMS)


def is_own(name: str) -> bool:
    """Return whether a layout gives this name, in full or relative to the folder of the work."""
    return bool(_OWN.fullmatch(name))
