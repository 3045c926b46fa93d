"""The chart at the top of README.md: dollars and minutes for the blog's table, from results.json.

`python -m benchmarks.blog_table.chart` draws it anew, for light and for dark pages.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.blog_table.measurement import Measurement
from benchmarks.blog_table.results import Results

FOLDER = Path(__file__).parents[2] / "docs" / "images"
WIDTH, HEIGHT = 760, 236
LEFT, LONGEST = 196, 470
"""Where bars begin, and the longest one's width, in pixels."""
FONT = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class Colours:
    text: str
    quiet: str
    other: str
    ours: str


THEMES = {
    "light": Colours(text="#1f2328", quiet="#59636e", other="#afb8c1", ours="#1a7f37"),
    "dark": Colours(text="#f0f6fc", quiet="#9198a1", other="#656c76", ours="#3fb950"),
}


@dataclass(frozen=True)
class Bar:
    label: str
    value: float
    shown: str
    is_ours: bool = False


def dollars(results: Results) -> list[Bar]:
    """Return the whole bill of a full scan and of Skipscan."""
    ways = _ways(results)
    bills = ("full scan", ways["full scan"].bill.total), ("Skipscan", ways["Skipscan"].bill.total)
    return [Bar(name, bill, f"${bill:.2f}", name == "Skipscan") for name, bill in bills]


def minutes(results: Results) -> list[Bar]:
    """Return the duration of the blog's sample and of Skipscan, with its plan."""
    ways = _ways(results)
    spans = ("the blog's script", ways["the blog's Limit=1"]), ("Skipscan", ways["Skipscan"])
    durations = [(name, 60 * way.hours + way.plan_seconds / 60) for name, way in spans]
    return [Bar(name, each, f"{each:.1f} min", name == "Skipscan") for name, each in durations]


def draw(results: Results, colours: Colours) -> str:
    """Return the chart as SVG."""
    said = ", ".join(f"{bar.label} {bar.shown}" for bar in (*dollars(results), *minutes(results)))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label="{said}" font-family="{FONT}" font-size="15">',
        *_panel("The whole bill", dollars(results), colours, top=20),
        *_panel("The time", minutes(results), colours, top=122),
        f'<text x="0" y="{HEIGHT - 6}" font-size="12" fill="{colours.quiet}">2 million keys, 2 billion items, 1 TB. '
        f"Measured on emulators on {results.measured}, not on AWS. Prices of us-east-1, on demand.</text>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _panel(title: str, bars: Sequence[Bar], colours: Colours, *, top: int) -> Iterator[str]:
    yield f'<text x="0" y="{top}" font-weight="600" fill="{colours.text}">{title}</text>'
    longest = max(bar.value for bar in bars)
    for row, bar in enumerate(bars):
        y, width = top + 12 + 32 * row, max(3.0, LONGEST * bar.value / longest)
        colour, weight = (colours.ours, "700") if bar.is_ours else (colours.other, "400")
        yield f'<text x="0" y="{y + 16}" fill="{colours.text}" font-weight="{weight}">{bar.label}</text>'
        yield f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="22" rx="3" fill="{colour}"/>'
        yield (
            f'<text x="{LEFT + width + 9:.1f}" y="{y + 16}" fill="{colours.text}" font-weight="{weight}">'
            f"{bar.shown}</text>"
        )


def _ways(results: Results) -> dict[str, Measurement]:
    return {way.way: way for way in results.tables[0]}


def file(theme: str) -> Path:
    """Return the picture's path for a theme."""
    return FOLDER / f"cost-{theme}.svg"


if __name__ == "__main__":
    for theme, colours in THEMES.items():
        file(theme).write_text(draw(Results.load(), colours), encoding="utf-8")
