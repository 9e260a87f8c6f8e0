"""One harmless call for each permission, and what its failure says of the address that was called.

A permission counts as allowed only when the provider answered a call that needs it. An address counts as wrong when
nothing that was asked there got an answer of the service's own; one that is busy or fails is in its place. Where none
of a service's permissions is granted one of its calls is made all the same: that it is refused is an answer.

Invariant: only operations of the contract are asked.
"""

import asyncio
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

# What each scope is for, in the words of this program.
PURPOSES: dict[str, str] = {
    SCOPE_INFO_ORDERS: "See open and completed orders",
    SCOPE_ORDERS: "Submit and cancel orders, look up their status, list facilities",
    SCOPE_INFO_AUDITS: "See audits and their photos",
    SCOPE_QUOTES: "Submit quotes",
    SCOPE_INTEGRATION: "Import orders, read integration reference data",
}
_REFUSED: dict[str, str] = {
    SCOPE_INFO_ORDERS: "The orders page stays as it was last seen.",
    SCOPE_ORDERS: "Orders can be written here but not sent.",
    SCOPE_INFO_AUDITS: "Audits cannot be shown.",
    SCOPE_QUOTES: "Quotes cannot be sent.",
    SCOPE_INTEGRATION: "Reference data cannot be read.",
}
# What is called at each address: the field's name, the service, and the scopes that need it.
_SERVICES: dict[str, tuple[str, tuple[str, ...]]] = {
    "base_url": ("order management", (SCOPE_ORDERS, SCOPE_QUOTES, SCOPE_INTEGRATION)),
    "info_base_url": ("order information", (SCOPE_INFO_ORDERS, SCOPE_INFO_AUDITS)),
}
_ELSEWHERE = (NotSent, SentUnknown, NotFound, BrokenReply, NotAuthorised)


@dataclass(frozen=True, slots=True)
class Ability:
    """One scope: whether the provider allows it (None: it could not be found out), and the sentence about it."""

    scope: str
    purpose: str
    allowed: bool | None
    sentence: str


@dataclass(frozen=True, slots=True)
class _Tried:
    ability: Ability
    error: ApiError | None = None


async def try_all(
    provider: Provider, granted: Collection[str], now: datetime
) -> tuple[tuple[Ability, ...], dict[str, str]]:
    """What may be done, by trying what was granted; and the sentence about each address that is wrong, by its field.

    All at once: whoever waits in vain at a wrong address waits once.
    """
    unasked = [name for name, (_, scopes) in _SERVICES.items() if not granted_of(scopes, granted)]
    async with asyncio.TaskGroup() as group:
        tasks = {
            scope: group.create_task(_try(provider, scope, granted=scope in granted, now=now)) for scope in PURPOSES
        }
        reached = group.create_task(_unanswered(provider, unasked, now))
    tried, wrong = {scope: task.result() for scope, task in tasks.items()}, reached.result()
    abilities = {scope: each.ability for scope, each in tried.items()}
    for name, (service, scopes) in _SERVICES.items():
        asked = granted_of(scopes, granted)
        found = _wrong_address(name, service, [tried[scope].error for scope in asked])
        if found:
            wrong |= found
            unknown = f"Granted, but could not be tried: the {service} address does not work."
            abilities |= {scope: replace(abilities[scope], sentence=unknown) for scope in asked if name in found}
    return tuple(abilities.values()), wrong


def granted_of(scopes: Sequence[str], granted: Collection[str]) -> list[str]:
    """Those of `scopes` that are granted."""
    return [scope for scope in scopes if scope in granted]


async def unreached(provider: Provider, now: datetime) -> dict[str, str]:
    """The sentence about each service's address at which nothing answers at all; no token is needed, and none shown."""
    information, management = provider.information, provider.management
    return await _silent({"base_url": management.reach, "info_base_url": lambda: information.reach(now.date())})


async def _unanswered(provider: Provider, names: Sequence[str], now: datetime) -> dict[str, str]:
    """The same of services of which nothing is granted: whatever they say to a call of theirs, they are there."""
    return await _silent({name: partial(_PROBES[_SERVICES[name][1][0]], provider, now) for name in names})


async def _silent(calls: Mapping[str, Callable[[], Awaitable[None]]]) -> dict[str, str]:
    found = await asyncio.gather(*(_silence(call) for call in calls.values()))
    return {name: sentence for name, sentence in zip(calls, found, strict=True) if sentence}


async def _silence(call: Callable[[], Awaitable[None]]) -> str:
    try:
        await call()
    except NoToken:
        return ""  # nothing was asked: what is wrong with tokens is said by the calls that are granted
    except (NotSent, SentUnknown) as error:
        return error.sentence
    except ApiError:
        return ""
    return ""


def _wrong_address(name: str, service: str, errors: Sequence[ApiError | None]) -> Mapping[str, str]:
    if not errors or not all(isinstance(each, _ELSEWHERE) for each in errors):
        return {}
    match errors[0]:
        case NoToken() as error:
            return {"auth_url": error.sentence}
        case NotFound() | BrokenReply():
            return {name: f"What answers there is not the {service} service: check the address."}
        case NotAuthorised():
            return {name: "The service there does not accept the access that was just granted: check the address."}
        case error:
            return {name: error.sentence if error else ""}


async def _try(provider: Provider, scope: str, *, granted: bool, now: datetime) -> _Tried:
    purpose = PURPOSES[scope]
    if not granted:
        return _Tried(Ability(scope, purpose, False, f"Not granted. {_REFUSED[scope]}"))
    try:
        await _PROBES[scope](provider, now)
    except NotAllowed:
        return _Tried(Ability(scope, purpose, False, f"Granted, but refused when used. {_REFUSED[scope]}"))
    except ApiError as error:
        return _Tried(Ability(scope, purpose, None, f"Granted, but could not be tried. {error.sentence}"), error)
    return _Tried(Ability(scope, purpose, True, "Granted and tried."))


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
