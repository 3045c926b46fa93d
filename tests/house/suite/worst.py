"""With `SKIPSCAN_AWS=worst` the tests meet AWS at its worst: each list has one entry a page, each call fails once.

So every test is also a test of the second page and of the retry; `make test-all` runs the tests both ways. One would
not do: code that takes only the first entry of a page passes where each page has one.

- Pages: FakeS3 lists one name a page, and a client of the product asks an engine for one entry a page. Not where the
  product itself says how many it wants, and never of Scan and Query, whose pages are what the product decides about.
- Failures are answers of status 503, below the product's own clients, where botocore parses them and asks
  `clients.make`'s handler. A client that repeats nothing gets none: a walk repeats its reads at its own pace, and the
  machine repeats a state, which the simulation tests with errors of all kinds. A fake stands in for the client with its
  repeats, so what it refuses was refused six times: tests script that, see `faulty`.
"""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest
from botocore import endpoint, xform_name
from botocore.awsrequest import AWSRequest, AWSResponse, HeadersDict
from botocore.client import BaseClient
from botocore.endpoint import Endpoint

IS_WORST = os.environ.get("SKIPSCAN_AWS") == "worst"
READS = {"Query", "Scan"}
ENDPOINT: Any = Endpoint
SEND = ENDPOINT._send


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


def worsen(client: Any) -> None:
    """Have a client's lists come one entry a page, and each operation fail once if the client repeats calls."""
    failed: set[str] = set()

    def one_entry(params: dict[str, Any], model: Any, **_: object) -> None:
        name = xform_name(model.name)
        if model.name not in READS and client.can_paginate(name):
            limit = client.get_paginator(name)._pagination_cfg.get("limit_key")
            if limit:
                params.setdefault(limit, 1)

    def fail(request: AWSRequest, event_name: str, **_: object) -> AWSResponse | None:
        operation = event_name.rpartition(".")[2]
        if operation in failed or ENDPOINT._send is not SEND:  # a test that answers for AWS counts the requests
            return None
        failed.add(operation)
        headers: Any = HeadersDict({"content-length": "0"})
        return AWSResponse(request.url or "", 503, headers, SimpleNamespace(stream=lambda *_, **__: iter([b""])))

    client.meta.events.register("before-parameter-build", one_entry)
    if (client.meta.config.retries or {}).get("total_max_attempts", 1) > 1:
        client.meta.events.register("before-send", fail)
