"""Connects to a provider, and tests a connection: the capability card says what the client may do.

The test walks the way to each of the three addresses leg by leg, and then tries each of them, so that the card can say
which leg fails and which address is wrong.
"""

import asyncio
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from app.api.addresses import NAMES, Addresses, Credentials
from app.api.errors import ApiError, BadAddress, NotAuthorised, ProxyRefused
from app.api.network.transport import Transport
from app.api.network.trust import trust_with
from app.api.network.way import Leg, Walk
from app.api.provider import Deadlines, Provider, open_provider
from app.api.retry import Budget
from app.contract.codes import ALL_SCOPES
from app.desk.connections import profiles
from app.desk.connections.connections_words import NO_PERMISSION
from app.desk.connections.legs import CardLeg, clock_leg, scope_leg, service_legs, token_leg, way_legs
from app.desk.connections.permission_probes import Ability, try_all, unreached
from app.desk.desk import Desk
from app.store.journal.profile_store import Profile
from app.store.secrets import SecretStore, proxy_password_of

_CONNECT_S = 5.0  # for each leg of the way
# A person waits for the answer, and asks again if it was only a moment's trouble.
_TEST = Deadlines(connect=_CONNECT_S, reads=Budget(attempts=2, seconds=20.0, first=0.5, longest=0.5))
_AUTH, *_SERVICES = ("auth_url", "base_url", "info_base_url")


@dataclass(frozen=True, slots=True)
class CapabilityCard:
    """The result of a connection test. `trouble` is empty when a token was granted.

    `wrong` holds the sentence about each part of the connection that does not work as it is, by its field in `Profile`
    or as "client_secret". `legs` is the way in the order it goes. `clock` is how many seconds this computer is ahead of
    the provider, None where it did not say. `others` are scopes that were granted besides those of the contract.
    """

    at: datetime
    abilities: tuple[Ability, ...] = ()
    token_seconds: float = 0.0
    trouble: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)
    legs: tuple[CardLeg, ...] = ()
    clock: float | None = None
    others: tuple[str, ...] = ()

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scopes to ask for from now on: all that the provider did not refuse."""
        return tuple(each.scope for each in self.abilities if each.allowed is not False)

    @property
    def connected(self) -> bool:
        """Whether the provider granted a token."""
        return not self.trouble

    @property
    def works(self) -> bool:
        """Whether work can begin: a token was granted, and each service answers at its address."""
        return self.connected and not self.wrong

    @property
    def complete(self) -> bool:
        """Whether everything that was granted could be tried."""
        return self.works and all(each.allowed is not None for each in self.abilities)

    @property
    def token_ends(self) -> datetime | None:
        """When the token of the test ends, by this computer's clock; None without a token."""
        return self.at + timedelta(seconds=self.token_seconds) if self.connected and self.token_seconds else None

    @property
    def failed(self) -> CardLeg | None:
        """The first leg that failed."""
        return next((each for each in self.legs if each.trouble), None)


def transport_of(profile: Profile, proxy_password: str = "") -> Transport:
    """How the calls of a connection travel."""
    return Transport(profile.proxy, profile.proxy_user, proxy_password, profile.authorities, profile.replies)


async def way_of(desk: Desk, secrets: SecretStore) -> Transport:
    """Proxy and authorities of the connection in use; of the first other one while that is practice, which has none.

    Raises `StoreError`.
    """
    known = [desk.profile, *await profiles.all_profiles(desk.journal)]
    profile = next((each for each in known if each.kind != "practice"), None)
    if profile is None:
        return Transport()
    password = await secrets.read(proxy_password_of(profile.id)) if profile.proxy_user else None
    return transport_of(profile, password or "")


async def trust_of(profile: Profile) -> ssl.SSLContext | None:
    """Whom the connection trusts besides the operating system's authorities; None if nobody. Raises `BadAddress`."""
    return await trust_with(profile.authorities)


def connect(profile: Profile, secret: str, proxy_password: str = "", trust: ssl.SSLContext | None = None) -> Provider:
    """The provider of a profile; sends nothing yet. `trust` is that of `trust_of`. Raises `BadAddress` or `NotSent`."""
    return open_provider(
        Addresses(profile.base_url, profile.info_base_url, profile.auth_url),
        Credentials(profile.client_id, secret),
        scopes=profile.scopes or ALL_SCOPES,
        transport=transport_of(profile, proxy_password),
        trust=trust,
    )


async def examine(
    addresses: Addresses, credentials: Credentials, now: Callable[[], datetime], transport: Transport | None = None
) -> CapabilityCard:
    """Walk the way, ask for a token, and try one harmless call for each scope. Trouble is told in the card, never
    raised."""
    way = transport or Transport()
    try:
        addresses.check()
        way.check()
        return await _Test(addresses, credentials, now, way, await trust_with(way.authorities)).run()
    except BadAddress as error:
        wrong = addresses.wrong() or {error.field: error.sentence}
        return CapabilityCard(now(), trouble=next(iter(wrong.values())), wrong=wrong)
    except ApiError as error:
        return CapabilityCard(now(), trouble=error.sentence)


class _Test:
    """One test of a connection."""

    def __init__(
        self,
        addresses: Addresses,
        credentials: Credentials,
        now: Callable[[], datetime],
        transport: Transport,
        trust: ssl.SSLContext | None,
    ) -> None:
        self._addresses, self._credentials, self._now = addresses, credentials, now
        self._transport, self._trust = transport, trust
        self._places = {name: _place(getattr(addresses, name)) for name in NAMES}
        self._token_s: float | None = None
        self._clock: float | None = None

    async def run(self) -> CapabilityCard:
        """The card."""
        walk = Walk(self._transport, self._trust, patience=_CONNECT_S)
        legs = await self._ways(walk)
        if walk.proxy_refused:
            # Nothing else is asked: each further call would show the proxy a login that it does not accept.
            trouble = next(each.trouble for each in legs if each.kind == "proxy" and each.trouble)
            return self._refused_by_proxy(trouble, legs)
        async with self._open(ALL_SCOPES) as provider:
            try:
                scopes, others, seconds = await self._grantable(provider)
            except ProxyRefused as error:  # of a way without TLS, on which the proxy is asked for nothing before
                return self._refused_by_proxy(error.sentence, legs)
            except ApiError as error:
                return await self._without_token(provider, _field_of(error), error.sentence, legs, None)
            if not scopes:
                return await self._without_token(provider, "client_id", NO_PERMISSION, legs, seconds)
        async with self._open(scopes) as provider:
            tried = await try_all(provider, scopes, self._now())
            self._clock = provider.clock.difference
        card = CapabilityCard(self._now(), tried.abilities, seconds, wrong=tried.wrong, others=others)
        return self._finish(card, legs, tried.seconds, scopes)

    def _open(self, scopes: tuple[str, ...]) -> Provider:
        return open_provider(
            self._addresses, self._credentials, scopes=scopes, deadlines=_TEST,
            transport=self._transport, trust=self._trust,
        )  # fmt: skip

    async def _ways(self, walk: Walk) -> list[CardLeg]:
        """The legs to each place once, although two addresses may lead there."""
        # Of two addresses at one place the later one here counts, that of the token service: calls begin with it.
        first = {self._places[name]: getattr(self._addresses, name) for name in (*_SERVICES, _AUTH)}
        order = list(dict.fromkeys(self._places[name] for name in (_AUTH, *_SERVICES)))
        async with asyncio.TaskGroup() as group:
            tasks: dict[str, asyncio.Task[list[Leg]]] = {
                place: group.create_task(walk.to(first[place])) for place in order
            }
        return [leg for place in order for leg in way_legs(tasks[place].result())]

    def _refused_by_proxy(self, trouble: str, legs: list[CardLeg]) -> CapabilityCard:
        name = "proxy_password" if self._transport.proxy_user else "proxy"
        return self._finish(CapabilityCard(self._now(), trouble=trouble, wrong={name: trouble}), legs, {}, None)

    async def _without_token(
        self, provider: Provider, name: str, trouble: str, legs: list[CardLeg], life: float | None
    ) -> CapabilityCard:
        wrong = {name: trouble, **await unreached(provider, self._now())}
        self._clock = provider.clock.difference
        granted = None if life is None else ()
        card = CapabilityCard(self._now(), token_seconds=life or 0.0, trouble=trouble, wrong=wrong)
        return self._finish(card, legs, {}, granted)

    def _finish(
        self, card: CapabilityCard, legs: list[CardLeg], seconds: Mapping[str, float], granted: tuple[str, ...] | None
    ) -> CapabilityCard:
        trouble = card.trouble if granted is None else ""
        rest = [
            token_leg(self._places[_AUTH], self._token_s, card.token_seconds, trouble if self._token_s else ""),
            scope_leg(granted),
            *service_legs(self._places, seconds, card.wrong),
            clock_leg(self._clock),
        ]
        return replace(card, legs=(*legs, *rest), clock=self._clock)

    async def _grantable(self, provider: Provider) -> tuple[tuple[str, ...], tuple[str, ...], float]:
        """The scopes of the contract that a token can be had for, others that came with them, and its lifetime.

        A client that may not have all is asked one by one.
        """
        began = time.perf_counter()
        try:
            grant = await provider.auth.request_token(ALL_SCOPES)
        except NotAuthorised as error:
            self._token_s = time.perf_counter() - began
            if error.code != "invalid_scope":
                raise
        except ApiError:
            self._token_s = time.perf_counter() - began
            raise
        else:
            self._token_s = time.perf_counter() - began
            named = grant.scopes
            others = tuple(sorted((named or frozenset()) - frozenset(ALL_SCOPES)))
            return tuple(each for each in ALL_SCOPES if named is None or each in named), others, grant.seconds
        # One refused scope costs the whole request: which one it is only single requests tell.
        scopes, seconds = [], 0.0
        for scope in ALL_SCOPES:
            try:
                grant = await provider.auth.request_token((scope,))
            except NotAuthorised:
                continue
            scopes.append(scope)
            seconds = grant.seconds
        return tuple(scopes), (), seconds


def _place(address: str) -> str:
    """Host and port of an address, as a person reads them; whatever it is, if it is no address."""
    try:
        parts = urlsplit(address.strip())
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname or address)
    except ValueError:
        return address


def _field_of(error: ApiError) -> str:
    if isinstance(error, NotAuthorised):
        return "client_secret"
    return "auth_url"
