"""Sums of what was typed as numbers."""

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

_MOST = Decimal(10) ** 20


def total(typed: Iterable[str]) -> str:
    """The sum of the texts that are numbers, as people write it; empty when none is."""
    found = [number for number in map(_number, typed) if number is not None]
    if not found:
        return ""
    return f"{sum(found, Decimal(0)).normalize():f}"


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number) < _MOST and abs(number.adjusted()) < 20 else None
