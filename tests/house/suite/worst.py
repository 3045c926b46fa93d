"""With `SKIPSCAN_AWS=worst` the tests meet AWS at its worst: each list has one entry a page, each call fails once.

So every test is also a test of the second page and of the retry; `make test-all` runs tests both ways. One would not
do: code that takes only the first entry of a page passes where each page has one.

tests/engines/iam/recorder/worst.py worsens the product's own clients, here and in the functions and commands whose
calls are recorded. FakeS3 lists one name a page. A fake stands in for a client with its repeats, so what it refuses was
refused six times: tests script that, see `faulty`.
"""

from types import SimpleNamespace
from typing import Any

import pytest
from botocore import endpoint
from botocore.client import BaseClient

from tests.engines.iam.recorder.worst import IS_WORST, worsen


@pytest.fixture(autouse=IS_WORST)
def at_its_worst(monkeypatch: pytest.MonkeyPatch) -> None:
    from skipscan.aws import clients  # noqa: PLC0415 (a mutant's trial imports the product itself)

    watch = clients.watch

    def worsened(client: Any) -> None:
        watch(client)
        if isinstance(client, BaseClient):
            worsen(client)

    monkeypatch.setattr(clients, "watch", worsened)
    monkeypatch.setattr(endpoint, "time", SimpleNamespace(sleep=lambda _: None))
