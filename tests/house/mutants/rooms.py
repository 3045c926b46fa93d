"""Random defects in every room of the product, and the tests that are nearest to each.

A room is a first-level package of skipscan, the handlers, or infra. From each room the same number is drawn. The tests
are found by what they import: those named after the module and those that import it, then those that import what
imports it, and so on. A handler is imported by its name at run time: tests that contain the name import it.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path

from tests.house.mutants.mutant import PACKAGE
from tests.house.mutants.sample import ALL, Variation, changes

TESTS = Path("tests")
INFRA = Path("infra")
RINGS = (3, 6, 9)
"""Files of tests that a defect is tried against at first, if those miss it, and last."""

UNSEEN = {"skipscan/__main__.py", "handlers/__init__.py", "infra/package.py", "infra/wheel.py", "infra/picture.py"}
"""What only a process of its own runs."""


@dataclass(frozen=True)
class RoomDefect:
    """`rings`: files of tests, the nearest first."""

    room: str
    variation: Variation
    rings: tuple[tuple[str, ...], ...]


def rooms() -> dict[str, dict[Path, str]]:
    """Return the sources of each room, by their paths below `lambdas`; those of infra below the checkout."""
    found: dict[str, dict[Path, str]] = defaultdict(dict)
    for path in sorted(PACKAGE.rglob("*.py")):
        below = path.relative_to(PACKAGE)
        found[_room(below)][below] = path.read_text()
    for path in sorted(INFRA.rglob("*.py")):
        found["infra"][path] = path.read_text()
    return dict(found)


def _room(path: Path) -> str:
    return path.parts[1] if path.parts[0] == "skipscan" and len(path.parts) > 2 else path.parts[0]


def drawn(each: int, seed: int, chosen: str = "") -> list[RoomDefect]:
    """Return so many random defects of each room, the same for the same seed, whatever else a file says.

    `chosen`: the name of one room; all if it is empty.
    """
    graph = Imports()
    found = []
    for room, sources in rooms().items():
        if chosen not in {"", room}:
            continue
        possible = [
            variation
            for path, text in sources.items()
            if path.as_posix() not in UNSEEN
            for variation in changes(path, text, ALL)
            if variation.runs or ": no statement [" not in variation.name  # without a declaration nothing starts
        ]
        possible.sort(key=lambda one: sha256(f"{seed} {one.name}".encode()).digest())
        found += [
            RoomDefect(room, variation, graph.tests_of(variation.path)) for variation in _compiling(possible, each)
        ]
    return found


def _compiling(possible: list[Variation], number: int) -> Iterator[Variation]:
    for variation in possible:
        if not number:
            return
        try:
            compile(variation.text, str(variation.path), "exec")
        except SyntaxError:
            continue
        number -= 1
        yield variation


class Imports:
    """Which module imports which, among the product and its tests."""

    def tests_of(self, path: Path) -> tuple[tuple[str, ...], ...]:
        """Return the files of tests nearest to a module of the product, and the rings around them."""
        module = module_name(path)
        seen, layer = {module}, {module}
        tests = dict.fromkeys(self._ranked({name for name in self._imported if name.endswith(f".test_{path.stem}")}))
        while layer and len(tests) < sum(RINGS):
            layer = {name for each in layer for name in self._importers[each]} - seen
            seen |= layer
            tests |= dict.fromkeys(self._ranked(layer))
        # A command that is imported by its name when it is called.
        room = _room(path)
        places = (f"tests.unit.{room}.", f"tests.engines.{room}.")
        around = {name for name in self._imported if name.startswith(places)} | self._importers["tests.unit.cli.place"]
        tests |= dict.fromkeys(self._ranked(around))
        found = iter(f"{name.replace('.', '/')}.py" for name in tests)
        return tuple(tuple(islice(found, number)) for number in RINGS)

    def _ranked(self, names: set[str]) -> list[str]:
        # A test that imports little is about less, and faster.
        return sorted(filter(_is_test, names), key=lambda name: (len(self._imported[name]), name))

    @cached_property
    def _imported(self) -> Mapping[str, frozenset[str]]:
        found = {}
        handlers = [module_name(path.relative_to(PACKAGE)) for path in (PACKAGE / "handlers").rglob("[!_]*.py")]
        for root, folder in ((PACKAGE, PACKAGE), (Path(), INFRA), (Path(), TESTS)):
            for path in folder.rglob("*.py"):
                name = module_name(path.relative_to(root))
                text = path.read_text()
                package = name if path.name == "__init__.py" else name.rpartition(".")[0]
                imported = set(_imports(ast.parse(text), package))
                if root == Path() and folder == TESTS:
                    quoted = set(re.findall(r"[\"./](\w+)", text))
                    imported |= {handler for handler in handlers if handler.rpartition(".")[2] in quoted}
                    imported |= {module_name(above / "conftest.py") for above in path.parents if above != Path()}
                found[name] = frozenset(imported)
        return found

    @cached_property
    def _importers(self) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for name, imported in self._imported.items():
            for other in imported:
                found[other].add(name)
        return found


def module_name(path: Path) -> str:
    """Return the name by which a module is imported."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _is_test(name: str) -> bool:
    return name.startswith("tests.") and name.rpartition(".")[2].startswith("test_")


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield module
            yield from (f"{module}.{each.name}" for each in node.names)
