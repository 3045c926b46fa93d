"""A mutant: the product with one small defect, and what must notice it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tests.house.mutants.nodes import AddressError
from tests.house.mutants.operators import Operator
from tests.house.mutants.places import CLASSES, MODULES
from tests.house.mutants.source import Source

PACKAGE = Path("lambdas")
"""The code from which mutants are made."""


@dataclass(frozen=True)
class Chosen:
    """Files or node ids of pytest, of which at least one test must fail."""

    paths: tuple[str, ...]


@dataclass(frozen=True)
class Schedules:
    """Random schedules of faults (`tests.simulation.faults`), of which one must break a run.

    `seed`, `setting`: the seed and the settings in which the schedules notice soonest.
    """

    seed: int = 1
    setting: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Histories:
    """Histories of versions (`tests.simulation.histories`) of a kind of writer, of which one must break the law."""

    kind: str


@dataclass(frozen=True)
class Nearest:
    """Files of pytest of which a test should fail; those of them that need an engine are left out.

    `engines`: they are not left out.
    """

    paths: tuple[str, ...]
    engines: bool = False


@dataclass(frozen=True)
class Callers:
    """Tests that call the function which changes, in the order in which they are tried; they are in those files.

    `engines`: those of them that need an engine are not left out.
    """

    tests: tuple[str, ...]
    paths: tuple[str, ...]
    engines: bool = False


Witness = Chosen | Nearest | Callers | Schedules | Histories


@dataclass(frozen=True)
class Defect:
    """`address`: of the class or function whose code changes.

    `Class.method` of the classes and `module:function` of the modules in `tests.house.mutants.places`; `module:` for
    what stands outside of functions and classes too.
    """

    address: str
    operator: Operator

    def applied(self, sources: Mapping[Path, str]) -> dict[Path, str]:
        """Return the one source that changes, by its path; raise `AddressError` unless there is exactly one place."""
        path, scope_name = resolved(self.address)
        if path not in sources:
            raise AddressError(f"{self.address}: there is no {path.as_posix()}; correct tests/house/mutants/places.py")
        source = _parsed(sources[path])
        scope = source.scope(scope_name)
        if scope is None:
            raise AddressError(f"{self.address}: {path.as_posix()} does not define {scope_name} once")
        try:
            return {path: self.operator.applied(source, scope)}
        except AddressError as error:
            raise AddressError(f"{self.address} ({path.as_posix()}): {error}") from None


@dataclass(frozen=True)
class Mutant:
    """`name`: the safeguard that is missing. Each of `witnesses` must notice by itself."""

    name: str
    defects: tuple[Defect, ...]
    witnesses: tuple[Witness, ...]

    def applied(self, sources: Mapping[Path, str]) -> dict[Path, str]:
        """Return the sources that change; raise `AddressError` if an address finds nothing now, or several places."""
        changed: dict[Path, str] = {}
        for defect in self.defects:
            changed |= defect.applied({**sources, **changed})
        return changed


def mutant(name: str, address: str, operator: Operator, *witnesses: Witness) -> Mutant:
    """Return a mutant of one defect."""
    return Mutant(name, (Defect(address, operator),), witnesses)


def resolved(address: str) -> tuple[Path, str]:
    """Return the path below the package and the qualified name in it that an address stands for."""
    if ":" in address:
        module, _, name = address.partition(":")
    else:
        of_class, _, method = address.partition(".")
        if of_class not in CLASSES:
            raise AddressError(f"{address}: tests/house/mutants/places.py has no class {of_class}")
        module, _, name = CLASSES[of_class].partition(":")
        name = f"{name}.{method}" if method else name
    if module not in MODULES:
        raise AddressError(f"{address}: tests/house/mutants/places.py has no module {module}")
    return Path(MODULES[module]), name


@cache
def _parsed(text: str) -> Source:
    return Source(text)


def package() -> dict[Path, str]:
    """Return the sources of the package by their paths below it."""
    return {path.relative_to(PACKAGE): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
