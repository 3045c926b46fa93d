"""An item to write for a partition key: its other attributes as JSON, whose strings are templates with placeholders."""

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Self

from skipscan.dynamodb.attribute_value import MOST_SORT_KEY_BYTES, AttributeValue, from_json, is_typed
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.dynamodb.write_units import value_bytes
from skipscan.errors import OMITTED, InputError
from skipscan.inputs.names import quoted
from skipscan.items.mark import MARK

_TOKEN = re.compile(r"\{\{|\}\}|\{(?P<attribute>[^{}]+)\}|(?P<stray>[{}])")


@dataclass(frozen=True)
class Template:
    """Literal texts and the attributes between them: `literals` is always one longer than `placeholders`."""

    literals: tuple[str, ...]
    placeholders: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the template; `{{` and `}}` mean braces. Raises `InputError` for a single brace."""
        literals, placeholders = [""], []
        end = 0
        for token in _TOKEN.finditer(text):
            literals[-1] += text[end : token.start()]
            end = token.end()
            if token["stray"]:
                raise InputError(
                    f'the template "{text[:100]}"',
                    rule=f'has a "{token["stray"]}" at position {token.start()} that belongs to no {{attribute}}',
                    remedy="name an attribute between braces, or write {{ and }} for braces themselves",
                )
            if token["attribute"]:
                placeholders.append(token["attribute"])
                literals.append("")
            else:
                literals[-1] += token[0][0]
        literals[-1] += text[end:]
        return cls(tuple(literals), tuple(placeholders))

    @property
    def attributes(self) -> tuple[str, ...]:
        """Return the names that the template needs, each once, in their order."""
        return tuple(dict.fromkeys(self.placeholders))

    @property
    def is_bare(self) -> bool:
        """Whether it is a single placeholder without other text, which keeps the attribute's type."""
        return self.literals == ("", "")

    def render(self, item: Item) -> AttributeValue:
        """Return the value for an item that has the attributes: the attribute's own if it is bare, else a string.

        In a string, numbers have the digits that DynamoDB returns, and binary is in base64.
        """
        if self.is_bare:
            return item[self.placeholders[0]]
        text = self.literals[0]
        for name, literal in zip(self.placeholders, self.literals[1:], strict=True):
            text += as_text(item[name]) + literal
        return {"S": text}


def as_text(value: AttributeValue) -> str:
    """Return a string, number or binary as part of a string."""
    ((kind, content),) = value.items()
    return base64.b64encode(content).decode() if kind == "B" else str(content)


@dataclass(frozen=True)
class ValueTemplate:
    """The template of a value. `type`: its own, `None` if it has that of its attribute.

    `attributes`: those that its placeholders name, each once. `render`: returns the value for an item that has them.
    """

    type: str | None
    attributes: tuple[str, ...]
    render: Callable[[Item], AttributeValue]


def _constant(value: AttributeValue) -> ValueTemplate:
    return ValueTemplate(next(iter(value)), (), lambda _item: value)


def _attributes(members: Iterable[ValueTemplate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for member in members for name in member.attributes))


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
            text = Template.parse(document)
            return ValueTemplate(None if text.is_bare else "S", text.attributes, text.render)
        case None:
            return _constant({"NULL": True})
        case bool():
            return _constant({"BOOL": document})
        case int() if -LARGEST < document < LARGEST:
            return _typed({"N": str(document)}, name)
        case float() if isfinite(document):
            return _typed({"N": repr(document)}, name)
        case list():
            listed = [parse_value(member, f"{name}[{n}]", levels - 1) for n, member in enumerate(document)]
            return ValueTemplate("L", _attributes(listed), lambda item: {"L": [each.render(item) for each in listed]})
        case Mapping() if is_typed(document):
            return _typed(document, name)
        case Mapping():
            members = {member: parse_value(each, f"{name}.{member}", levels - 1) for member, each in document.items()}
            return ValueTemplate("M", _attributes(members.values()), lambda item: {"M": _rendered(members, item)})
    raise InputError(name, document, "it must be a value that DynamoDB can store", "correct it")


def _rendered(members: Mapping[str, ValueTemplate], item: Item) -> Item:
    return {name: member.render(item) for name, member in members.items()}


def _typed(document: Mapping[str, object], name: str) -> ValueTemplate:
    try:
        return _constant(from_json(document))
    except ValueError as error:
        raise InputError(name, document, f"DynamoDB cannot store it ({error})", "correct it") from None


TYPES = {"S": "a string", "N": "a number", "B": "binary", "BOOL": "true or false", "NULL": "null"}


@dataclass(frozen=True)
class ItemTemplate:
    """Templates by attribute name. `document`: the JSON object that they were parsed from."""

    document: Mapping[str, Any]
    values: Mapping[str, ValueTemplate] = field(compare=False)

    @classmethod
    def parse(cls, document: object, name: str) -> Self:
        """Return the template of a JSON object like {"sk": "#static", "GSI-pk": "{pk}"}; raise `InputError`.

        `name`: the input's field.
        """
        if not isinstance(document, Mapping) or not document:
            held = "missing" if document is None else quoted(document)
            rule, way = f"is {held}; it must be an object of attributes", 'write it like {"sk": "#static"}'
            raise InputError(name, OMITTED, rule, f"{way}, with the name of your sort key")
        if "" in document:
            raise InputError(name, OMITTED, "has an attribute without a name; DynamoDB requires one", "name it")
        values = {attribute: parse_value(value, f"{name}.{attribute}") for attribute, value in document.items()}
        return cls(document, values)

    @classmethod
    def from_json(cls, document: object) -> Self:
        return cls.parse(document, "the template")

    def to_json(self) -> Mapping[str, Any]:
        return self.document

    @property
    def attributes(self) -> tuple[str, ...]:
        """Return the attributes that the placeholders name, each once."""
        return _attributes(self.values.values())

    def render(self, item: Item) -> Item:
        """Return the attributes for an item or key that has those that the placeholders name."""
        return _rendered(self.values, item)

    def check(self, name: str, known: Iterable[KeyAttribute], keys: Iterable[KeyAttribute]) -> None:
        """Raise `InputError` unless every rendered item has key attributes that DynamoDB accepts.

        `name`: the input's field. `known`: the attributes that placeholders may name. `keys`: every key attribute of
        the table and its indexes. An index key that is not set is missing from the item, which keeps the item out of
        that index.
        """
        types = {attribute.name: attribute.type for attribute in known}
        for attribute in self.attributes:
            if attribute not in types:
                raise InputError(
                    name,
                    OMITTED,
                    f'names "{{{attribute}}}"; only {", ".join(f"{{{each}}}" for each in types)} is known for each key',
                    "use that, or write {{ and }} for literal braces",
                )
        for key in keys:
            if key.name in self.values:
                _check_key(f"{name}.{key.name}", key, self.values[key.name], types)

    def check_sort_key(self, name: str, table: Source) -> str:
        """Return the name of the table's sort key; raise `InputError` for a template that has none."""
        sort_key = table.sort_key[0].name
        if sort_key not in self.values:
            rule = "is missing; it is the table's sort key, which selects one item of each collection"
            raise InputError(f"{name}.{sort_key}", OMITTED, rule, f'write it like {{"{sort_key}": "#static"}}')
        return sort_key

    def check_marked(self, name: str, table: Source) -> None:
        """Raise `InputError` unless the template can be that of an item with a mark, one of each collection."""
        filled = {key.name: "the table's partition key, which is filled in" for key in table.partition_key}
        for attribute, what in {**filled, MARK: "the mark by which Skipscan recognizes its items"}.items():
            if attribute in self.values:
                raise InputError(f"{name}.{attribute}", OMITTED, f"is {what}", "leave it out")
        self.check_sort_key(name, table)


def _check_key(where: str, key: KeyAttribute, template: ValueTemplate, types: Mapping[str, str]) -> None:
    kind = template.type or types[template.attributes[0]]
    if kind != key.type:
        raise InputError(
            where,
            OMITTED,
            f"is {TYPES.get(kind, 'a list, map or set')}; it is a key attribute of the table or of an "
            f"index and must be {TYPES[key.type]}",
            "correct it, or leave it out, and the item will not be in that index",
        )
    if not template.attributes:
        size = value_bytes(template.render({}))
        if not 1 <= size <= MOST_SORT_KEY_BYTES:
            raise InputError(
                where,
                OMITTED,
                f"has {size} bytes; it is a key attribute of the table or of an index, which must have 1 "
                f"to {MOST_SORT_KEY_BYTES} bytes",
                "correct it",
            )
