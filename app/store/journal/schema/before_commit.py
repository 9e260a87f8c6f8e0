"""What happens at the end of each transaction of the journal, before its commit."""

import apsw

from app.store.journal.schema.seal import seal_changed
from app.store.sqlite.plain_rows import value


def before_commit(c: apsw.Connection) -> None:
    """Seal the writes that have changed, and tell the team's log of them."""
    seal_changed(c)
    if value(c, "SELECT 1 FROM team_state") is not None:
        from app.store.journal.team.team_log import note_changes  # a desk that works alone does without it

        note_changes(c)
