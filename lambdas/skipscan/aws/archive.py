"""The runs of one table as they lie on S3, newest first."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from skipscan.aws.results import Results
from skipscan.loop.layout import Layout
from skipscan.loop.status import Execution, Standing, state

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


@dataclass(frozen=True)
class Entry:
    """A run with what plan.json holds."""

    name: str
    plan: Mapping[str, Any]

    @property
    def started(self) -> datetime:
        return datetime.fromisoformat(self.plan["started"])


@dataclass(frozen=True)
class Finished:
    """A run with its manifest."""

    name: str
    manifest: Mapping[str, Any]


class Archive:
    """Reads alone. `table`: its bare name."""

    def __init__(self, client: "S3Client", bucket: str, prefix: str, table: str) -> None:
        self._client = client
        self._bucket = bucket
        self._prefix = prefix
        self._table = table

    def layout(self, run: str) -> Layout:
        """Return the names of a run's objects; raise `InputError` for what can be no run's name."""
        return Layout(self._prefix, self._table, run)

    def results(self, run: str) -> Results:
        return Results(self._client, self._bucket, self.layout(run))

    def entries(self) -> list[Entry]:
        """Return every run that has a plan: one request for each, and one for a thousand names."""
        folder = f"{self._prefix}/{self._table}/"
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=folder, Delimiter="/"
        )
        names = [
            entry["Prefix"].removeprefix(folder).rstrip("/")
            for page in pages
            for entry in page.get("CommonPrefixes", ())
        ]
        with ThreadPoolExecutor(16) as pool:
            plans = pool.map(lambda name: self.results(name).plan(), names)
            found = [Entry(name, plan) for name, plan in zip(names, plans, strict=True) if plan]
        return sorted(found, key=lambda entry: entry.started, reverse=True)

    def standing(self, entry: Entry, running: Mapping[str, Execution]) -> Standing:
        """Return how a run stands, without what its workers do. `running`: executions at work, by run."""
        results, layout = self.results(entry.name), self.layout(entry.name)
        manifest = results.manifest()
        execution = running.get(entry.name)
        has_parts = manifest is not None or bool(
            self._client.list_objects_v2(Bucket=self._bucket, Prefix=layout.parts, MaxKeys=1)["KeyCount"]
        )
        return Standing(
            self._table,
            entry.name,
            state(plan=True, parts=has_parts, manifest=bool(manifest), at_work=bool(execution)),
            datetime.now(UTC),
            execution,
            entry.plan,
            manifest=manifest,
            manifest_uri=results.uri(layout.manifest),
        )

    def standings(self, entries: list[Entry], running: Mapping[str, Execution]) -> list[Standing]:
        with ThreadPoolExecutor(16) as pool:
            return list(pool.map(lambda entry: self.standing(entry, running), entries))

    def finished(self) -> Iterator[Finished]:
        """Return the finished runs, the newest first; a request for each that is looked at."""
        for entry in self.entries():
            if manifest := self.results(entry.name).manifest():
                yield Finished(entry.name, manifest)
