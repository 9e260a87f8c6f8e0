"""Plain HTTP calls to a practice service with the standard library: no client of ours stands between test and wire."""

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

MANAGEMENT = "/OrderManagementApi"
INFORMATION = "/OrderInformationApi"
TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def kind(self) -> str:
        """The media type without its settings."""
        return self.headers.get("content-type", "").partition(";")[0]

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass(slots=True)
class Caller:
    """Calls as one of the clients: `who` is empty, `other_` or `limited_`."""

    facts: Mapping[str, str]
    who: str = ""
    bearer: str = field(default="")

    def send(self, method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> Reply:
        """One request; `url` is absolute or a path on the service's host."""
        parts = urlsplit(url if "://" in url else self.facts["base_url"] + url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=TIMEOUT)
        try:
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            connection.request(method, target, body, dict(headers or {}))
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())
        finally:
            connection.close()

    def ask_token(self, **fields: str | None) -> Reply:
        """A token request with the fields of the contract, some of them replaced, or left out by None."""
        form: dict[str, str | None] = {
            "grant_type": "client_credentials",
            "response_type": "token",
            "client_id": self.facts[f"{self.who}client_id"],
            "client_secret": self.facts[f"{self.who}client_secret"],
        }
        form |= fields
        body = urlencode({name: value for name, value in form.items() if value is not None}).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.send("POST", self.facts["token_url"], body, kind)

    def token(self, scope: str | None = None) -> str:
        """A bearer token."""
        return str(self.ask_token(scope=scope).json()["access_token"])

    def headers(self) -> dict[str, str]:
        """The Authorization header of this caller, whose token is asked for once."""
        if not self.bearer:
            self.bearer = self.token()
        return {"Authorization": f"Bearer {self.bearer}"}

    def get(self, path: str, accept: str | None = None, **query: object) -> Reply:
        """A GET with the token."""
        headers = self.headers() | ({"Accept": accept} if accept else {})
        asked = urlencode({name: str(value) for name, value in query.items()}, quote_via=quote)
        return self.send("GET", f"{path}?{asked}" if asked else path, None, headers)

    def post(self, path: str, body: object, kind: str = "application/json", accept: str | None = None) -> Reply:
        """A POST with the token; a body that is no bytes goes as JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = self.headers() | {"Content-Type": kind} | ({"Accept": accept} if accept else {})
        return self.send("POST", path, data, headers)

    def switch(self, **switches: object) -> None:
        """Turns switches on and off while the service runs; `_` in a name stands for `-`."""
        body = {name.replace("_", "-"): value for name, value in switches.items()}
        reply = self.post(self.facts["control_url"] + "switches", body)
        assert reply.status == 200, reply.body

    def advance(self, seconds: float) -> None:
        """Lets time pass at the service."""
        assert self.post(self.facts["control_url"] + "clock", {"advance": seconds}).status == 200

    def behind_the_counter(self, reference: str) -> list[dict[str, Any]]:
        """Every order that the service holds under a reference, with its submission."""
        found: list[dict[str, Any]] = self.get(self.facts["control_url"] + "orders", reference=reference).json()
        return found
