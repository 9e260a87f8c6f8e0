"""`POST {auth_url}/connect/token`: client credentials for a bearer token (services.md, "Authentication")."""

import hmac
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import web

from app.practice.database.clients import Client
from app.practice.operation_answers import Refusal
from app.practice.running_service import RunningService
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


async def send_token(service: RunningService, request: web.Request) -> web.StreamResponse:
    """Answers a token request. Faults come here only where `fault-on` names the path."""
    if request.method != "POST":
        return web.Response(status=405, headers={"Allow": "POST"})
    faults = NO_FAULTS
    if service.switches.text("fault-on"):
        faults = throw_faults(service.switches, service.chance, request.path)
    stopped = await stop_before(service, request, faults)
    if stopped is not None:
        return stopped
    status, body, kind = await _reply(service, request)
    if faults.reset_after:
        reset(request)
    return await send_bytes(service, request, body, kind, status, faults)


async def _reply(service: RunningService, request: web.Request) -> tuple[int, bytes, str]:
    try:
        content_type = media_type(request.headers.get("Content-Type"))
        client, scopes = _asked(service, content_type, await _fields(service, request))
    except TokenError as error:
        return _refusal(service, error)
    life = service.tokens.life
    record: dict[str, Any] = {
        "access_token": service.tokens.issue(client, frozenset(scopes)),
        "expires_in": int(life) if life == int(life) else life,
        "token_type": "Bearer",
        **_granted(service, scopes),
    }
    return 200, to_json(record).encode(), JSON


async def _fields(service: RunningService, request: web.Request) -> dict[str, str]:
    """The fields of the form; nobody has shown a secret yet, so it is a short one."""
    try:
        body = await read_body(service, request, LARGEST_FORM)
    except Refusal as refusal:
        sentence = refusal.detail or " ".join(refusal.errors.get("", []))
        raise TokenError("invalid_request", sentence, refusal.status) from refusal
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def _asked(service: RunningService, content_type: str, fields: dict[str, str]) -> tuple[Client, list[str]]:
    if content_type != FORM:
        raise TokenError("invalid_request", f"The request must be {FORM}.")
    if fields.get("grant_type") != "client_credentials":
        raise TokenError("unsupported_grant_type", "grant_type must be client_credentials.")
    if fields.get("response_type") != "token":
        raise TokenError("invalid_request", "response_type must be token.")
    client = _client(service, fields.get("client_id", ""), fields.get("client_secret", ""))
    return client, _scopes(service, client, fields.get("scope", "").split())


def _client(service: RunningService, client_id: str, secret: str) -> Client:
    for client in service.clients.values():
        if client.client_id == client_id and hmac.compare_digest(client.secret.encode(), secret.encode()):
            return client
    raise TokenError("invalid_client", "The client id or the secret is wrong.", 401)


def _scopes(service: RunningService, client: Client, wanted: list[str]) -> list[str]:
    """The scopes to grant: exactly those asked for, all of the client's where none is asked for."""
    if not wanted:
        return list(client.scopes)
    refused = [scope for scope in wanted if scope not in client.scopes]
    granted = [scope for scope in dict.fromkeys(wanted) if scope in client.scopes]
    if refused and not (granted and service.switches.on("scopes-narrowed")):
        raise TokenError("invalid_scope", f"This client may not ask for {' '.join(refused)}.")
    return granted


def _granted(service: RunningService, scopes: list[str]) -> dict[str, Any]:
    if service.switches.on("scopes-absent"):
        return {}
    if service.switches.on("scopes-list"):
        return {"scopes": scopes}
    return {"scopes" if service.switches.on("scopes-word") else "scope": " ".join(scopes)}


def _refusal(service: RunningService, error: TokenError) -> tuple[int, bytes, str]:
    if service.switches.on("token-error-empty"):
        return error.status, b"", JSON
    if service.switches.on("token-error-plain"):
        return error.status, error.sentence.encode(), "text/plain; charset=utf-8"
    body = to_json({"error": error.code, "error_description": error.sentence}).encode()
    return error.status, body, JSON
