"""TLS in front of a service that speaks none: decrypts, and passes on to a port of this computer."""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

_CHUNK = 64 * 1024
_WAIT = 20.0


@contextmanager
def tls_front(context: ssl.SSLContext, port: int) -> Iterator[int]:
    """The port on which TLS is spoken, until the end of the block."""
    loop, ready, over = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    tasks: set[asyncio.Task[None]] = set()
    found: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            # asyncio logs the end of a connection whose task was cancelled: the end of the block cancels them.
            with suppress(OSError, asyncio.CancelledError):
                await carry(reader, writer)
        finally:
            tasks.discard(task)
            writer.close()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there = await asyncio.open_connection("127.0.0.1", port)
        try:
            up = asyncio.create_task(_pass_on(reader, there))
            try:
                await _pass_on(there_reader, writer)
            finally:
                up.cancel()  # the service has ended it: so it ends for the caller
                await asyncio.wait({up})
        finally:
            there.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        found.append(server.sockets[0].getsockname()[1])
        ready.set()
        await over.wait()
        server.close()
        for each in list(tasks):
            each.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=_WAIT)

    def work() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(run())

    thread = threading.Thread(target=work, name="tls front")
    with ExitStack() as end:
        thread.start()
        end.callback(thread.join)
        end.callback(lambda: loop.call_soon_threadsafe(over.set))
        assert ready.wait(_WAIT)
        yield found[0]


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(_CHUNK):
            writer.write(piece)
            await writer.drain()
        writer.close()  # TLS knows no half-closed line
