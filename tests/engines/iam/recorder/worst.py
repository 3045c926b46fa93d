"""AWS at its worst, for a client of botocore: each list has one entry a page, and each operation fails once.

- Pages: not where the caller says how many entries it wants, and never of Scan and Query, whose pages are what the
  product decides about.
- Failures are answers of status 503, below the repeats of the client, where botocore parses them and asks the handlers
  of `needs-retry`. A client that repeats nothing gets none: its caller repeats at a pace of its own, which the
  simulation tests with errors of all kinds.

Nothing here but botocore: sitecustomize.py runs it in the virtual environment of whoever is recorded.
"""

import os
from types import SimpleNamespace
from typing import Any

from botocore import xform_name
from botocore.awsrequest import AWSRequest, AWSResponse, HeadersDict
from botocore.endpoint import Endpoint

IS_WORST = os.environ.get("SKIPSCAN_AWS") == "worst"
READS = {"Query", "Scan"}
ENDPOINT: Any = Endpoint
SEND = ENDPOINT._send


def worsen(client: Any) -> None:
    """Also one that tests hand out again: its calls fail once more."""
    failed: set[str] | None = vars(client).get("failed")
    if failed is not None:
        failed.clear()
        return
    failed = client.failed = set()

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
        client.meta.events.register_first("before-send", fail)
