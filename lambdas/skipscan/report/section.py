"""What the page is made of: a heading, a sentence that says it all, a picture, and the same figures as a table."""

from collections.abc import Sequence
from dataclasses import dataclass, field

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
    """`says`: what who cannot see the picture is told. Drawn twice, for large windows and for small ones."""

    name: str
    says: str
    draw: Draw
    inches: float
    narrow_inches: float | None = None

    @property
    def wide(self) -> str:
        return drawn(f"{self.name}-wide", self.draw, self.inches, is_wide=True)

    @property
    def narrow(self) -> str:
        return drawn(f"{self.name}-narrow", self.draw, self.narrow_inches or self.inches, is_wide=False)


@dataclass(frozen=True)
class Section:
    """`summary`: one sentence or two. `notes`: what a reader must know to trust it."""

    name: str
    title: str
    summary: str
    picture: Picture | None = None
    table: Table | None = None
    notes: Sequence[str] = field(default_factory=tuple)
