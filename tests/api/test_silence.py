"""F17 in small: a canary secret and a canary consignee through failing runs, and where neither may be found."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable
from contextlib import suppress
from datetime import date

import pytest

from app.api.errors import ApiError
from app.api.provider import Provider
from tests.api.conftest import SHORT, Open, order
from tests.support.fault_server import FaultServer
from tests.support.faults import (
    Answer,
    Fault,
    act_then_drop,
    answered,
    cut_head,
    dripping,
    drop_before,
    drop_unread,
    json_answer,
    malformed,
    truncated,
)

pytestmark = pytest.mark.asyncio
SECRET, NAME, STREET = "canary-secret-77", "Canary Consignee", "Canary Street"
WORDS = (SECRET, NAME, STREET.replace(" ", "%20"), STREET, "token-1", "token-2", "Bearer t")

FAULTS = [
    drop_unread(),
    drop_before(),
    act_then_drop().with_reset(),
    cut_head(20),
    truncated(4),
    dripping(1, 0.2),
    malformed(b"HTTP/9.9 nonsense\r\n\r\n"),
    answered(Answer(401)),
    answered(Answer(403)),
    answered(json_answer({}, 429, retry_after="0")),
    answered(Answer(500, SECRET.encode(), "text/plain")),
    answered(Answer(200, b'{"broken": ' + NAME.encode())),
    answered(Answer(200, f"<html>{SECRET} {NAME}</html>".encode(), "text/html")),
    answered(Answer(302, headers=(("Location", f"https://elsewhere.invalid/?{SECRET}"),))),
]


def everything_said_about(error: BaseException) -> str:
    """What a log, a report or a debugger that prints exceptions could show, with every error behind this one."""
    seen: list[BaseException] = []
    pending: list[BaseException | None] = [error]
    while pending:
        each = pending.pop()
        if each is not None and each not in seen:
            seen.append(each)
            pending += [each.__cause__, each.__context__]
    parts = ["".join(traceback.format_exception(error))]
    parts += [f"{each!r} {each} {vars(each)!r}" for each in seen]
    return "\n".join(parts)


def calls(provider: Provider) -> list[Awaitable[object]]:
    """One of each kind of call, with a canary wherever a call has room for one."""
    return [
        provider.management.submit_order(order("R-1", NAME)),
        provider.management.order_status(reference=STREET),
        provider.information.open_orders(date(2026, 1, 1), date(2026, 1, 2)).all(),
        provider.information.fetch(f"/photos/{STREET}.jpg?who={NAME}"),
        provider.auth.request_token(),
    ]


@pytest.mark.parametrize("at", ["/connect/token", ""])
@pytest.mark.parametrize("fault", FAULTS, ids=str)
async def test_no_error_and_no_log_tells(
    fault_server: FaultServer, open_on: Open, caplog: pytest.LogCaptureFixture, fault: Fault, at: str
) -> None:
    caplog.set_level(logging.DEBUG)
    fault_server.tokens.client_secret = SECRET
    fault_server.plan_by(lambda seen: fault if seen.path.endswith(at) and (at or "token" not in seen.path) else None)
    said: list[str] = []
    async with open_on(fault_server, deadlines=SHORT) as provider:
        for call in calls(provider):
            try:
                await call
            except ApiError as error:
                said.append(everything_said_about(error))
        said.append(f"{provider!r} {provider.auth!r} {vars(provider)!r} {vars(provider.auth)!r}")
    assert len(said) > 1
    text = "\n".join([*said, caplog.text])
    # What the provider itself says of a refusal is passed on; everything of ours is not.
    passed_on = SECRET if fault.answer is not None and fault.answer.body == SECRET.encode() else None
    assert [word for word in WORDS if word in text and word != passed_on] == []


async def test_a_wrong_secret_is_not_repeated_to_anyone(
    fault_server: FaultServer, open_on: Open, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = json_answer({"error": SECRET.replace("-", "_"), "error_description": f"bad secret {SECRET}"}, 400)
    fault_server.plan(answered(echo), "/connect/token", times=None)
    async with open_on(fault_server, secret=SECRET) as provider:
        with pytest.raises(ApiError) as caught:
            await provider.management.submit_order(order("R-1", NAME))
    assert SECRET not in everything_said_about(caught.value) + caplog.text
    assert SECRET.encode() in fault_server.seen("/connect/token")[0].body


async def test_a_reply_shows_its_status_and_not_its_content(fault_server: FaultServer, open_on: Open) -> None:
    async with open_on(fault_server) as provider:
        fault_server.serve("/a.txt", Answer(200, NAME.encode(), "text/plain"))
        reply = await provider.information.fetch("/a.txt")
    assert "status=200" in repr(reply)
    assert NAME not in repr(reply)


async def test_a_cancelled_call_says_nothing(
    fault_server: FaultServer, open_on: Open, caplog: pytest.LogCaptureFixture
) -> None:
    gate = fault_server.gate()
    fault_server.plan(Fault(before=gate), "/Order/submit")
    async with open_on(fault_server) as provider:
        task = asyncio.create_task(provider.management.submit_order(order("R-1", NAME)))
        await fault_server.until(1, "/Order/submit")
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    gate.release()
    assert NAME not in caplog.text
