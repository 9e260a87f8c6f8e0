"""What was typed into the forms of operations and not sent, kept across the end of the program.

Invariant: the client secret and a token are never kept. What holds one is deleted here as soon as the connection that
knows them is there; until then nobody can tell.
"""

from app.desk.console.calls.request_draft import RequestDraft
from app.desk.desk import Desk
from app.store.console import typed_call_store
from app.store.console.typed_call_store import TypedCall


async def read(desk: Desk) -> dict[str, RequestDraft]:
    """What stands in the forms, by the operation's key, what was typed last first. Raises `StoreError`, as all here."""
    found = {}
    for each in await desk.console_file().read(typed_call_store.typed_calls, desk.profile.id):
        draft = RequestDraft(each.operation, each.parameters, each.body, each.body_format, each.accept)
        if _reveals(desk, draft):
            await forget(desk, each.operation)
        else:
            found[each.operation] = draft
    return found


async def keep(desk: Desk, draft: RequestDraft) -> None:
    """Store what stands in a form; delete what stood there where it holds a secret."""
    if _reveals(desk, draft):
        await forget(desk, draft.operation)
        return
    typed = TypedCall(draft.operation, draft.parameters, draft.body, draft.body_format, draft.accept)
    await desk.console_file().write(typed_call_store.put_typed_call, desk.profile.id, typed, desk.now())


async def forget(desk: Desk, operation: str) -> None:
    """Delete what stands in the form of an operation."""
    await desk.console_file().write(typed_call_store.forget_typed_call, desk.profile.id, operation)


def _reveals(desk: Desk, draft: RequestDraft) -> bool:
    texts = (draft.body, *(text for _, text in draft.parameters))
    return desk.provider is not None and any(desk.provider.raw.reveals(text) for text in texts)
