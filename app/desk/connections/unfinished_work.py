"""What of a connection has not ended yet: it decides whether the connection may go, or lead elsewhere."""

from dataclasses import dataclass

from app.store.journal import draft_store, write_store
from app.store.sqlite.database import Database


@dataclass(frozen=True, slots=True)
class Unfinished:
    """How many writes, and open drafts. `queued` are those that have not left; those held for a person are in it."""

    queued: int = 0
    sending: int = 0
    in_doubt: int = 0
    rejected: int = 0
    drafts: int = 0

    @property
    def writes(self) -> int:
        """How many are on their way or need a person."""
        return self.queued + self.sending + self.in_doubt + self.rejected

    @property
    def may_be_there(self) -> bool:
        """Whether some may have arrived at the provider and are not settled."""
        return bool(self.sending or self.in_doubt)

    @property
    def words(self) -> str:
        """`2 queued, 1 in doubt and 1 rejected`."""
        counted = (
            (self.queued, "queued"),
            (self.sending, "being sent"),
            (self.in_doubt, "in doubt"),
            (self.rejected, "rejected"),
        )
        parts = [f"{count:,} {word}" for count, word in counted if count]
        return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


async def unfinished(database: Database, profile_id: str) -> Unfinished:
    """Count what this connection has not finished. Raises `StoreError`."""
    counted = await database.read(write_store.counts, profile_id)
    drafts = await database.read(draft_store.open_draft_names, profile_id)
    return Unfinished(counted["queued"], counted["sending"], counted["in_doubt"], counted["rejected"], len(drafts))
