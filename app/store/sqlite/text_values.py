"""Text and moments in the form in which a database stores them.

Moments of the journal are in UTC (`to_moment`), so that an hour that the clock repeats stays two hours. Moments of the
provider have no zone and are stored as they came (`to_text`). Either way the order of the texts is the order of time.
A `datetime` without a zone is local time.
"""

from datetime import UTC, datetime


def storable(text: str) -> str:
    """The text itself; a lone surrogate, which UTF-8 cannot hold, is written out as `\\udc80`."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def to_text(moment: datetime | None) -> str | None:
    """`YYYY-MM-DDTHH:MM:SS` for the cache: the provider's times have no smaller unit."""
    return None if moment is None else moment.isoformat(timespec="seconds")


def to_text_ms(moment: datetime) -> str:
    """`YYYY-MM-DDTHH:MM:SS.mmm` for the cache: when this desk asked for something."""
    return moment.isoformat(timespec="milliseconds")


def from_text(text: str | None) -> datetime | None:
    """The moment of `to_text` or `to_text_ms`."""
    return None if text is None else datetime.fromisoformat(text)


def to_moment(moment: datetime) -> str:
    """`YYYY-MM-DDTHH:MM:SS.mmmZ` for the journal."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def read_moment(text: str) -> datetime:
    """The moment of `to_moment`, in UTC. Raises `ValueError` for a text that is no moment."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"no moment: {text}") from error


def from_moment(text: str | None) -> datetime | None:
    """`read_moment` for a column that may be NULL."""
    return None if text is None else read_moment(text)


def local(moment: datetime) -> datetime:
    """The moment as this computer's clock shows it, without a zone."""
    return moment if moment.tzinfo is None else moment.astimezone().replace(tzinfo=None)
