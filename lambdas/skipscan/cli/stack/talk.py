"""How the commands about stacks talk with a person."""

from collections.abc import Callable
from dataclasses import dataclass

from skipscan.errors import SkipscanError


@dataclass(frozen=True)
class Talk:
    """How a person is told and asked: a line, and a question whose answer is yes or no."""

    say: Callable[[str], None]
    confirm: Callable[[str], bool]

    def demand(self, question: str, *, otherwise: str) -> None:
        """Ask; raise `SkipscanError` for a no."""
        if not self.confirm(question):
            raise SkipscanError(otherwise)
