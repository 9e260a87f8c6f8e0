"""Connects to a provider, and finds out what a client may do there: the capability card.

A scope is called allowed only when the provider answered a call that needs it; a granted token alone proves nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.api.addresses import Addresses, Credentials
from app.api.client import Provider, open_provider
from app.api.errors import ApiError, BadAddress, NotAllowed, NotAuthorised
from app.contract.codes import (
    ALL_SCOPES,
    SCOPE_INFO_AUDITS,
    SCOPE_INFO_ORDERS,
    SCOPE_INTEGRATION,
    SCOPE_ORDERS,
    SCOPE_QUOTES,
)
from app.store.profiles import Profile

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


@dataclass(frozen=True, slots=True)
class Ability:
    """One scope: whether the provider allows it (None: it could not be found out), and the sentence about it."""

    scope: str
    purpose: str
    allowed: bool | None
    sentence: str


@dataclass(frozen=True, slots=True)
class CapabilityCard:
    """What a connection test found. `trouble` is empty when a token was granted; `field` names a wrong address."""

    at: datetime
    abilities: tuple[Ability, ...] = ()
    token_seconds: float = 0.0
    trouble: str = ""
    field: str = ""

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes to ask for from now on: all that the provider did not refuse."""
        return tuple(each.scope for each in self.abilities if each.allowed is not False)

    @property
    def connected(self) -> bool:
        """Whether the provider granted a token."""
        return not self.trouble


def connect(profile: Profile, secret: str) -> Provider:
    """The provider of a profile; sends nothing yet. Raises `BadAddress` or `NotSent`."""
    addresses = Addresses(profile.base_url, profile.info_base_url, profile.auth_url)
    return open_provider(addresses, Credentials(profile.client_id, secret), scopes=profile.scopes or ALL_SCOPES)


async def examine(addresses: Addresses, credentials: Credentials, now: Callable[[], datetime]) -> CapabilityCard:
    """Ask for a token and try one harmless call for each scope. Trouble is told in the card, never raised."""
    try:
        provider = open_provider(addresses, credentials)
    except BadAddress as error:
        return CapabilityCard(now(), trouble=error.sentence, field=error.field)
    except ApiError as error:
        return CapabilityCard(now(), trouble=error.sentence)
    async with provider:
        try:
            scopes, seconds = await _grantable(provider)
        except ApiError as error:
            return CapabilityCard(now(), trouble=error.sentence, field=_field_of(error))
    if not scopes:
        return CapabilityCard(now(), trouble="The provider grants this client none of the five permissions.")
    async with open_provider(addresses, credentials, scopes=scopes) as provider, asyncio.TaskGroup() as group:
        # All at once: whoever waits in vain at a wrong address waits once.
        tries = [group.create_task(_try(provider, scope, granted=scope in scopes, now=now())) for scope in PURPOSES]
    return CapabilityCard(now(), tuple(each.result() for each in tries), seconds)


async def _grantable(provider: Provider) -> tuple[tuple[str, ...], float]:
    """The scopes a token can be had for, and its lifetime. A client that may not have all is asked one by one."""
    try:
        grant = await provider.auth.request_token(ALL_SCOPES)
    except NotAuthorised as error:
        if error.code != "invalid_scope":
            raise
    else:
        named = grant.scopes
        return tuple(each for each in ALL_SCOPES if named is None or each in named), grant.seconds
    scopes, seconds = [], 0.0
    for scope in ALL_SCOPES:
        try:
            grant = await provider.auth.request_token((scope,))
        except NotAuthorised:
            continue
        scopes.append(scope)
        seconds = grant.seconds
    return tuple(scopes), seconds


async def _try(provider: Provider, scope: str, *, granted: bool, now: datetime) -> Ability:
    purpose = PURPOSES[scope]
    if not granted:
        return Ability(scope, purpose, False, f"Not granted. {_REFUSED[scope]}")
    try:
        await _PROBES[scope](provider, now)
    except NotAllowed:
        return Ability(scope, purpose, False, f"Granted, but refused when used. {_REFUSED[scope]}")
    except ApiError as error:
        return Ability(scope, purpose, None, f"Granted, but could not be tried. {error.sentence}")
    return Ability(scope, purpose, True, "Granted and tried.")


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


def _field_of(error: ApiError) -> str:
    if isinstance(error, NotAuthorised):
        return "client_secret"
    return "auth_url"
