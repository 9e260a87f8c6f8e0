"""Everything that can go wrong with a call, as one small tree.

    ApiError                 has `.sentence`, what a person reads
    ├── NotSent              no byte of the request has left this computer: sending it (again) is safe
    │   ├── NoToken          there is no token for the request; `.reason` is the error that says why
    │   ├── BadAddress       the address, or a setting of the way to it, cannot be used
    │   ├── ProxyRefused     the proxy asks for a login, or does not accept the login it was shown
    │   ├── TooLate          the last look at the order was too old when the request was about to leave
    │   └── Closing          Waybill is closing this connection
    ├── SentUnknown          the request began to leave, and no usable answer came: it may have arrived
    ├── Refused              400 and other 4xx with the provider's `.problem`: the provider did not act
    ├── NotAuthorised        401 also with a new token, or the token service refuses id, secret or scope
    ├── NotAllowed           403: the token lacks the permission
    ├── NotFound             404
    ├── Busy                 408, 429 or 503, with `.retry_after`
    │   └── NotTaken         429 for a write: the provider turned the write back, and it may be sent again later
    ├── ServerFault          any other 5xx
    └── BrokenReply          the answer cannot be understood

`may_have_acted` is False if the provider certainly did nothing. If it is True, nobody knows before the order is looked
up. 408 and 5xx count as unknown: a proxy may have answered in the service's place after it passed the request on. 429
says that the request was not let through. An error that occurs before a write leaves (no token, no connection, no free
line) is always a `NotSent` or a `NotAuthorised`, whatever went wrong on the way to the token.

No error holds a request, a header or a body of ours, so none can carry a secret or a consignee into a log.
"""

from typing import TYPE_CHECKING, ClassVar

from app.api import api_words

if TYPE_CHECKING:
    from app.contract.replies import Problem


_MOMENT_S = 5.0


class ApiError(Exception):
    """A call that did not end well. `sentence` says what happened, and what to do where there is something to do."""

    may_have_acted: ClassVar[bool] = True

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    @property
    def rest(self) -> float | None:
        """The seconds for which the provider or its token service asks for a pause; None if neither does."""
        return None


class NotSent(ApiError):
    """No byte of the request has left."""

    may_have_acted = False


class NoToken(NotSent):
    """There is no token for the call; `reason` is the error of the token service."""

    def __init__(self, reason: ApiError) -> None:
        super().__init__(reason.sentence)
        self.reason = reason

    @property
    def rest(self) -> float | None:
        """The pause that the token service asks for."""
        return self.reason.rest


class BadAddress(NotSent):
    """The address cannot be used, or what leads to it; `field` is its name in `Addresses` or `Transport`, empty for an
    address from a record."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class ProxyRefused(NotSent):
    """The proxy wants a login, or another one. Never repeated by itself: a few wrong passwords lock an account."""


class TooLate(NotSent):
    """The request was about to leave, but the last look at the order was too long ago, so it was held back."""

    def __init__(self) -> None:
        super().__init__(api_words.TOO_LATE)


class Closing(NotSent):
    """Waybill is closing the connection. This says nothing of the provider or of the call."""

    def __init__(self) -> None:
        super().__init__(api_words.CLOSING)


class SentUnknown(ApiError):
    """The request began to leave and the connection ended without an answer that settles it."""


class Refused(ApiError):
    """The provider refused the request; `problem` holds its words, by field path where it gives them."""

    may_have_acted = False

    def __init__(self, sentence: str, problem: "Problem", status: int) -> None:
        super().__init__(sentence)
        self.problem = problem
        self.status = status


class NotAuthorised(ApiError):
    """The provider accepts neither the credentials nor a new token; `code` is the OAuth error code, if there is one."""

    may_have_acted = False

    def __init__(self, sentence: str, code: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code


class NotAllowed(ApiError):
    """The token lacks the permission for this operation."""

    may_have_acted = False


class NotFound(ApiError):
    """The provider has no such record. `web_page`: a web page said so, which points to a wrong address."""

    may_have_acted = False

    def __init__(self, sentence: str, *, web_page: bool = False) -> None:
        super().__init__(sentence)
        self.web_page = web_page


class Busy(ApiError):
    """The provider asks for a pause of `retry_after` seconds; None if the provider named no time."""

    def __init__(self, sentence: str, status: int, retry_after: float | None) -> None:
        super().__init__(sentence)
        self.status = status
        self.retry_after = retry_after

    @property
    def rest(self) -> float | None:
        """The pause that the provider asks for; None if it named no time."""
        return self.retry_after


class NotTaken(Busy):
    """The provider turned a write back (429) because it came too soon after others.

    Without a Retry-After the pause is a moment only: the send queue waits longer after each refusal.
    """

    may_have_acted = False

    @property
    def rest(self) -> float | None:
        """The pause that the provider asks for, and a moment if it named no time."""
        return _MOMENT_S if self.retry_after is None else self.retry_after


class ServerFault(ApiError):
    """The provider failed while handling the call."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class BrokenReply(ApiError):
    """The answer cannot be understood. `broke_off`: the answer ended early, so a second request may help."""

    def __init__(self, sentence: str, *, broke_off: bool = False) -> None:
        super().__init__(sentence)
        self.broke_off = broke_off
