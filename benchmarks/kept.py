"""What benchmarks keep in the repository: figures as JSON, and their block on a page of the documentation."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar


class Kept(Protocol):
    """A row of figures, which is a dataclass."""

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self: ...


Row = TypeVar("Row", bound=Kept)


@dataclass(frozen=True)
class TwoTables(Generic[Row]):
    """The figures of the demo's table and of the blog's. `measured`: the day. `path`: where they are kept."""

    path: ClassVar[Path]
    row: ClassVar[type[Kept]]

    measured: str
    demo: Sequence[Row]
    blog: Sequence[Row]

    @classmethod
    def measured_now(cls, demo: Sequence[Row], blog: Sequence[Row]) -> Self:
        return cls(datetime.now(UTC).date().isoformat(), demo, blog)

    def save(self) -> None:
        self.path.write_text(json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def load(cls) -> Self:
        document = json.loads(cls.path.read_text())
        tables: Any = ([cls.row.from_json(row) for row in document[name]] for name in ("demo", "blog"))
        return cls(document["measured"], *tables)


def with_block(text: str, begin: str, end: str, block: str) -> str:
    """Return a page with another block between its two marks."""
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return f"{before}{begin}{block}{end}{after}"
