"""What benchmarks keep in the repository: figures as JSON, and their block on a page of the documentation."""

import json
from collections.abc import Callable, Mapping, Sequence
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


ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Block:
    """The block of a page that is drawn from a folder's results.json.

    `name`: of its two marks. `draw`: returns the Markdown between them.
    """

    folder: str
    page: str
    name: str
    draw: Callable[[Mapping[str, Any]], str]

    @property
    def results(self) -> Path:
        return ROOT / "benchmarks" / self.folder / "results.json"

    def load(self) -> Mapping[str, Any]:
        """Return the figures, with the day on which they were `measured`."""
        document: Mapping[str, Any] = json.loads(self.results.read_text())
        return document

    def put_in(self, text: str) -> str:
        """Return the text of the page with the figures between their marks."""
        begin, end = (f"<!-- {self.name}:{mark} -->\n" for mark in ("begin", "end"))
        return with_block(text, begin, end.rstrip(), f"{self.draw(self.load())}\n")

    def renew(self, figures: Mapping[str, Any] | None = None) -> None:
        """Write the page, from new figures if there are any, which are kept first."""
        if figures is not None:
            measured = {"measured": datetime.now(UTC).date().isoformat(), **figures}
            self.results.write_text(json.dumps(measured, indent=2) + "\n")
        page = ROOT / self.page
        page.write_text(self.put_in(page.read_text()))
