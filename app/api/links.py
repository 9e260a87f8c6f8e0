"""Fetches photos and documents from the addresses in records, which may hold anything (notes.md: `imageUrl`, `Url`).

Invariant: the token goes to the configured origins only, and no longer once a redirection has left them. Only http and
https are opened, and each hop of a redirection is checked. A path without a host belongs to the information service:
below /download/ it is tried under the service's prefix first; a bare file name is the photo of an audit.
"""

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote

import httpx2

from app.api import api_words
from app.api.answers import error_of
from app.api.auth import ProviderAuth
from app.api.carry import Origin, beginning, carry, origin_of, place_of, whole
from app.api.errors import ApiError, BadAddress, BrokenReply, NotAllowed, NotFound
from app.api.reply import Reply
from app.api.wire import Deadlines, Line, repeated, reply_of

# Redirections that are followed; two places that lead to each other end here.
_HOPS = 5
_LAST_PORT = 65_535
_LONGEST_SCHEME = 20  # letters; a longer one is no scheme
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")  # one that encodes nothing is part of a name
_UNFIT = re.compile(r"[\x00-\x1f\x7f\\]")


class Links:
    """Fetches from any address: `lines` are the provider's own, `foreign` makes the one without a token."""

    def __init__(
        self,
        root: str,
        lines: Mapping[Origin, Line],
        foreign: Callable[[], Line],
        auth: ProviderAuth,
        deadlines: Deadlines,
    ) -> None:
        self._root = root
        self._lines = lines
        self._foreign = foreign
        self._auth = auth
        self._deadlines = deadlines

    async def fetch(self, url: str, *, cap: int) -> Reply:
        """The file at `url`, at most `cap` bytes. Raises BadAddress for what is not opened, else any ApiError."""
        # Only "not found" leads to the next meaning: any other answer is about the file that was meant.
        first, *others = places_meant(url, self._root)
        try:
            return await repeated(lambda: self._follow(first, cap), self._deadlines.reads)
        except NotFound:
            if not others:
                raise
        return await repeated(lambda: self._follow(others[0], cap), self._deadlines.reads)

    async def _follow(self, url: httpx2.URL, cap: int) -> Reply:
        trusted = True
        for _ in range(_HOPS + 1):
            # Once outside, never trusted again: a stranger's redirection back to us must not make us send the token.
            trusted = trusted and self._auth.covers(url)
            outcome = await self._hop(url, cap, trusted=trusted)
            if isinstance(outcome, Reply):
                return outcome
            url = outcome
        raise BrokenReply(api_words.ENDLESS_REDIRECTION)

    async def _hop(self, url: httpx2.URL, cap: int, *, trusted: bool) -> Reply | httpx2.URL:
        """The file, or the address that this one redirects to."""
        line = self._lines[origin_of(url)] if trusted else self._foreign()
        limits = self._deadlines
        async with line.reads:
            request = line.client.build_request("GET", url, headers={"Accept": "*/*"})
            auth = self._auth if trusted else None
            response = await carry(line.client, request, auth=auth, seconds=limits.first_byte, write=False)
            try:
                if response.is_redirect and "location" in response.headers:
                    return _next_place(url, response.headers["location"])
                if not response.is_success:
                    raise await self._trouble(response, trusted=trusted)
                body = await whole(response, cap=cap, silence=limits.silence, total=limits.document)
                return reply_of(response, body)
            finally:
                await response.aclose()

    async def _trouble(self, response: httpx2.Response, *, trusted: bool) -> ApiError:
        status, silence = response.status_code, self._deadlines.silence
        if not trusted and status in (401, 403):
            return NotAllowed(f"{place_of(response.request.url)} does not show this file to everyone ({status}).")
        body = await beginning(response, silence=silence, total=silence)
        error = error_of(status, response.headers, body, write=False)
        return error or BrokenReply(api_words.no_file(status))


def places_meant(text: str, root: str) -> list[httpx2.URL]:
    """The addresses that a record's `text` may mean, the likeliest first; BadAddress for what is never opened."""
    text = _LONE_PERCENT.sub("%25", text.strip())
    if not text or _UNFIT.search(text):
        raise BadAddress(api_words.NO_ADDRESS)
    scheme = _SCHEME.match(text)
    if scheme is not None:
        return [_web(text)]
    base = _web(root)
    if text.startswith("//"):
        return [_web(f"{base.scheme}:{text}")]
    text = text.replace("#", "%23")  # of a path it can only be part of a name
    if not text.startswith("/"):
        folder = "/" if "/" in text else "/download/audit/"
        return [_web(root + folder + (text if "/" in text else quote(text, safe="%")))]
    rooted = _web(place_of(base) + text)
    prefixed = base.path.rstrip("/") and text.lower().startswith("/download/")
    return [_web(root + text), rooted] if prefixed else [rooted]


def _next_place(url: httpx2.URL, location: str) -> httpx2.URL:
    if _UNFIT.search(location):
        raise BadAddress(api_words.REDIRECTED_WRONG)
    try:
        joined = str(url.join(location))
    except (httpx2.InvalidURL, ValueError):
        joined = ""
    return _web(joined)


def _web(text: str) -> httpx2.URL:
    """An http or https address with a host and without a user name, or BadAddress."""
    try:
        url = httpx2.URL(text)
    except (httpx2.InvalidURL, ValueError):
        url = httpx2.URL("")
    if url.scheme not in ("http", "https") or not url.host or (url.port or 0) > _LAST_PORT:
        kind = _SCHEME.match(text)
        named = kind is not None and len(kind[1]) <= _LONGEST_SCHEME
        raise BadAddress(api_words.foreign_scheme(kind[1]) if kind and named else api_words.ADDRESS_UNREADABLE)
    return url.copy_with(username=None, password=None, fragment=None) if url.userinfo or url.fragment else url
