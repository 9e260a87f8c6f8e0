"""Text and moments in the form a database takes.

Moments are ISO 8601, local time without a zone, so that the order of the texts is the order of time.
"""

from datetime import datetime


def storable(text: str) -> str:
    """The text itself; half a character, which no UTF-8 can hold, is written out as `\\udc80`."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def to_text(moment: datetime | None) -> str | None:
    """`YYYY-MM-DDTHH:MM:SS` for the cache, whose times come from the provider in seconds."""
    return None if moment is None else moment.isoformat(timespec="seconds")


def to_exact(moment: datetime) -> str:
    """The same with milliseconds, for what this desk did."""
    return moment.isoformat(timespec="milliseconds")


def from_text(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
