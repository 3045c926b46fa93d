"""Imports run downwards: CONTRIBUTING draws the library's packages in layers, and the imports say which those are."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.house.sources import Nodes, nodes, parsed

pytestmark = pytest.mark.xdist_group("sources")

ROOT = Path("lambdas/skipscan")
KINDS = {"act", "copy", "listing", "retrofit"}
Layers = list[set[str]]


def imported(nodes: Nodes) -> Iterator[str]:
    """Return the packages and modules directly in the library that a source imports anything of."""
    for node in nodes:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (parts[1] for parts in (name.split(".") for name in names) if parts[0] == "skipscan" and parts[1:])


@cache
def imports() -> dict[str, set[str]]:
    """Return the imports of every package from the others; single modules have their own names."""
    found: dict[str, set[str]] = {path.parent.name: set() for path in ROOT.glob("*/__init__.py")}
    for path in ROOT.glob("*/**/*.py"):
        package = path.relative_to(ROOT).parts[0]
        found[package] |= set(imported(nodes(path))) - {package}
    return {package: {other for other in others if other in found} for package, others in found.items()}


def layers(below: Mapping[str, set[str]]) -> Layers:
    """Return the packages from top to bottom, each directly above the highest that it imports."""
    found: Layers = []
    while left := set(below).difference(*found):
        layer = {package for package in left if not below[package] & left}
        assert layer, f"these import one another in a circle: {', '.join(sorted(left))}"
        found.insert(0, layer)
    return found


def drawn() -> Layers:
    """Return the layers of CONTRIBUTING's picture: the lines below `skipscan/`, and before the next that is not."""
    picture = Path("CONTRIBUTING.md").read_text().partition("skipscan/ ")[2].partition("\n")[2]
    rows = (re.match(r" {4}((?:\w+/ ?)+)", line) for line in picture.splitlines())
    found: Layers = []
    for row in rows:
        if row is None:
            break
        found.append({name.strip("/") for name in row[1].split()})
    return found


def test_the_picture_in_contributing_is_the_order_of_the_imports() -> None:
    assert drawn() == layers(imports())


def test_a_circle_of_imports_is_noticed() -> None:
    with pytest.raises(AssertionError, match="in a circle: loop, scan"):
        layers({"loop": {"scan"}, "scan": {"loop"}, "pace": set()})


def test_every_way_to_import_is_noticed() -> None:
    ways = (
        "import skipscan.aws.table\nfrom skipscan import scan\ndef late():\n    from skipscan.loop.work import Work\n"
    )
    assert list(imported(parsed(ways))) == ["aws", "scan", "loop"]


def test_no_kind_imports_one_beside_it() -> None:
    beside: dict[str, set[str]] = defaultdict(set)
    for package, others in imports().items():
        if package in KINDS:
            beside[package] = others & KINDS - {"listing"}
    assert beside == {kind: set() for kind in KINDS}
