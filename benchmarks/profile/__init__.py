"""What a profile takes: memory, processor time beside that of parsing, and the whole bill."""

from typing import Any


def quick() -> dict[str, Any]:
    """Profile 50 MB of each shape, and print the table."""
    from benchmarks.profile.report import report  # noqa: PLC0415 (heavy)

    return {"profile": report(50_000_000)}
