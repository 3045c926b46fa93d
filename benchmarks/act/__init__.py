"""How fast does a job put its items, compared with handwritten loops? See benchmarks/README.md."""

from typing import Any


def quick() -> dict[str, Any]:
    from benchmarks.act.report import report  # noqa: PLC0415 - boto3 is slow to import

    return report()
