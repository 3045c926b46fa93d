"""The race of docs/retrofit.md: `python -m benchmarks.retrofit.document` writes it from results.json."""

from functools import partial

from benchmarks.kept import Block
from benchmarks.retrofit.report import ROWS, race_table

RETROFIT = Block("retrofit", "docs/retrofit.md", "race", partial(race_table, ROWS))

if __name__ == "__main__":
    RETROFIT.renew()
