"""An item to write for a partition key: its other attributes as JSON, whose strings are templates."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.dynamodb.table_description import KeyAttribute
from skipscan.errors import OMITTED, InputError
from skipscan.templates.text import Template
from skipscan.templates.value import Constant, ListTemplate, ValueTemplate, parse_value

KEY_BYTES = 1024
"""The most bytes of a sort key (developer guide, "Quotas"); this applies to every key attribute here."""

TYPES = {"S": "a string", "N": "a number", "B": "binary", "BOOL": "true or false", "NULL": "null"}


@dataclass(frozen=True)
class ItemTemplate:
    """Templates by attribute name. `name`: for errors. `document`: the JSON object that they were parsed from."""

    name: str
    document: Mapping[str, Any]
    values: Mapping[str, ValueTemplate]

    @classmethod
    def parse(cls, document: object, name: str) -> Self:
        """Return the template of a JSON object like {"sk": "#static", "GSI-pk": "{pk}"}; raise `InputError`."""
        if not isinstance(document, Mapping) or not document:
            raise InputError(
                name,
                OMITTED,
                f"is {json.dumps(document, default=repr)[:100]}; it must be an object of attributes",
                'write it like {"sk": "#static"}',
            )
        if "" in document:
            raise InputError(name, OMITTED, "has an attribute without a name; DynamoDB requires one", "name it")
        values = {attribute: parse_value(value, f"{name}.{attribute}") for attribute, value in document.items()}
        return cls(name, document, values)

    @property
    def attributes(self) -> tuple[str, ...]:
        """Return the attributes that the placeholders name, each once."""
        return tuple(dict.fromkeys(name for value in self.values.values() for name in value.attributes))

    def render(self, item: Item) -> Item | None:
        """Return the attributes for an item or key; `None` if it lacks one that a placeholder names."""
        rendered = {n: value for n, template in self.values.items() if (value := template.render(item)) is not None}
        return rendered if len(rendered) == len(self.values) else None

    def check(self, known: Iterable[KeyAttribute], keys: Iterable[KeyAttribute]) -> None:
        """Raise `InputError` unless every rendered item has key attributes that DynamoDB accepts.

        `known`: the attributes that placeholders may name. `keys`: every key attribute of the table and its indexes. An
        index key that is not set is missing from the item, which keeps the item out of that index.
        """
        types = {attribute.name: attribute.type for attribute in known}
        for attribute in self.attributes:
            if attribute not in types:
                raise InputError(
                    self.name,
                    OMITTED,
                    f'names "{{{attribute}}}"; only {", ".join(f"{{{name}}}" for name in types)} is known for each key',
                    "use that, or write {{ and }} for literal braces",
                )
        for key in keys:
            if key.name in self.values:
                self._check_key(key, self.values[key.name], types)

    def _check_key(self, key: KeyAttribute, template: ValueTemplate, types: Mapping[str, str]) -> None:
        where = f"{self.name}.{key.name}"
        kind = _type(template, types)
        if kind != key.type:
            raise InputError(
                where,
                OMITTED,
                f"is {TYPES.get(kind, 'a list, map or set')}; it is a key attribute of the table or of an "
                f"index and must be {TYPES[key.type]}",
                "correct it, or leave it out, and the item will not be in that index",
            )
        if isinstance(template, Constant) or not template.attributes:
            size = _constant_bytes(template.render({}))
            if not 1 <= size <= KEY_BYTES:
                raise InputError(
                    where,
                    OMITTED,
                    f"has {size} bytes; it is a key attribute of the table or of an index, which must have 1 "
                    f"to {KEY_BYTES} bytes",
                    "correct it",
                )


def _type(template: ValueTemplate, types: Mapping[str, str]) -> str:
    match template:
        case Constant(value):
            return next(iter(value))
        case Template():
            return types[template.placeholders[0]] if template.is_bare else "S"
        case ListTemplate():
            return "L"
    return "M"


def _constant_bytes(value: AttributeValue | None) -> int:
    ((_, content),) = (value or {"S": ""}).items()
    return len(content if isinstance(content, bytes) else str(content).encode("utf-8", "surrogatepass"))
