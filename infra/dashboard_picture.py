"""The picture of the dashboard in docs/operate.md: its graphs and their lines as the stack lays them out, without data.

`python -m infra.dashboard_picture` draws it anew.
"""

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from .bundle import ROOT
from .metrics import OF_EACH_TABLE
from .picture import example

PICTURE = ROOT / "docs/images/dashboard.svg"
COLUMN, ROW, GAP, MARGIN = 42, 30, 8, 14
"""A cell of CloudWatch's grid of 24 columns, the gap between graphs, and what is left free inside one; in pixels."""

COLOURS = ("#1f77b4", "#d95f02", "#1b9e77", "#7570b3", "#b8860b", "#c2185b")
TEXT = 'font-family="Helvetica, Arial, sans-serif" font-size="{size}" fill="{colour}"'
TITLE, LABEL = TEXT.format(size=13, colour="#16191f"), TEXT.format(size=11, colour="#414d5c")


def draw(body: Mapping[str, Any]) -> str:
    """Return a dashboard's body, as CloudWatch takes it, as SVG."""
    widgets = body["widgets"]
    width = max(widget["x"] + widget["width"] for widget in widgets) * COLUMN
    height = max(widget["y"] + widget["height"] for widget in widgets) * ROW
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f'<rect width="{width}" height="{height}" fill="#eaeded"/>',
        *(line for widget in widgets for line in _widget(widget)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _widget(widget: Mapping[str, Any]) -> Iterator[str]:
    left, top = widget["x"] * COLUMN + GAP / 2, widget["y"] * ROW + GAP / 2
    width, height = widget["width"] * COLUMN - GAP, widget["height"] * ROW - GAP
    properties = widget["properties"]
    yield f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="4" fill="#fff" stroke="#d5dbdb"/>'
    yield f'<text x="{left + MARGIN}" y="{top + 22}" {TITLE}>{escape(properties["title"])}</text>'
    if "alarms" in properties:
        yield from _alarms(properties["alarms"], left + MARGIN, top + 34)
    else:
        yield from _graph(properties["metrics"], left + MARGIN, top + 34, width - 2 * MARGIN, height - 44)


def _alarms(alarms: list[str], left: float, top: float) -> Iterator[str]:
    for number, arn in enumerate(alarms):
        x = left + number * 180
        yield f'<circle cx="{x + 5}" cy="{top + 5}" r="5" fill="#1d8102"/>'
        yield f'<text x="{x + 16}" y="{top + 9}" {LABEL}>{escape(arn.rpartition(":")[2])}</text>'


def _graph(metrics: list[list[Any]], left: float, top: float, width: float, height: float) -> Iterator[str]:
    names = [_name(line) for line in metrics]
    base = top + height - 16 * len(names)
    for number in range(4):
        y = base - number * (base - top) / 3
        yield f'<path d="M{left} {y:g}h{width}" stroke="{"#879596" if number == 0 else "#eaeded"}"/>'
    for number, name in enumerate(names):
        y = base + 16 * (number + 1)
        yield f'<path d="M{left} {y - 4:g}h14" stroke="{COLOURS[number % len(COLOURS)]}" stroke-width="3"/>'
        yield f'<text x="{left + 20}" y="{y:g}" {LABEL}>{escape(name)}</text>'


def _name(line: list[Any]) -> str:
    """Return what CloudWatch calls a line of a graph."""
    told = line[-1] if isinstance(line[-1], Mapping) else {}
    return str(told.get("label", line[1] if len(line) > 1 else "")).replace(OF_EACH_TABLE, "each table")


def body_in(template: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a template's dashboard; a resource is named as it is in its account, or else by its type."""
    resources = template["Resources"]
    [dashboard] = [each for each in resources.values() if each["Type"] == "AWS::CloudWatch::Dashboard"]

    def text(part: str | Mapping[str, Any]) -> str:
        if isinstance(part, str):
            return part
        [reference] = part.values()
        resource = resources.get(
            reference if isinstance(reference, str) else reference[0], {"Type": "", "Properties": {}}
        )
        return str(resource["Properties"].get("AlarmName", resource["Type"]))

    _, parts = dashboard["Properties"]["DashboardBody"]["Fn::Join"]
    return dict(json.loads("".join(map(text, parts))))


def main() -> None:
    PICTURE.write_text(draw(body_in(example())))


if __name__ == "__main__":
    main()
