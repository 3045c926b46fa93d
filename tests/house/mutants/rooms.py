"""Random defects in every room of the product, and the tests that are nearest to each.

A room is a first-level package of skipscan, the handlers, or infra. From each room the same number is drawn. The tests
are found by what they import: those named after the module and those that import it, then those that import what
imports it, and so on. A handler is imported by its name at run time: tests that contain the name import it, as those
import the command that start it as a program. At first those without an engine are tried; then the nearest ones that
need DynamoDB.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from tests.fakes.handlers.machines import machines
from tests.house.mutants.harmless import REASONS
from tests.house.mutants.sample import Variation, changes
from tests.house.mutants.source import Function
from tests.house.suite.kinds import IN_PROCESS

PACKAGE = Path("lambdas")
"""The code from which mutants are made, besides infra."""
TESTS = Path("tests")
INFRA = Path("infra")
SYNTHS = TESTS / "engines" / "infra"
NEAREST = 18
"""Files of tests that a defect is tried against."""
WHOLE = ("tests/house/docs/test_commands.py", "tests/house/docs/test_schemas.py", "tests/house/forms/test_values.py")
"""Files of tests about all modules, which come after those: what is generated, and words that others compare with."""
ENGINES = 4
"""Files of tests with DynamoDB, which come after those."""
ALL_WITH_ENGINE = re.compile(
    rf"^pytestmark = .*(mark\.(engine|long)|group\(\"(?!{'|'.join(sorted(IN_PROCESS))})|refused)", re.M
)
"""In the text of a file whose tests are never tried without one."""


@dataclass(frozen=True)
class Witness:
    """Files of pytest, or tests of files, of which one should fail. `engines`: those that need one are not left out."""

    paths: tuple[str, ...]
    engines: bool = False


@dataclass(frozen=True)
class RoomDefect:
    """A defect of a room."""

    room: str
    variation: Variation

    @property
    def witnesses(self) -> tuple[Witness, ...]:
        """Return what may notice: the nearest files of tests, and others."""
        return imports().tests_of(self.variation.path)


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


def drawn_of_rooms(each: int, seed: int, chosen: Collection[str] = ()) -> list[RoomDefect]:
    """Return so many random defects of each room, the same for the same seed, whatever else a file says.

    `chosen`: names of rooms; all if there is none.
    """
    found: list[RoomDefect] = []
    for room, sources in rooms().items():
        if chosen and room not in chosen:
            continue
        found += (RoomDefect(room, variation) for variation in _drawn(possible(sources), each, seed))
    return found


def drawn_of_changes(each: int, seed: int, base: str) -> list[RoomDefect]:
    """Return so many random defects of each function that differs from a commit, and of what a module declares."""
    listed = _git("diff", "--name-only", "--relative", "--diff-filter=d", base, "--", str(PACKAGE), str(INFRA))
    changed = {Path(line) for line in listed.splitlines() if line.endswith(".py")}
    found: list[RoomDefect] = []
    for room, sources in rooms().items():
        for path, text in sources.items():
            file = path if room == INFRA.name else PACKAGE / path
            if file not in changed:
                continue
            before = code_of_functions(_git("show", f"{base}:./{file.as_posix()}"))
            names = {name for name, code in code_of_functions(text).items() if before.get(name) != code}
            of_names: dict[str, list[Variation]] = defaultdict(list)
            for variation in possible({path: text}):
                if variation.function in names:
                    of_names[variation.function].append(variation)
            for variations in of_names.values():
                found += (RoomDefect(room, variation) for variation in _drawn(variations, each, seed))
    return found


def _git(*command: str) -> str:
    """Return what git prints; nothing for a file that the commit does not have."""
    return subprocess.run(["git", *command], capture_output=True, text=True, check=False).stdout


def code_of_functions(text: str) -> dict[str, str]:
    """Return the code of each outermost function by its name; under no name what is outside of them."""
    found: dict[str, str] = {}

    def visit(node: ast.AST, name: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                found[f"{name}{child.name}"] = ast.dump(child)
                child.body = []
            else:
                visit(child, f"{name}{child.name}." if isinstance(child, ast.ClassDef) else name)

    tree = ast.parse(text)
    visit(tree, "")
    return {**found, "": ast.dump(tree)}


def possible(sources: Mapping[Path, str]) -> Iterator[Variation]:
    """Return every defect of a room."""
    for path, text in sources.items():
        for variation in changes(path, text):
            if variation.runs or ": no statement [" not in variation.name:  # without a declaration nothing starts
                yield variation


def _drawn(variations: Iterable[Variation], number: int, seed: int) -> Iterator[Variation]:
    """Yield so many of them that compile and are not harmless."""
    for variation in sorted(variations, key=lambda one: sha256(f"{seed} {one.name}".encode()).digest()):
        if not number:
            return
        if variation.name in REASONS:
            continue
        try:
            compile(variation.text, str(variation.path), "exec")
        except SyntaxError:
            continue
        number -= 1
        yield variation


@cache
def imports() -> Imports:
    """Return what imports what now. A process reads all sources once for it."""
    return Imports()


class Imports:
    """Which module imports which, among the product and its tests."""

    def tests_of(self, path: Path) -> tuple[Witness, ...]:
        """Return the files of tests nearest to a module of the product, and those with DynamoDB or a synth."""
        near = list(dict.fromkeys(self._near(path)))
        if _room(path) == "infra":  # nearly every test synthesises every module: near is what its text is about
            word = path.stem.removesuffix("s").partition("_")[0]
            own, name = f"/test_{path.stem}.py", module_name(path)

            def rank(file: str) -> tuple[bool, bool, bool, int]:
                is_elsewhere = "infra" not in file
                is_far = is_elsewhere and name not in self._imported[module_name(Path(file))]
                return is_far, not file.endswith(own), is_elsewhere, -self._texts[file].lower().count(word)

            near.sort(key=rank)
            # What one synth shows: a test of permissions or of traces names no module.
            rest = tuple(file for file in near[NEAREST:] if Path(file).parent == SYNTHS)
            return Witness(tuple(near[:NEAREST]), engines=True), Witness(rest, engines=True)
        found = [file for file in near if not ALL_WITH_ENGINE.search(self._texts[file])]
        engines = [file for file in near if "dynalite" in self._texts[file]]
        nearest = dict.fromkeys((*found[:NEAREST], *WHOLE))
        return Witness(tuple(nearest)), Witness(tuple(engines[:ENGINES]), engines=True)

    def _near(self, path: Path) -> Iterator[str]:
        room = _room(path)
        words = {room, *path.stem.split("_")}
        seen = layer = {module_name(path)}
        own = {name for name in self._imported if name.endswith(f".test_{path.stem}") and f".{room}." in name}
        yield from self._files(own, words)
        while layer:
            layer = {name for each in layer for name in self._importers[each]} - seen
            seen = seen | layer
            yield from self._files(layer, words)
        # A command that is imported by its name when it is called.
        places = (f"tests.unit.{room}.", f"tests.engines.{room}.")
        around = {name for name in self._imported if name.startswith(places)} | self._importers["tests.unit.cli.place"]
        yield from self._files(around, words)

    def _files(self, names: set[str], words: set[str]) -> list[str]:
        """Return files of tests, those first whose name has most of the words."""

        def rank(file: str) -> tuple[int, bool, int, str]:
            # A test that imports little is about less, and faster.
            return (
                -len(words.intersection(re.split(r"[/_.]", file))),
                file.startswith("tests/engines/"),
                len(self._imported[module_name(Path(file))]),
                file,
            )

        return sorted((f"{name.replace('.', '/')}.py" for name in names if _is_test(name)), key=rank)

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        return {path.as_posix(): path.read_text() for path in TESTS.rglob("test_*.py")}

    @cached_property
    def _imported(self) -> Mapping[str, frozenset[str]]:
        found, handlers = {}, machines(PACKAGE / "handlers")
        for root, folder in ((PACKAGE, PACKAGE), (Path(), INFRA), (Path(), TESTS)):
            for path in folder.rglob("*.py"):
                name = module_name(path.relative_to(root))
                text = path.read_text()
                package = name if path.name == "__init__.py" else name.rpartition(".")[0]
                imported = set(_imports(ast.parse(text), package))
                if root == Path() and folder == TESTS:
                    quoted = set(re.findall(r"[\"./](\w+)", text))
                    imported |= {f"handlers.{machine}" for state, machine in handlers.items() if state in quoted}
                    imported |= {"skipscan.__main__"} if '"-m", "skipscan"' in text else set()
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
    """Return whether that is a file of tests of the product, not of the tests themselves."""
    return name.rpartition(".")[2].startswith("test_") and not name.startswith(
        ("tests.house.suite.", "tests.house.mutants.")
    )


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield module
            yield from (f"{module}.{each.name}" for each in node.names)
