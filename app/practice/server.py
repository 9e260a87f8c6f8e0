"""Puts the practice service together, runs it until it is told to stop, and leaves its file in order."""

import asyncio
import json
import os
import secrets
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from random import Random

import apsw
from aiohttp import web

from app.practice.clock import start_clock
from app.practice.keep import fill
from app.practice.keep.clients import LIMITED, MAIN, OTHER, keep_clients
from app.practice.keep.schema import lock_folder, open_file, read_meta, write_meta
from app.practice.office import Office
from app.practice.options import FIRST_AUDITS, FIRST_ORDERS, Options
from app.practice.web import control, dispatch
from app.practice.web.token_endpoint import token
from app.practice.web.tokens import Tokens
from app.practice.world import tables

IDENTITY = "/identity"
LARGEST_BODY = 64 * 1024 * 1024
_FILE = "practice.sqlite"
_LONGEST_FAREWELL = 1.0  # seconds that replies under way may still take when the service stops
_CLOCK_KEPT_EVERY = 1.0


def open_office(options: Options) -> tuple[Office, apsw.Connection]:
    """The office of a data directory, filled, and the lock that keeps others out of it. Raises FolderInUse."""
    options.data.mkdir(parents=True, exist_ok=True)
    lock = lock_folder(options.data)
    connection = open_file(options.data / _FILE)
    seed = _seed(connection, options.seed)
    clock = start_clock(options.clock, read_meta(connection, "clock"), options.epoch)
    now = clock.now()
    first = read_meta(connection, "ready_until") is None
    clients = keep_clients(connection)
    orders = FIRST_ORDERS if first and options.orders is None else options.orders
    audits = FIRST_AUDITS if first and options.audits is None else options.audits
    if orders is not None:
        fill.fill_orders(connection, seed, clients[MAIN], orders, now)
    if first:
        fill.fill_others(connection, seed, clients.values(), now)
        fill.fill_audits(connection, clients[OTHER], 5, now)
        write_meta(connection, "ready_until", str(now))
    if audits is not None:
        fill.fill_audits(connection, clients[MAIN], audits, now)
    office = Office(
        folder=options.data,
        connection=connection,
        seed=seed,
        clock=clock,
        switches=options.switches,
        clients=clients,
        tokens=Tokens(options.token_life),
        chance=Random(seed),
        ready_until=int(read_meta(connection, "ready_until") or now),
    )
    dispatch.let_arrive(office, now)
    write_meta(connection, "clock", clock.kept())
    return office, lock


def _seed(connection: apsw.Connection, wanted: int | None) -> int:
    """The seed of the data directory: a world keeps the one that it was made with."""
    kept = read_meta(connection, "seed")
    if kept is not None:
        return int(kept)
    seed = wanted if wanted is not None else secrets.randbits(31)
    write_meta(connection, "seed", str(seed))
    return seed


async def serve(options: Options) -> None:
    """Runs the service. Prints its facts as one JSON line when it takes calls."""
    office, lock = open_office(options)
    runner = web.AppRunner(build_app(office), access_log=None, handle_signals=False, shutdown_timeout=_LONGEST_FAREWELL)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", options.port)
        await site.start()
        office.origin = f"http://127.0.0.1:{_port(runner)}"
        stopped = asyncio.Event()
        _stop_on_signals(stopped)
        if options.stop_with_stdin:
            _stop_with_stdin(stopped)
        print(json.dumps(facts(office)), flush=True)  # noqa: T201 - the line that the caller waits for
        await _until(stopped, office)
    finally:
        await runner.cleanup()
        office.draughtsmen.shutdown(cancel_futures=True)
        write_meta(office.connection, "clock", office.clock.kept())
        office.connection.close()
        lock.close()


def _port(runner: web.AppRunner) -> int:
    return int(runner.addresses[0][1])


def build_app(office: Office) -> web.Application:
    """The web application: token endpoint, practice control, and everything else to the two services."""

    async def answer(request: web.Request) -> web.StreamResponse:
        path = request.path.lower()
        if path == f"{IDENTITY}/connect/token":
            return await token(office, request) if request.method == "POST" else web.Response(status=405)
        if path.startswith(control.PREFIX):
            return await control.control(office, request)
        return await dispatch.answer(office, request)

    app = web.Application(client_max_size=LARGEST_BODY)
    app.router.add_route("*", "/{path:.*}", _named(answer))
    return app


def _named(
    answer: Callable[[web.Request], Awaitable[web.StreamResponse]],
) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    return answer


def facts(office: Office) -> dict[str, str]:
    """What a caller needs to know."""
    auth_url = f"{office.origin}{IDENTITY}"
    found = {
        "base_url": office.origin,
        "info_base_url": office.info_base_url,
        "auth_url": auth_url,
        "token_url": f"{auth_url}/connect/token",
    }
    for kind, prefix in ((MAIN, ""), (OTHER, "other_"), (LIMITED, "limited_")):
        client = office.clients[kind]
        found[f"{prefix}client_id"] = client.client_id
        found[f"{prefix}client_secret"] = client.secret
    facility = tables.facilities()[0]
    return found | {
        "facility": facility.code,
        "commodity": tables.goods()[0].code,
        "zip": tables.places()[0].zip,
        "control_url": f"{office.origin}{control.PREFIX}",
    }


async def _until(stopped: asyncio.Event, office: Office) -> None:
    """Waits for the end. A clock that does not run with the computer's is kept as it goes."""
    while not stopped.is_set():
        try:
            await asyncio.wait_for(stopped.wait(), None if office.clock.speed == 1 else _CLOCK_KEPT_EVERY)
        except TimeoutError:
            write_meta(office.connection, "clock", office.clock.kept())


def _stop_on_signals(stopped: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stopped.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))


def _stop_with_stdin(stopped: asyncio.Event) -> None:
    """A parent that dies closes the pipe: no service outlives its window."""
    loop = asyncio.get_running_loop()

    def watch() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        loop.call_soon_threadsafe(stopped.set)

    threading.Thread(target=watch, name="stdin", daemon=True).start()
