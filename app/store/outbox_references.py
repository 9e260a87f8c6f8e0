"""Which references have something in the outbox that has not ended."""

import apsw

from app.store.sql import rows


def references_in_outbox(c: apsw.Connection, profile: str) -> tuple[str, ...]:
    """References of writes that wait, are on their way, are in doubt or were turned away."""
    found = rows(
        c,
        """
        SELECT DISTINCT reference FROM writes
        WHERE profile = ? AND state IN ('queued', 'sending', 'in_doubt', 'rejected')
        """,
        (profile,),
    )
    return tuple(reference for (reference,) in found)
