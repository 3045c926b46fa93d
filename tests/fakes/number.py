"""DynamoDB's numbers: 38 significant digits between 1E-130 and 9.99...E+125, written as text."""

from decimal import Context, Decimal, Inexact, InvalidOperation
from functools import lru_cache

_CONTEXT = Context(prec=38, Emin=-130, Emax=125, clamp=0, traps=[Inexact, InvalidOperation])


@lru_cache(maxsize=1 << 16)  # tables of a test have the same few numbers
def parse(text: str) -> Decimal:
    """The number without trailing zeros; raises ValueError where DynamoDB refuses it."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError(f"The parameter cannot be converted to a numeric value: {text}") from None
    if not number.is_finite():
        raise ValueError(f"The parameter cannot be converted to a numeric value: {text}")
    if number == 0:
        return Decimal(0)
    if not -130 <= number.adjusted() <= 125:
        raise ValueError("Number overflow or underflow: the magnitude must be within 1E-130 and 9.99E+125")
    try:
        return number.normalize(_CONTEXT)
    except Inexact:
        raise ValueError("Attempting to store more than 38 significant digits in a Number") from None


def plain(number: Decimal) -> str:
    """The number as the service writes it: without exponent (dynalite's tests were written against the service)."""
    return format(number, "f")


@lru_cache(maxsize=1 << 16)
def size(number: Decimal) -> int:
    """Bytes the number occupies: one, plus one per pair of decimal digits, plus one when negative.

    Pairs start at the decimal point, so 12 is one pair and 120 is two (dynalite's tests against the service).
    """
    if number == 0:
        return 1
    digits = len(number.as_tuple().digits)
    leading = 1 if number.adjusted() % 2 == 0 else 2
    pairs = 1 + (max(digits - leading, 0) + 1) // 2
    return 1 + pairs + (number < 0)
