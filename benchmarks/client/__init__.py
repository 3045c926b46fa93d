"""How lean is the path of a request, and how fast the whole? See benchmarks/README.md."""

from typing import Any


def quick() -> dict[str, Any]:
    from benchmarks.client.report import report  # noqa: PLC0415 - boto3 is slow to import

    return report(full=False)
