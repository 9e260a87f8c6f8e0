"""The provider's description as it was fetched last, one for each connection."""

import zlib
from dataclasses import dataclass
from datetime import datetime

import apsw

from app.store.sqlite.plain_rows import row
from app.store.sqlite.text_values import read_moment, to_moment


@dataclass(frozen=True, slots=True)
class StoredDescription:
    """The text of a description, and when (UTC) it was fetched."""

    text: bytes
    fetched_at: datetime


def put_description(c: apsw.Connection, profile: str, address: str, text: bytes, at: datetime) -> None:
    """Store a description in place of the one before."""
    c.execute(
        "INSERT OR REPLACE INTO descriptions VALUES (?, ?, ?, ?)",
        (profile, address, to_moment(at), zlib.compress(text, 6)),
    )


def get_description(c: apsw.Connection, profile: str, address: str) -> StoredDescription | None:
    """The description of the service at this address; None if none was fetched from there."""
    found = row(c, "SELECT text, fetched_at FROM descriptions WHERE profile = ? AND address = ?", (profile, address))
    return None if found is None else StoredDescription(zlib.decompress(found[0]), read_moment(found[1]))


def forget_profile(c: apsw.Connection, profile: str) -> None:
    """Delete everything of a connection: its calls, and what stands in its forms, too."""
    c.execute("DELETE FROM descriptions WHERE profile = ?", (profile,))
    c.execute("DELETE FROM calls WHERE profile = ?", (profile,))
    c.execute("DELETE FROM drafts WHERE profile = ?", (profile,))
