"""How much processor time does a request take, and how fast is a whole run? See benchmarks/README.md."""

from typing import Any


def quick() -> dict[str, Any]:
    from benchmarks.client.report import report  # noqa: PLC0415 - boto3 is slow to import

    return report(full=False)
