"""A mutant: the product with one small defect, and what must notice it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PACKAGE = Path("lambdas")
"""The code from which mutants are made, wherever a text occurs in it."""


class NotOnceError(Exception):
    """A mutant's text is not in the package exactly once: the code has changed, and the mutant must follow it."""


@dataclass(frozen=True)
class Chosen:
    """Files or node ids of pytest, of which at least one test must fail."""

    paths: tuple[str, ...]


@dataclass(frozen=True)
class Schedules:
    """Random schedules of faults (`tests.faults`), of which one must break a run.

    `seed`, `setting`: the seed and the settings in which the schedules notice soonest.
    """

    seed: int = 1
    setting: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Histories:
    """Histories of versions (`tests.histories`) of a kind of writer, of which one must break the law."""

    kind: str


Witness = Chosen | Schedules | Histories


@dataclass(frozen=True)
class Edit:
    """A text of the package, and what replaces it. The text must be there exactly once."""

    before: str
    after: str

    def applied(self, sources: Mapping[Path, str]) -> dict[Path, str]:
        """Return the one source that changes, by its path; raise `NotOnceError` unless there is exactly one place."""
        places = {path: text.count(self.before) for path, text in sources.items() if self.before in text}
        if sum(places.values()) != 1:
            found = ", ".join(f"{path.as_posix()} ({times})" for path, times in places.items()) or "nowhere"
            raise NotOnceError(f"found {found}; a mutant's text must be in {PACKAGE} exactly once:\n{self.before}")
        (path,) = places
        return {path: sources[path].replace(self.before, self.after)}


@dataclass(frozen=True)
class Mutant:
    """`name`: the safeguard that is missing. Each of `witnesses` must notice by itself."""

    name: str
    edits: tuple[Edit, ...]
    witnesses: tuple[Witness, ...]

    def applied(self, sources: Mapping[Path, str]) -> dict[Path, str]:
        """Return the sources that change; raise `NotOnceError` if the package reads otherwise now."""
        changed: dict[Path, str] = {}
        for edit in self.edits:
            changed |= edit.applied({**sources, **changed})
        return changed


def mutant(name: str, before: str, after: str, *witnesses: Witness) -> Mutant:
    """Return a mutant of one edit."""
    return Mutant(name, (Edit(before, after),), witnesses)


def package() -> dict[Path, str]:
    """Return the sources of the package by their paths below it."""
    return {path.relative_to(PACKAGE): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
