"""Drafts of the journal that were put away unsent."""

import apsw

from app.store.sql import value


def last_put_away(c: apsw.Connection, profile: str) -> str | None:
    """The draft that was put away last and never became a write."""
    found: str | None = value(
        c,
        """
        SELECT id FROM drafts WHERE profile = ? AND closed_at IS NOT NULL AND submission_id IS NULL
        ORDER BY closed_at DESC, rowid DESC LIMIT 1
        """,
        (profile,),
    )
    return found
