"""MiniStack: CloudFormation, Lambda, Step Functions, S3, IAM, Scheduler and more, in memory.

It has its own virtual environment, because it runs handlers with its own interpreter and packages, which could hide
packages that the bundle lacks. Its own DynamoDB does not scan like AWS, so the functions use another one; but it has
streams, which the other lacks.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local.checkout import MINISTACK_PYTHON, environ
from local.server import HOST, free_port, serving


@contextmanager
def ministack(*, dynamodb: str | None, **variables: str) -> Iterator[str]:
    """Yield the endpoint URL of an empty account whose functions use DynamoDB at the URL `dynamodb`, or its own.

    `variables` are further environment variables; the functions inherit all of them.
    """
    port = free_port()
    command = [str(MINISTACK_PYTHON), "-P", str(Path(__file__).with_name("mended_ministack.py"))]
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
