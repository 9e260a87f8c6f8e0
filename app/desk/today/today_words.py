"""The words of lines of *Today* that are about writes, audits and loads."""

from datetime import datetime

from app.desk.text.typed_dates import short_day
from app.translation import translate, translate_plural


def order_title(number: int) -> str:
    """An order without a reference."""
    return translate("Order {number}", number=number)


def audit_title(number: int) -> str:
    """An audit."""
    return translate("Audit {number}", number=number)


def load_title(load: str) -> str:
    """A load."""
    return translate("Load {load}", load=load)


def score(figure: str, top: str) -> str:
    """What is wrong with an audit."""
    return translate("Score {score} of {top}", score=figure, top=top)


def audited(kind: str, facility: str) -> str:
    """Which audit it is; either may be empty."""
    if kind and facility:
        return translate("{kind} at {facility}", kind=kind, facility=facility)
    return kind or facility


def items_over(items: int) -> str:
    """What is wrong with a load."""
    return translate_plural("{count:,} item over", "{count:,} items over", items)


def asked(when: datetime) -> str:
    """When the provider was asked about a load."""
    return translate(
        "as the provider said {day} at {time}", day=short_day(when.date(), when.date()), time=f"{when:%H:%M}"
    )


def write_why(note: str, *, cancels: bool) -> str:
    """Why a write needs somebody; `note` is the latest sentence about it, perhaps empty."""
    note = note.rstrip(".")
    if cancels:
        return translate("cancellation: {note}", note=note) if note else translate("a cancellation")
    return note or translate("an order that was entered here")
