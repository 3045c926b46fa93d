"""A value made of several attributes, "{resourceId}-{action}-{accessedBy}", and how it stays unambiguous.

The text between two placeholders is a separator. If a value could contain it, two different items could get the same
text: "a-b" and "c", "a" and "b-c". So the input says what happens to such a value.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.errors import OMITTED, InputError, give
from skipscan.items.functions import AttributeFunction, split_placeholder
from skipscan.items.template import Template, as_text

SCALARS = ("S", "N", "B")


class Separator(StrEnum):
    """What happens to a value that contains a separator."""

    REFUSE = "refuse"  # its item is listed and not changed
    ESCAPE = "escape"  # a backslash is put before each backslash and each character that a separator begins with;
    # an item with a number or binary is listed and not changed
    KEEP = "keep"  # the value is used as it is, even if the result is ambiguous


class Problem(StrEnum):
    """Why there is no value."""

    LACKING = "lacking"  # the item lacks an attribute that the value is made of
    REFUSED = "refused"  # the attributes exist, but their value may not be written


@dataclass(frozen=True)
class Unmade:
    """An item has no value. `reason`: for the table's owner; it names attributes, never a value."""

    problem: Problem
    reason: str


@dataclass(frozen=True)
class Concatenation:
    """A template and its rule for separators. `functions`: of the placeholders, `None` where the value stays."""

    template: Template
    separator: Separator
    functions: tuple[AttributeFunction | None, ...]

    @classmethod
    def parse(cls, document: object, separator: Separator, name: str) -> Self:
        """Return the concatenation; raise `InputError`, which names it by `name`, if its values would be ambiguous."""
        if not isinstance(document, str) or not document:
            raise InputError(name, document, 'it must be a text like "{customer}-{year}"', "correct it")
        parsed = Template.parse(document)
        calls = [split_placeholder(placeholder) for placeholder in parsed.placeholders]
        named = replace(parsed, placeholders=tuple(name for name, _ in calls))
        made = cls(named, separator, tuple(function for _, function in calls))
        for first, second, text in zip(
            made.template.placeholders, made.template.placeholders[1:], made.separators, strict=False
        ):
            if not text and separator is not Separator.KEEP:
                raise InputError(
                    name,
                    OMITTED,
                    f"has nothing between {{{first}}} and {{{second}}}, so different items could get the same value",
                    f"put a separator between them, or set {give('separator', 'keep')}",
                )
            if "\\" in text and separator is Separator.ESCAPE:
                raise InputError(
                    name,
                    OMITTED,
                    f'has a backslash between {{{first}}} and {{{second}}}, and separator is "escape", which '
                    "escapes with backslashes",
                    "use another separator",
                )
        return made

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the attributes of the template, each once."""
        return self.template.attributes

    def type(self, types: Mapping[str, str]) -> str | None:
        """Return the type of the values; `None` where it is not known. `types`: of the attributes that are keys."""
        if not self.template.is_bare:
            return "S"
        [function] = self.functions
        return function.type if function else types.get(self.template.placeholders[0])

    @property
    def is_its_own(self) -> bool:
        """Return whether an attribute may be set by this of itself: again and again, without another result."""
        return self.template.is_bare and self.functions[0] is not None and not self.functions[0].offset

    @property
    def separators(self) -> tuple[str, ...]:
        """Return the texts between placeholders, in order."""
        return self.template.literals[1:-1]

    def render(self, item: Item) -> AttributeValue | Unmade:
        """Return an item's value: of the attribute's own type if the template is a single placeholder, else a string.

        In a string, numbers have the digits that DynamoDB returns, and binary is in base64. An escaped string holds
        neither: it would also be the text of a string of these characters.
        """
        values = self._values(item)
        if isinstance(values, Unmade):
            return values
        if self.template.is_bare:
            return values[0]
        literals, placeholders = self.template.literals, self.template.placeholders
        text = literals[0]
        for place, name in enumerate(placeholders):
            value = as_text(values[place])
            following = self.separators[place] if place < len(self.separators) else ""
            if self.separator is Separator.REFUSE and self._is_ambiguous(value, following):
                return Unmade(Problem.REFUSED, f"{name} holds a separator")
            text += self._escaped(value) + literals[place + 1]
        return {"S": text}

    def _values(self, item: Item) -> list[AttributeValue] | Unmade:
        """Return the value of each placeholder, or why one has none."""
        values: list[AttributeValue] = []
        for name, function in zip(self.template.placeholders, self.functions, strict=True):
            if name not in item:
                return Unmade(Problem.LACKING, f"{name} is lacking")
            value = function.of(item[name]) if function else item[name]
            if isinstance(value, str):
                return Unmade(Problem.REFUSED, f"{name} {value}")
            kind = next(iter(value))
            if kind not in SCALARS and not self.template.is_bare:
                return Unmade(Problem.REFUSED, f"{name} has type {kind}; only S, N and B can be written as text")
            if kind != "S" and self.separator is Separator.ESCAPE and not self.template.is_bare:
                return Unmade(
                    Problem.REFUSED, f'{name} has type {kind}; with separator "escape" only strings can be joined'
                )
            values.append(value)
        return values

    def _is_ambiguous(self, value: str, following: str) -> bool:
        """Return whether a reader would end the value too early: at a separator in it, or at one that begins in it."""
        return any(text in value for text in self.separators) or (
            following != "" and (value + following).find(following) != len(value)
        )

    def _escaped(self, value: str) -> str:
        if self.separator is not Separator.ESCAPE:
            return value
        # The first character is enough, because an escaped one begins no separator. A whole separator is not: with "--"
        # between them, "x-" and "y" give the same text as "x" and "-y".
        for character in ("\\", *dict.fromkeys(text[0] for text in self.separators)):
            value = value.replace(character, f"\\{character}")
        return value
