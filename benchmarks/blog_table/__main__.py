"""The blog's table: `python -m benchmarks.blog_table`, or with `--full` to renew results.json and docs/scale.md."""

import argparse
from dataclasses import replace
from datetime import UTC, datetime

from benchmarks.blog_table import COLLECTIONS, document, quick, report
from benchmarks.blog_table.finish import Finished, finished
from benchmarks.blog_table.results import Results
from benchmarks.blog_table.ways import FULL_SCAN, MARKER_INDEX, OURS, blog, figures


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.blog_table", description=__doc__)
    parser.add_argument("--full", action="store_true", help="a few minutes; renews results.json and docs/scale.md")
    parser.add_argument("--finish", action="store_true", help="measure Finish alone anew, and write both")
    parser.add_argument("--docs", action="store_true", help="write docs/scale.md anew from results.json, in a second")
    asked = parser.parse_args()
    if asked.docs:
        document.put_in_docs(Results.load())
        return
    if asked.finish:
        results = replace(Results.load(), finish=finishes())
        results.save()
        document.put_in_docs(results)
        return
    if not asked.full:
        quick()
        return
    results = Results(
        measured=datetime.now(UTC).date().isoformat(),
        tables=[
            [
                figures(FULL_SCAN, COLLECTIONS, 0.005),
                figures(MARKER_INDEX, COLLECTIONS),
                blog(COLLECTIONS, 0.05),
                figures(OURS, COLLECTIONS, 0.1),
            ],
            [
                figures(FULL_SCAN, 10 * COLLECTIONS, 0.001),
                figures(MARKER_INDEX, 10 * COLLECTIONS, 0.25),
                blog(10 * COLLECTIONS, 0.005),
                figures(OURS, 10 * COLLECTIONS, 0.02),
            ],
        ],
        finish=finishes(),
    )
    results.save()
    document.put_in_docs(results)
    for table in results.tables:
        print(f"{table[0].collections:,} collections\n\n{report.ways(table)}\n")
    print(report.notes())


def finishes() -> list[Finished]:
    """Return what Finish takes for few parts and for many, between which docs/scale.md interpolates."""
    return [finished(parts, 1000) for parts in (1000, 41_000)]


if __name__ == "__main__":
    main()
