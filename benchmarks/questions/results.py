"""The figures as stored in the repository."""

from pathlib import Path

from benchmarks.kept import TwoTables
from benchmarks.questions.answer import Answer


class Results(TwoTables[Answer]):
    path = Path(__file__).with_name("results.json")
    row = Answer
