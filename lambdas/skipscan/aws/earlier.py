"""The finished runs of a table that list the same, found without looking at the others.

Every run that finishes leaves an empty object whose name says what it listed and when it started. S3 lists objects in
the order of their names, so the newest is found by one request, however many runs there are.
"""

from typing import TYPE_CHECKING

from skipscan.aws.results import Results
from skipscan.errors import InputError
from skipscan.inputs.quoted import quoted
from skipscan.listing.execution_input import PREVIOUS
from skipscan.listing.scope import Listed
from skipscan.loop.layout import Layout

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

MOST_LOOKED_AT = 100
"""Entries of runs that were removed may be in the way; they are passed over."""


class Earlier:
    """The finished runs that `layout`'s run may be compared with."""

    def __init__(self, client: "S3Client", bucket: str, layout: Layout, listed: Listed) -> None:
        self._client = client
        self._bucket = bucket
        self._layout = layout
        self._listed = listed

    def add(self, started: str) -> None:
        """Enter the run itself, which is finished; doing it again changes nothing."""
        self._client.put_object(Bucket=self._bucket, Key=self._layout.entry(self._listed.id, started), Body=b"")

    def chosen(self, asked: str) -> str | None:
        """Return the run that is to be compared with; `None` if there is no previous one.

        Raises `InputError` for a run that is named and is not finished, or lists something else.
        """
        if asked == PREVIOUS:
            return next(filter(self._is_there, self._newest()), None)
        manifest = self._results(asked).manifest()
        if manifest is None:
            raise InputError(
                f'compare is {quoted(asked)}; table "{self._layout.table}" has no finished run of that name: name one '
                f'that is finished, or say "{PREVIOUS}"'
            )
        if (listed := Listed.told(manifest)) != self._listed:
            raise InputError(
                f"compare is {quoted(asked)}; that run lists {listed}, and this one {self._listed}: name a run "
                f'that lists the same, or say "{PREVIOUS}"'
            )
        return asked

    def _newest(self) -> list[str]:
        prefix = self._layout.finished(self._listed.id)
        page = self._client.list_objects_v2(Bucket=self._bucket, Prefix=prefix, MaxKeys=MOST_LOOKED_AT)
        return [entry["Key"].removeprefix(prefix).partition("-")[2] for entry in page.get("Contents", ())]

    def _is_there(self, run: str) -> bool:
        return self._results(run).manifest() is not None

    def _results(self, run: str) -> Results:
        return Results(self._client, self._bucket, Layout(self._layout.prefix, self._layout.table, run))
