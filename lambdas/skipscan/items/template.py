"""An item to write for a partition key: its other attributes as JSON, whose strings are templates with placeholders."""

import base64
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

from skipscan.dynamodb.attribute_value import MOST_SORT_KEY_BYTES, AttributeValue, from_json, is_typed
from skipscan.dynamodb.source import Item, Source
from skipscan.dynamodb.table_description import KeyAttribute
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

    def render(self, item: Item) -> AttributeValue | None:
        """Return the value for an item: of the attribute's own type if the template is bare, else a string.

        In a string, numbers have the digits that DynamoDB returns, and binary is in base64. `None` if the item lacks an
        attribute, or if one of them is no string, number or binary.
        """
        if self.is_bare:
            return item.get(self.placeholders[0])
        text = self.literals[0]
        for name, literal in zip(self.placeholders, self.literals[1:], strict=True):
            rendered = as_text(item.get(name, {}))
            if rendered is None:
                return None
            text += rendered + literal
        return {"S": text}


def as_text(value: AttributeValue) -> str | None:
    """Return a value as part of a string; `None` for one that is no string, number or binary."""
    match dict(value):
        case {"S": str(content)} | {"N": str(content)}:
            return content
        case {"B": bytes(content)}:
            return base64.b64encode(content).decode()
    return None


@dataclass(frozen=True)
class Constant:
    """The same value in every item."""

    value: AttributeValue


ValueTemplate = Template | Constant | tuple["ValueTemplate", ...] | Mapping[str, "ValueTemplate"]
"""The template of a value; of a list or a map those of its members."""


def attributes_of(template: ValueTemplate) -> tuple[str, ...]:
    """Return the attributes that the placeholders name, each once."""
    match template:
        case Template():
            return template.attributes
        case Constant():
            return ()
    members = template.values() if isinstance(template, Mapping) else template
    return tuple(dict.fromkeys(name for member in members for name in attributes_of(member)))


def value_for(template: ValueTemplate, item: Item) -> AttributeValue | None:
    """Return the value for an item or key; `None` if it lacks an attribute that a placeholder names."""
    match template:
        case Template():
            return template.render(item)
        case Constant():
            return template.value
        case Mapping():
            members = {n: value for n, each in template.items() if (value := value_for(each, item)) is not None}
            return {"M": members} if len(members) == len(template) else None
    listed = [value for each in template if (value := value_for(each, item)) is not None]
    return {"L": listed} if len(listed) == len(template) else None


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
            return tuple(parse_value(member, f"{name}[{n}]", levels - 1) for n, member in enumerate(document))
        case Mapping() if is_typed(document):
            return _typed(document, name)
        case Mapping():
            return {member: parse_value(value, f"{name}.{member}", levels - 1) for member, value in document.items()}
    raise InputError(name, document, "it must be a value that DynamoDB can store", "correct it")


def _typed(document: Mapping[str, object], name: str) -> Constant:
    try:
        return Constant(from_json(document))
    except ValueError as error:
        raise InputError(name, document, f"DynamoDB cannot store it ({error})", "correct it") from None


TYPES = {"S": "a string", "N": "a number", "B": "binary", "BOOL": "true or false", "NULL": "null"}


@dataclass(frozen=True)
class ItemTemplate:
    """Templates by attribute name. `document`: the JSON object that they were parsed from."""

    document: Mapping[str, Any]
    values: Mapping[str, ValueTemplate]

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
        return attributes_of(self.values)

    def render(self, item: Item) -> Item | None:
        """Return the attributes for an item or key; `None` if it lacks one that a placeholder names."""
        made = value_for(self.values, item)
        return made and made["M"]

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
    kind = _type(template, types)
    if kind != key.type:
        raise InputError(
            where,
            OMITTED,
            f"is {TYPES.get(kind, 'a list, map or set')}; it is a key attribute of the table or of an "
            f"index and must be {TYPES[key.type]}",
            "correct it, or leave it out, and the item will not be in that index",
        )
    if not attributes_of(template):
        size = _constant_bytes(value_for(template, {}))
        if not 1 <= size <= MOST_SORT_KEY_BYTES:
            raise InputError(
                where,
                OMITTED,
                f"has {size} bytes; it is a key attribute of the table or of an index, which must have 1 "
                f"to {MOST_SORT_KEY_BYTES} bytes",
                "correct it",
            )


def _type(template: ValueTemplate, types: Mapping[str, str]) -> str:
    match template:
        case Constant(value):
            return next(iter(value))
        case Template():
            return types[template.placeholders[0]] if template.is_bare else "S"
        case tuple():
            return "L"
    return "M"


def _constant_bytes(value: AttributeValue | None) -> int:
    ((_, content),) = (value or {"S": ""}).items()
    return len(content if isinstance(content, bytes) else str(content).encode("utf-8", "surrogatepass"))
