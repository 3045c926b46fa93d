"""A section of cdk.json that knows its place, so that a mistake in it can name itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from skipscan.loop.shown import shown


class CdkJsonError(Exception):
    """A mistake in cdk.json, for the person who wrote it: environment, field, value, rule, way out."""


@dataclass(frozen=True)
class Section:
    """A JSON object of cdk.json. Every reader of a field raises `CdkJsonError`, ended by a rule."""

    place: str
    path: tuple[str, ...]
    values: Mapping[str, object]

    @classmethod
    def read(cls, value: object, place: str, *path: str) -> Section:
        if isinstance(value, Mapping):
            return cls(place, path, value)
        where = f"{place}: {'.'.join(path)}" if path else place
        raise CdkJsonError(f"{where} is {shown(value)}; it must be an object: correct it")

    def section(self, field: str) -> Section:
        """Return the object in a field, an empty one when the field is left out."""
        return Section.read(self.values.get(field, {}), self.place, *self.path, field)

    def items(self, field: str, rule: str) -> Section:
        """Return the list in a field, which must not be empty, as a section whose fields are the positions."""
        value = self.values.get(field)
        if isinstance(value, list) and value:
            return Section(self.place, (*self.path, field), {str(i): item for i, item in enumerate(value)})
        raise self.mistake(field, rule)

    def only(self, *fields: str) -> Section:
        """Return the section itself, which holds no other fields than these."""
        for field in self.values:
            if field not in fields:
                raise self.mistake(field, f"the fields here are {', '.join(fields)}: correct or remove it")
        return self

    def text(self, field: str, pattern: str, rule: str) -> str:
        value = self.values.get(field)
        if isinstance(value, str) and re.fullmatch(pattern, value):
            return value
        raise self.mistake(field, rule)

    def flag(self, field: str, default: bool) -> bool:
        value = self.values.get(field, default)
        if isinstance(value, bool):
            return value
        raise self.mistake(field, "it must be true or false: correct it or leave it out")

    def whole_number(self, field: str, least: int, most: int | None, rule: str) -> int | None:
        """Return the number in a field, None when the field is left out."""
        if field not in self.values:
            return None
        value = self.values[field]
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.mistake(field, f"{rule}: write a whole number or leave it out")
        if value < least:
            raise self.mistake(field, f"{rule}: raise it or leave it out")
        if most is not None and value > most:
            raise self.mistake(field, f"{rule}: lower it or leave it out")
        return value

    def mistake(self, field: str, rule: str) -> CdkJsonError:
        """Return the exception that says where the field stands and what it holds, then the rule."""
        held = f"is {shown(self.values[field])}" if field in self.values else "is missing"
        return CdkJsonError(f"{self.where(field)} {held}; {rule}")

    def where(self, field: str) -> str:
        return f"{self.place}: {'.'.join([*self.path, plain(field)])}"


def plain(name: str) -> str:
    """Return a name as `shown`, without its quotes where it needs none."""
    return name if re.fullmatch(r"[a-zA-Z0-9_ .-]{1,64}", name) else shown(name)
