"""Fetches records and keeps them with their age, so that the last answer is there without a connection.

Invariants: trouble is part of the result and never raised; an answer of before is never shown as one of now.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from app.api.errors import ApiError
from app.desk.desk import Desk
from app.desk.records import records_words
from app.desk.records.record_table import Record
from app.store.cache import kept_answers
from app.store.store_errors import StoreError

if TYPE_CHECKING:
    from app.api.provider import Provider

Asked = Mapping[str, str]
Call = Callable[["Provider"], Awaitable[Sequence[Record]]]


@dataclass(frozen=True, slots=True)
class KeptRecords:
    """The last answer to a question: `at` is when the provider was asked, None if it never answered.

    `trouble` says why there is no newer answer, empty if this is the newest.
    """

    asked: Asked
    at: datetime | None = None
    records: tuple[Record, ...] = field(default=(), repr=False)
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Noted:
    """A question that was answered: what it was asked by, when, and how many records came."""

    asked: Asked
    at: datetime
    count: int


async def fetch(desk: Desk, subject: str, asked: Asked, call: Call) -> KeptRecords:
    """Ask the provider and keep the answer. On trouble the answer of before, with the trouble."""
    if desk.provider is None:
        return await _with_trouble(desk, subject, asked, desk.trouble)
    now = desk.now()
    at = now.replace(microsecond=now.microsecond // 1_000 * 1_000)  # as exact as the cache stores it
    try:
        records = tuple(await call(desk.provider))
    except ApiError as error:
        return await _with_trouble(desk, subject, asked, error.sentence)
    found = KeptRecords(asked, at, records)
    try:
        text = json.dumps(records, ensure_ascii=False, separators=(",", ":"))
        await desk.cache.write(kept_answers.keep_answer, desk.profile.id, subject, _key(asked), at, len(records), text)
    except StoreError as error:
        return replace(found, trouble=error.sentence)
    except RecursionError:
        return replace(found, trouble=records_words.TOO_DEEP)
    return found


async def _with_trouble(desk: Desk, subject: str, asked: Asked, trouble: str) -> KeptRecords:
    try:
        found = await read(desk, subject, asked)
    except StoreError as error:
        return KeptRecords(asked, trouble=error.sentence)
    return replace(found, trouble=trouble)


async def read(desk: Desk, subject: str, asked: Asked) -> KeptRecords:
    """The last answer, without asking. Raises `StoreError`."""
    found = await desk.reader.read(kept_answers.kept_answer, desk.profile.id, subject, _key(asked))
    return KeptRecords(asked) if found is None else KeptRecords(asked, found.at, tuple(json.loads(found.records)))


async def latest(desk: Desk, subject: str, limit: int) -> list[Noted]:
    """The questions of a subject that were answered last, newest first. Raises `StoreError`."""
    found = await desk.reader.read(kept_answers.kept_answers, desk.profile.id, subject, limit)
    return [Noted(json.loads(each.asked), each.at, each.count) for each in found]


def _key(asked: Asked) -> str:
    # Sorted, so that the same question has one key, in whichever order its parts were given.
    return json.dumps(dict(sorted(asked.items())), ensure_ascii=False, separators=(",", ":"))
