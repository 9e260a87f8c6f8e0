"""Text and moments in the form a database takes.

What this desk did is kept in UTC (`to_moment`), so that no change of the clock's zone makes one hour of two. What the
provider says of its times carries no zone, and is kept as it came (`to_text`). Either way the order of the texts is the
order of time. A moment without a zone that is handed in is local time.
"""

from datetime import UTC, datetime


def storable(text: str) -> str:
    """The text itself; half a character, which no UTF-8 can hold, is written out as `\\udc80`."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def to_text(moment: datetime | None) -> str | None:
    """`YYYY-MM-DDTHH:MM:SS` for the cache, whose times come from the provider in seconds."""
    return None if moment is None else moment.isoformat(timespec="seconds")


def to_text_ms(moment: datetime) -> str:
    """The same with milliseconds, for what the cache says of its own asking."""
    return moment.isoformat(timespec="milliseconds")


def from_text(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def to_moment(moment: datetime) -> str:
    """`YYYY-MM-DDTHH:MM:SS.mmmZ` for the journal."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def read_moment(text: str) -> datetime:
    """The moment in UTC; a text without a zone is local time. Raises `ValueError` for anything else."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"no moment: {text}") from error


def from_moment(text: str | None) -> datetime | None:
    return None if text is None else read_moment(text)


def local(moment: datetime) -> datetime:
    """The moment as this computer's clock shows it, without a zone."""
    return moment if moment.tzinfo is None else moment.astimezone().replace(tzinfo=None)
