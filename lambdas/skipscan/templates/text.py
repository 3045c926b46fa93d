"""A text with placeholders for an item's attributes: "{customer}" or "{resourceId}-{action}"."""

import base64
import re
from dataclasses import dataclass
from typing import Self

from skipscan.dynamodb.attribute_value import AttributeValue
from skipscan.dynamodb.source import Item
from skipscan.errors import InputError

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
                    f'the template "{text[:100]}" has a "{token["stray"]}" at position {token.start()} that belongs to '
                    "no {attribute}",
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
