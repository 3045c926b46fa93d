"""What must notice a mutant, which is the product with one small defect."""

from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path("lambdas")
"""The code from which mutants are made."""


@dataclass(frozen=True)
class Witness:
    """Files of pytest, or tests of files, of which one should fail. `engines`: those that need one are not left out."""

    paths: tuple[str, ...]
    engines: bool = False
