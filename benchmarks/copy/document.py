"""The race of docs/copy.md: `python -m benchmarks.copy.document` writes it from results.json."""

from functools import partial

from benchmarks.copy.report import ROWS
from benchmarks.kept import Block
from benchmarks.retrofit.report import race_table

COPY = Block("copy", "docs/copy.md", "race", partial(race_table, ROWS))

if __name__ == "__main__":
    COPY.renew()
