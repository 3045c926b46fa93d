"""What must notice a mutant, which is the product with one small defect."""

from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path("lambdas")
"""The code from which mutants are made."""


@dataclass(frozen=True)
class Witness:
    """Files of pytest of which a test should fail. `tests`: these alone, in this order; all if there is none.

    `engines`: tests that need an engine are not left out.
    """

    paths: tuple[str, ...]
    engines: bool = False
    tests: tuple[str, ...] = ()

    @classmethod
    def alone(cls, *tests: str, engines: bool = False) -> "Witness":
        return cls(tuple(dict.fromkeys(test.partition("::")[0] for test in tests)), engines, tests)
