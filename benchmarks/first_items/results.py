"""The figures of the full form, as stored in the repository."""

from pathlib import Path

from benchmarks.first_items.way import Way
from benchmarks.kept import TwoTables


class Results(TwoTables[Way]):
    path = Path(__file__).with_name("results.json")
    row = Way
