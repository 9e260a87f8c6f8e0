"""Drafts of orders, kept as typed. Nothing here checks anything: whatever was typed is kept."""

import json
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.drafts.draft_text import draft_text
from app.store.journal import draft_store
from app.store.journal.draft_store import DraftName
from app.store.journal.records import DraftRow
from app.store.sqlite.text_values import local


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """An open draft and when it last changed."""

    id: str
    draft: OrderDraft
    changed_at: datetime

    @property
    def name(self) -> str:
        """What a list calls it: the reference, else the consignee, else when it was begun."""
        reference = self.draft.orderReferenceNumber.strip()
        name = self.draft.consignee.consigneeName.strip()
        return reference or name or f"Draft of {local(self.changed_at):%H:%M}"


def new_draft_id() -> str:
    """A name for a draft that no other desk will give."""
    return uuid.uuid4().hex


async def save(desk: Desk, draft_id: str, draft: OrderDraft) -> None:
    """Keep the draft, which nobody writes into from now on. Raises `StoreError` when it could not be kept."""
    profile, now = desk.profile.id, desk.now()

    def keep(connection: Any) -> None:
        # Written out on the journal's thread: five thousand barcodes take longer than a frame.
        draft_store.save_draft(connection, profile, draft_id, draft_text(draft), now)

    await desk.journal.write(keep)


async def all_open(desk: Desk) -> list[KeptDraft]:
    """The open drafts, last changed first."""
    rows = await desk.journal.read(draft_store.open_drafts, desk.profile.id)
    return [_kept(row) for row in rows]


async def names(desk: Desk) -> list[DraftName]:
    """The open drafts by name, in the order in which they were begun."""
    return await desk.journal.read(draft_store.open_draft_names, desk.profile.id)


def called(named: DraftName) -> str:
    """What a list calls a draft: the reference, else the consignee, else when it was begun."""
    return named.reference.strip() or named.consignee.strip() or f"Draft of {local(named.begun_at):%H:%M}"


async def load(desk: Desk, draft_id: str) -> KeptDraft | None:
    """One draft, open or closed."""
    row = await desk.journal.read(draft_store.draft, draft_id)
    return None if row is None else _kept(row)


async def discard(desk: Desk, draft_id: str) -> None:
    """Close a draft without sending it; it stays in the journal."""
    await desk.journal.write(draft_store.close_draft, draft_id, desk.now())


async def take_up_again(desk: Desk, draft_id: str) -> KeptDraft | None:
    """Open the draft of a write that was refused or withdrawn. Raises `WrongState` when it was neither."""
    await desk.journal.write(draft_store.reopen_draft, draft_id, desk.now())
    return await load(desk, draft_id)


async def reopen_last_closed(desk: Desk) -> KeptDraft | None:
    """Open the draft again that was put away last and never sent; None when there is none. Raises `StoreError`."""
    draft_id = await desk.journal.read(draft_store.last_closed_draft, desk.profile.id)
    return None if draft_id is None else await take_up_again(desk, draft_id)


def _kept(row: DraftRow) -> KeptDraft:
    return KeptDraft(row.id, OrderDraft.from_dict(json.loads(row.body)), row.changed_at)
