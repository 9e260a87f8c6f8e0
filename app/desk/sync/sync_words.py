"""The sentences of fetching orders. Each is whole, and names what did not happen and when it will."""

from app.translation import translate

NO_SUCH_ORDER = translate("The provider has no order with this number any more.")
BACKING_OFF = translate("The provider asked for a pause.")


def not_connected(why: str) -> str:
    """A person asked for a refresh while there is no connection; `why` is a sentence."""
    return translate("Orders were not refreshed. {why} They are refreshed once there is a connection.", why=why)


def not_before(backoff: str) -> str:
    """A person asked for a refresh while the provider asks for none; `backoff` says until when, without a full stop."""
    return translate("{backoff}. Orders are refreshed then.", backoff=backoff)
