"""The meaning of a status line or a broken connection: the one place where HTTP becomes the error tree.

Sentences name the address and the reason, never a query, a header or a body of ours.
"""

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from app.api import api_words
from app.api.errors import (
    ApiError,
    BrokenReply,
    Busy,
    NotAllowed,
    NotAuthorised,
    NotFound,
    NotTaken,
    Refused,
    SentUnknown,
    ServerFault,
)
from app.contract.replies import read_problem

_BUSY = (408, 429, 503)
_TOO_MANY = 429
_LONGEST_WAIT = 86_400.0
_LONGEST_WORDS = 300
_STATUS = re.compile(r"\s*([1-5][0-9]{2})\b")


def error_of(status: int, headers: Mapping[str, str], body: bytes, *, write: bool) -> ApiError | None:
    """The error that an answer means, or None for a success; `headers` are looked up in lower case.

    A redirection is never followed. For a read it is an answer that cannot be used. For a write it settles nothing: 303
    is how services say "done, look there", and a gateway may redirect after passing the request on.
    """
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        return _redirected(status, write=write)
    if status in _BUSY:
        return busy(status, retry_after(headers), write=write)
    if status >= 500:
        return ServerFault(_with_doubt(api_words.failed(status), write=write), status)
    return _refusal(status, headers, body)


def _redirected(status: int, *, write: bool) -> ApiError:
    if write:
        return SentUnknown(_with_doubt(api_words.write_redirected(status), write=True))
    return BrokenReply(api_words.read_redirected(status))


def _with_doubt(sentence: str, *, write: bool) -> str:
    """The sentence, and for a write that nobody knows whether it arrived."""
    return f"{sentence} {api_words.LOOK_UP}" if write else sentence


def busy(status: int, wait: float | None, *, write: bool) -> Busy:
    """The error of a provider that asks for a pause of `wait` seconds (None: it did not say)."""
    when = "" if wait is None else f" {api_words.asks_to_wait(wait)}"
    if write and status == _TOO_MANY:
        return NotTaken(f"{api_words.not_taken(status)}{when}", status, wait)
    return Busy(_with_doubt(f"{api_words.too_busy(status)}{when}", write=write), status, wait)


def _refusal(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    problem = read_problem(body, headers.get("content-type"))
    said = problem.sentence()[:_LONGEST_WORDS]
    if status == 401:
        return NotAuthorised(api_words.NOT_ACCEPTED)
    if status == 403:
        return NotAllowed(said or api_words.NOT_ALLOWED)
    if status == 404:
        page = "html" in headers.get("content-type", "").lower()
        return NotFound(said or api_words.NOTHING_THERE, web_page=page)
    if 400 <= status < 500:
        return Refused(said or api_words.refused(status), problem, status)
    return BrokenReply(api_words.strange_status(status))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a `Retry-After` asks for, as a number or as an HTTP date (against the provider's own `Date`)."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdecimal():
        # Nine digits are more than the longest wait, so the rest need not be read.
        return min(float(value[:9]), _LONGEST_WAIT)
    until = http_date(value)
    if until is None:
        return None
    now = http_date(headers.get("date", "")) or datetime.now(UTC)
    return min(max(0.0, (until - now).total_seconds()), _LONGEST_WAIT)


def http_date(value: str) -> datetime | None:
    """The moment in a header such as Date, with its zone; None if the header holds no moment."""
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    # The zone -0000 is read as none, and HTTP's dates are in UTC.
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def unreachable(address: str, error: BaseException) -> str:
    """The sentence for a connection that was never made; `address` is scheme, host and port."""
    status = proxy_status(error)
    if status is not None:
        return (api_words.proxy_forbids if 400 <= status < 500 else api_words.proxy_fails)(address, status)
    return f"{address} could not be reached: {_reason(error)}."


def proxy_status(error: BaseException) -> int | None:
    """The status with which a proxy refused to connect; None for any other error."""
    for each in causes_of(error):
        # The library puts the status before the proxy's own words.
        found = _STATUS.match(str(each)) if type(each).__name__ == "ProxyError" else None
        if found:
            return int(found[1])
    return None


def broke_off(address: str, error: BaseException, *, write: bool) -> SentUnknown:
    """The error for a connection that ended after the request had begun to leave."""
    sentence = api_words.no_answer(address) if _is_timeout(error) else api_words.broken_connection(address)
    return SentUnknown(_with_doubt(sentence, write=write))


def _is_timeout(error: BaseException) -> bool:
    return any(isinstance(each, TimeoutError) for each in causes_of(error))


def _reason(error: BaseException) -> str:
    causes = list(causes_of(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted ({cause.verify_message})"
        # The two that are left out say that a read would have to wait, not that TLS failed.
        if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLWantReadError | ssl.SSLWantWriteError):
            return "it does not speak TLS as expected"
        if isinstance(cause, socket.gaierror):
            return "the name is not known, or there is no network"
        if isinstance(cause, ConnectionRefusedError):
            return "nothing listens at that address"
    if _is_timeout(error):
        return "no connection in time"
    for cause in causes:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror[:1].lower() + cause.strerror[1:]
        if type(cause).__name__ == "ProxyError":
            return "the proxy between does not answer as one"
    return "the connection failed"


def causes_of(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what it was raised from, and the members of groups."""
    # `seen`, because an error may be its own context by way of others.
    pending, seen = [error], set[int]()
    while pending:
        each = pending.pop(0)
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        pending += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            pending += each.exceptions
