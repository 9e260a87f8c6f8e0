"""Sends a request once: into the journal before its first byte leaves, and its outcome as soon as it is known.

Invariants: nothing here sends a request twice. Where nobody knows whether it arrived, the journal says so, until a
person decides.
"""

import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.api.errors import ApiError, NotFound, NotSent
from app.api.reply import Reply
from app.contract.codes import Format
from app.contract.operations import OPERATIONS_BY_NAME
from app.contract.xml_writer import body_in
from app.desk.desk import Desk
from app.desk.requests import requests_words as words
from app.desk.requests.answer_reading import in_short, says_not_done
from app.store.journal import request_store
from app.store.journal.profile_store import Profile
from app.store.journal.request_store import RequestRow, RequestState
from app.store.store_errors import StoreError

if TYPE_CHECKING:
    from app.api.management_service import Management

Call = Callable[["Management", bytes, Format], Awaitable[Reply]]

# The operations that go this way, by the contract's names.
_CALLS: dict[str, Call] = {
    "quote_submit": lambda service, body, sent_as: service.submit_quote(body, sent_as),
    "truck_submit": lambda service, body, sent_as: service.submit_truck(body, sent_as),
    "partner_a_reserve_slot": lambda service, body, _json: service.partner_a_reserve_slot(body),
}


@dataclass(frozen=True, slots=True)
class Request:
    """A request to send: the operation, its record as JSON, the order it is about, and what a person calls it."""

    operation: str
    payload: bytes
    subject: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class _Ending:
    state: RequestState
    sentence: str
    status: int | None = None
    reply: bytes | None = None


def payload_of(record: Mapping[str, object]) -> bytes:
    """The bytes of a record, as every request sends them."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


async def send(desk: Desk, request: Request) -> RequestRow:
    """Send a request; returns it as it stands afterwards.

    Trouble of the call is in the row. Raises `NotSent` without a connection, and `StoreError` if the request could not
    be stored; in both cases nothing was sent.
    """
    provider = desk.provider
    if provider is None:
        raise NotSent(desk.trouble)
    body, sent_as = body_to_send(desk.profile, request)
    # In the journal before the first byte: a program that ends now finds a request in doubt at its next start.
    number = await desk.journal.write(
        request_store.begin_request,
        desk.profile,
        request.operation,
        request.subject,
        request.title,
        request.payload,
        desk.now(),
        sent_as=sent_as,
    )
    try:
        reply = await _CALLS[request.operation](provider.management, body, sent_as)
    except ApiError as error:
        ending = _ending_of_error(error)
    except BaseException:
        # A fault of ours, or the end of the program: nobody knows what left.
        await _end(desk, number, _Ending("in_doubt", words.SENDING_FAILED))
        raise
    else:
        ending = _ending_of_reply(reply)
    return await _end(desk, number, ending)


def body_to_send(profile: Profile, request: Request) -> tuple[bytes, Format]:
    """The bytes of a request and their format: XML where the connection sends it and the operation takes it."""
    operation = OPERATIONS_BY_NAME[request.operation]
    return body_in(profile.sends if operation.takes_xml else "json", request.payload, operation.record)


def _ending_of_reply(reply: Reply) -> _Ending:
    told = in_short(reply.body)
    if says_not_done(reply.body):
        return _Ending("refused", words.refused(told) if told else words.REFUSED_SILENTLY, reply.status, reply.body)
    return _Ending("accepted", words.accepted(told) if told else words.ACCEPTED_SILENTLY, reply.status, reply.body)


def _ending_of_error(error: ApiError) -> _Ending:
    status = 404 if isinstance(error, NotFound) else getattr(error, "status", None)
    if isinstance(error, NotSent):
        return _Ending("not_sent", error.sentence)
    return _Ending("in_doubt" if error.may_have_acted else "refused", error.sentence, status)


async def _end(desk: Desk, number: int, ending: _Ending) -> RequestRow:
    row = await desk.journal.read(request_store.request_row, number)
    assert row is not None
    now = desk.now()
    ended = replace(
        row, state=ending.state, sentence=ending.sentence, ended_at=now, http_status=ending.status, reply=ending.reply
    )
    try:
        await desk.journal.write(
            request_store.end_request,
            number,
            ending.state,
            ending.sentence,
            now,
            http_status=ending.status,
            reply=ending.reply,
        )
    # The caller still learns how it ended. The journal says that it is being sent, which the next start finds in doubt.
    except StoreError as error:
        return replace(ended, sentence=words.not_recorded(ending.sentence, error.sentence))
    return ended


async def decide(desk: Desk, request: RequestRow, *, arrived: bool) -> None:
    """Store what a person knows about a request in doubt. Raises `WrongState` if it is not in doubt any more."""
    state: RequestState = "accepted" if arrived else "not_arrived"
    sentence = words.DECIDED_ARRIVED if arrived else words.DECIDED_NOT_ARRIVED
    await desk.journal.write(request_store.decide_request, request.id, state, sentence, desk.now())


async def in_doubt(desk: Desk, limit: int) -> list[RequestRow]:
    """The requests of all kinds that wait for a person, the newest first."""
    return await desk.journal.read(request_store.requests_in_doubt, desk.profile.id, limit)


async def sent(desk: Desk, operations: Collection[str], limit: int, subject: str | None = None) -> list[RequestRow]:
    """The latest requests of these operations, the newest first; with `subject` only those about this order."""
    return await desk.journal.read(request_store.requests_page, desk.profile.id, operations, limit, subject)
