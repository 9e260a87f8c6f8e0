"""`POST {auth_url}/connect/token`: client credentials for a bearer token (services.md, "Authentication")."""

import hmac
from typing import Any

from aiohttp import web

from app.practice.keep.clients import Client
from app.practice.office import Office
from app.practice.web.formats import to_json

FORM = "application/x-www-form-urlencoded"
_QUIET = {"Cache-Control": "no-store"}


class TokenError(Exception):
    """An OAuth error: its code and a sentence."""

    def __init__(self, code: str, sentence: str, status: int = 400):
        super().__init__(sentence)
        self.code, self.sentence, self.status = code, sentence, status


async def token(office: Office, request: web.Request) -> web.StreamResponse:
    """Answers a token request."""
    try:
        client, scopes = _asked(office, request.content_type, dict((await request.post()).items()))
    except TokenError as error:
        return _refusal(office, error)
    bearer = office.tokens.give(client, frozenset(scopes))
    life = office.tokens.life
    record: dict[str, Any] = {
        "access_token": bearer,
        "expires_in": int(life) if life == int(life) else life,
        "token_type": "Bearer",
        **_granted(office, scopes),
    }
    return web.Response(text=to_json(record), content_type="application/json", headers=_QUIET)


def _asked(office: Office, content_type: str, fields: dict[str, Any]) -> tuple[Client, list[str]]:
    if content_type != FORM:
        raise TokenError("invalid_request", f"The request must be {FORM}.")
    if fields.get("grant_type") != "client_credentials":
        raise TokenError("unsupported_grant_type", "grant_type must be client_credentials.")
    if fields.get("response_type") != "token":
        raise TokenError("invalid_request", "response_type must be token.")
    client = _client(office, str(fields.get("client_id", "")), str(fields.get("client_secret", "")))
    return client, _scopes(office, client, str(fields.get("scope", "")).split())


def _client(office: Office, client_id: str, secret: str) -> Client:
    for client in office.clients.values():
        if client.client_id == client_id and hmac.compare_digest(client.secret.encode(), secret.encode()):
            return client
    raise TokenError("invalid_client", "The client id or the secret is wrong.", 401)


def _scopes(office: Office, client: Client, wanted: list[str]) -> list[str]:
    """The scopes to grant: exactly those asked for, all of the client's where none is asked for."""
    if not wanted:
        return list(client.scopes)
    refused = [scope for scope in wanted if scope not in client.scopes]
    granted = [scope for scope in dict.fromkeys(wanted) if scope in client.scopes]
    if refused and not (granted and office.switches.on("scopes-narrowed")):
        raise TokenError("invalid_scope", f"This client may not ask for {' '.join(refused)}.")
    return granted


def _granted(office: Office, scopes: list[str]) -> dict[str, Any]:
    if office.switches.on("scopes-absent"):
        return {}
    if office.switches.on("scopes-list"):
        return {"scopes": scopes}
    return {"scopes" if office.switches.on("scopes-word") else "scope": " ".join(scopes)}


def _refusal(office: Office, error: TokenError) -> web.Response:
    if office.switches.on("token-error-empty"):
        return web.Response(status=error.status)
    if office.switches.on("token-error-plain"):
        return web.Response(status=error.status, text=error.sentence)
    text = to_json({"error": error.code, "error_description": error.sentence})
    return web.Response(status=error.status, text=text, content_type="application/json", headers=_QUIET)
