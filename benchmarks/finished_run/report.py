"""Finish and Report of a run at its largest, and the commands beside DuckDB and pyarrow, each in its own process."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.blog_table.finish import finished
from benchmarks.finished_run.measured import Taken, measured
from benchmarks.finished_run.runs import write_runs

PARTS, WORKERS = 50_000, 1_000
WORKS = ("diff", "text", "csv", "parquet")
PEERS = ("duckdb", "pyarrow")


def report(keys: int) -> dict[str, Any]:
    """Print and return what finishing and reporting a run takes, and what `compared` does."""
    made = finished(PARTS, WORKERS)
    figures: dict[str, Any] = {
        "finish": {"cpu_seconds": round(made.cpu_seconds, 3), "peak_mb": round(made.peak_memory_mb)},
        "report": measured("benchmarks.finished_run.report", [])._asdict(),
    }
    print(f"{PARTS:,} parts, {WORKERS:,} workers, a million segments")
    for name in ("finish", "report"):
        print(f"{name:8}{figures[name]['cpu_seconds']:8.2f} s of CPU{figures[name]['peak_mb']:8} MB")
    return {**figures, **compared(keys)}


def compared(keys: int) -> dict[str, Any]:
    """Print and return what each work of `WORKS` takes each program with so many keys."""
    print(f"\n{keys:,} keys        skipscan             " + "".join(f"{peer:21}" for peer in PEERS))
    figures: dict[str, Any] = {"keys": keys, "beside": {}}
    for work, programs in beside(keys):
        shown = (f"{taken.cpu_seconds:6.2f} s {taken.peak_mb:6,} MB" for taken in programs.values())
        print(f"{work:14}{'     '.join(shown)}")
        figures["beside"][work] = {name: taken._asdict() for name, taken in programs.items()}
    return figures


def beside(keys: int) -> Iterator[tuple[str, dict[str, Taken]]]:
    """Yield each work with what it took every program; raise `RuntimeError` if their results differ."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        old, new = write_runs(folder, keys)
        for work in WORKS:
            taken = {"skipscan": measured("skipscan", _command(work, old, new, folder / "skipscan"))}
            for peer in PEERS:
                output = str(folder / peer)
                taken[peer] = measured("benchmarks.finished_run.peers", [peer, work, str(old), str(new), output])
                if not _same(work, str(folder / "skipscan"), output):
                    raise RuntimeError(f"{work} of {peer} differs from ours")
            yield work, taken


def _command(work: str, old: Path, new: Path, output: Path) -> list[str]:
    if work == "diff":
        return ["diff", str(old), str(new), "--new-keys", f"{output}.new", "--vanished-keys", f"{output}.old"]
    return ["download", str(old), "--format", work, "--output", str(output)]


def _same(work: str, ours: str, theirs: str) -> bool:
    """Return whether two programs have written the same keys in the same order."""
    if work == "parquet":
        from pyarrow import parquet  # noqa: PLC0415 - only this needs it

        one, other = (parquet.read_table(name).column("pk") for name in (ours, theirs))
        return bool(one.equals(other))
    suffixes = (".new", ".old") if work == "diff" else ("",)
    return all(_keys(ours + suffix) == _keys(theirs + suffix) for suffix in suffixes)


def _keys(name: str) -> list[bytes]:
    # csv of RFC 4180 has another line end, and pyarrow puts every text into quotes.
    return Path(name).read_bytes().replace(b"\r\n", b"\n").replace(b'"', b"").split(b"\n")


def _draw_report() -> None:
    """Do what the state Report does, with objects that follow from their names: making them counts too."""
    from skipscan.listing.kind import LISTING  # noqa: PLC0415
    from skipscan.report.listing import listing  # noqa: PLC0415 - this process alone needs it
    from skipscan.report.page import html_page  # noqa: PLC0415
    from skipscan.report.record import read_work  # noqa: PLC0415
    from tests.unit.report.large_run import LargeRun  # noqa: PLC0415

    html_page(listing(read_work(LISTING, LargeRun())), datetime.now(UTC))


if __name__ == "__main__":
    _draw_report()
