"""One request made by hand, and everything that is known of its answer.

Sent once, whatever comes, except that a 401 is asked about once more with a new token as everywhere: it is a refusal
before anything is done. The bearer goes to the two configured services only, because a call names a path and never an
address. An answer is kept without the token, the secret and the password of the proxy, should it repeat them.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

import httpx2

from app.api import api_words
from app.api.answers import error_of
from app.api.auth import ProviderAuth
from app.api.carry import pieces
from app.api.errors import ApiError, BadAddress, BrokenReply
from app.api.wire import Wire

ANSWER_CAP = 32 * 1024 * 1024  # bytes of an answer that are read
PhaseName = Literal["wait", "connect", "tls", "send", "first byte", "body"]
PHASES: tuple[PhaseName, ...] = ("wait", "connect", "tls", "send", "first byte", "body")
_LARGE = 256 * 1024  # bytes; more takes longer to look through than a frame lasts
# By the end of the name of a step of the library: the phase that begins with it.
_BEGINS: tuple[tuple[str, PhaseName], ...] = (
    ("connect_tcp.started", "connect"),
    ("connect_tcp.complete", "wait"),
    ("start_tls.started", "tls"),
    ("start_tls.complete", "wait"),
    ("send_request_headers.started", "send"),
    ("send_request_body.complete", "first byte"),
    ("receive_response_headers.complete", "body"),
)
_CREDENTIALS = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie", "set-cookie2"})


@dataclass(frozen=True, slots=True)
class RawRequest:
    """A call to make. `path` follows the service's root, its values already quoted.

    `accept` is the media type that is asked for, empty for what the connection asks for everywhere.
    """

    service: Literal["management", "information"]
    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = field(default=None, repr=False)
    content_type: str = ""
    accept: str = ""
    writes: bool = False


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of the time that a call took, in seconds. A kept connection has no connect and no TLS."""

    name: PhaseName
    seconds: float


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """The outcome of a call. `status` 0: no answer came, and `sentence` says why and whether it may have arrived.

    `size` counts the body as it is here, unpacked; `cut`: it was longer than the cap and the rest was left out.
    `sentence` is empty for an answer of status 200 to 299; otherwise it says what the status means. `may_have_acted` is
    as in `errors`. `hidden` counts the places in which the token or the secret was left out. `rest` is for how many
    seconds the provider asks for a pause, None if it does not.
    """

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    content_type: str
    body: bytes = field(repr=False)
    size: int
    phases: tuple[Phase, ...]
    received_at: datetime
    sentence: str = ""
    cut: bool = False
    may_have_acted: bool = False
    hidden: int = 0
    rest: float | None = None

    @property
    def seconds(self) -> float:
        """The time of all phases."""
        return sum(each.seconds for each in self.phases)


def address_of(root: str, request: RawRequest) -> str:
    """The address that a request goes to, as it is sent."""
    return str(httpx2.URL(root + request.path, params=list(request.query) or None))


class RawCalls:
    """Calls by hand to a provider's two services."""

    def __init__(self, management: Wire, information: Wire, auth: ProviderAuth) -> None:
        self._wires = {"management": management, "information": information}
        self._auth = auth

    @property
    def granted(self) -> frozenset[str] | None:
        """The scopes of the token in use; None where no token was asked for yet, or the service did not say."""
        return self._auth.granted

    def root(self, service: Literal["management", "information"]) -> str:
        """The address that a path comes after."""
        return self._wires[service].root

    def accept(self, service: Literal["management", "information"]) -> str:
        """The media types that an answer of this service is asked for in where a call does not say."""
        return self._wires[service].accept

    def reveals(self, text: str) -> bool:
        """Whether a text holds a secret or a token, neither of which belongs into a call."""
        return self._auth.reveals(text)

    async def call(self, request: RawRequest, *, cap: int = ANSWER_CAP) -> RawAnswer:
        """Make the call once. What goes wrong is an answer too, with `status` 0 where none came.

        Raises BadAddress for a path that is none, and asyncio.CancelledError when it is stopped.
        """
        if not request.path.startswith("/"):
            raise BadAddress(api_words.NO_PATH)
        clock = _PhaseClock()
        try:
            answer = await self._answer(request, clock, cap)
        except ApiError as error:
            answer = _no_answer(error, clock, writes=request.writes)
        return await self._cleaned(answer)

    async def _answer(self, request: RawRequest, clock: "_PhaseClock", cap: int) -> RawAnswer:
        wire, wait = self._wires[request.service], self._wires[request.service].deadlines
        headers = [("Accept", request.accept or wire.accept), *request.headers]
        if request.body is not None:
            headers.append(("Content-Type", request.content_type))
        async with wire.exchange(
            request.method,
            request.path,
            request.query,
            headers,
            request.body,
            write=request.writes,
            watch=clock.step,
        ) as response:
            body, trouble, cut = await _read(response, cap, wait.silence, wait.document)
            return _answer_of(response, body, trouble, clock, cut=cut, writes=request.writes)

    async def _cleaned(self, answer: RawAnswer) -> RawAnswer:
        """The answer without the token and the secrets: from here on it may be kept, copied and shown."""
        if len(answer.body) > _LARGE:
            loop = asyncio.get_running_loop()
            body, places = await loop.run_in_executor(None, self._auth.clean, answer.body)
        else:
            body, places = self._auth.clean(answer.body)
        headers = []
        for name, value in answer.headers:
            clean, count = self._auth.clean(value.encode())
            credential = name.lower() in _CREDENTIALS
            headers.append((name, "…" if credential else clean.decode("utf-8", "replace")))
            places += max(count, int(credential))
        # The words of a refusal are in the sentence, too; they were counted in the body.
        sentence, reason = self._clean_text(answer.sentence), self._clean_text(answer.reason)
        return replace(answer, body=body, headers=tuple(headers), hidden=places, sentence=sentence, reason=reason)

    def _clean_text(self, text: str) -> str:
        return self._auth.clean(text.encode("utf-8", "replace"))[0].decode("utf-8", "replace")


class _PhaseClock:
    """How long each phase of a call took, by the library's steps.

    A call that is refused, and made again with a new token, adds up.
    """

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._took = dict.fromkeys(PHASES, 0.0)
        self._phase: PhaseName = "wait"
        self._since = now()

    def step(self, event: str) -> None:
        """A step of the library has begun or ended."""
        for ending, phase in _BEGINS:
            if event.endswith(ending):
                self._turn(phase)

    def phases(self) -> tuple[Phase, ...]:
        """Return the phases of the call up to now; a phase that took no time is left out."""
        self._turn(self._phase)
        return tuple(Phase(name, seconds) for name, seconds in self._took.items() if seconds > 0)

    def _turn(self, phase: PhaseName) -> None:
        now = self._now()
        self._took[self._phase] += now - self._since
        self._phase, self._since = phase, now


async def _read(response: httpx2.Response, cap: int, silence: float, total: float) -> tuple[bytes, str, bool]:
    """The body as far as it came, what went wrong with it, and whether it was longer than the cap."""
    body = bytearray()
    async with aclosing(pieces(response, silence=silence, total=total)) as parts:
        try:
            async for part in parts:
                body += part
                if len(body) > cap:
                    return bytes(body[:cap]), api_words.cut_off(cap // 1024), True
        except BrokenReply as error:
            return bytes(body), error.sentence, False
    return bytes(body), "", False


def _answer_of(
    response: httpx2.Response, body: bytes, trouble: str, clock: _PhaseClock, *, cut: bool, writes: bool
) -> RawAnswer:
    error = error_of(response.status_code, response.headers, body, write=writes)
    sentences = [error.sentence] if error is not None else []
    return RawAnswer(
        status=response.status_code,
        reason=response.reason_phrase,
        headers=tuple(response.headers.multi_items()),
        content_type=response.headers.get("content-type", ""),
        body=body,
        size=len(body),
        phases=clock.phases(),
        received_at=datetime.now(),
        sentence=" ".join([*sentences, trouble]).strip(),
        cut=cut,
        may_have_acted=writes and (error is None or error.may_have_acted),
        rest=None if error is None else error.rest,
    )


def _no_answer(error: ApiError, clock: _PhaseClock, *, writes: bool) -> RawAnswer:
    return RawAnswer(
        status=0,
        reason="",
        headers=(),
        content_type="",
        body=b"",
        size=0,
        phases=clock.phases(),
        received_at=datetime.now(),
        sentence=error.sentence,
        may_have_acted=writes and error.may_have_acted,
        rest=error.rest,
    )
