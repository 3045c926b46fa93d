"""One value of an item to write: text with placeholders, a constant, or a list or map of such values."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

from skipscan.dynamodb.attribute_value import AttributeValue, from_json, is_typed
from skipscan.dynamodb.source import Item
from skipscan.errors import OMITTED, InputError
from skipscan.templates.text import Template


@dataclass(frozen=True)
class Constant:
    """The same value in every item."""

    value: AttributeValue
    attributes: tuple[str, ...] = ()

    def render(self, item: Item) -> AttributeValue:
        return self.value


@dataclass(frozen=True)
class ListTemplate:
    members: tuple["ValueTemplate", ...]

    @property
    def attributes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for member in self.members for name in member.attributes))

    def render(self, item: Item) -> AttributeValue | None:
        """Return the list; `None` if the item lacks an attribute that a member needs."""
        rendered = [value for member in self.members if (value := member.render(item)) is not None]
        return {"L": rendered} if len(rendered) == len(self.members) else None


@dataclass(frozen=True)
class MapTemplate:
    members: Mapping[str, "ValueTemplate"]

    @property
    def attributes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for member in self.members.values() for name in member.attributes))

    def render(self, item: Item) -> AttributeValue | None:
        """Return the map; `None` if the item lacks an attribute that a member needs."""
        rendered = {n: value for n, member in self.members.items() if (value := member.render(item)) is not None}
        return {"M": rendered} if len(rendered) == len(self.members) else None


ValueTemplate = Template | Constant | ListTemplate | MapTemplate


MOST_LEVELS = 32  # the deepest nesting that DynamoDB accepts (quotas)
LARGEST = 10**126  # longer than DynamoDB's largest number, and short enough to be turned into text


def parse_value(document: object, name: str, levels: int = MOST_LEVELS) -> ValueTemplate:  # noqa: PLR0911 (one return a type)
    """Return the template of a JSON value; raise `InputError`, which names it by `name`.

    A string is a template. An object whose only member has a type's name is a constant in DynamoDB JSON: {"S": "{no
    placeholder}"}, {"N": "0.10"}, {"B": "aGk="}. Any other object is a map.
    """
    if not levels:
        raise InputError(name, OMITTED, f"is nested too deeply; DynamoDB allows {MOST_LEVELS} levels", "correct it")
    match document:
        case str():
            return Template.parse(document)
        case None:
            return Constant({"NULL": True})
        case bool():
            return Constant({"BOOL": document})
        case int() if -LARGEST < document < LARGEST:
            return _typed({"N": str(document)}, name)
        case float() if isfinite(document):
            return _typed({"N": repr(document)}, name)
        case list():
            return ListTemplate(
                tuple(parse_value(member, f"{name}[{n}]", levels - 1) for n, member in enumerate(document))
            )
        case Mapping() if is_typed(document):
            return _typed(document, name)
        case Mapping():
            return MapTemplate(
                {member: parse_value(value, f"{name}.{member}", levels - 1) for member, value in document.items()}
            )
    raise InputError(name, document, "it must be a value that DynamoDB can store", "correct it")


def _typed(document: Mapping[str, object], name: str) -> Constant:
    try:
        return Constant(from_json(document))
    except ValueError as error:
        raise InputError(name, document, f"DynamoDB cannot store it ({error})", "correct it") from None
