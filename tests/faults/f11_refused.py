"""F11: 200 calls meet a 401 together, and a 401 for good: one token, one more try each, then a clear answer; and
writes wait in the queue, never in doubt.
"""

import asyncio
import random
import tempfile
from pathlib import Path

from app.api.addresses import Addresses, Credentials
from app.api.errors import ApiError, NotAuthorised
from app.api.provider import Provider, open_provider
from app.contract.submission import wire_bytes
from app.desk.sending import outbox
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.workbench import STATUS, SUBMIT, bench
from tests.support.desks import QUICK, submission
from tests.support.fault_book import OrderBook
from tests.support.fault_server import FaultServer, start_fault_server
from tests.support.faults import Answer, answered, held

_CALLS = 200


def _open(server: FaultServer) -> Provider:
    """A client that lets all its calls be under way at once."""
    credentials = Credentials(server.tokens.client_id, server.tokens.client_secret)
    return open_provider(Addresses(**server.addresses), credentials, deadlines=QUICK, connections=_CALLS)


async def _call(provider: Provider, number: int, writes: set[int]) -> ApiError | None:
    try:
        if number in writes:
            await provider.management.submit_order(wire_bytes(submission(f"R-{number}")))
        else:
            await provider.management.order_status(reference=f"R-{number}")
    except ApiError as error:
        return error
    return None


async def _together(server: FaultServer, chance: random.Random, report: Report) -> None:
    """All calls are on the wire with a token that the provider then refuses."""
    writes = set(chance.sample(range(_CALLS), chance.randrange(_CALLS)))
    server.book = OrderBook()
    async with _open(server) as provider:
        await _call(provider, -1, set())
        gate, before, issued = server.gate(), len(server.seen()), server.tokens.issued
        server.plan_by(lambda seen: held(before=gate) if seen.path.endswith((SUBMIT, STATUS)) else None)
        calls = [asyncio.create_task(_call(provider, number, writes)) for number in range(_CALLS)]
        await server.until(before + _CALLS)
        server.tokens.revoke()
        gate.release()
        ends = await asyncio.gather(*calls)
    came = len([each for each in server.seen()[before:] if each.path.endswith((SUBMIT, STATUS))])
    report.tried += _CALLS
    report.check(ends == [None] * _CALLS, f"{sum(each is not None for each in ends)} calls failed")
    report.check(server.tokens.issued == issued + 1, f"{server.tokens.issued - issued} tokens were asked for")
    report.check(came == 2 * _CALLS, f"{came} requests for {_CALLS} calls")
    versions = [len(server.book.all(f"R-{number}")[0].versions) for number in writes]
    report.check(versions == [1] * len(writes), "an order came twice")


async def _for_good(server: FaultServer, report: Report) -> None:
    server.plan_by(lambda seen: answered(Answer(401)) if seen.path.endswith((SUBMIT, STATUS)) else None)
    async with _open(server) as provider:
        before, issued = len(server.seen()), server.tokens.issued
        ends = await asyncio.gather(*(_call(provider, number, {*range(0, _CALLS, 2)}) for number in range(_CALLS)))
    came = len([each for each in server.seen()[before:] if each.path.endswith((SUBMIT, STATUS))])
    report.tried += _CALLS
    report.check({type(each) for each in ends} == {NotAuthorised}, f"other ends: { {type(each) for each in ends} }")
    report.check(came == 2 * _CALLS, f"{came} requests for {_CALLS} calls that are refused for good")
    report.check(server.tokens.issued == issued + 2, f"{server.tokens.issued - issued} tokens were asked for")


async def _desk(server: FaultServer, folder: Path, number: int, report: Report) -> None:
    """A desk is refused for good: its writes wait, none in doubt, and leave once it is let in again."""
    async with bench(server, folder) as made:
        made.new_case(f"case-{number}")
        server.plan_by(lambda seen: answered(Answer(401)) if seen.path.endswith(SUBMIT) else None)
        for order in range(20):
            await outbox.queue_submission(made.desk, submission(f"R-{order}"), None)
        for _ in range(3):
            await outbox.drain(made.desk)
        report.check((await outbox.counts(made.desk))["queued"] == 20, "a write that was turned away does not wait")
        server.plan_by(None)
        await outbox.drain(made.desk)
        report.check((await outbox.counts(made.desk))["accepted"] == 20, "not all left once the desk was let in again")


def run(size: int, seed: int) -> Report:
    """`size` times 200 calls of each sort."""
    report = Report()
    with tempfile.TemporaryDirectory() as folder, start_fault_server() as server:
        for number in range(size):
            asyncio.run(_together(server, random.Random(f"{seed}/{number}"), report))
            asyncio.run(_for_good(server, report))
            asyncio.run(_desk(server, Path(folder), number, report))
    return report


FAULT = Measure("F11", "200 calls meet a 401 together, and for good: one token, one retry, a clear answer", run, 1, 20)
