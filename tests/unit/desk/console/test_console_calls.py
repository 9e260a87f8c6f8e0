"""Calls by hand from the form to the history: judged, agreed to, sent once, remembered; orders through the outbox."""

import asyncio
import json
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from app.contract.codes import SCOPE_INFO_ORDERS, Format
from app.contract.submission import wire_bytes
from app.desk.console.calls import call_history
from app.desk.console.calls import calls_words as words
from app.desk.console.calls.answer_values import Answers
from app.desk.console.calls.judge_call import judge
from app.desk.console.calls.request_draft import RequestDraft
from app.desk.console.calls.send_call import CannotBeSent, NotAgreed, send
from app.desk.console.console_operations import operations
from app.desk.desk import Desk
from app.desk.sending import outbox
from app.store.console import call_store
from app.store.console.console_file import ConsoleFile
from tests.support.desks import submission
from tests.support.fault_server import MANAGEMENT, FaultServer, Seen
from tests.support.faults import Answer, act_then_drop, answered, held, json_answer

pytestmark = pytest.mark.asyncio
BY_NAME = {each.name: each for each in operations(None)}
ORDER = wire_bytes(submission("CON-1")).decode()


def draft(name: str, body: str = "", **parameters: str) -> RequestDraft:
    return RequestDraft(BY_NAME[name].key, tuple(parameters.items()), body)


def on_production(desk: Desk) -> Desk:
    desk.profile = replace(desk.profile, kind="production")
    return desk


# Judging


async def test_a_read_needs_no_yes_anywhere(desk: Desk) -> None:
    found = judge(on_production(desk), BY_NAME["facilities"], draft("facilities"), Answers())
    assert (found.stops, found.question, found.road) == ((), "", "call")


async def test_a_write_on_production_names_what_it_will_do(desk: Desk) -> None:
    made = draft("partner_a_reserve_slot", '{"slotId": "F-1", "orderReferenceNumber": "CRN-7"}')
    operation = BY_NAME["partner_a_reserve_slot"]
    assert judge(desk, operation, made, Answers()).question == ""
    question = judge(on_production(desk), operation, made, Answers()).question
    assert question == "Reserve a delivery slot of partner A (CRN-7) at “Acme Freight”, for real?"


async def test_a_scope_that_was_not_granted_is_said_before(desk: Desk, fault_server: FaultServer) -> None:
    desk.profile = replace(desk.profile, scopes=(SCOPE_INFO_ORDERS,))
    [stop] = judge(desk, BY_NAME["quote_submit"], draft("quote_submit", "{}"), Answers()).stops
    assert "order_management_api:quotes" in stop
    assert judge(desk, BY_NAME["open_orders"], draft("open_orders"), Answers()).stops == ()


async def test_a_call_that_holds_the_secret_is_not_sent(desk: Desk, fault_server: FaultServer) -> None:
    made = draft("quote_submit", json.dumps({"x": fault_server.tokens.client_secret}))
    with pytest.raises(CannotBeSent, match="client secret"):
        await send(desk, BY_NAME["quote_submit"], made, Answers())
    assert await call_history.latest(desk) == []


async def test_an_order_is_held_to_the_contract(desk: Desk) -> None:
    wrong = json.loads(ORDER) | {"extra": 1}
    wrong["freightDetails"][0]["count"] = 0
    found = judge(desk, BY_NAME["order_submit"], draft("order_submit", json.dumps(wrong)), Answers())
    paths = [each.path for each in found.mistakes]
    assert ("freightDetails", 0, "count") in paths
    assert ("extra",) in paths
    assert len(paths) == len(set(paths))
    assert found.stops
    assert found.road == "submit"
    partner = judge(
        desk, BY_NAME["partner_b_order_submit"], draft("partner_b_order_submit", json.dumps(wrong)), Answers()
    )
    assert partner.stops == ()
    assert partner.mistakes
    assert "2 places" in partner.question


async def test_an_order_that_is_typed_as_xml_is_stopped_before(desk: Desk) -> None:
    for name in ("order_submit", "order_cancel"):
        [stop] = judge(desk, BY_NAME[name], draft(name, "<Order/>"), Answers()).stops
        assert "as JSON" in stop


async def test_it_is_said_in_which_format_the_outbox_sends(desk: Desk) -> None:
    formats: list[tuple[Format, str]] = [("json", "application/xml"), ("xml", "application/json")]
    for sends, other in formats:
        desk.profile = replace(desk.profile, sends=sends)
        said = words.OUTBOX_SENDS[sends]
        for body_format in ("", "application/json", "application/xml"):
            order = replace(draft("order_submit", ORDER), body_format=body_format)
            expected = (body_format or "application/json") == other
            assert (said in judge(desk, BY_NAME["order_submit"], order, Answers()).tells) == expected
        quote = replace(draft("quote_submit", "{}"), body_format=other)
        assert said not in judge(desk, BY_NAME["quote_submit"], quote, Answers()).tells


async def test_digits_that_would_be_lost_are_said(desk: Desk) -> None:
    text = ORDER.replace('"volume":12.5', '"volume":12.123456789012345678')
    [mistake] = judge(desk, BY_NAME["order_submit"], draft("order_submit", text), Answers()).mistakes
    assert mistake.path == ("freightDetails", 0, "volume")


async def test_without_a_connection_only_the_outbox_takes_anything(offline_desk: Desk) -> None:
    assert judge(offline_desk, BY_NAME["facilities"], draft("facilities"), Answers()).stops
    assert judge(offline_desk, BY_NAME["order_submit"], draft("order_submit", ORDER), Answers()).stops == ()


# Sending


async def test_an_answer_is_remembered_and_found_again(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + "/Quote/submit", json_answer({"quoteNumber": "Q-7", "price": 12}))
    answers = Answers()
    made = draft("quote_submit", '{"weight": 1.50}')
    sent = await send(desk, BY_NAME["quote_submit"], made, answers, name="Sofa to Memphis")
    assert sent.answer is not None
    assert sent.answer.status == 200
    [line] = await call_history.latest(desk)
    assert (line.id, line.draft, line.target, line.status) == (sent.call, made, "/Quote/submit", 200)
    assert (line.name, line.kept, line.size) == ("sofa_to_memphis", True, sent.answer.size)
    kept = await call_history.answer_of(desk, sent.call)
    assert kept is not None
    assert (kept.body, kept.headers, kept.phases) == (sent.answer.body, sent.answer.headers, sent.answer.phases)
    assert [each.id for each in await call_history.latest(desk, text="q-7 quote")] == [sent.call]
    assert await call_history.latest(desk, text="nothing like it") == []
    again = await call_history.latest_answers(desk)
    assert again.names() == ["sofa_to_memphis", "last"] == answers.names()
    following = draft("quote_submit", '{"of": "{{sofa_to_memphis.body.quoteNumber}}"}')
    await send(desk, BY_NAME["quote_submit"], following, again)
    assert json.loads(fault_server.seen("/Quote/submit")[1].body) == {"of": "Q-7"}
    assert (await call_history.latest(desk))[0].draft == following


async def test_nothing_is_sent_twice_whatever_comes(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(act_then_drop(), "/Quote/submit", times=None)
    fault_server.plan(answered(Answer(503)), "/Facilities", times=None)
    quote = await send(desk, BY_NAME["quote_submit"], draft("quote_submit", "{}"), Answers())
    await send(desk, BY_NAME["facilities"], draft("facilities"), Answers())
    assert quote.answer is not None
    assert quote.answer.may_have_acted
    assert [len(fault_server.seen(path)) for path in ("/Quote/submit", "/Facilities")] == [1, 1]
    assert [each.status for each in await call_history.latest(desk)] == [503, 0]


async def test_a_write_leaves_only_with_the_yes_to_what_it_does(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + "/Quote/submit", json_answer({}))
    made, operation = draft("quote_submit", "{}"), BY_NAME["quote_submit"]
    on_production(desk)
    with pytest.raises(NotAgreed) as asked:
        await send(desk, operation, made, Answers())
    question = asked.value.judgement.question
    desk.profile = replace(desk.profile, name="Another")
    with pytest.raises(NotAgreed):
        await send(desk, operation, made, Answers(), agreed=question)
    assert fault_server.seen("/Quote/submit") == []
    desk.profile = replace(desk.profile, name="Acme Freight")
    sent = await send(desk, operation, made, Answers(), agreed=question)
    assert sent.answer is not None
    assert sent.answer.status == 200


async def test_an_order_goes_through_the_journal(desk: Desk, fault_server: FaultServer) -> None:
    sent = await send(desk, BY_NAME["order_submit"], draft("order_submit", ORDER), Answers())
    assert sent.answer is None
    assert sent.write_id is not None
    assert fault_server.seen("/Order/submit") == []
    story = await outbox.story(desk, sent.write_id)
    assert story.payload == ORDER.encode()
    [line] = await call_history.latest(desk)
    assert (line.write_id, line.status, line.kept) == (sent.write_id, 0, False)
    await outbox.drain(desk)
    assert len(fault_server.seen("/Order/submit")) == 1


async def test_a_cancellation_waits_in_the_outbox(desk: Desk, fault_server: FaultServer) -> None:
    made = draft("order_cancel", '{"orderReferenceNumber": "CON-1"}')
    sent = await send(desk, BY_NAME["order_cancel"], made, Answers())
    [write] = await outbox.undoable(desk)
    assert (write.id, write.reference, write.kind) == (sent.write_id, "CON-1", "cancel")
    assert fault_server.seen("/Order/cancel") == []
    with pytest.raises(CannotBeSent):
        await send(desk, BY_NAME["order_cancel"], draft("order_cancel", "{}"), Answers())


async def test_a_stopped_call_is_in_the_history(desk: Desk, fault_server: FaultServer) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), "/Quote/submit")
    async with asyncio.TaskGroup() as group:
        task = group.create_task(send(desk, BY_NAME["quote_submit"], draft("quote_submit", "{}"), Answers()))
        await fault_server.until(1, "/Quote/submit")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    gate.release()
    [line] = await call_history.latest(desk)
    assert (line.status, line.sentence) == (0, "Stopped before it was known whether it had left.")


async def test_a_write_is_in_the_history_before_its_answer_and_stands_there_once(
    desk: Desk, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.serve(MANAGEMENT + "/Quote/submit", json_answer({"quoteNumber": "Q-8"}))
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer([]))
    fault_server.plan(held(before=gate), "/Quote/submit")
    fault_server.plan(held(before=gate), "/Facilities")
    async with asyncio.TaskGroup() as group:
        read = group.create_task(send(desk, BY_NAME["facilities"], draft("facilities"), Answers()))
        await fault_server.until(1, "/Facilities")
        task = group.create_task(send(desk, BY_NAME["quote_submit"], draft("quote_submit", "{}"), Answers()))
        await fault_server.until(1, "/Quote/submit")
        # What a start would find if the program was killed now.
        [line] = await call_history.latest(desk)
        assert (line.status, line.kept, line.target) == (0, False, "/Quote/submit")
        assert line.sentence == "This was being sent, and Waybill has seen no answer to it. It may have arrived."
        gate.release()
    assert (await read).call != (await task).call == line.id
    ended = next(each for each in await call_history.latest(desk) if each.id == line.id)
    assert (ended.status, ended.sentence, ended.kept) == (200, "", True)
    assert [each.id for each in await call_history.latest(desk, text="q-8")] == [line.id]


async def test_a_call_that_is_forgotten_before_its_answer_stays_forgotten(
    desk: Desk, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), "/Quote/submit")
    async with asyncio.TaskGroup() as group:
        group.create_task(send(desk, BY_NAME["quote_submit"], draft("quote_submit", "{}"), Answers()))
        await fault_server.until(1, "/Quote/submit")
        await call_history.forget(desk)
        gate.release()
    assert await call_history.latest(desk) == []


async def test_no_secret_is_in_the_file(desk: Desk, fault_server: FaultServer, console: ConsoleFile) -> None:
    fault_server.tokens.issued = 54_321

    def repeat(seen: Seen) -> Answer:
        said = {"all": [seen.headers["authorization"], fault_server.tokens.client_secret]}
        return Answer(200, json.dumps(said).encode())

    fault_server.serve(MANAGEMENT + "/Facilities", repeat)
    sent = await send(desk, BY_NAME["facilities"], draft("facilities"), Answers())
    assert sent.answer is not None
    assert sent.answer.hidden == 2
    # As they are read and as they lie there: an answer is compressed.
    kept = await call_history.answer_of(desk, sent.call)
    rows = await console.read(lambda c: str(list(c.execute("SELECT * FROM calls"))))
    for text in (str(kept), kept.body.decode() if kept is not None else "", rows):
        assert "token-54322" not in text
        assert fault_server.tokens.client_secret not in text


# The history


async def test_calls_are_compared_with_earlier_ones_of_the_same_operation(
    desk: Desk, fault_server: FaultServer
) -> None:
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer([]))
    fault_server.serve(MANAGEMENT + "/Quote/submit", json_answer({}))
    calls = [(await send(desk, BY_NAME["facilities"], draft("facilities"), Answers())).call for _ in range(3)]
    await send(desk, BY_NAME["quote_submit"], draft("quote_submit", "{}"), Answers())
    assert [each.id for each in await call_history.earlier(desk, calls[2])] == [calls[1], calls[0]]
    assert [each.id for each in await call_history.latest(desk, before=calls[2])] == [calls[1], calls[0]]
    assert len(await call_history.latest(desk, operation=BY_NAME["facilities"].key, most=2)) == 2
    await call_history.forget(desk, calls[1])
    assert [each.id for each in await call_history.earlier(desk, calls[2])] == [calls[0]]
    await call_history.forget(desk)
    assert await call_history.latest(desk) == []
    assert await call_history.answer_of(desk, calls[0]) is None


async def test_each_connection_has_its_own_history(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer([]))
    await send(desk, BY_NAME["facilities"], draft("facilities"), Answers())
    other = replace(desk, profile=replace(desk.profile, id="other"))
    assert await call_history.latest(other) == []
    await call_history.forget(other)
    assert len(await call_history.latest(desk)) == 1
    assert desk.console is not None
    await desk.console.forget_profile(desk.profile.id)
    assert await call_history.latest(desk) == []


async def test_calls_from_before_a_moment_are_deleted_everywhere(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer([]))
    now = desk.now()
    for days in (400, 10):
        desk.now = partial(_milliseconds, now - timedelta(days=days))
        await send(desk, BY_NAME["facilities"], draft("facilities"), Answers())
    assert desk.console is not None
    await desk.console.forget_before(now - timedelta(days=365))
    assert [each.at for each in await call_history.latest(desk)] == [_milliseconds(now - timedelta(days=10))]
    unused = ConsoleFile(tmp_path / "never.sqlite3")
    await unused.forget_before(now)
    await unused.forget_profile("acme")
    assert not (tmp_path / "never.sqlite3").exists()


def _milliseconds(moment: datetime) -> datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


async def test_the_history_has_an_end(desk: Desk, fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_store, "MOST_CALLS", 5)
    monkeypatch.setattr(call_store, "MOST_BYTES", 400)
    numbers = iter(range(100))
    fault_server.serve(
        MANAGEMENT + "/Facilities", lambda _: json_answer([str(hash((next(numbers), each))) for each in range(6)])
    )
    for _ in range(9):
        await send(desk, BY_NAME["facilities"], draft("facilities"), Answers())
    lines = await call_history.latest(desk)
    assert len(lines) == 5
    assert lines[0].kept
    assert not lines[-1].kept
    monkeypatch.setattr(call_store, "LARGEST_ANSWER", 10)
    sent = await send(desk, BY_NAME["facilities"], draft("facilities"), Answers())
    assert await call_history.answer_of(desk, sent.call) is None


async def test_bodies_that_are_too_long_leave_from_the_oldest_on(
    desk: Desk, fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_store, "MOST_TYPED", 250)
    fault_server.serve(MANAGEMENT + "/Quote/submit", json_answer({}))
    bodies = [json.dumps({"x": str(number) * 100}) for number in range(4)]
    for body in bodies:
        await send(desk, BY_NAME["quote_submit"], draft("quote_submit", body), Answers())
    assert [each.draft.body for each in await call_history.latest(desk)] == [bodies[3], bodies[2]]
    long = json.dumps({"x": "y" * 1_000})
    await send(desk, BY_NAME["quote_submit"], draft("quote_submit", long), Answers())
    assert [each.draft.body for each in await call_history.latest(desk)] == [long]


async def test_a_pause_that_the_provider_asks_for_counts_for_everybody(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(answered(json_answer({}, 429, retry_after="30")), "/Facilities")
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer([]))
    sent = await send(desk, BY_NAME["facilities"], draft("facilities"), Answers())
    assert sent.answer is not None
    assert sent.answer.rest == 30
    assert desk.timing.backing_off
    judged = judge(desk, BY_NAME["facilities"], draft("facilities"), Answers())
    assert judged.stops == ()
    assert "asked for a pause until" in judged.tells[-1]
    again = await send(desk, BY_NAME["facilities"], draft("facilities"), Answers())
    assert again.answer is not None
    assert again.answer.status == 200


async def test_a_file_that_cannot_be_written_costs_no_answer(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + "/Facilities", json_answer([]))
    desk.console = None
    sent = await send(desk, BY_NAME["facilities"], draft("facilities"), Answers())
    assert sent.answer is not None
    assert sent.answer.status == 200
    assert sent.call == 0
    assert sent.trouble
