"""What the page is made of: a heading, a sentence that says it all, a picture, and the same figures as a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skipscan.report.picture import Draw, drawn


@dataclass(frozen=True)
class Table:
    """`rows`: of cells, the first of which names the row. Columns but the first hold figures, except `words`."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: Sequence[int] = ()


@dataclass(frozen=True)
class Picture:
    """`says`: what who cannot see the picture is told. Drawn for each kind of window; `is_broad`: for one more."""

    name: str
    says: str
    draw: Draw
    inches: float = 3.3
    is_broad: bool = False

    def drawings(self) -> Iterator[tuple[str, str]]:
        """Return the name of each kind of window, and the SVG for it."""
        for width in ("broad", "wide", "narrow") if self.is_broad else ("wide", "narrow"):
            yield width, drawn(self.name, self.draw, width, self.inches)


@dataclass(frozen=True)
class Section:
    """`summary`: one sentence or two. `notes`: what a reader must know to trust it."""

    name: str
    title: str
    summary: str
    picture: Picture | None = None
    table: Table | None = None
    notes: Sequence[str] = ()

    @property
    def is_broad(self) -> bool:
        return self.picture is not None and self.picture.is_broad
