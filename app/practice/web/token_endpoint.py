"""`POST {auth_url}/connect/token`: client credentials for a bearer token (services.md, "Authentication")."""

import hmac
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import web

from app.practice.database.clients import Client
from app.practice.operation_answers import Refusal
from app.practice.running_service import Office
from app.practice.web.bodies import LARGEST_FORM, read_body
from app.practice.web.dispatch import stop_before
from app.practice.web.fault_injection import NO_FAULTS, reset, throw_faults
from app.practice.web.formats import JSON, media_type, to_json
from app.practice.web.send import send_bytes

FORM = "application/x-www-form-urlencoded"
IDENTITY = "/identity"
TOKEN_PATH = f"{IDENTITY}/connect/token"


class TokenError(Exception):
    """An OAuth error: its code and a sentence."""

    def __init__(self, code: str, sentence: str, status: int = 400):
        super().__init__(sentence)
        self.code, self.sentence, self.status = code, sentence, status


async def send_token(office: Office, request: web.Request) -> web.StreamResponse:
    """Answers a token request. Faults come here only where `fault-on` names the path."""
    if request.method != "POST":
        return web.Response(status=405, headers={"Allow": "POST"})
    faults = NO_FAULTS
    if office.switches.text("fault-on"):
        faults = throw_faults(office.switches, office.chance, request.path)
    stopped = await stop_before(office, request, faults)
    if stopped is not None:
        return stopped
    status, body, kind = await _reply(office, request)
    if faults.reset_after:
        reset(request)
    return await send_bytes(office, request, body, kind, status, faults)


async def _reply(office: Office, request: web.Request) -> tuple[int, bytes, str]:
    try:
        content_type = media_type(request.headers.get("Content-Type"))
        client, scopes = _asked(office, content_type, await _fields(office, request))
    except TokenError as error:
        return _refusal(office, error)
    life = office.tokens.life
    record: dict[str, Any] = {
        "access_token": office.tokens.give(client, frozenset(scopes)),
        "expires_in": int(life) if life == int(life) else life,
        "token_type": "Bearer",
        **_granted(office, scopes),
    }
    return 200, to_json(record).encode(), JSON


async def _fields(office: Office, request: web.Request) -> dict[str, str]:
    """The fields of the form; nobody has shown a secret yet, so it is a short one."""
    try:
        body = await read_body(office, request, LARGEST_FORM)
    except Refusal as refusal:
        sentence = refusal.detail or " ".join(refusal.errors.get("", []))
        raise TokenError("invalid_request", sentence, refusal.status) from refusal
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def _asked(office: Office, content_type: str, fields: dict[str, str]) -> tuple[Client, list[str]]:
    if content_type != FORM:
        raise TokenError("invalid_request", f"The request must be {FORM}.")
    if fields.get("grant_type") != "client_credentials":
        raise TokenError("unsupported_grant_type", "grant_type must be client_credentials.")
    if fields.get("response_type") != "token":
        raise TokenError("invalid_request", "response_type must be token.")
    client = _client(office, fields.get("client_id", ""), fields.get("client_secret", ""))
    return client, _scopes(office, client, fields.get("scope", "").split())


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


def _refusal(office: Office, error: TokenError) -> tuple[int, bytes, str]:
    if office.switches.on("token-error-empty"):
        return error.status, b"", JSON
    if office.switches.on("token-error-plain"):
        return error.status, error.sentence.encode(), "text/plain; charset=utf-8"
    body = to_json({"error": error.code, "error_description": error.sentence}).encode()
    return error.status, body, JSON
