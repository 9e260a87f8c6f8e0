"""The way of a request: fault, route, token, scope, body, operation, reply."""

import asyncio
from collections.abc import Awaitable, Mapping

from aiohttp import web

from app.practice.bearer_tokens import Grant
from app.practice.operation_answers import Call, Outcome, Picture, Refusal
from app.practice.running_service import RunningService
from app.practice.services.registry import HANDLERS
from app.practice.web import formats
from app.practice.web.bodies import Understood, read_body, understand
from app.practice.web.drawn_files import send_picture
from app.practice.web.fault_injection import NO_FAULTS, Faults, reset, throw_faults
from app.practice.web.routes import Route, find_routes, storable
from app.practice.web.send import dated, send, send_problem

_SPEAKS_OF_403 = "third_party_logistics"


async def answer(service: RunningService, request: web.Request) -> web.StreamResponse:
    """Answers a request to one of the two services."""
    routes = find_routes(request.rel_url.raw_path)
    if not routes:
        return web.Response(status=404, headers=dated(service))
    route = next((each for each in routes if each.operation.method == request.method), None)
    if route is None:
        allowed = ", ".join(sorted({each.operation.method for each in routes}))
        return web.Response(status=405, headers=dated(service, {"Allow": allowed}))
    # After routing: chances are drawn only for known operations, so a stray request does not move a run's sequence.
    faults = throw_faults(service.switches, service.chance, request.path)
    stopped = await stop_before(service, request, faults)
    return stopped or await _act(service, request, route, faults)


async def stop_before(service: RunningService, request: web.Request, faults: Faults) -> web.StreamResponse | None:
    """Apply the faults that come before the operation acts; None if the request goes on."""
    if faults is NO_FAULTS:
        return None
    if faults.latency:
        await asyncio.sleep(faults.latency)
    if faults.reset_before:
        reset(request)
        return web.Response(status=500)
    if faults.refuse:
        retry = {} if faults.retry_after is None else {"Retry-After": f"{faults.retry_after:g}"}
        return web.Response(status=faults.refuse, headers=dated(service, retry))
    return None


async def _act(service: RunningService, request: web.Request, route: Route, faults: Faults) -> web.StreamResponse:
    media_type = formats.wanted_format(request.headers.get("Accept"))
    grant = _grant(service, request, faults)
    if grant is None:
        return web.Response(status=401, headers=dated(service, {"WWW-Authenticate": "Bearer"}))
    operation = route.operation
    try:
        if not grant.scopes.intersection(operation.scopes):
            if operation.name != _SPEAKS_OF_403:
                return web.Response(status=403, headers=dated(service))
            raise Refusal(403, "Not allowed.", f"The token lacks the scope {' or '.join(operation.scopes)}.")
        outcome = await _outcome(service, request, route, grant)
    except Refusal as refusal:
        return await send_problem(service, request, refusal, media_type, faults)
    # The operation has acted: this is the fault that leaves a write in doubt.
    if faults.reset_after:
        reset(request)
        return web.Response(status=500)
    if isinstance(outcome, Picture):
        return await send_picture(service, request, outcome, faults)
    return await send(service, request, outcome, media_type, faults)


def _grant(service: RunningService, request: web.Request, faults: Faults) -> Grant | None:
    found = service.tokens.find(request.headers.get("Authorization"))
    if found is None:
        return None
    token, grant = found
    # Revoked, not only refused: the client must get another token, and this one never works again.
    if faults.expire:
        service.tokens.revoke(token)
        return None
    return grant


async def _outcome(service: RunningService, request: web.Request, route: Route, grant: Grant) -> Outcome:
    operation, understood = route.operation, Understood()
    if operation.body:
        sent = await read_body(service, request)
        understood = await understand(service, operation, request.headers.get("Content-Type"), sent)
    # Read after the body, which may take long: the operation acts at this moment.
    now = service.clock.now()
    service.let_arrive(now)
    query = _query(request.query)
    call = Call(grant.client, operation, now, query, route.values, understood.body, understood.checked)
    outcome = HANDLERS[operation.name](service, call)
    return await outcome if isinstance(outcome, Awaitable) else outcome


def _query(query: Mapping[str, str]) -> dict[str, str]:
    """Parameters by lower-case name; the first of several holds."""
    found: dict[str, str] = {}
    for name, value in query.items():
        found.setdefault(name.lower(), storable(value))
    return found
