"""The legs of a connection test, in the order in which every call goes them.

name, connection, proxy, tls   the way to an address, for each place that the three addresses name
token, scope                   what the authorisation service grants
service                        whether the service at an address answers as one
clock                          how far this computer's clock is from the provider's
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from app.api.network.way import Leg
from app.contract.codes import ALL_SCOPES
from app.desk.connections import connections_words as words

LegKind = Literal["name", "connection", "proxy", "tls", "token", "scope", "service", "clock"]
CLOCK_S = 120.0  # seconds; certificates and dates of orders suffer from more
_SERVICES = ("base_url", "info_base_url")


@dataclass(frozen=True, slots=True)
class CardLeg:
    """One leg: what it leads to, the seconds it took (None: not tried, or nothing that takes time), what was found, and
    the sentence that says what is wrong and what to do. `tried` is False behind a leg that failed."""

    kind: LegKind
    place: str = ""
    seconds: float | None = None
    facts: str = ""
    trouble: str = ""
    tried: bool = True

    @property
    def holds(self) -> bool:
        """Whether the leg was tried and nothing is wrong with it."""
        return self.tried and not self.trouble


def way_legs(legs: Sequence[Leg]) -> list[CardLeg]:
    """The way to one place."""
    return [
        CardLeg(each.kind, each.place, each.seconds, each.facts, each.trouble, tried=each.seconds is not None)
        for each in legs
    ]


def token_leg(place: str, seconds: float | None, life: float, trouble: str) -> CardLeg:
    """The request for a token; `seconds` is None where it was not made."""
    facts = "" if trouble or seconds is None else words.token_lasts(life)
    return CardLeg("token", place, seconds, facts, trouble, tried=seconds is not None)


def scope_leg(granted: Collection[str] | None) -> CardLeg:
    """Which of the permissions were granted; None where no token was."""
    if granted is None:
        return CardLeg("scope", tried=False)
    count = len([each for each in ALL_SCOPES if each in granted])
    return CardLeg("scope", facts=words.scopes_granted(count, len(ALL_SCOPES)) if count else "",
                   trouble="" if count else words.NO_PERMISSION)  # fmt: skip


def service_legs(places: Mapping[str, str], seconds: Mapping[str, float], wrong: Mapping[str, str]) -> list[CardLeg]:
    """Each service, by the field of its address: whether it answers as one."""
    return [
        CardLeg(
            "service", places[name], seconds.get(name), "", wrong.get(name, ""), tried=name in seconds or name in wrong
        )
        for name in _SERVICES
    ]


def clock_leg(ahead: float | None) -> CardLeg:
    """This computer's clock against the provider's; `ahead` in seconds, None where no answer said the time."""
    if ahead is None:
        return CardLeg("clock", tried=False)
    if abs(ahead) <= CLOCK_S:
        return CardLeg("clock", facts=words.clock_agrees(ahead))
    return CardLeg("clock", trouble=words.clock_is_off(ahead))
