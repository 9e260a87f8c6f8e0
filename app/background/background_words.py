"""The sentences of the background services."""

from typing import TYPE_CHECKING

from app.translation import translate

if TYPE_CHECKING:
    from app.desk.circuit_breaker import Failure

# Why sending is paused. The time of the next try is said after them.
PROVIDER_ASKS = translate("The provider asks for a pause.")
LAST_UNCONFIRMED = translate("The last send is unconfirmed.")
BREAKER_OPEN: "dict[Failure, str]" = {
    "doubt": translate("Recent sends are unconfirmed."),
    "unasked": translate("The provider does not say how orders stand."),
    "turned away": translate("The provider refused recent sends."),
}
# What a person can do meanwhile.
ADVICE: "dict[Failure, str]" = {
    "unasked": translate("In the outbox you can send single orders without asking."),
    "turned away": translate("Ask your provider for this permission, or correct the connection in Settings."),
}

CONNECTING = translate("Connecting…")
CONNECTION_CHANGED = translate("The connection was changed.")
NO_SECRET = translate("The client secret is not on this computer. Enter it in Settings.")
NO_PROXY_PASSWORD = translate("The password of the proxy is not on this computer. Enter it in Settings.")
STARTING_PRACTICE = translate("Starting practice…")


NO_TEAM_PASSWORD = translate("The password for the team's database is not in the keyring. Enter it in Settings.")


def queue_unread(error: str) -> str:
    """The send queue could not be read; `error` is the sentence of the store."""
    return translate("The outbox could not be read. {error}", error=error)


def not_cleared(error: str) -> str:
    """The data of a removed connection is still there; `error` is the sentence of the store."""
    return translate("Data of a removed connection is not deleted yet. {error}", error=error)


def audits_offline(trouble: str) -> str:
    """Audits were not refreshed for want of a connection; `trouble` is the sentence about the connection."""
    return translate("Audits were not refreshed. {trouble} They will be once there is a connection.", trouble=trouble)


def audits_later(notice: str) -> str:
    """Audits are refreshed after a pause; `notice` says until when, without a full stop."""
    return translate("{notice}: audits are refreshed then.", notice=notice)
