"""The figures as stored in the repository."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from benchmarks.questions.answer import Answer

PATH = Path(__file__).with_name("results.json")


@dataclass(frozen=True)
class Results:
    """`measured`: the day."""

    measured: str
    demo: Sequence[Answer]
    blog: Sequence[Answer]

    @classmethod
    def measured_now(cls, demo: Sequence[Answer], blog: Sequence[Answer]) -> Self:
        return cls(datetime.now(UTC).date().isoformat(), demo, blog)

    def save(self) -> None:
        PATH.write_text(json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def load(cls) -> Self:
        document = json.loads(PATH.read_text())
        tables = ([Answer.from_json(answer) for answer in document[name]] for name in ("demo", "blog"))
        return cls(document["measured"], *tables)
