"""Connections under cancellation: none is lost, none is handed on with another call's answer in it."""

import asyncio
import json
import random

import pytest
from httpcore2._backends.anyio import AnyIOStream

from app.api.errors import ApiError
from app.api.network import connection_pool
from app.api.provider import Provider
from tests.api.conftest import Open, order
from tests.support.fault_server import FaultServer, Seen
from tests.support.faults import Answer, Fault, drop_before, truncated

pytestmark = pytest.mark.asyncio


def echo(seen: Seen) -> Answer:
    """Status as the service gives it, about whatever was asked, and long enough to come in several pieces."""
    record = {"orderReferenceNumber": seen.query["OrderReferenceNumber"], "status": "Received", "pad": "x" * 20_000}
    return Answer(200, json.dumps(record).encode())


async def test_a_third_of_the_reads_cancelled_leaves_the_pool_whole(fault_server: FaultServer, open_on: Open) -> None:
    """F10 in small: each answer belongs to its question, and the pool ends with no more connections than lines."""
    chance = random.Random(7)
    fault_server.serve("/OrderManagementApi/Order/status", echo)

    async def one(provider: Provider, number: int) -> bool:
        call = asyncio.create_task(provider.management.order_status(reference=f"R-{number}"))
        if chance.random() < 0.3:
            for _ in range(chance.randrange(12)):
                await asyncio.sleep(0)
            call.cancel()
        await asyncio.wait([call])
        if call.cancelled():
            return False
        assert call.result().mentions_reference
        return True

    async with open_on(fault_server, connections=8) as provider:
        done = 0
        for batch in range(10):
            done += sum(await asyncio.gather(*(one(provider, batch * 100 + each) for each in range(100))))
        assert done < 1_000
        assert fault_server.open_connections <= 8
        for number in range(50):
            assert (await provider.management.order_status(reference=f"after-{number}")).mentions_reference
    await fault_server.until_connections(0)


async def test_broken_and_cancelled_calls_never_mix_answers(fault_server: FaultServer, open_on: Open) -> None:
    chance = random.Random(11)
    fault_server.serve("/OrderManagementApi/Order/status", echo)
    fates = [drop_before(), truncated(9_000), Fault(drip=(7_000, 0.001)), None, None, None]
    fault_server.plan_by(lambda seen: chance.choice(fates) if "status" in seen.path else None)

    async def one(provider: Provider, number: int) -> None:
        try:
            async with asyncio.timeout(chance.choice([0.001, 0.01, 5.0])):
                reading = await provider.management.order_status(reference=f"R-{number}")
        except (ApiError, TimeoutError):
            return
        assert reading.mentions_reference

    async with open_on(fault_server, connections=4) as provider:
        await asyncio.gather(*(one(provider, number) for number in range(400)))
        fault_server.plan_by(None)
        await asyncio.gather(*(provider.management.order_status(reference=f"R-{each}") for each in range(20)))
    await fault_server.until_connections(0)


async def test_writes_have_lines_of_their_own(fault_server: FaultServer, open_on: Open) -> None:
    """An order goes out at once though every line for reads is held."""
    gate = fault_server.gate()
    fault_server.plan(Fault(before=gate), "/Order/status", times=None)
    async with open_on(fault_server, connections=3) as provider:
        reads = [asyncio.create_task(provider.management.order_status(reference=str(each))) for each in range(9)]
        await fault_server.until(3, "/Order/status")
        await provider.management.submit_order(order("R-1"))
        assert len(fault_server.seen("/Order/status")) == 3
        gate.release()
        await asyncio.gather(*reads)


async def test_a_provider_that_is_closed_while_calls_connect_leaves_no_connection(
    fault_server: FaultServer, open_on: Open
) -> None:
    """The library forgets a connection that is being made when its pool is closed; it would stay open for good."""
    fault_server.serve("/OrderManagementApi/Order/status", echo)
    for turns in range(40):
        async with open_on(fault_server) as provider:
            await provider.management.order_status(reference="brings the token")
            calls = [asyncio.create_task(provider.management.order_status(reference=f"R-{each}")) for each in range(4)]
            for _ in range(turns):
                await asyncio.sleep(0)
        ended = await asyncio.gather(*calls, return_exceptions=True)
        await fault_server.until_connections(0)
        assert all(isinstance(each, ApiError) or each.mentions_reference for each in ended), ended  # type: ignore[union-attr]


async def test_an_idle_connection_is_asked_for_its_socket_once(
    fault_server: FaultServer, open_on: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library asks at each request for all that is known of every idle connection."""
    fault_server.serve("/OrderManagementApi/Order/status", echo)
    of_library, asked = connection_pool._ask, list[AnyIOStream]()

    def ask(stream: AnyIOStream, info: str) -> object:
        assert info != "is_readable"
        if info == "socket":
            asked.append(stream)
        return of_library(stream, info)

    monkeypatch.setattr(connection_pool, "_ask", ask)
    async with open_on(fault_server, connections=4) as provider:
        for number in range(20):
            calls = [provider.management.order_status(reference=f"R-{number}-{each}") for each in range(4)]
            assert all(each.mentions_reference for each in await asyncio.gather(*calls))
    assert len(asked) == len(set(asked)) >= 4


async def test_a_call_that_is_cancelled_while_expired_connections_are_closed_leaves_none_open(
    fault_server: FaultServer, open_on: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library forgets expired connections before it closes them, a turn of the loop each."""
    monkeypatch.setattr("app.api.provider._KEPT_ALIVE", 0.1)
    fault_server.serve("/OrderManagementApi/Order/status", echo)
    for turns in range(12):
        async with open_on(fault_server) as provider:
            await provider.management.order_status(reference="brings the token")
            calls = [provider.management.order_status(reference=f"R-{each}") for each in range(4)]
            await asyncio.gather(*calls)
            await asyncio.sleep(0.11)  # the pool looks at the clock
            late = asyncio.create_task(provider.management.order_status(reference="late"))
            for _ in range(turns):
                await asyncio.sleep(0)
            late.cancel()
            await asyncio.wait([late])
        await fault_server.until_connections(0)
