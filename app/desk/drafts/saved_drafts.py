"""Drafts of orders in the journal, exactly as typed. Nothing here checks a draft.

A large draft takes longer than a frame to write out as JSON, and Python lets other threads run only between its steps.
So the text is made on the journal's thread, in small pieces, and the thread yields between them.
"""

import json
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.contract.draft import OrderDraft
from app.desk.desk import Desk
from app.desk.drafts import drafts_words
from app.store.journal import draft_store
from app.store.journal.draft_store import DraftName
from app.store.journal.records import DraftRow

_ROWS = 200  # written out at once: well under a millisecond


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """An open draft and when it last changed."""

    id: str
    draft: OrderDraft
    changed_at: datetime

    @property
    def name(self) -> str:
        """Its name in a list: the reference, else the consignee, else when it changed."""
        reference = self.draft.orderReferenceNumber.strip()
        name = self.draft.consignee.consigneeName.strip()
        return reference or name or drafts_words.draft_of(self.changed_at)


def new_draft_id() -> str:
    """An id for a draft that no other desk gives."""
    return uuid.uuid4().hex


async def save(desk: Desk, draft_id: str, draft: OrderDraft) -> None:
    """Save the draft, which nobody writes into from now on. Raises `StoreError` if that fails."""
    profile, now = desk.profile.id, desk.now()

    def write(connection: Any) -> None:
        draft_store.save_draft(connection, profile, draft_id, draft_text(draft), now)

    await desk.journal.write(write)


async def all_open(desk: Desk) -> list[SavedDraft]:
    """The open drafts, last changed first."""
    rows = await desk.journal.read(draft_store.open_drafts, desk.profile.id)
    return [_saved(row) for row in rows]


async def names(desk: Desk) -> list[DraftName]:
    """The open drafts by name, in the order in which they were begun."""
    return await desk.journal.read(draft_store.open_draft_names, desk.profile.id)


def name_of(named: DraftName) -> str:
    """The name of a draft in a list: the reference, else the consignee, else when it was begun."""
    return named.reference.strip() or named.consignee.strip() or drafts_words.draft_of(named.begun_at)


async def load(desk: Desk, draft_id: str) -> SavedDraft | None:
    """One draft, open or closed."""
    row = await desk.journal.read(draft_store.draft, draft_id)
    return None if row is None else _saved(row)


async def discard(desk: Desk, draft_id: str) -> None:
    """Close a draft without sending it; it stays in the journal."""
    await desk.journal.write(draft_store.close_draft, draft_id, desk.now())


async def reopen(desk: Desk, draft_id: str) -> SavedDraft | None:
    """Open the draft of a write that was refused or withdrawn. Raises `WrongState` when it was neither."""
    await desk.journal.write(draft_store.reopen_draft, draft_id, desk.now())
    return await load(desk, draft_id)


async def reopen_last_closed(desk: Desk) -> SavedDraft | None:
    """Open the draft that was closed last and never sent; None if there is none. Raises `StoreError`."""
    draft_id = await desk.journal.read(draft_store.last_closed_draft, desk.profile.id)
    return None if draft_id is None else await reopen(desk, draft_id)


def _saved(row: DraftRow) -> SavedDraft:
    return SavedDraft(row.id, OrderDraft.from_dict(json.loads(row.body)), row.changed_at)


def draft_text(draft: OrderDraft) -> str:
    """The JSON of `draft.to_dict()`. Call it on a thread of the store; nobody may write into the draft meanwhile."""
    return "".join(_pieces(draft.to_dict()))


def typed_of(draft: Any) -> Any:
    """The part of `draft.to_dict()` that is not empty."""
    if isinstance(draft, dict):
        found = {name: typed_of(each) for name, each in draft.items()}
        return {name: each for name, each in found.items() if each not in ("", [], {}, None)}
    if isinstance(draft, list):
        return [each for each in map(typed_of, draft) if each not in ("", {}, None)]
    return draft


def _pieces(value: Any) -> Iterator[str]:
    match value:
        case dict():
            opening = "{"
            for name, each in value.items():
                yield f"{opening}{_json(name)}: "
                yield from _pieces(each)
                opening = ", "
            yield "}" if value else "{}"
        case list() if len(value) > _ROWS:
            for start in range(0, len(value), _ROWS):
                # This runs on a thread of its own. Sleeping for no time releases the interpreter lock, which the
                # window's thread needs for the next key.
                time.sleep(0)
                yield ("[" if not start else ", ") + _json(value[start : start + _ROWS])[1:-1]
            yield "]"
        case _:
            yield _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
