"""The errors that a person can correct, as data: what is wrong, the rule, and the way out.

The class name is the error name that an execution ends with; `str()` is its cause, which names input fields. The
command line renders the same parts with its options in their place (`skipscan.cli.advice`). Errors that are not
listed here (throttling, a lost connection) pass unchanged: the state machine decides whether to retry.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self, overload

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


@dataclass(frozen=True)
class Mention:
    """Input fields where a text mentions them. `value`: of the one field, as JSON."""

    fields: tuple[str, ...]
    use: Use
    value: str = ""

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


Part = str | Mention
Text = str | Mention | tuple[Part, ...]
"""A text, with its mentions of input fields kept apart, so that each edge renders them in its own words."""


def named(field: str) -> Mention:
    return Mention((field,), Use.NAME)


def give(field: str, value: object) -> Mention:
    return Mention((field,), Use.GIVE, quoted(value))


def leave_out(*fields: str) -> Mention:
    return Mention(fields, Use.LEAVE)


def listed(fields: Iterable[str], joint: str) -> tuple[Part, ...]:
    """Return the names of fields with a text between them."""
    return tuple(part for field in fields for part in (joint, named(field)))[1:]


def parts_of(text: Text) -> tuple[Part, ...]:
    return text if isinstance(text, tuple) else (text,)


def rendered(text: Text, render: Callable[[Mention], str] = str) -> str:
    """Return a text in words. `render`: returns the words of a mention; without it they name fields."""
    return "".join(part if isinstance(part, str) else render(part) for part in parts_of(text))


def text_of(document: Iterable[Any]) -> tuple[Part, ...]:
    """Return a text from its JSON."""
    return tuple(
        part if isinstance(part, str) else Mention(tuple(part["fields"]), Use(part["use"]), part["value"])
        for part in document
    )


def with_remedy(fact: tuple[Part, ...], remedy: tuple[Part, ...]) -> tuple[Part, ...]:
    return (*fact, ": ", *remedy) if any(remedy) else fact


class Omitted(StrEnum):
    VALUE = "value"


OMITTED = Omitted.VALUE
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
        self, subject: Text, value: object, rule: Text, remedy: Text, *, others: Mapping[str, object] | None = None
    ) -> None: ...

    @overload
    def __init__(self, subject: Text, *, rule: Text, remedy: Text) -> None: ...

    def __init__(
        self,
        subject: Text,
        value: object = OMITTED,
        rule: Text = "",
        remedy: Text = "",
        *,
        others: Mapping[str, object] | None = None,
    ) -> None:
        self.field, self.value, self.others = rendered(subject), value, dict(others or {})
        self.rule, self.remedy = rendered(rule), rendered(remedy)
        self.fact = self._fact(subject, rule)
        self.way = parts_of(remedy)
        super().__init__(rendered(self.text))

    def _fact(self, subject: Text, rule: Text) -> tuple[Part, ...]:
        if self.value is not OMITTED:
            held = {self.field: self.value, **self.others}
            stated = [Mention((field,), Use.IS, quoted(value)) for field, value in held.items()]
            return *[part for one in stated for part in (" and ", one)][1:], "; ", *parts_of(rule)
        if not rule:
            return parts_of(subject)
        return *parts_of(named(subject) if isinstance(subject, str) else subject), " ", *parts_of(rule)

    @property
    def text(self) -> tuple[Part, ...]:
        """The whole text: what is wrong, and the remedy."""
        return with_remedy(self.fact, self.way)

    def to_json(self) -> dict[str, Any]:
        """Return the parts of the text as JSON, as `text_of` reads them."""

        def written(part: Part) -> object:
            return part if isinstance(part, str) else {**vars(part)}

        return {"fact": [written(part) for part in self.fact], "remedy": [written(part) for part in self.way]}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Return the error of a document that has its texts (see `to_json`), and the page about it."""
        fact, remedy = text_of(document["fact"]), text_of(document["remedy"])
        error = cls(fact, rule="", remedy=remedy)
        error.page = document["page"] or ""
        return error

    def with_texts(self, change: Callable[[str], str]) -> Self:
        """Return the error with all of its texts changed; a value is JSON and stays as it is."""

        def changed(part: Part) -> Part:
            if isinstance(part, str):
                return change(part)
            return Mention(tuple(map(change, part.fields)), part.use, part.value)

        error = self._stating(tuple(map(changed, self.fact)), tuple(map(changed, self.way)))
        error.field, error.rule = change(self.field), change(self.rule)
        return error

    def with_way(self, remedy: Text) -> Self:
        """Return the error with another way out."""
        return self._stating(self.fact, parts_of(remedy))

    def _stating(self, fact: tuple[Part, ...], way: tuple[Part, ...]) -> Self:
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
