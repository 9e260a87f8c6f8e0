"""Runs the practice service until a signal or the end of standard input, then closes its file."""

import asyncio
import gc
import json
import os
import signal
import sys
import threading

from aiohttp import web

from app.practice.data_directory import open_service
from app.practice.database.clients import LIMITED, MAIN, OTHER
from app.practice.database.practice_schema import write_meta
from app.practice.options import Options
from app.practice.running_service import RunningService
from app.practice.services.document_operations import overage_load
from app.practice.web.app import build_app, build_foreign
from app.practice.web.control import PREFIX
from app.practice.web.token_endpoint import IDENTITY, TOKEN_PATH
from app.practice.world import name_tables

_HOST = "127.0.0.1"
_LONGEST_FAREWELL = 1.0  # seconds that replies under way may still take when the service stops
_LONGEST_LINGER = 10.0  # seconds in which the rest of a refused body is read, so that its caller gets the refusal
_CLOCK_KEPT_EVERY = 1.0


async def serve(options: Options) -> None:
    """Runs the service. Prints its facts as one JSON line when it takes calls."""
    gc.set_threshold(50_000, 20, 100)  # records of lists live for milliseconds and hold no circles
    service, lock = open_service(options)
    runners: list[web.AppRunner] = []
    try:
        service.origin = await _listen(runners, build_app(service), options.port, service.patience)
        service.foreign = await _listen(runners, build_foreign(service), 0, service.patience)
        stopped = asyncio.Event()
        _stop_on_signals(stopped)
        if options.stop_with_stdin:
            _stop_with_stdin(stopped)
        # Once it listens, and not before: the caller begins with this line.
        print(json.dumps(facts(service)), flush=True)  # noqa: T201 - the line that the caller waits for
        await _until(stopped, service)
    finally:
        # The servers first: a reply under way still needs threads and file.
        for runner in runners:
            await runner.cleanup()
        service.drawing_threads.shutdown(cancel_futures=True)
        service.parsing_thread.shutdown(cancel_futures=True)
        write_meta(service.connection, "clock", service.clock.saved_state())
        service.connection.close()
        # Last: the next process may open the file as soon as the lock is gone.
        lock.close()


async def _listen(runners: list[web.AppRunner], app: web.Application, port: int, patience: float) -> str:
    """Listen for an application; returns its address. A request head that takes too long closes its connection."""
    runner = web.AppRunner(
        app,
        access_log=None,
        handle_signals=False,
        shutdown_timeout=_LONGEST_FAREWELL,
        keepalive_timeout=patience,
        lingering_time=min(patience, _LONGEST_LINGER),
    )
    runners.append(runner)
    await runner.setup()
    await web.TCPSite(runner, _HOST, port).start()
    return f"http://{_HOST}:{runner.addresses[0][1]}"


def facts(service: RunningService) -> dict[str, str]:
    """The addresses, secrets and examples that a caller needs, printed as one JSON line."""
    found = {
        "base_url": service.origin,
        "info_base_url": service.info_base_url,
        "auth_url": f"{service.origin}{IDENTITY}",
        "token_url": f"{service.origin}{TOKEN_PATH}",
    }
    for kind, prefix in ((MAIN, ""), (OTHER, "other_"), (LIMITED, "limited_")):
        client = service.clients[kind]
        found[f"{prefix}client_id"] = client.client_id
        found[f"{prefix}client_secret"] = client.secret
    facility = name_tables.facilities()[0]
    return found | {
        "facility": facility.code,
        "commodity": name_tables.goods()[0].code,
        "zip": name_tables.places()[0].zip,
        "load": overage_load(service),
        "control_url": f"{service.origin}{PREFIX}",
        "foreign_url": service.foreign,
    }


async def _until(stopped: asyncio.Event, service: RunningService) -> None:
    """Wait for the end. A clock that does not run with the computer's is stored each second, in case of a kill."""
    while not stopped.is_set():
        try:
            await asyncio.wait_for(stopped.wait(), None if service.clock.speed == 1 else _CLOCK_KEPT_EVERY)
        except TimeoutError:
            write_meta(service.connection, "clock", service.clock.saved_state())


def _stop_on_signals(stopped: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stopped.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))


def _stop_with_stdin(stopped: asyncio.Event) -> None:
    """Stop at the end of standard input: a parent that dies closes the pipe, so the service never outlives it."""
    loop = asyncio.get_running_loop()

    # A thread, as Windows has no readiness of pipes for the event loop; a daemon, as its read cannot be interrupted.
    def watch() -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        loop.call_soon_threadsafe(stopped.set)

    threading.Thread(target=watch, name="stdin", daemon=True).start()
