"""The errors that a person can correct, as data: what is wrong, the rule, and the way out.

The class name is the error name that an execution ends with; `str()` is its cause, which names input fields. The
command line renders the same parts with its options in their place (`skipscan.cli.advice`). Errors that are not
listed here (throttling, a lost connection) pass unchanged: the state machine decides whether to retry.
"""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from enum import StrEnum
from typing import Any, NamedTuple, Self, overload

from skipscan import DOCUMENTATION
from skipscan.inputs.names import quoted

ERRORS = "errors.md"
RESUME = "errors.md#resume"


class Use(StrEnum):
    """How a text uses the fields that it mentions."""

    NAME = "name"  # "segments"
    IS = "is"  # "segments is 5"
    GIVE = "give"  # '"resume": "monday"'
    LEAVE = "leave"  # "leave index or take out"


OPEN, BETWEEN, CLOSE = "\ue000", "\ue001", "\ue002"
"""Mark input fields in a text, so that each edge renders them in its own words. Characters for private use."""

MARKED = re.compile(f"{OPEN}((?:{'|'.join(Use)}){BETWEEN}[^{OPEN}{CLOSE}]*){CLOSE}")


class Mention(NamedTuple):
    """Input fields where a text mentions them. `value`: of the one field, as JSON."""

    fields: tuple[str, ...]
    use: Use
    value: str = ""

    @classmethod
    def of(cls, marked: str) -> Self:
        use, value, *fields = marked.split(BETWEEN)
        return cls(tuple(fields), Use(use), value)

    @property
    def marked(self) -> str:
        """Return the mention as a part of a text."""
        texts = (re.sub(f"[{OPEN}{BETWEEN}{CLOSE}]", "\ufffd", text) for text in (self.use, self.value, *self.fields))
        return f"{OPEN}{BETWEEN.join(texts)}{CLOSE}"

    def __str__(self) -> str:
        names = " or ".join(self.fields)
        match self.use:
            case Use.IS:
                return f"{names} is {self.value}"
            case Use.GIVE:
                return f'"{names}": {self.value}'
            case Use.LEAVE:
                return f"leave {names} out"
        return names


def named(field: str) -> str:
    return Mention((field,), Use.NAME).marked


def give(field: str, value: object) -> str:
    return Mention((field,), Use.GIVE, quoted(value)).marked


def leave_out(*fields: str) -> str:
    return Mention(fields, Use.LEAVE).marked


def parts_of(text: str) -> list[str | Mention]:
    """Return a text's plain parts and its mentions, in their order."""
    pieces = enumerate(MARKED.split(text))
    return [Mention.of(piece) if place % 2 else piece for place, piece in pieces if piece]


def rendered(text: str, render: Callable[[Mention], str] = str) -> str:
    """Return a text in words. `render`: returns the words of a mention; without it they name fields."""
    return "".join(part if isinstance(part, str) else render(part) for part in parts_of(text))


OMITTED = object()
"""In place of a value: the rule is a sentence about the field itself, such as "has no sort key"."""


class SkipscanError(Exception):
    """The base of all errors. Its texts never have a key value of a table.

    `subject`: the input field or whatever else is wrong; a whole sentence, if there is no rule. `value`: of the field.
    `others`: other fields that the rule is about, with their values. `remedy`: what a person can do.
    """

    page = ERRORS
    """The page of the documentation about this error."""

    # Each has a rule and a way out, or says that there is none.
    @overload
    def __init__(
        self, subject: str, value: object, rule: str, remedy: str, *, others: Mapping[str, object] | None = None
    ) -> None: ...

    @overload
    def __init__(self, subject: str, *, rule: str, remedy: str) -> None: ...

    def __init__(
        self,
        subject: str,
        value: object = OMITTED,
        rule: str = "",
        remedy: str = "",
        *,
        others: Mapping[str, object] | None = None,
    ) -> None:
        self.field, self.value, self.others = rendered(subject), value, dict(others or {})
        self.rule, self.remedy = rendered(rule), rendered(remedy)
        self.fact = self._fact(subject, rule)
        self.way = remedy
        super().__init__(rendered(self.text))

    def _fact(self, subject: str, rule: str) -> str:
        if self.value is not OMITTED:
            held = {self.field: self.value, **self.others}
            stated = (Mention((field,), Use.IS, quoted(value)).marked for field, value in held.items())
            return f"{' and '.join(stated)}; {rule}"
        if not rule:
            return subject
        return f"{subject if OPEN in subject else named(subject)} {rule}"

    @property
    def text(self) -> str:
        """The whole text: what is wrong, and the remedy."""
        return f"{self.fact}: {self.way}" if self.way else self.fact

    def to_json(self) -> dict[str, Any]:
        """Return the parts of the text as JSON, as `from_json` reads them."""

        def written(text: str) -> list[object]:
            return [part if isinstance(part, str) else part._asdict() for part in parts_of(text)]

        return {"fact": written(self.fact), "remedy": written(self.way)}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Return the error of a document that has its texts (see `to_json`), and the page about it."""

        def text(parts: Iterable[Any]) -> str:
            return "".join(
                part
                if isinstance(part, str)
                else Mention(tuple(part["fields"]), Use(part["use"]), part["value"]).marked
                for part in parts
            )

        error = cls(text(document["fact"]), rule="", remedy=text(document["remedy"]))
        error.page = document["page"] or ""
        return error

    def with_texts(self, change: Callable[[str], str]) -> Self:
        """Return the error with all of its texts changed; a value is JSON and stays as it is."""

        def changed(text: str) -> str:
            return "".join(
                change(part) if isinstance(part, str) else part._replace(fields=tuple(map(change, part.fields))).marked
                for part in parts_of(text)
            )

        error = self._stating(changed(self.fact), changed(self.way))
        error.field, error.rule = change(self.field), change(self.rule)
        return error

    def with_way(self, remedy: str) -> Self:
        """Return the error with another way out."""
        return self._stating(self.fact, remedy)

    def _stating(self, fact: str, way: str) -> Self:
        error = copy(self)
        error.fact, error.way, error.remedy = fact, way, rendered(way)
        error.args = (rendered(error.text),)
        return error


class InputError(SkipscanError):
    """A field, a type or a value of the input is invalid."""


class TableError(SkipscanError):
    """The table or index does not exist, cannot be read, or is in a state in which it cannot be scanned."""


class BudgetError(SkipscanError):
    """The budget is used up and segments are left. The run is correct so far and can be resumed."""

    page = RESUME


class IncompleteRunError(SkipscanError):
    """The objects on S3 differ from what the workers reported, so no manifest is written."""

    page = RESUME


class StateError(SkipscanError):
    """A worker got a state that none of its turns returned. Continuing from this state could lose keys."""

    page = RESUME


class BatchError(SkipscanError):
    """A batch made no progress for a reason outside the input: a permission, a service, a connection."""


class DeniedError(BatchError):
    """A permission is missing, or a key or bucket does not exist. A retry would cost units and change nothing."""


class NotFoundError(SkipscanError):
    """The named run or environment does not exist, or is of another kind."""


class UnprovenError(SkipscanError):
    """A cut-over has not proven that the tables are equal, so writers must not start on the new one."""


# A cursor is packed with zlib and base64.
MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, zlib.error)
"""The errors of reading a document that somebody changed, or that is of another kind."""


@contextmanager
def intact(refusal: SkipscanError) -> Iterator[None]:
    """Raise `refusal` in place of any error of reading a document that somebody changed, or that is of another kind."""
    try:
        yield
    except MALFORMED:
        raise refusal from None


def read_on(message: str, where: str) -> str:
    """Return a message that ends with where to read on, unless the message names a page already."""
    if " (see " in message:
        return message
    return f"{message if message.endswith('...') else message.removesuffix('.')} (see {where})"


def page(name: str) -> str | None:
    """Return the address of a page of the documentation; `None` if this installation knows no address."""
    return f"{DOCUMENTATION}/{name}" if DOCUMENTATION else None
