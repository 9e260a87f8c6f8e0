"""Sends a call once. An order's submission and cancellation are handed to the outbox instead.

Invariants: every call is in the history, also one that failed or was stopped; one that writes is there before its first
byte leaves, so that the end of the program does not hide it. Nothing is repeated by itself, not even a read: what a
person sees is one request and its answer. What leaves is what was judged and agreed to, and a write that may have
arrived before is asked about, whatever the connection.
"""

import asyncio
from dataclasses import dataclass, replace

from app.api.raw_call import RawAnswer
from app.contract.submission import Cancellation, OrderSubmission
from app.desk.console.calls import call_history
from app.desk.console.calls import calls_words as words
from app.desk.console.calls.answer_values import Answers, expression_name
from app.desk.console.calls.judge_call import Judgement, cancellation_of, judged, order_of
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.console_operations import ConsoleOperation
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.console.call_store import NewCall
from app.store.store_errors import StoreError


class NotAgreed(Exception):
    """The question of now is not the one that was agreed to; `judgement` has the question of now."""

    def __init__(self, judgement: Judgement) -> None:
        super().__init__(judgement.question)
        self.judgement = judgement


class CannotBeSent(Exception):
    """Something forbids the call; `sentence` says what."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Sent:
    """The outcome of a call: an answer, or the id of the write that waits in the outbox.

    `call` is its id in the history, 0 where that could not be written; `trouble` then says why.
    """

    answer: RawAnswer | None = None
    write_id: int | None = None
    call: int = 0
    trouble: str = ""


async def send(
    desk: Desk, operation: ConsoleOperation, draft: RequestDraft, answers: Answers, *, agreed: str = "", name: str = ""
) -> Sent:
    """Judge once more, send, remember; a new answer is in `answers` too.

    `agreed` is the question that a person said yes to, `name` that of the named request. Raises CannotBeSent,
    NotAgreed, and StoreError where the outbox could not take it. Cancelling the task stops the call; the history says
    so. Whoever hands a write to the outbox tells `background/sender` of it, as the form of an order does.
    """
    # Judged again: the connection, its token or the answers may have changed since the page judged.
    judgement = await judged(desk, operation, draft, answers)
    if judgement.stops:
        raise CannotBeSent(judgement.stops[0])
    judgement = await with_doubt(desk, operation, draft, judgement)
    # A yes is to one sentence, with the connection's name in it: a switch of connections in between asks anew.
    if judgement.question != agreed:
        raise NotAgreed(judgement)
    line = _line_of(desk, operation, draft, judgement, expression_name(name) if name else operation.name)
    if operation.road != "call":
        write_id = await _queue(desk, operation, judgement)
        return await _remembered(desk, replace(line, write_id=write_id, sentence=words.HANDED_OVER))
    return await _call(desk, judgement, line, answers)


async def with_doubt(desk: Desk, operation: ConsoleOperation, draft: RequestDraft, judgement: Judgement) -> Judgement:
    """The judgement with a question, if just this call was sent before and may have arrived."""
    if not operation.writes or operation.road != "call":
        return judgement
    try:
        at = await call_history.doubt_before(desk, operation.key, judgement.built.target, draft.body)
    except StoreError:
        return judgement  # the trouble with the history is told once the call is stored
    if at is None:
        return judgement
    question = " ".join(part for part in (judgement.question, words.may_be_there(at)) if part)
    return replace(judgement, question=question, agree=words.SEND_ONCE_MORE)


async def _call(desk: Desk, judgement: Judgement, line: NewCall, answers: Answers) -> Sent:
    if desk.provider is None:
        raise CannotBeSent(words.not_connected(desk.trouble))
    writes = judgement.built.request.writes
    # A read that is lost with the program hides nothing, and is stored once it has ended.
    under_way = replace(line, sentence=words.UNDER_WAY, may_have_acted=True)
    call = (await _remembered(desk, under_way)).call if writes else 0
    try:
        answer = await desk.provider.raw.call(judgement.built.request)
    except asyncio.CancelledError:
        stopped = replace(line, sentence=words.STOPPED if writes else words.STOPPED_READ, may_have_acted=writes)
        # A second cancelling would leave this out; the first one must not.
        await _remembered(desk, stopped, call)
        raise
    # A Retry-After counts for everybody, also where a person caused it.
    desk.timing.back_off(answer.rest)
    answers.remember(line.name, answer)
    return replace(await _remembered(desk, _with_answer(line, answer), call), answer=answer)


async def _queue(desk: Desk, operation: ConsoleOperation, judgement: Judgement) -> int:
    """Hand an order or a cancellation to the outbox, which freezes it in the journal; the id of the write."""
    if operation.road == "submit":
        order = order_of(judgement.built.value)
        if isinstance(order, OrderSubmission):
            return await outbox.queue_submission(desk, order, None)
    else:
        cancellation = cancellation_of(judgement.built.value)
        if isinstance(cancellation, Cancellation):
            return await outbox.queue_cancellation(desk, cancellation.orderReferenceNumber)
    raise CannotBeSent(words.ORDER_WRONG)


async def _remembered(desk: Desk, line: NewCall, call: int = 0) -> Sent:
    """Store a call, in place of what was stored of it as `call` before it left."""
    try:
        if call:
            await call_history.finish(desk, call, line)
        else:
            call = await call_history.remember(desk, line)
    except StoreError as error:
        # The call has happened: trouble with its line in the history must not look as if it had not.
        return Sent(write_id=line.write_id, trouble=error.sentence)
    return Sent(write_id=line.write_id, call=call)


def _line_of(desk: Desk, operation: ConsoleOperation, draft: RequestDraft, judgement: Judgement, name: str) -> NewCall:
    """The line of a call before there is an answer."""
    return NewCall(
        profile=desk.profile.id,
        at=desk.now(),
        operation=operation.key,
        name=name,
        method=operation.method,
        target=judgement.built.target,
        parameters=draft.parameters,
        body=draft.body,
        body_format=draft.body_format,
        accept=draft.accept,
        status=0,
        reason="",
        sentence="",
        headers=(),
        content_type="",
        answer=None,
        size=0,
        phases=(),
        seconds=0.0,
    )


def _with_answer(line: NewCall, answer: RawAnswer) -> NewCall:
    return replace(
        line,
        status=answer.status,
        reason=answer.reason,
        sentence=answer.sentence,
        headers=answer.headers,
        content_type=answer.content_type,
        answer=answer.body if answer.status else None,
        size=answer.size,
        phases=tuple((each.name, each.seconds) for each in answer.phases),
        seconds=answer.seconds,
        cut=answer.cut,
        may_have_acted=answer.may_have_acted,
        hidden=answer.hidden,
    )
