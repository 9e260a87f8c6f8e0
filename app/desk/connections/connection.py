"""Connects to a provider, and tests a connection: the capability card says what the client may do.

The test tries each of the three addresses, so that the card can say which of them is wrong.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.api.addresses import Addresses, Credentials
from app.api.errors import ApiError, BadAddress, NotAuthorised
from app.api.provider import Deadlines, Provider, open_provider
from app.api.retry import Budget
from app.contract.codes import ALL_SCOPES
from app.desk.connections.connections_words import NO_PERMISSION
from app.desk.connections.permission_probes import Ability, try_all, unreached
from app.store.journal.profile_store import Profile

# A person waits for the answer, and asks again if it was only a moment's trouble.
_TEST = Deadlines(reads=Budget(attempts=2, seconds=20.0, first=0.5, longest=0.5))


@dataclass(frozen=True, slots=True)
class CapabilityCard:
    """What a connection test found. `trouble` is empty when a token was granted.

    `wrong` holds the sentence about each part of the connection that does not work as it is, by its field in `Profile`
    or as "client_secret".
    """

    at: datetime
    abilities: tuple[Ability, ...] = ()
    token_seconds: float = 0.0
    trouble: str = ""
    wrong: Mapping[str, str] = field(default_factory=dict)

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


def connect(profile: Profile, secret: str) -> Provider:
    """The provider of a profile; sends nothing yet. Raises `BadAddress` or `NotSent`."""
    addresses = Addresses(profile.base_url, profile.info_base_url, profile.auth_url)
    return open_provider(addresses, Credentials(profile.client_id, secret), scopes=profile.scopes or ALL_SCOPES)


async def examine(addresses: Addresses, credentials: Credentials, now: Callable[[], datetime]) -> CapabilityCard:
    """Ask for a token and try one harmless call for each scope. Trouble is told in the card, never raised."""
    try:
        return await _examine(addresses, credentials, now)
    except BadAddress as error:
        wrong = addresses.wrong() or {error.field: error.sentence}
        return CapabilityCard(now(), trouble=next(iter(wrong.values())), wrong=wrong)
    except ApiError as error:
        return CapabilityCard(now(), trouble=error.sentence)


async def _examine(addresses: Addresses, credentials: Credentials, now: Callable[[], datetime]) -> CapabilityCard:
    async with open_provider(addresses, credentials, deadlines=_TEST) as provider:
        try:
            scopes, seconds = await _grantable(provider)
        except ApiError as error:
            wrong = {_field_of(error): error.sentence, **await unreached(provider, now())}
            return CapabilityCard(now(), trouble=error.sentence, wrong=wrong)
        if not scopes:
            wrong = {"client_id": NO_PERMISSION, **await unreached(provider, now())}
            return CapabilityCard(now(), trouble=NO_PERMISSION, wrong=wrong)
    async with open_provider(addresses, credentials, scopes=scopes, deadlines=_TEST) as provider:
        abilities, wrong = await try_all(provider, scopes, now())
    return CapabilityCard(now(), abilities, seconds, wrong=wrong)


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


def _field_of(error: ApiError) -> str:
    if isinstance(error, NotAuthorised):
        return "client_secret"
    return "auth_url"
