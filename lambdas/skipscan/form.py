"""Any dataclass, enum, or union of these as JSON, and back: by its annotations, compiled once for a class.

`read` takes what `write` writes and nothing else: a member that is missing, unknown or of another type is refused by
its name, without its value. So what is lost, such as a budget, never becomes a default.

A class whose JSON is not its fields has `to_json` or `from_json`. They receive also what `write` and `read` were given
behind the value: what such JSON rests on.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache
from math import inf
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_origin

from skipscan.errors import MALFORMED, SkipscanError

AS = "as"
"""In the metadata of a field: the name of its member of JSON."""

IS_NOT: Mapping[Any, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}

K = TypeVar("K")


class FormError(ValueError):
    """A document that `write` cannot have written. `rule`: what is wrong. `path`: the members that lead there."""

    def __init__(self, rule: str, *path: str) -> None:
        super().__init__(f"{'.'.join(path) or 'it'} {rule}")
        self.rule, self.path = rule, path


class Codec(NamedTuple):
    """Both ways of one type. Each takes a value or a document, and a tuple: what its JSON rests on."""

    write: Callable[[Any, Any], Any]
    read: Callable[[Any, Any], Any]


def write(value: Any, *about: Any) -> Any:
    """Return the JSON of a value."""
    return _codec(type(value)).write(value, about)


def read(kind: type[K], document: object, *about: Any) -> K:
    """Return the value of a document; raise `FormError` for another one than `write` writes."""
    return cast("K", _codec(kind).read(document, about))


def member(kind: type[K], document: Any, name: str) -> K:
    """Return the value of a member of an object."""
    return cast("K", _member(document, name, _codec(kind), ()))


def _compile(kind: Any) -> Codec:  # noqa: PLR0911 (one return a type)
    origin, args = get_origin(kind) or kind, get_args(kind)
    if NoneType in args:
        (one,) = (_codec(arg) for arg in args if arg is not NoneType)
        return Codec(
            lambda value, about: None if value is None else one.write(value, about),
            lambda document, about: None if document is None else one.read(document, about),
        )
    if origin is UnionType:
        return _one_of({arg.name: arg for arg in args})
    if origin is tuple:
        one = _codec(args[0])
        return Codec(
            lambda value, about: [one.write(each, about) for each in value],
            lambda document, about: tuple(one.read(each, about) for each in _is(list, document)),
        )
    if origin is Mapping:
        one = _codec(args[1])
        return Codec(
            lambda value, about: {name: one.write(each, about) for name, each in value.items()},
            lambda document, about: {name: one.read(each, about) for name, each in _is(dict, document).items()},
        )
    if origin in IS_NOT:
        return Codec(lambda value, about: value, lambda document, about: _is(origin, document))
    if issubclass(origin, Enum):
        return Codec(lambda value, about: value.value, lambda document, about: origin(document))
    by_fields = _of_fields(kind)
    return Codec(
        (lambda value, about: value.to_json(*about)) if hasattr(kind, "to_json") else by_fields.write,
        (lambda document, about: kind.from_json(document, *about)) if hasattr(kind, "from_json") else by_fields.read,
    )


_codec: Callable[[Any], Codec] = cache(_compile)


def _is(kind: Any, document: Any) -> Any:
    """Return a document of this type. Any finite number is a `float`, because JSON has one type; true is no number."""
    types = (int, float) if kind is float else kind
    is_truth = isinstance(document, bool) and kind is not bool
    if not isinstance(document, types) or is_truth or (kind is float and not -inf < document < inf):
        raise FormError(f"is not {IS_NOT[kind]}")
    return document


def _one_of(kinds: Mapping[str, Any]) -> Codec:
    """Return the form of one of several classes: an object whose only member has the `name` of the class."""

    def read_one(document: Any, about: Any) -> Any:
        (name,) = _is(dict, document)
        return _member(document, name, _codec(kinds[name]), about)

    return Codec(lambda value, about: {value.name: _codec(type(value)).write(value, about)}, read_one)


def _of_fields(kind: Any) -> Codec:
    described = () if hasattr(kind, "from_json") else fields(kind)
    rows = [(one.name, one.metadata.get(AS, one.name), _codec(one.type)) for one in described]
    members = {stored for _, stored, _ in rows}

    def write_fields(value: Any, about: Any) -> dict[str, Any]:
        return {stored: form.write(getattr(value, name), about) for name, stored, form in rows}

    def read_fields(document: Any, about: Any) -> Any:
        if not _is(dict, document).keys() <= members:
            raise FormError("has a member that this version does not know")
        return kind(**{name: _member(document, stored, form, about) for name, stored, form in rows})

    return Codec(write_fields, read_fields)


def _member(document: Any, name: str, form: Codec, about: Any) -> Any:
    if name not in document:
        raise FormError("is missing", name)
    try:
        return form.read(document[name], about)
    except FormError as error:
        raise FormError(error.rule, name, *error.path) from None
    except (SkipscanError, *MALFORMED):
        raise FormError("cannot be read", name) from None
