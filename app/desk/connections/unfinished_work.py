"""The unfinished writes of a connection: they decide whether it may be removed, or get another address."""

from dataclasses import dataclass

from app.store.journal import draft_store, write_store
from app.store.sqlite.database import Database


@dataclass(frozen=True, slots=True)
class Unfinished:
    """How many writes are in these states, and how many drafts are open. `queued` includes the held writes."""

    queued: int = 0
    sending: int = 0
    in_doubt: int = 0
    rejected: int = 0
    drafts: int = 0

    @property
    def writes(self) -> int:
        """How many writes are unfinished."""
        return self.queued + self.sending + self.in_doubt + self.rejected

    @property
    def may_be_there(self) -> bool:
        """Whether a write may have arrived at the provider and is not settled."""
        return bool(self.sending or self.in_doubt)


async def unfinished(database: Database, profile_id: str) -> Unfinished:
    """Count the unfinished writes and drafts of a connection. Raises `StoreError`."""
    counted = await database.read(write_store.counts, profile_id)
    drafts = await database.read(draft_store.open_draft_names, profile_id)
    return Unfinished(counted["queued"], counted["sending"], counted["in_doubt"], counted["rejected"], len(drafts))
