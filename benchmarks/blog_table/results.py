"""The figures of the full form, as stored in the repository."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from benchmarks.blog_table.finish import Finished
from benchmarks.blog_table.measurement import Measurement

PATH = Path(__file__).with_name("results.json")


@dataclass(frozen=True)
class Results:
    """`measured`: the day. `tables`: every way over the blog's table, then over one of ten times the collections."""

    measured: str
    tables: Sequence[Sequence[Measurement]]
    finish: Sequence[Finished]

    def save(self) -> None:
        document = {**asdict(self), "finish": [finished._asdict() for finished in self.finish]}
        PATH.write_text(json.dumps(document, indent=2) + "\n")

    @classmethod
    def load(cls) -> Self:
        document = json.loads(PATH.read_text())
        return cls(
            document["measured"],
            [[Measurement.from_json(entry) for entry in table] for table in document["tables"]],
            [Finished(**entry) for entry in document["finish"]],
        )
