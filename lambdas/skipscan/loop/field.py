"""Fields of an input, each read strictly: the value, or an `InputError` with the value, the rule and the way out."""

import difflib
from collections.abc import Mapping, Sequence

from skipscan.errors import InputError
from skipscan.loop.shown import shown

MOST_AMOUNT = 1e15  # above any bill there will be, and below what a float holds to the unit


def only(document: object, names: Sequence[str], *, what: str, example: str) -> Mapping[str, object]:
    """Return the fields given, if the document is an object with no others than these; null counts as left out.

    `what`: how messages call the document. `example`: how one is written.
    """
    if not isinstance(document, Mapping):
        raise InputError(f"{what} is {shown(document)}; it must be an object: write it like {example}")
    for name in document:
        if name not in names:
            near = difflib.get_close_matches(str(name)[:64], names, n=1)
            hint = f"did you mean {near[0]}?" if near else "leave it out"
            raise InputError(f"{shown(name)} is not a field of {what} ({', '.join(names)}): {hint}")
    return {name: value for name, value in document.items() if value is not None}


def count(name: str, value: object, most: int, who: str) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{name} is {shown(value)}; it must be a whole number: correct it or leave it out")
    if not 1 <= value <= most:
        way_out = "lower" if value > most else "raise"
        raise InputError(f"{name} is {shown(value)}; {who} 1 to {most}: {way_out} it or leave it out")
    return value


def amount(name: str, given: Mapping[str, object], least: float) -> float | None:
    value = given.get(name)
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= MOST_AMOUNT:
        raise InputError(
            f"{name} is {shown(value)}; it must be a number, at least {least} and at most {MOST_AMOUNT:.0e}: "
            "correct it, or leave it out for no bound"
        )
    return float(value)


def flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise InputError(f"{name} is {shown(value)}; it must be true or false: correct it or leave it out")
