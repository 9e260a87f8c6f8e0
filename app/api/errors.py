"""Everything that can go wrong with a call, as one small tree.

    ApiError                 has `.sentence`, what a person reads
    ├── NotSent              the request provably never left this computer: sending it (again) is safe
    │   ├── NoToken          no token could be had for it; `.reason` is the error that says why
    │   ├── BadAddress       the address is none that can be used
    │   ├── TooLate          it was held back at the last moment: what was known of the order had grown too old
    │   └── Closing          Waybill is leaving this connection itself
    ├── SentUnknown          it began to leave, and no usable answer came: it may have arrived
    ├── Refused              400 and other 4xx: the provider's `.problem`, and it did not act
    ├── NotAuthorised        401 also with a new token, or the token service refuses id, secret or scope
    ├── NotAllowed           403: the token lacks the permission
    ├── NotFound             404
    ├── Busy                 429 or 503, with `.retry_after`
    │   └── NotTaken         429 for a write: it was turned back, and may be sent again later
    ├── ServerFault          any other 5xx
    └── BrokenReply          an answer came that cannot be understood

`may_have_acted` is what a write needs to know: False means that the provider certainly did nothing, True that
nobody knows until the order is looked up. 408 and 5xx count as unknown: whoever stands between us and the service may
have answered in its place after passing the request on. 429 says that the request was not let through. An error that
occurs before a write leaves (no token, no connection, no free line) is always a `NotSent` or a `NotAuthorised`,
whatever went wrong on the way to the token.

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
        """For how many seconds the provider, or whoever gives out its tokens, asks for a pause, if it does."""
        return None


class NotSent(ApiError):
    """Not one byte of the request has left."""

    may_have_acted = False


class NoToken(NotSent):
    """The call needed a token and none could be had; `reason` tells the token service's trouble apart."""

    def __init__(self, reason: ApiError) -> None:
        super().__init__(reason.sentence)
        self.reason = reason

    @property
    def rest(self) -> float | None:
        return self.reason.rest


class BadAddress(NotSent):
    """An address cannot be used; `field` is its name in `Addresses`, empty for one that a record names."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class TooLate(NotSent):
    """It was about to leave, and was not wanted any more: what had been asked about the order was too long ago."""

    def __init__(self) -> None:
        super().__init__(api_words.TOO_LATE)


class Closing(NotSent):
    """The connection is being left by ourselves: nothing is said by it of the provider or the call."""

    def __init__(self) -> None:
        super().__init__(api_words.CLOSING)


class SentUnknown(ApiError):
    """The request began to leave and the connection ended without an answer that settles it."""


class Refused(ApiError):
    """The provider understood enough to say no; `problem` holds its words, by field path where it gives them."""

    may_have_acted = False

    def __init__(self, sentence: str, problem: "Problem", status: int) -> None:
        super().__init__(sentence)
        self.problem = problem
        self.status = status


class NotAuthorised(ApiError):
    """Neither id and secret nor a new token are accepted; `code` is the OAuth error code where one was given."""

    may_have_acted = False

    def __init__(self, sentence: str, code: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code


class NotAllowed(ApiError):
    """The token lacks the permission for this operation."""

    may_have_acted = False


class NotFound(ApiError):
    """There is no such thing at the provider; `web_page` when a page for people said so, as a wrong address does."""

    may_have_acted = False

    def __init__(self, sentence: str, *, web_page: bool = False) -> None:
        super().__init__(sentence)
        self.web_page = web_page


class Busy(ApiError):
    """The provider asks for a pause of `retry_after` seconds (None: it did not say)."""

    def __init__(self, sentence: str, status: int, retry_after: float | None) -> None:
        super().__init__(sentence)
        self.status = status
        self.retry_after = retry_after

    @property
    def rest(self) -> float | None:
        return self.retry_after


class NotTaken(Busy):
    """A write came too soon after others and was turned back (429). Where nobody says for how long, a moment is enough:
    whoever sends waits longer each time."""

    may_have_acted = False

    @property
    def rest(self) -> float | None:
        return _MOMENT_S if self.retry_after is None else self.retry_after


class ServerFault(ApiError):
    """The provider failed while handling the call."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class BrokenReply(ApiError):
    """An answer that cannot be understood; `broke_off` when it ended early, so that asking again may help."""

    def __init__(self, sentence: str, *, broke_off: bool = False) -> None:
        super().__init__(sentence)
        self.broke_off = broke_off
