"""A section of cdk.json that knows its place, so that an error names the place."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from skipscan.errors import SkipscanError
from skipscan.inputs.field import amount, flag, meant, whole_number
from skipscan.inputs.fields import DOLLARS
from skipscan.inputs.names import quoted


class CdkJsonError(Exception):
    """A mistake in cdk.json: environment, field, value, rule, way out."""


@contextmanager
def mistakes(place: str = "") -> Iterator[None]:
    """Raise the library's error as a `CdkJsonError`, with the place in front."""
    try:
        yield
    except SkipscanError as error:
        raise CdkJsonError(f"{place}: {error}" if place else str(error)) from error


@contextmanager
def ending(*errors: type[Exception]) -> Iterator[None]:
    """End the program with status 2 and the words of an error of these kinds."""
    try:
        yield
    except errors as mistake:
        sys.stderr.write(f"{mistake}\n")
        sys.exit(2)


ENVIRONMENT = '"dev": {"account": "111111111111", "region": "us-east-1", "tables": ["Orders"]}'
EXAMPLES = {
    "": ENVIRONMENT,
    "announce": '"announce": {"bus": "default"}',
    "context": f'"environments": {{{ENVIRONMENT}}}',
    "encryption": '"encryption": {"results": "arn:aws:kms:us-east-1:111111111111:key/0a1b2c3d-..."}',
    "limits": '"limits": {"max_dollars": 5}',
    "monitoring": '"monitoring": {"dashboard": false}',
    "retention": '"retention": {"results_days": 90}',
    "schedules": '"schedules": {"nightly": {"expression": "rate(1 day)", "input": {"table": "Orders"}}}',
    "tags": '"tags": {"team": "data"}',
    "vpc": '"vpc": {"subnets": ["subnet-01234567"], "security_groups": ["sg-01234567"]}',
    "writing": '"writing": {"Orders": {"act": true}}',
}
"""By the field that is an object, or holds one; the one without a field is an environment."""


@dataclass(frozen=True)
class Section:
    """A JSON object of cdk.json. Every reader of a field raises `CdkJsonError` that ends with a rule."""

    place: str
    path: tuple[str, ...]
    values: Mapping[str, object]

    @classmethod
    def read(cls, value: object, place: str, *path: str) -> Section:
        if isinstance(value, Mapping):
            return cls(place, path, value)
        where = f"{place}: {'.'.join(path)}" if path else place
        example = EXAMPLES[path[0] if path else ""]
        raise CdkJsonError(f"{where} is {quoted(value)}; it must be an object: write it like {example}")

    def section(self, field: str) -> Section:
        """Return the object in a field; an empty one if the field is missing."""
        return Section.read(self.values.get(field, {}), self.place, *self.path, field)

    def items(self, field: str, rule: str) -> Section:
        """Return the list in a field, which must not be empty, as a section whose fields are the positions."""
        value = self.values.get(field)
        if isinstance(value, list) and value:
            return Section(self.place, (*self.path, field), {str(i): item for i, item in enumerate(value)})
        raise self.mistake(field, rule)

    def only(self, *fields: str) -> Section:
        """Return the section, which must have no other fields than these."""
        for field in self.values:
            if field not in fields:
                way = meant(field, fields, "remove it")
                raise self.mistake(field, f"the fields here are {', '.join(fields)}: {way}")
        return self

    def read_all(self, table: Mapping[str, Callable[[Section, str], Any]]) -> dict[str, Any]:
        """Return the value of every field of a table of fields, which gives the reader of each by its name."""
        self.only(*table)
        return {field: read(self, field) for field, read in table.items()}

    def text(self, field: str, pattern: str, rule: str) -> str:
        value = self.values.get(field)
        if isinstance(value, str) and re.fullmatch(pattern, value):
            return value
        raise self.mistake(field, rule)

    def mistake(self, field: str, rule: str) -> CdkJsonError:
        """Return the exception with the field's place and value, then the rule."""
        held = f"is {quoted(self.values[field])}" if field in self.values else "is missing"
        return CdkJsonError(f"{self.where(field)} {held}; {rule}")

    def where(self, field: str) -> str:
        return f"{self.place}: {'.'.join([*self.path, plain(field)])}"


def plain(name: str) -> str:
    """Return a name like `quoted`, but without quotes where it needs none."""
    return name if re.fullmatch(r"[a-zA-Z0-9_ .-]{1,64}", name) else quoted(name)


def inside(read: Callable[[Section], Any]) -> Callable[[Section, str], Any]:
    """Return the reader of a field that is an object; an empty one if the field is missing."""
    return lambda section, field: read(section.section(field))


def if_given(read: Callable[[Section, str], Any], missing: Any = None) -> Callable[[Section, str], Any]:
    """Return the reader of a field that has a value of its own if it is missing."""
    return lambda section, field: read(section, field) if field in section.values else missing


def text(pattern: str, rule: str) -> Callable[[Section, str], str]:
    return lambda section, field: section.text(field, pattern, rule)


def flag_or(default: bool) -> Callable[[Section, str], bool]:
    def read(section: Section, field: str) -> bool:
        with mistakes():
            return flag(section.where(field), section.values.get(field, default))

    return read


def number(least: int, ceiling: int | None, rule: str) -> Callable[[Section, str], int | None]:
    """Return the reader of a whole number; `None` if the field is missing."""

    def read(section: Section, field: str) -> int | None:
        value = section.values[field]
        if value is None:
            raise section.mistake(field, f"{rule}: write a whole number or leave it out")
        with mistakes():
            return whole_number(section.where(field), value, least, ceiling, rule)

    return if_given(read)


def dollars(section: Section, field: str) -> float:
    """Return a budget, by the rule of an execution input."""
    with mistakes():
        return amount(section.where(field), section.values[field], DOLLARS)


def checked(is_right: Callable[[Any], bool], rule: str) -> Callable[[Section, str], Any]:
    """Return the reader of a field whose value has to pass a check, which gets it as it is in cdk.json."""

    def read(section: Section, field: str) -> Any:
        value = section.values.get(field)
        if value is None or not is_right(value):
            raise section.mistake(field, rule)
        return value

    return read


def texts(pattern: str, listed: str, rule: str) -> Callable[[Section, str], tuple[str, ...]]:
    """`listed`: the rule of the list, `rule`: of each text in it."""

    def read(section: Section, field: str) -> tuple[str, ...]:
        items = section.items(field, listed)
        return tuple(items.text(position, pattern, rule) for position in items.values)

    return read
