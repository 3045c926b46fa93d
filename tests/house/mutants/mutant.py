"""What must notice a mutant, which is the product with one small defect."""

from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path("lambdas")
"""The code from which mutants are made."""


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


Witness = Nearest | Callers
