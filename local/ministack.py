"""MiniStack: CloudFormation, Lambda, Step Functions, S3, IAM, Scheduler and more, in memory.

It lives in a virtual environment of its own: it runs handlers with its own interpreter and packages, and would
lend them what the bundle forgot. Its own DynamoDB is not faithful to Scan, so the functions are sent to another one;
but it has streams, which the other has not.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from local.checkout import MINISTACK_PYTHON, ROOT, environ
from local.server import HOST, free_port, serving


@contextmanager
def ministack(*, dynamodb: str | None, **variables: str) -> Iterator[str]:
    """The endpoint URL of an empty account whose functions find DynamoDB at the URL `dynamodb`, or in it.

    `variables` are more of its environment variables; the functions inherit all of them.
    """
    port = free_port()
    command = [str(MINISTACK_PYTHON), "-P", str(ROOT / "local" / "mended_ministack.py")]
    variables = environ(
        GATEWAY_PORT=str(port),
        BIND_HOST=HOST,
        IOT_MTLS_ENABLED="0",
        **({"AWS_ENDPOINT_URL_DYNAMODB": dynamodb} if dynamodb else {}),
        **variables,
    )
    # It unpacks every function below TMPDIR and leaves it there.
    with tempfile.TemporaryDirectory(prefix=f"ministack-{port}-", dir=variables["TMPDIR"]) as folder:
        variables["TMPDIR"] = folder
        with serving("ministack", port, command, environ=variables, health="/_ministack/health") as url:
            yield url
