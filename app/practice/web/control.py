"""The control interface: tests and people change switches and clock of the running service, and read its tables.

It needs a token of the main client. Faults never touch these paths.
"""

import json
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from app.practice.database import order_table
from app.practice.database.clients import MAIN
from app.practice.database.other_records import kept_records
from app.practice.database.practice_schema import write_meta
from app.practice.json_form import read_json
from app.practice.operation_answers import Refusal
from app.practice.running_service import RunningService
from app.practice.switches import BadSwitch, Switches
from app.practice.web.bodies import LARGEST_FORM, read_body
from app.practice.web.formats import to_json
from app.practice.web.routes import storable
from app.practice.web.send import dated
from app.practice.world.seconds import LATEST, plain

PREFIX = "/practice/"


async def control(service: RunningService, request: web.Request) -> web.StreamResponse:
    """Answers a request below `/practice/`."""
    found = service.tokens.find(request.headers.get("Authorization"))
    if found is None or found[1].client.kind != MAIN:
        return web.Response(status=401, headers=dated(service, {"WWW-Authenticate": "Bearer"}))
    key = f"{request.method} {request.path.lower().removeprefix(PREFIX)}"
    try:
        if key == "POST switches":
            _set_switches(service, await _object(service, request))
        elif key == "POST clock":
            _set_clock(service, await _object(service, request))
        elif key not in {"GET switches", "GET clock", "GET orders", "GET records", "GET foreign"}:
            return web.Response(status=404, headers=dated(service))
    except BadSwitch as error:
        return web.Response(status=400, text=str(error), headers=dated(service))
    body = _shown(service, key.partition(" ")[2], request.query)
    return web.Response(text=to_json(body), content_type="application/json", headers=dated(service))


async def _object(service: RunningService, request: web.Request) -> dict[str, Any]:
    try:
        value = read_json(await read_body(service, request, LARGEST_FORM))
    except Refusal as refusal:
        raise BadSwitch(refusal.detail or " ".join(refusal.errors.get("", []))) from refusal
    if not isinstance(value, dict):
        raise BadSwitch("The body must be a JSON object.")
    return value


def _set_switches(service: RunningService, wanted: dict[str, Any]) -> None:
    """`{"latency": 200, "dates-zulu": true, "rate-429": "0.2:3", "nulls": null}`; null or false turns off."""
    changed = Switches(dict(service.switches.values))  # all of them or none: one may be refused
    for name, value in wanted.items():
        if value is None or value is False:
            changed.clear(name)
        else:
            changed.set(name, "" if value is True else str(value))
    service.switches.values = changed.values


def _set_clock(service: RunningService, wanted: dict[str, Any]) -> None:
    """`{"advance": SECONDS}` lets that much time pass at once."""
    seconds = wanted.get("advance")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= 10**9:
        raise BadSwitch('The clock takes {"advance": SECONDS}, 0 or more.')
    if service.clock.exact() + seconds > LATEST:
        raise BadSwitch("The clock goes no further than the year 2199.")
    service.clock.advance(seconds)
    # Stored at once, so that the next start does not go back in time.
    write_meta(service.connection, "clock", service.clock.saved_state())


def _shown(service: RunningService, what: str, query: Mapping[str, str]) -> object:
    if what == "clock":
        return {"now": plain(service.clock.now()), "speed": service.clock.speed}
    if what == "orders":
        return _orders(service, storable(query.get("reference", "")))
    if what == "records":
        return kept_records(service.connection, service.clients[MAIN].id, storable(query.get("operation", "")))
    if what == "foreign":
        return {"tokens_seen": service.foreign_tokens}
    return service.switches.shown()


def _orders(service: RunningService, reference: str) -> list[dict[str, Any]]:
    """Every order of the main client that ever had a reference, with the body that is kept and how often one came."""
    now = service.clock.now()
    shown = []
    for row in order_table.all_with_reference(service.connection, service.clients[MAIN].id, reference, now):
        times = service.connection.execute("SELECT times FROM submissions WHERE number = ?", (row.number,)).get
        shown.append(
            {
                "systemNumber": row.number,
                "queued": row.imported_at > now,
                "closed": row.closed_at <= now,
                "cancelled": bool(row.cancelled) and row.closed_at <= now,
                "submissions": times or 0,
                "body": json.loads(row.body) if row.body else None,
            }
        )
    return shown
