"""Drafts of orders, kept as typed. Nothing here checks anything: whatever was typed is kept."""

import json
import uuid
from dataclasses import dataclass
from datetime import datetime

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.store import closed_drafts, journal
from app.store.journal_rows import DraftRow


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """An open draft and when it last changed."""

    id: str
    draft: OrderDraft
    changed_at: datetime
    begun_at: datetime

    @property
    def name(self) -> str:
        """What a list calls it: the reference, else the consignee, else when it was begun."""
        reference = self.draft.orderReferenceNumber.strip()
        name = self.draft.consignee.consigneeName.strip()
        return reference or name or f"Draft of {self.changed_at:%H:%M}"


def new_draft_id() -> str:
    """A name for a draft that no other desk will give."""
    return uuid.uuid4().hex


async def save(desk: Desk, draft_id: str, draft: OrderDraft) -> None:
    """Keep the draft. Raises `StoreError` when it could not be kept."""
    body = json.dumps(draft.to_dict(), ensure_ascii=False)
    await desk.journal.write(journal.save_draft, desk.profile.id, draft_id, body, desk.now())


async def all_open(desk: Desk) -> list[KeptDraft]:
    """The open drafts, last changed first."""
    rows = await desk.journal.read(journal.open_drafts, desk.profile.id)
    return [_kept(row) for row in rows]


async def load(desk: Desk, draft_id: str) -> KeptDraft | None:
    """One draft, open or closed."""
    row = await desk.journal.read(journal.draft, draft_id)
    return None if row is None else _kept(row)


async def discard(desk: Desk, draft_id: str) -> None:
    """Close a draft without sending it; it stays in the journal."""
    await desk.journal.write(journal.close_draft, draft_id, desk.now())


async def take_up_again(desk: Desk, draft_id: str) -> KeptDraft | None:
    """Open the draft of a write that was refused or withdrawn. Raises `WrongState` when it was neither."""
    await desk.journal.write(journal.reopen_draft, draft_id, desk.now())
    return await load(desk, draft_id)


async def reopen_last_closed(desk: Desk) -> KeptDraft | None:
    """Open the draft again that was put away last and never sent; None when there is none. Raises `StoreError`."""
    draft_id = await desk.journal.read(closed_drafts.last_put_away, desk.profile.id)
    return None if draft_id is None else await take_up_again(desk, draft_id)


def _kept(row: DraftRow) -> KeptDraft:
    return KeptDraft(row.id, OrderDraft.from_dict(json.loads(row.body)), row.changed_at, row.created_at)
