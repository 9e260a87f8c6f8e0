"""A second host with a port of its own. It needs no token and records every token that a client sends.

The switches image-foreign and pod-foreign point there. A client that sends a bearer token here has leaked it.
"""

from urllib.parse import unquote

from aiohttp import web

from app.contract.operations import OPERATIONS_BY_NAME, Operation
from app.practice.database.clients import MAIN
from app.practice.operation_answers import Call, Picture, Refusal
from app.practice.running_service import RunningService
from app.practice.services.registry import HANDLERS
from app.practice.web.drawn_files import send_picture
from app.practice.web.fault_injection import NO_FAULTS
from app.practice.web.routes import DOCUMENT

_FOLDERS: dict[str, Operation] = {"audit": OPERATIONS_BY_NAME["audit_image"], "order": DOCUMENT}


async def foreign(service: RunningService, request: web.Request) -> web.StreamResponse:
    """Gives out the main client's photos and documents at `/download/audit/NAME` and `/download/order/NAME`."""
    authorization = request.headers.get("Authorization")
    if authorization is not None:
        service.foreign_tokens.append(authorization)
    parts = [unquote(part) for part in request.rel_url.raw_path.strip("/").split("/")]
    operation = _FOLDERS.get(parts[1]) if len(parts) == 3 and parts[0] == "download" else None
    if operation is None or request.method != "GET":
        return web.Response(status=404)
    call = Call(service.clients[MAIN], operation, service.clock.now(), path={"Filename": parts[2]})
    try:
        picture = HANDLERS[operation.name](service, call)
    except Refusal as refusal:
        return web.Response(status=refusal.status)
    if not isinstance(picture, Picture):
        raise TypeError(f"{operation.name} gives pictures")
    return await send_picture(service, request, picture, NO_FAULTS)
