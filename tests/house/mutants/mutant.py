"""What must notice a mutant, which is the product with one small defect."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


def package() -> dict[Path, str]:
    """Return the sources of the package by their paths below it."""
    return {path.relative_to(PACKAGE): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
