"""Drafts of the console: texts that were typed into the forms of operations and not sent, kept over a restart.

Invariant: the client secret and a token are never kept. What holds one is deleted here as soon as the connection that
knows them is there; until then nobody can tell.
"""

from contextlib import suppress

from app.desk.console.calls.request_draft import RequestDraft
from app.desk.desk import Desk
from app.store.console import typed_call_store
from app.store.console.typed_call_store import TypedCall
from app.store.store_errors import NotSaved


async def read(desk: Desk) -> dict[str, RequestDraft]:
    """The drafts by the operation's key, the one that was typed last first. Raises `StoreError`, as all here."""
    found, revealed = {}, False
    for each in await desk.console_file().read(typed_call_store.typed_calls, desk.profile.id):
        draft = RequestDraft(each.operation, each.parameters, each.body, each.body_format, each.accept)
        if _reveals(desk, draft):
            revealed = True
            await forget(desk, each.operation)
        else:
            found[each.operation] = draft
    if revealed:
        await _wipe(desk)
    return found


async def keep(desk: Desk, draft: RequestDraft) -> None:
    """Store what stands in a form; delete what stood there where it holds a secret."""
    if _reveals(desk, draft):
        await forget(desk, draft.operation)
        await _wipe(desk)  # what stood there before may have been typed before the connection was there
        return
    typed = TypedCall(draft.operation, draft.parameters, draft.body, draft.body_format, draft.accept)
    await desk.console_file().write(typed_call_store.put_typed_call, desk.profile.id, typed, desk.now())


async def forget(desk: Desk, operation: str) -> None:
    """Delete what stands in the form of an operation."""
    await desk.console_file().write(typed_call_store.forget_typed_call, desk.profile.id, operation)


async def _wipe(desk: Desk) -> None:
    """Leave nothing of a deleted row in the write-ahead log, where it would outlive a program that is killed."""
    with suppress(NotSaved):  # somebody is reading: the log goes when the file is closed
        await desk.console_file().empty_log()


def _reveals(desk: Desk, draft: RequestDraft) -> bool:
    texts = (draft.body, *(text for _, text in draft.parameters))
    return desk.provider is not None and any(desk.provider.raw.reveals(text) for text in texts)
