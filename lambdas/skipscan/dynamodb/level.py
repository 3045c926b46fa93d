"""Groups smaller than an item collection: its items whose sort keys share a prefix, as in S3's ListObjectsV2."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from skipscan.dynamodb.attribute_value import AttributeValue, greatest

PREFIX = "prefix"
"""The member of a line that holds the prefix, beside the partition key."""

TYPES = ("S", "B")
"""The types of sort keys that have a prefix."""


@dataclass(frozen=True)
class Level:
    """Where a prefix ends: behind the delimiter that comes as number `depth`, or after `prefix_length` characters.

    A sort key with fewer delimiters or characters is a prefix of its own. A binary sort key is compared with the
    delimiter's UTF-8 bytes, and its length counts bytes.
    """

    delimiter: str | None = None
    depth: int = 1
    prefix_length: int | None = None

    def prefix_of(self, sort_key: AttributeValue, begin: int = 0) -> AttributeValue:
        """Return the prefix of a sort key, of the same type; the whole sort key if it is too short for one.

        `begin`: where delimiters and characters are counted from. What is before belongs to the prefix.
        """
        ((kind, content),) = sort_key.items()
        end = self._end(content, begin)
        return sort_key if end is None else {kind: content[:end]}

    def past(self, sort_key: AttributeValue, begin: int = 0) -> AttributeValue:
        """Return the greatest sort key with the same prefix.

        A sort key that is too short for a prefix shares it with no other, also not with those that begin with it.
        """
        ((_, content),) = sort_key.items()
        return sort_key if self._end(content, begin) is None else greatest(self.prefix_of(sort_key, begin))

    def _end(self, content: Any, begin: int) -> int | None:
        """Return where the prefix of a text or of bytes ends; `None` if it is too short."""
        if self.delimiter is None:
            end = begin + (self.prefix_length or 0)
            return end if len(content) >= end else None
        delimiter = self.delimiter if isinstance(content, str) else self.delimiter.encode()
        end = begin
        for _ in range(self.depth):
            found = content.find(delimiter, end)
            if found < 0:
                return None
            end = found + len(delimiter)
        return end

    def __str__(self) -> str:
        if self.delimiter is None:
            return f"prefix length {self.prefix_length}"
        return f'delimiter "{self.delimiter}", depth {self.depth}'

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        return cls(document.get("delimiter"), document["depth"], document.get("prefix_length"))
