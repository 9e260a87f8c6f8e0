"""The provider's token: requested once for all waiting calls, and sent to the configured origins only.

Invariants:
- At most one token request runs. Cancelling a call that waits for the token does not cancel the request.
- A 401 renews the token once for all calls that were refused with the same token. A second 401 is the answer.
- At most `MOST_REFUSALS` refusals in `REFUSALS_S` seconds lead to a token request; after that a refusal is the answer
  at once. A refusal that a new token cured does not count.
- A token service that answers Retry-After is not called before then.
- Neither secret nor token appears in a representation, an error or a log.
"""

import asyncio
import json
import math
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from urllib.parse import quote, quote_plus

import httpx2

from app.api import api_words
from app.api.addresses import Credentials
from app.api.answers import busy, error_of
from app.api.carry import Origin, beginning, carry, origin_of, place_of, whole
from app.api.errors import ApiError, BrokenReply, Busy, Closing, NotAuthorised, NoToken
from app.contract.replies import TokenReply, decode, read_token

_MARGIN = 60.0  # seconds before its end that a token is no longer used
_SHORT_LIFE = 120.0  # a token that lives less than this is used for half its life
_UNSAID_LIFE = 120.0  # assumed where the reply does not say
# Seconds: a token service may name years, and its answer may be wrong.
_LONGEST_LIFE = 86_400.0
# Refusals, of a token or by the token service, after each of which it is asked again. One more would be answered as
# these were: a client that is refused for good asks the token service no more often, however many calls there are.
MOST_REFUSALS, REFUSALS_S = 4, 60.0
_LONGEST_REST = 600.0  # what asks for more may have meant something else, and is asked again by then
_REPLY_CAP = 256 * 1024
_LEFT_OUT = "‹left out›".encode()
_TELLING = 8  # characters
_WRONG_CLIENT = ("invalid_client", "unauthorized_client", "access_denied")


@dataclass(frozen=True, slots=True)
class Grant:
    """The grant of the token service: its scopes (None if the service named none), and its life in seconds."""

    scopes: frozenset[str] | None
    seconds: float


@dataclass(frozen=True, slots=True)
class _Token:
    value: str = field(repr=False)
    good_until: float


class ProviderAuth(httpx2.Auth):
    """One profile's token, attached by the HTTP library to each request for one of `origins`."""

    def __init__(
        self,
        client: httpx2.AsyncClient,
        token_url: str,
        credentials: Credentials,
        origins: frozenset[Origin],
        *,
        scopes: tuple[str, ...],
        seconds: float,
        further_secrets: tuple[str, ...] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._further_secrets = further_secrets  # of the way there: the password of a proxy
        self._token_url = token_url
        self._credentials = credentials
        self._origins = origins
        self._scopes = scopes
        self._seconds = seconds
        self._clock = clock
        self._held: _Token | None = None
        self._flight: asyncio.Task[_Token] | None = None
        # When the latest came, and of which token; of none where the token service refused.
        self._refusals = deque[tuple[float, _Token | None]](maxlen=MOST_REFUSALS)
        self._refusal: NotAuthorised | None = None  # by the token service, if that was its last answer
        self._left_alone: Busy | None = None  # how it asked for a rest, which is not over before `_alone_until`
        self._alone_until = 0.0
        self._shown = deque[_Token](maxlen=8)  # the latest tokens: an answer may repeat one that has ended
        self.granted: frozenset[str] | None = None

    def __repr__(self) -> str:
        return f"<ProviderAuth {self._credentials.client_id!r} at {self._token_url}>"

    def covers(self, url: httpx2.URL) -> bool:
        """Whether the token may be shown to this address."""
        return origin_of(url) in self._origins

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """The library's hook: attach the token, and after a 401 send the request once more with a new token."""
        if not self.covers(request.url):
            yield request
            return
        token = await self._token_for_a_call(None)
        request.headers["Authorization"] = f"Bearer {token.value}"
        response = yield request
        # Where the token was replaced meanwhile, the new one is tried without asking the token service.
        if response.status_code == 401 and (token is not self._held or self._may_ask_again()):
            refused, token = token, await self._token_for_a_call(token)
            request.headers["Authorization"] = f"Bearer {token.value}"
            response = yield request
            if response.status_code != 401:
                self._forgive(refused)

    async def request_token(self, scopes: tuple[str, ...] | None = None) -> Grant:
        """Ask for a token with `scopes` (default: the profile's), to learn whether and what is granted.

        Raises NotAuthorised (`code` "invalid_scope" when only the scopes are the trouble), NotSent when the address
        cannot be reached, BrokenReply when what answers there is no token service. Does not replace the token in use.
        """
        reply = await self._ask(self._scopes if scopes is None else scopes)
        return Grant(reply.granted, _life(reply))

    def ask_once_more(self) -> None:
        """Allow one more token request, however many refusals there were lately: a person wants an answer."""
        if self._refusals:
            self._refusals.popleft()

    def clean(self, data: bytes) -> tuple[bytes, int]:
        """The bytes without any token of late and without a secret, and in how many places one was left out."""
        places = 0
        for each in self._secret_forms():
            places += data.count(each)
            data = data.replace(each, _LEFT_OUT)
        return data, places

    def reveals(self, text: str) -> bool:
        """Whether a text holds a token of late or a secret."""
        data = text.encode("utf-8", "replace")
        return any(each in data for each in self._secret_forms())

    def _secret_forms(self) -> set[bytes]:
        """The tokens and secrets as they are, and as JSON and addresses write them."""
        # One of a few characters stands in any text by chance, and is no secret.
        # A copy: calls with a long body are looked through on another thread, while a new token may come.
        known = [
            *(token.value for token in tuple(self._shown)),
            self._credentials.client_secret,
            *self._further_secrets,
        ]
        secrets = [each for each in known if len(each) >= _TELLING]
        forms = {
            form for each in secrets for form in (each, json.dumps(each)[1:-1], quote(each, safe=""), quote_plus(each))
        }
        return {each.encode() for each in forms}

    async def aclose(self) -> None:
        """Give up a token request that is still under way, and forget the token."""
        self._held = None
        self._shown.clear()
        if self._flight is not None:
            self._flight.cancel()
            await asyncio.wait({self._flight})

    async def _token_for_a_call(self, refused: _Token | None) -> _Token:
        """A token. Raises `NotAuthorised`, `Closing` or `NoToken`: in each case no byte of the call has left."""
        try:
            return await self._token(refused)
        except NotAuthorised as error:
            # A new error for each call: one object that several tasks raise would collect the tracebacks of all of
            # them.
            raise NotAuthorised(error.sentence, error.code) from None
        except Closing:
            raise
        except ApiError as error:
            raise NoToken(error) from None

    async def _token(self, refused: _Token | None) -> _Token:
        held = self._held
        if held is not None and held is not refused and self._clock() < held.good_until:
            return held
        if self._flight is None:
            self._stop_at_refusal()
            if held is not None and held is refused:
                self._refusals.append((self._clock(), refused))
            # A task of its own, because several calls wait for it: the request must not end with the call that began
            # it.
            self._flight = asyncio.create_task(self._renew(), name="token")
            self._flight.add_done_callback(_take_note)
        flight = self._flight
        await asyncio.wait({flight})  # a call that is cancelled here leaves the request running
        if flight.cancelled():
            raise Closing()
        return flight.result()

    def _forgive(self, token: _Token) -> None:
        """Drop the refusal of this token: the provider accepted a new one, so this one had only ended early."""
        self._refusals = deque([each for each in self._refusals if each[1] is not token], MOST_REFUSALS)

    def _may_ask_again(self) -> bool:
        """Whether the token service may be called: there were few enough refusals lately."""
        seen = self._refusals
        return len(seen) < MOST_REFUSALS or self._clock() >= seen[0][0] + REFUSALS_S

    def _stop_at_refusal(self) -> None:
        """Raise the last answer of the token service, if the service is not to be called again yet."""
        left = self._alone_until - self._clock()
        if self._left_alone is not None and left > 0:
            raise busy(self._left_alone.status, left, write=False)
        if self._refusal is not None and not self._may_ask_again():
            raise NotAuthorised(self._refusal.sentence, self._refusal.code)

    async def _renew(self) -> _Token:
        asked = self._clock()
        self._refusal = self._left_alone = None
        try:
            reply = await self._ask(self._scopes)
            life = _life(reply)
            usable = life - _MARGIN if life >= _SHORT_LIFE else life / 2
            # From the moment of asking: the answer may have taken a while, and the life counts from when the token was
            # made.
            self._held = _Token(reply.access_token, asked + usable)
            self._shown.append(self._held)
            self.granted = reply.granted
            return self._held
        except NotAuthorised as error:
            self._refusal = error
            self._refusals.append((self._clock(), None))
            raise
        except Busy as error:
            if error.retry_after is not None:
                self._left_alone = error
                self._alone_until = self._clock() + min(error.retry_after, _LONGEST_REST)
            raise
        finally:
            self._flight = None

    async def _ask(self, scopes: tuple[str, ...]) -> TokenReply:
        form = {
            "grant_type": "client_credentials",
            "scope": " ".join(scopes),
            "client_id": self._credentials.client_id,
            "client_secret": self._credentials.client_secret,
            "response_type": "token",
        }
        headers = {"Accept": "application/json"}
        request = self._client.build_request("POST", self._token_url, data=form, headers=headers)
        response = await carry(self._client, request, auth=None, seconds=self._seconds, write=False)
        try:
            return await self._read_answer(response, scopes)
        finally:
            await response.aclose()

    async def _read_answer(self, response: httpx2.Response, scopes: tuple[str, ...]) -> TokenReply:
        status, limits = response.status_code, {"silence": self._seconds, "total": self._seconds}
        if response.is_success:
            reply = read_token(await whole(response, cap=_REPLY_CAP, **limits))
            if reply is not None:
                return reply
        body = b"" if response.is_success else await beginning(response, **limits)
        if status in (400, 401, 403):
            raise _refusal(status, body, scopes)
        if status == 429 or status >= 500:
            error = error_of(status, response.headers, body, write=False)
            if error is not None:
                raise error
        place = place_of(response.request.url)
        raise BrokenReply(f"{place} answered ({status}), but not as a token service: check the address.")


def _take_note(flight: asyncio.Task[_Token]) -> None:
    """Mark the failure of a token request as seen, so that asyncio reports none once every waiting call is gone."""
    if not flight.cancelled():
        flight.exception()


def _life(reply: TokenReply) -> float:
    seconds = reply.expires_in
    return min(seconds, _LONGEST_LIFE) if math.isfinite(seconds) and seconds > 0 else _UNSAID_LIFE


def _refusal(status: int, body: bytes, scopes: tuple[str, ...]) -> NotAuthorised:
    """The refusal in words of ours: the words of a token service may repeat the request with its secret."""
    data = decode(body)
    said = data.get("error") if isinstance(data, dict) else None
    code = said if isinstance(said, str) and said.isascii() and said.replace("_", "").isalpha() else None
    if code == "invalid_scope":
        sentence = api_words.scopes_refused(", ".join(scopes))
    elif code in _WRONG_CLIENT or (code is None and status == 401):
        sentence = api_words.WRONG_CLIENT
    else:
        why = f"{status}, {code[:40]}" if code else str(status)
        sentence = api_words.access_refused(why)
    return NotAuthorised(sentence, code[:40] if code else None)
