"""A run, started in an environment or finished on S3 or in a folder, and its keys as Python values or in columns.

The values are the same as boto3's resource gives, but `bytes` for binary.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from html import escape
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

import boto3

from skipscan.aws import clients
from skipscan.aws.bucket import Bucket
from skipscan.dynamodb.attribute_value import MAXIMUM, AttributeValue
from skipscan.dynamodb.source import Item, Source
from skipscan.environment.execution import ending
from skipscan.environment.status import State, Status
from skipscan.environment.watch import Watch, seconds_to_next_look
from skipscan.errors import BatchError, InputError, NotFoundError, SkipscanError, intact
from skipscan.folder.files import again
from skipscan.folder.storage import Folder
from skipscan.inputs.field import amount
from skipscan.inputs.quantities import duration
from skipscan.library.arrow_parts import collected
from skipscan.library.aws_errors import translating
from skipscan.library.deployed import Deployed
from skipscan.library.options import answers_in_words
from skipscan.library.parquet import STRING
from skipscan.lines.convert import bodies, has_items, key_reader, reader, records, selection_of_manifest, source_of
from skipscan.listing.compare.comparison import notice_of
from skipscan.listing.kind import LISTING
from skipscan.listing.scope import Scope
from skipscan.loop.reader import ResultsReader
from skipscan.loop.storage import Storage
from skipscan.scan.taken import FIRST, ITEM, LAST, Taken


class Group(NamedTuple):
    """A group: its key, its first and last item as dictionaries, and when they were read; or how many items it has.

    An item is `None` if it was not requested, or if its collection was emptied meanwhile. `read`: ISO 8601, UTC.
    `counted`, `more`, `read_units`: `None` unless `count` was requested. `item`: one of the group's items, if `items`
    was.
    """

    key: Any
    first: Mapping[str, Any] | None
    last: Mapping[str, Any] | None
    read: str
    counted: int | None = None
    more: bool | None = None
    read_units: float | None = None
    item: Mapping[str, Any] | None = None


def python_value(value: AttributeValue) -> Any:
    """Return `str`, `Decimal`, `bytes`, `bool`, `None`, `list`, `dict` or `set`."""
    ((kind, content),) = value.items()
    match kind:
        case "N":
            return Decimal(content)
        case "NULL":
            return None
        case "L":
            return [python_value(each) for each in content]
        case "M":
            return python_item(content)
        case "SS" | "NS" | "BS":
            return {python_value({kind[0]: each}) for each in content}
    return content


def python_item(item: Item) -> dict[str, Any]:
    return {name: python_value(value) for name, value in item.items()}


def python_key(source: Source) -> Callable[[Any], Any]:
    """Return the function that reads a partition key: a value, or a tuple of values if it has several attributes."""
    if len(source.partition_key) == 1:
        return python_value
    return lambda key: tuple(python_value(part) for part in source.parts(key))


def python_group(source: Source) -> Callable[[Taken], Group]:
    """Return the function that reads a line of a group: its key with its items or its count."""
    key = python_key(source)

    def item(taken: Taken, end: str) -> dict[str, Any] | None:
        found = taken.items.get(end)
        return None if found is None else python_item(found)

    def group(taken: Taken) -> Group:
        counted = taken.counted
        figures: tuple[Any, Any, Any] = (None, None, None)
        if counted is not None:
            figures = (counted.items, counted.more, counted.read_units)
        return Group(
            key(taken.key), item(taken, FIRST), item(taken, LAST), taken.read, *figures, item=item(taken, ITEM)
        )

    return group


def manifest_of(results: ResultsReader, refusal: SkipscanError) -> Mapping[str, Any] | None:
    """Return the manifest of a run, `None` if it is not finished; raise `refusal` for one that somebody changed.

    All that its readers need is read once: a person can edit the files of a folder.
    """
    with intact(refusal):
        manifest = results.manifest()
        if manifest is None:
            return None
        key_reader(manifest), selection_of_manifest(manifest), Scope.of_manifest(manifest).id
        datetime.fromisoformat(manifest["started"])
        parts = [(part["name"], part["sha256"], part["keys"], part["bytes"]) for part in manifest["parts"]]
        first, *others = manifest["partition_key"]
        attributes = (first, *others, *manifest.get("sort_key", ()))
        keys = [text for key in attributes for text in key.values()]
        texts = [manifest[LISTING.label], manifest["table"], *keys, *(text for part in parts for text in part[:2])]
        whole = [manifest["keys"], *(number for part in parts for number in part[2:])]
        if not {key["type"] for key in attributes} <= MAXIMUM.keys():
            raise ValueError
        if not all(isinstance(text, str) for text in texts) or not all(isinstance(number, int) for number in whole):
            raise TypeError
    return manifest


WAY = "name the folder that has the run's manifest.json"


_ADDRESS = re.compile(r"s3://(?P<bucket>[^/]+)/(?P<root>(?:.+/)?(?P<name>[^/]+))/?")
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Run:
    """A finished run of a listing. `manifest`: its figures and parts, as the page "Results" describes them.

    Parts are read in the manifest's order, and each is checked against the manifest's checksum before its first key is
    handed on: a changed or missing part raises `IncompleteRunError`.
    """

    name: str
    manifest: Mapping[str, Any]
    storage: Storage

    def __repr__(self) -> str:
        return f"Run({self.name!r}, {notice_of(self.manifest)})"

    def _repr_html_(self) -> str:
        """Return the figures as a notebook shows them."""
        facts = {"run": self.name, "table": self.manifest["table"], "result": notice_of(self.manifest)}
        rows = (f"<tr><th>{name}</th><td>{escape(fact)}</td></tr>" for name, fact in facts.items())
        return f"<table>{''.join(rows)}</table>"

    def __len__(self) -> int:
        """Return the number of distinct partition keys."""
        return int(self.manifest["keys"])

    def __iter__(self) -> Iterator[Any]:
        return self.keys()

    def keys(self) -> Iterator[Any]:
        """Yield the partition keys: `str`, `Decimal` or `bytes`; a tuple for a key with several attributes."""
        return map(python_key(source_of(self.manifest)), self._found(key_reader(self.manifest)))

    def groups(self) -> Iterator[Group]:
        """Yield each item collection with its first and last item, where the run took them; raise `InputError` if not.

        Also raises `InputError` where the run wrote its items in a format that does not keep their types.
        """
        if not has_items(self.manifest):
            raise InputError("run", self.name, "it has keys alone", "use keys(), or start a run with first or last")
        return map(python_group(source_of(self.manifest)), self._found(reader(self.manifest, "python values")))

    @answers_in_words
    def arrow(self, numbers: str = STRING) -> Any:
        """Return a `pyarrow.Table`: a column for each key attribute, and one for each taken item. Needs pyarrow.

        Number keys are text with every digit, whatever the run found; with `numbers="double"` they are `double`. Raises
        `InputError` if that would round one.
        """
        return collected(bodies(self.storage, self.manifest), self.manifest, numbers).table()

    @answers_in_words
    def pandas(self, numbers: str = STRING) -> Any:
        """Return a `pandas.DataFrame`, made from the Arrow table. Needs pyarrow and pandas."""
        return self.arrow(numbers).to_pandas()

    @answers_in_words
    def polars(self, numbers: str = STRING) -> Any:
        """Return a `polars.DataFrame` over the Arrow table's own memory. Needs pyarrow and polars."""
        import polars  # noqa: PLC0415 (an extra of the caller)

        return polars.from_arrow(self.arrow(numbers))

    def _found(self, read: Callable[[bytes], Any]) -> Iterator[Any]:
        with translating():
            for body in bodies(self.storage, self.manifest):
                yield from map(read, records(body, self.manifest))


def run_in(folder: Path) -> Run:
    """Return the run in a folder, or a copy of one; raise `NotFoundError` if there is none or it is not finished."""
    if not folder.is_dir():
        raise NotFoundError(str(folder), rule="is no folder", remedy=WAY)
    no_run = NotFoundError(str(folder), rule="holds no finished run", remedy=WAY)
    if (folder / "plan.json").exists() and not (folder / MANIFEST).exists():
        no_run = NotFoundError(str(folder), rule="holds an unfinished run", remedy=again(folder))
    return _run_at(folder.name, ResultsReader(Folder(folder), LISTING.layout("", "any", "run", root="")), no_run)


def _run_at(name: str, results: ResultsReader, no_run: NotFoundError) -> Run:
    """Return the finished run of these results; raise `no_run` if there is none."""
    manifest = manifest_of(results, no_run)
    if manifest is None:
        raise no_run
    return Run(name, manifest, results.storage)


@answers_in_words
def open_run(address: str | Path, *, session: boto3.Session | None = None) -> Run:
    """Return the finished run at `s3://bucket/…/run-name/` (or its manifest.json), or in a folder.

    Raises `NotFoundError` where there is none or it is not finished, `InputError` for another address.
    """
    text = str(address)
    if "://" not in text:
        return run_in(Path(text).parent if Path(text).name == MANIFEST else Path(text))
    place = _ADDRESS.fullmatch(text.removesuffix(MANIFEST))
    if place is None:
        raise InputError(
            "address",
            text,
            'it must be a folder or "s3://bucket/.../run-name/", the address of the run\'s manifest.json without that '
            "name",
            "correct it",
        )
    storage = Bucket(clients.s3(session or clients.default_session()), place["bucket"])
    no_run = NotFoundError(
        "address",
        text,
        "there is no manifest.json of a run",
        "give the address of a finished run, which its execution's output and `skipscan runs` show",
    )
    layout = LISTING.layout("", "any", place["name"], root=f"{place['root']}/")
    return _run_at(layout.name, ResultsReader(storage, layout), no_run)


@dataclass(frozen=True)
class StartedRun:
    """A run under way, or ended. `name`: its own; a run that was resumed keeps its name."""

    name: str
    _deployed: Deployed
    _watch: Watch

    def __repr__(self) -> str:
        return f"StartedRun({self.name!r}, {self._deployed.table} in {self._deployed.env})"

    @answers_in_words
    def status(self) -> Mapping[str, Any]:
        """Return the state and the figures now, as `skipscan status --json` prints them."""
        return self._watch.look().to_json()

    @answers_in_words
    def wait(self, seconds: float | None = None) -> Run | Any:
        """Return the finished run; raise the error that ended it otherwise, or `TimeoutError` too late.

        Of a dry run, return its plan, of a profile its figures and addresses, and `None` for a run that was skipped
        because an earlier one was still running. `seconds`: how long to wait at most.
        """
        start = monotonic()
        most_seconds = math.inf if seconds is None or seconds == math.inf else amount("seconds", seconds, 0)
        while (status := self._watch.look()).state.is_under_way:
            waited = monotonic() - start
            if waited >= most_seconds:
                raise TimeoutError(f"run {self.name} is {status.state} after {duration(waited)}: call wait again")
            sleep(seconds_to_next_look(waited))
        if status.manifest is not None:
            return Run(status.name, status.manifest, self._deployed.storage)
        if status.has_failed:
            raise self._error(status)
        return None if status.state is State.SKIPPED else status.profile or (status.plan or {})["explanation"]

    def _error(self, status: Status) -> SkipscanError:
        """Return the error that ended the run, or one that says how it ended."""
        execution = status.execution
        if execution and (error := self._deployed.machine(LISTING.label).error(execution)):
            return error
        arguments = f"{self._deployed.table} {self.name} --env {self._deployed.env}"
        way = f"`skipscan status {arguments}` shows more"
        if status.can_be_resumed:
            way += f", and `skipscan resume {arguments}` continues it"
        return BatchError("run", self.name, f"it is {status.state}: {ending(execution, status.failures)}", way)
