"""The history of calls: across restarts, bounded, searchable, without a secret (`store/console`).

A body is kept as it was typed, the target as it was sent. The token is in neither: Waybill adds it to a request only
when it leaves, an answer is cleaned of it before anybody sees it, and a call that holds the secret is not sent.
"""

from dataclasses import dataclass
from datetime import datetime

from app.api.raw_call import PHASES, Phase, RawAnswer
from app.desk.console.calls.answer_values import Answers
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.desk import Desk
from app.store.console import call_store
from app.store.console.call_store import CallLine, NewCall, StoredAnswer
from app.store.sqlite.text_values import local

_MOST_NAMES = 40
_MOST_BYTES = 4 * 1024 * 1024  # of answers that are brought back for expressions


@dataclass(frozen=True, slots=True)
class PastCall:
    """A line of the history. `at` is local time. `status` 0: no answer came, `sentence` says why.

    `name` is the one in expressions. `write_id` is set for what was handed to the outbox. `seconds` is the time from
    sending to the last byte. `kept`: the answer can be shown. `in_doubt`: it may have arrived, and no answer is known.
    """

    id: int
    at: datetime
    operation: str
    name: str
    method: str
    target: str
    status: int
    sentence: str
    seconds: float
    size: int
    write_id: int | None
    draft: RequestDraft
    kept: bool
    in_doubt: bool = False


async def latest(
    desk: Desk, *, text: str = "", operation: str = "", before: int | None = None, most: int = 100
) -> list[PastCall]:
    """The latest calls, newest first; every word of `text` is looked for in operation, target, body and answer, letters
    of either case; `before` is the id of the last line of the page before. Raises `StoreError`, as all others here."""
    found = await desk.console_file().read(
        call_store.list_calls, desk.profile.id, text=text, operation=operation, before=before, most=most
    )
    return [_past(each) for each in found]


async def doubt_before(desk: Desk, operation: str, target: str, body: str) -> datetime | None:
    """When just this was called the last time, in local time, if nobody knows whether that arrived; else None."""
    found = await desk.console_file().read(call_store.latest_same, desk.profile.id, operation, target, body)
    return local(found.at) if found is not None and found.in_doubt else None


async def answer_of(desk: Desk, call: int) -> RawAnswer | None:
    """The answer of a call; None if there was none, or it is no longer kept."""
    found = await desk.console_file().read(call_store.get_answer, desk.profile.id, call)
    return None if found is None else _answer(found)


async def earlier(desk: Desk, call: int, most: int = 50) -> list[PastCall]:
    """The calls of the same operation before this one that have an answer: what it can be compared with."""
    line = await desk.console_file().read(call_store.get_call, desk.profile.id, call)
    if line is None:
        return []
    found = await latest(desk, operation=line.operation, before=call, most=most)
    return [each for each in found if each.kept]


async def latest_answers(desk: Desk) -> Answers:
    """The latest answer by name, for `answer_values`: what an earlier run has left."""
    file, profile, answers, size = desk.console_file(), desk.profile.id, Answers(), 0
    named = await file.read(call_store.latest_by_name, profile, _MOST_NAMES)
    found = []
    for name, call in named:
        answer = await file.read(call_store.get_answer, profile, call)
        # One by one, newest first, and no further than the bound: the history may hold hundreds of megabytes.
        size += 0 if answer is None else len(answer.body)
        if answer is None or size > _MOST_BYTES:
            break
        found.append((name, _answer(answer)))
    for name, each in reversed(found):  # the latest is also the last one
        answers.remember(name, each)
    return answers


async def remember(desk: Desk, call: NewCall) -> int:
    """Store a call; its id."""
    return await desk.console_file().write(call_store.add_call, call)


async def finish(desk: Desk, number: int, call: NewCall) -> None:
    """Store how a call ended that was stored before it left."""
    await desk.console_file().write(call_store.finish_call, number, call)


async def forget(desk: Desk, call: int | None = None) -> None:
    """Delete one call, or all of this connection."""
    if call is None:
        await desk.console_file().write(call_store.forget_calls, desk.profile.id)
    else:
        await desk.console_file().write(call_store.forget_call, desk.profile.id, call)


def _past(line: CallLine) -> PastCall:
    draft = RequestDraft(line.operation, line.parameters, line.body, line.body_format, line.accept)
    return PastCall(
        line.id,
        local(line.at),
        line.operation,
        line.name,
        line.method,
        line.target,
        line.status,
        line.sentence,
        line.seconds,
        line.size,
        line.write_id,
        draft,
        line.kept,
        line.in_doubt,
    )


def _answer(stored: StoredAnswer) -> RawAnswer:
    phases = dict(stored.phases)
    return RawAnswer(
        stored.status,
        stored.reason,
        stored.headers,
        stored.content_type,
        stored.body,
        stored.size,
        tuple(Phase(name, phases[name]) for name in PHASES if name in phases),
        local(stored.at),
        stored.sentence,
        stored.cut,
        stored.may_have_acted,
        stored.hidden,
    )
