"""Tries one harmless call for each permission, and concludes from failures which address is wrong.

A permission counts as allowed only if the provider answered a call that needs it. An address counts as wrong if no
call there got an answer of the service itself; a service that is busy or fails is in its place. If no permission
of a service is granted, one of its calls is made anyway: a refusal is an answer too.

Invariant: only operations of the contract are called.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from app.api.errors import ApiError, BrokenReply, NotAllowed, NotAuthorised, NotFound, NoToken, NotSent, SentUnknown
from app.api.provider import Provider
from app.contract.codes import (
    SCOPE_INFO_AUDITS,
    SCOPE_INFO_ORDERS,
    SCOPE_INTEGRATION,
    SCOPE_ORDERS,
    SCOPE_QUOTES,
)
from app.desk.connections import connections_words as words

# By the field of a profile: the scopes whose calls go to that address.
_SCOPES_AT: dict[str, tuple[str, ...]] = {
    "base_url": (SCOPE_ORDERS, SCOPE_QUOTES, SCOPE_INTEGRATION),
    "info_base_url": (SCOPE_INFO_ORDERS, SCOPE_INFO_AUDITS),
}
# Errors that a service of the provider would not give.
_WRONG_PLACE = (NotSent, SentUnknown, NotFound, BrokenReply, NotAuthorised)


@dataclass(frozen=True, slots=True)
class Ability:
    """One scope: whether the provider allows it (None: unknown), and the sentence about it."""

    scope: str
    purpose: str
    allowed: bool | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Tried:
    """The abilities of a client, and by the field of an address in `Profile` the sentence about each wrong one and the
    seconds that a call there took."""

    abilities: tuple[Ability, ...]
    wrong: Mapping[str, str]
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Tried:
    ability: Ability
    error: ApiError | None = None
    seconds: float | None = None


async def try_all(provider: Provider, granted: Collection[str], now: datetime) -> Tried:
    """Try every permission."""
    ungranted = [field for field, scopes in _SCOPES_AT.items() if not granted_of(scopes, granted)]
    # All at once, so that several wrong addresses cost one timeout.
    async with asyncio.TaskGroup() as group:
        tasks = {
            scope: group.create_task(_try(provider, scope, granted=scope in granted, now=now))
            for scope in words.PURPOSES
        }
        reached = group.create_task(_unreached_without_scope(provider, ungranted, now))
    tried, wrong = {scope: task.result() for scope, task in tasks.items()}, reached.result()
    abilities = {scope: each.ability for scope, each in tried.items()}
    for field, scopes in _SCOPES_AT.items():
        asked = granted_of(scopes, granted)
        found = _wrong_address(field, [tried[scope].error for scope in asked])
        if found:
            wrong |= found
            unknown = words.address_does_not_work(field)
            abilities |= {scope: replace(abilities[scope], sentence=unknown) for scope in asked if field in found}
    took = {
        field: seconds[0]
        for field, scopes in _SCOPES_AT.items()
        if (seconds := [each for scope in scopes if (each := tried[scope].seconds) is not None])
    }
    return Tried(tuple(abilities.values()), wrong, took)


def granted_of(scopes: Sequence[str], granted: Collection[str]) -> list[str]:
    """The scopes that are granted."""
    return [scope for scope in scopes if scope in granted]


async def unreached(provider: Provider, now: datetime) -> dict[str, str]:
    """The sentence about each address at which nothing answers, by its field; asks without a token."""
    information, management = provider.information, provider.management
    return await _silent({"base_url": management.reach, "info_base_url": lambda: information.reach(now.date())})


async def _unreached_without_scope(provider: Provider, names: Sequence[str], now: datetime) -> dict[str, str]:
    """`unreached` for services without a granted scope: any answer proves that the service is there."""
    return await _silent({name: partial(_PROBES[_SCOPES_AT[name][0]], provider, now) for name in names})


async def _silent(calls: Mapping[str, Callable[[], Awaitable[None]]]) -> dict[str, str]:
    # At once, because an address at which nothing answers takes the whole of its deadline.
    found = await asyncio.gather(*(_silence(call) for call in calls.values()))
    return {name: sentence for name, sentence in zip(calls, found, strict=True) if sentence}


async def _silence(call: Callable[[], Awaitable[None]]) -> str:
    try:
        await call()
    except NoToken:
        return ""  # nothing was sent: the granted calls report trouble with tokens
    except (NotSent, SentUnknown) as error:
        return error.sentence
    except ApiError:
        return ""
    return ""


def _wrong_address(field: str, errors: Sequence[ApiError | None]) -> Mapping[str, str]:
    # One answer of the service itself proves its address, whatever the other calls met.
    if not errors or not all(isinstance(each, _WRONG_PLACE) for each in errors):
        return {}
    match errors[0]:
        case NoToken() as error:
            return {"auth_url": error.sentence}
        case NotFound() | BrokenReply():
            return {field: words.another_service(field)}
        case NotAuthorised():
            return {field: words.NOT_ACCEPTED_THERE}
        case error:
            return {field: error.sentence if error else ""}


async def _try(provider: Provider, scope: str, *, granted: bool, now: datetime) -> _Tried:
    purpose = words.PURPOSES[scope]
    if not granted:
        return _Tried(Ability(scope, purpose, False, words.not_granted(scope)))
    began = time.perf_counter()
    try:
        await _PROBES[scope](provider, now)
    except NotAllowed:
        return _Tried(Ability(scope, purpose, False, words.refused_when_used(scope)), None, _since(began))
    except ApiError as error:
        found = Ability(scope, purpose, None, words.could_not_be_tried(error.sentence))
        return _Tried(found, error, _since(began))
    return _Tried(Ability(scope, purpose, True, words.GRANTED), None, _since(began))


def _since(began: float) -> float:
    return time.perf_counter() - began


async def _probe_open_orders(provider: Provider, now: datetime) -> None:
    start = now.replace(hour=0, minute=0, second=0, microsecond=0)
    async with provider.information.open_orders(start, start + timedelta(hours=23, minutes=59, seconds=59)) as batches:
        async for _ in batches:
            break


async def _probe_audits(provider: Provider, now: datetime) -> None:
    async with provider.information.audits(now.date(), now.date()) as batches:
        async for _ in batches:
            break


async def _probe_orders(provider: Provider, _now: datetime) -> None:
    await provider.management.test_orders()


async def _probe_quotes(provider: Provider, _now: datetime) -> None:
    await provider.management.test_quotes()


async def _probe_integration(provider: Provider, _now: datetime) -> None:
    # Filtered by a group that does not exist, so that the answer is short.
    await provider.management.cross_reference(group="WAYBILL-CONNECTION-TEST")


_PROBES: dict[str, Callable[[Provider, datetime], Awaitable[None]]] = {
    SCOPE_INFO_ORDERS: _probe_open_orders,
    SCOPE_INFO_AUDITS: _probe_audits,
    SCOPE_ORDERS: _probe_orders,
    SCOPE_QUOTES: _probe_quotes,
    SCOPE_INTEGRATION: _probe_integration,
}
