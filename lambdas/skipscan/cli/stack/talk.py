"""The messages and questions of the commands about stacks."""

from collections.abc import Callable
from dataclasses import dataclass

from skipscan.errors import SkipscanError


@dataclass(frozen=True)
class Prompter:
    """How to show a line to a person, and how to ask a question with the answer yes or no.

    `live`: shows a line in place of the one before; an empty one clears it. `is_verbose`: every resource is shown.
    """

    say: Callable[[str], None]
    confirm: Callable[[str], bool]
    live: Callable[[str], None] = lambda line: None
    is_verbose: bool = False

    def demand(self, question: str, *, otherwise: str) -> None:
        """Ask; raise `SkipscanError` for the answer no."""
        if not self.confirm(question):
            raise SkipscanError(otherwise)
