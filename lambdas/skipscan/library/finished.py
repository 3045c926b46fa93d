"""A finished run, on S3 or in a folder, and its keys as Python values or as a table in columns."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3

from skipscan.aws import clients
from skipscan.aws.bucket import Bucket
from skipscan.environment.archive import Finished
from skipscan.errors import InputError, NotFoundError
from skipscan.folder.storage import InFolder
from skipscan.inputs.names import quoted
from skipscan.library.local_run import LocalRun
from skipscan.library.parquet import ParquetFile, is_text_alone, texts
from skipscan.library.values import Group, python_group, python_key
from skipscan.lines.convert import bodies, has_items, key_reader, reader, records, selection_of_manifest, source_of
from skipscan.listing.kind import LISTING
from skipscan.loop.results import Results
from skipscan.loop.storage import Storage

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
    _storage: Storage

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
            raise InputError(
                f"run is {quoted(self.name)}; it has keys alone: use keys(), or start a run with first or last"
            )
        return map(python_group(source_of(self.manifest)), self._found(reader(self.manifest, "python values")))

    def arrow(self) -> Any:
        """Return a `pyarrow.Table`: a column for each key attribute, and one for each taken item. Needs pyarrow.

        Numbers are `int64`, `decimal128` or text with every digit, whichever all of them fit into.
        """
        if is_text_alone(self.manifest):
            return texts(self.manifest, bodies(self._storage, self.manifest))
        collected = ParquetFile.begin(source_of(self.manifest), selection_of_manifest(self.manifest))
        read = reader(self.manifest, "arrow")
        for body in bodies(self._storage, self.manifest):
            collected.add(map(read, records(body, self.manifest)))
        return collected.table()

    def pandas(self) -> Any:
        """Return a `pandas.DataFrame`, made from the Arrow table. Needs pyarrow and pandas."""
        return self.arrow().to_pandas()

    def polars(self) -> Any:
        """Return a `polars.DataFrame` over the Arrow table's own memory. Needs pyarrow and polars."""
        import polars  # noqa: PLC0415 (an extra of the caller)

        return polars.from_arrow(self.arrow())

    def _found(self, read: Callable[[bytes], Any]) -> Iterator[Any]:
        for body in bodies(self._storage, self.manifest):
            yield from map(read, records(body, self.manifest))


@dataclass(frozen=True)
class _At(InFolder):
    """The layout of a run at an address. `at`: the prefix of its objects, which ends in a slash."""

    at: str = ""

    @property
    def root(self) -> str:
        return self.at


def open_run(address: str | Path, *, session: boto3.Session | None = None) -> Run:
    """Return the finished run at `s3://bucket/…/run-name/` (or its manifest.json), or in a folder.

    Raises `NotFoundError` where there is none or it is not finished, `InputError` for another address.
    """
    text = str(address)
    if not text.startswith("s3://"):
        local = LocalRun(Path(text).parent if Path(text).name == MANIFEST else Path(text))
        finished = local.finished()
        return Run(finished.name, finished.manifest, local)
    place = _ADDRESS.fullmatch(text.removesuffix(MANIFEST))
    if place is None:
        raise InputError(
            f'address is {quoted(text)}; it must be a folder or "s3://bucket/.../run-name/", the address of the run\'s '
            "manifest.json without that name: correct it"
        )
    storage = Bucket(clients.s3(session or boto3.Session()), place["bucket"])
    found = of_storage(storage, f"{place['root']}/", place["name"])
    if found is None:
        raise NotFoundError(
            f"address is {quoted(text)}; there is no manifest.json of a run: give the address of a finished run, which "
            "its execution's output and `skipscan runs` show"
        )
    return Run(found.name, found.manifest, storage)


def of_storage(storage: Storage, at: str, name: str) -> Finished | None:
    """Return the finished run below a prefix; `None` if there is none."""
    manifest = Results(storage, _At("", "any", LISTING.folder, name, LISTING.lines, at=at)).manifest()
    return None if manifest is None or LISTING.noun not in manifest else Finished(name, manifest)
