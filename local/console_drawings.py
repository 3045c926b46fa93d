"""Drawings of the AWS console in docs/images: `python -m local.console_drawings`. Ours, not screenshots of AWS's.

They show where a person looks for a button. The words on buttons and fields are the console's own, as AWS's pages name
them: https://docs.aws.amazon.com/step-functions/latest/dg/getting-started.html (Start execution) and
https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html (Redrive).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from local.checkout import ROOT

FOLDER = ROOT / "docs" / "images"
WIDTH = 760
STYLE = """
  text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #17201c; }
  .ground { fill: #ffffff; stroke: #8a948f; } .bar { fill: #e9eeeb; } .muted { fill: #56615c; }
  .field { fill: none; stroke: #8a948f; }
  .code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 13px; }
  .button { fill: #0b6b5b; } .on { fill: #ffffff; font-weight: 600; } .title { font-size: 18px; font-weight: 600; }
  .failed { fill: #b3261e; } .mark { fill: none; stroke: #b0540c; stroke-width: 2.5; }
  .step { fill: #b0540c; font-weight: 700; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e8edea; } .ground { fill: #191f1c; } .bar { fill: #2b332f; } .muted { fill: #a2aea8; }
    .button { fill: #4fc3ac; } .on { fill: #10211c; } .failed { fill: #ff8a80; }
    .mark { stroke: #f0a45d; } .step { fill: #f0a45d; }
  }
"""


@dataclass(frozen=True)
class Words:
    """Text at a place, in pixels. `kind`: classes of the style."""

    x: int
    y: int
    text: str
    kind: str = ""

    def svg(self) -> str:
        return f'<text x="{self.x}" y="{self.y}" class="{self.kind}">{escape(self.text)}</text>'


@dataclass(frozen=True)
class Box:
    """A rectangle, in pixels. `kind`: classes of the style."""

    x: int
    y: int
    width: int
    height: int
    kind: str

    def svg(self) -> str:
        return (
            f'<rect x="{self.x}" y="{self.y}" width="{self.width}" height="{self.height}" rx="6" class="{self.kind}"/>'
        )


Shapes = Sequence[Words | Box]


def button(x: int, y: int, text: str, step: str) -> Shapes:
    """Return a button with the number of the step that presses it."""
    wide = 9 * len(text) + 24
    return (
        Box(x, y, wide, 32, "button"),
        Words(x + 12, y + 21, text, "on"),
        Box(x - 6, y - 6, wide + 12, 44, "mark"),
        Words(x - 24, y + 22, step, "step"),
    )


def drawing(says: str, height: int, *groups: Shapes) -> str:
    """Return an SVG. `says`: what it shows, for those who cannot see it."""
    shapes = "\n".join(f"  {shape.svg()}" for group in groups for shape in group)
    frame = f'viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(says)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>\n  <style>{STYLE}</style>\n{shapes}\n</svg>\n'


def window(height: int, where: str) -> Shapes:
    """Return the frame of a page, with the path that leads to it."""
    return (
        Box(1, 1, WIDTH - 2, height - 2, "ground"),
        Box(1, 1, WIDTH - 2, 36, "bar"),
        Words(18, 24, where, "muted"),
    )


def start() -> str:
    """Return the page of a state machine, and the field for the input."""
    return drawing(
        "A drawing of the Step Functions console: the button Start execution, and the field for the input",
        330,
        window(330, "Step Functions  >  State machines  >  skipscan-dev"),
        (Words(28, 78, "skipscan-dev", "title"), Words(28, 102, "Executions   Logging   Definition", "muted")),
        button(548, 56, "Start execution", "1"),
        (
            Words(70, 152, "Start execution", "title"),
            Words(70, 178, "Input - optional", "muted"),
            Box(70, 188, 620, 60, "field"),
            Words(84, 222, '{"table": "Orders"}', "code"),
            Box(64, 182, 632, 72, "mark"),
            Words(40, 222, "2", "step"),
        ),
        button(548, 276, "Start execution", "3"),
    )


def failed() -> str:
    """Return the page of a failed execution."""
    return drawing(
        "A drawing of the Step Functions console: a failed execution with Error, Cause and the button Redrive",
        270,
        window(270, "Step Functions  >  skipscan-dev  >  Executions  >  20260131-030000-91f4"),
        (
            Words(28, 78, "20260131-030000-91f4", "title"),
            Words(28, 104, "Failed", "failed"),
            Words(70, 146, "Error", "muted"),
            Words(70, 168, "BatchError", "code"),
            Words(70, 200, "Cause", "muted"),
            Box(70, 208, 620, 40, "field"),
            Words(84, 233, "AWS refused PutObject with SlowDown (HTTP status 503)", "code"),
            Box(64, 202, 632, 52, "mark"),
            Words(40, 233, "1", "step"),
        ),
        button(612, 56, "Redrive", "2"),
    )


DRAWINGS = {"console-start.svg": start, "console-failed.svg": failed}


def write(folder: Path = FOLDER) -> None:
    """Write every drawing into a folder."""
    for name, drawn in DRAWINGS.items():
        (folder / name).write_text(drawn(), encoding="utf-8")


if __name__ == "__main__":
    write()
