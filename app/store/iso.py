"""Moments as text in the database: ISO 8601, local time without a zone, so that text order is time order."""

from datetime import datetime


def to_text(moment: datetime | None) -> str | None:
    """`YYYY-MM-DDTHH:MM:SS` for the cache, whose times come from the provider in seconds."""
    return None if moment is None else moment.isoformat(timespec="seconds")


def to_exact(moment: datetime) -> str:
    """The same with milliseconds, for what this desk did."""
    return moment.isoformat(timespec="milliseconds")


def from_text(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
