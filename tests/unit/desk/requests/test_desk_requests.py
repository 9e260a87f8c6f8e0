"""Requests are in the journal before their first byte, are sent once, and end as what is known of them."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import apsw
import pytest

from app.api.errors import NotSent
from app.desk.desk import Desk
from app.desk.requests import send_request
from app.desk.requests.answer_reading import facts, in_short, says_not_done
from app.desk.requests.send_request import Request, payload_of
from app.desk.sending import outbox
from app.store.journal import profile_store, request_store
from app.store.journal.recovery import retention
from app.store.journal.recovery.journal_file import Journal
from app.store.journal.recovery.journal_repair import repair
from app.store.journal.request_store import RequestRow, RequestState
from app.store.store_errors import WrongState
from tests.support.fault_server import MANAGEMENT, FaultServer
from tests.support.faults import (
    Answer,
    Fault,
    act_then_drop,
    answered,
    cut_head,
    drop_before,
    json_answer,
    malformed,
    truncated,
)
from tests.support.journals import NOW, opened_journal

QUOTE = MANAGEMENT + "/Quote/submit"
BODY = payload_of({"weight": 12, "to": "Nuñez"})
WANTED = Request("quote_submit", BODY, "", "Memphis run")


async def all_sent(desk: Desk) -> list[RequestRow]:
    return await send_request.sent(desk, ("quote_submit",), 50)


@pytest.mark.asyncio
async def test_the_bytes_are_in_the_journal_before_the_first_of_them_leaves(
    desk: Desk, fault_server: FaultServer
) -> None:
    kept: list[tuple[str, bytes]] = []
    path = desk.journal.path

    def look(_seen: object) -> Answer:
        other = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        kept.extend((state, bytes(payload)) for state, payload in other.execute("SELECT state, payload FROM requests"))
        other.close()
        return json_answer({"quoteNumber": "Q-1", "status": "Received"})

    fault_server.serve(QUOTE, look)
    row = await send_request.send(desk, WANTED)
    assert kept == [("sending", BODY)]
    assert fault_server.seen("/Quote/submit")[0].body == BODY
    assert (row.state, row.http_status, row.title) == ("accepted", 200, "Memphis run")
    assert row.sentence == "The provider accepted it: Quote number: Q-1, Status: Received"
    (stored,) = await all_sent(desk)
    assert replace(stored, ended_at=None) == replace(row, ended_at=None)
    assert not stored.damaged


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("fault", "state"),
    [
        (act_then_drop(), "in_doubt"),
        (drop_before(), "in_doubt"),
        (cut_head(12), "in_doubt"),
        (truncated(4), "in_doubt"),
        (malformed(b"HTTP/1.1 999\r\n\r\n"), "in_doubt"),
        (answered(Answer(503)), "in_doubt"),
        (answered(Answer(500)), "in_doubt"),
        (answered(Answer(302, headers=(("Location", "/x"),))), "in_doubt"),
        (answered(json_answer({"success": False})), "in_doubt"),
        (answered(Answer(200, b"<html><body>log in</body></html>", "text/html")), "in_doubt"),
        (answered(json_answer({"title": "No."}, 400)), "refused"),
        (answered(Answer(403)), "refused"),
        (answered(Answer(404)), "refused"),
        (answered(Answer(429)), "refused"),
        (answered(json_answer({"reserved": False, "reason": "full"})), "refused"),
        (answered(Answer(200)), "accepted"),
        (answered(Answer(202)), "accepted"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
async def test_each_end_of_a_call_is_what_is_known_of_it_and_it_is_sent_once(
    desk: Desk, fault_server: FaultServer, fault: Fault, state: RequestState
) -> None:
    fault_server.serve(QUOTE, json_answer({"quoteNumber": "Q-1"}))
    fault_server.plan(fault, "/Quote/submit", times=None)
    row = await send_request.send(desk, WANTED)
    assert row.state == state
    assert row.sentence
    assert len(fault_server.seen("/Quote/submit")) == 1
    assert [each.state for each in await all_sent(desk)] == [state]


@pytest.mark.asyncio
async def test_without_a_connection_nothing_is_kept_and_nothing_is_sent(desk: Desk, fault_server: FaultServer) -> None:
    desk.provider, desk.trouble = None, "Not connected."
    with pytest.raises(NotSent, match="Not connected"):
        await send_request.send(desk, WANTED)
    assert await all_sent(desk) == []
    assert fault_server.seen("/Quote/submit") == []


@pytest.mark.asyncio
async def test_what_never_left_is_not_sent(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(answered(Answer(503)), "/connect/token", times=None)
    row = await send_request.send(desk, WANTED)
    assert row.state == "not_sent"
    assert fault_server.seen("/Quote/submit") == []


@pytest.mark.asyncio
async def test_a_connection_that_leads_elsewhere_by_now_sends_nothing(desk: Desk, fault_server: FaultServer) -> None:
    moved = replace(desk.profile, base_url="https://elsewhere.example")
    await desk.journal.write(profile_store.save_profile, moved)
    with pytest.raises(WrongState):
        await send_request.send(desk, WANTED)
    assert fault_server.seen("/Quote/submit") == []


@pytest.mark.asyncio
async def test_an_end_that_the_journal_does_not_take_is_said_and_in_doubt_at_the_next_start(
    desk: Desk, fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault_server.serve(QUOTE, json_answer({"quoteNumber": "Q-1"}))

    def refuse(*_: object, **__: object) -> None:
        raise WrongState("The disk is full.")

    monkeypatch.setattr(request_store, "end_request", refuse)
    row = await send_request.send(desk, WANTED)
    assert row.sentence.endswith("The disk is full. After the next start it shows as in doubt.")
    await outbox.recover(desk)
    (stored,) = await all_sent(desk)
    assert stored.state == "in_doubt"


@pytest.mark.asyncio
async def test_a_person_decides_about_a_doubt_once(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.plan(act_then_drop(), "/Quote/submit")
    row = await send_request.send(desk, WANTED)
    with pytest.raises(WrongState):
        await desk.journal.write(profile_store.remove_profile, desk.profile)
    await send_request.decide(desk, row, arrived=False)
    with pytest.raises(WrongState):
        await send_request.decide(desk, row, arrived=True)
    (stored,) = await all_sent(desk)
    assert (stored.state, stored.sentence) == (
        "not_arrived",
        "Marked as not arrived on this desk. The provider has not confirmed it.",
    )


@pytest.mark.asyncio
async def test_what_is_about_one_order_is_found_by_it(desk: Desk, fault_server: FaultServer) -> None:
    fault_server.serve(MANAGEMENT + "/PartnerA/reserveSlot", json_answer({"reserved": True}))
    for reference in ("R-1", "R-2"):
        await send_request.send(desk, Request("partner_a_reserve_slot", b"{}", reference, "Tue"))
    found = await send_request.sent(desk, ("partner_a_reserve_slot",), 50, "R-2")
    assert [each.subject for each in found] == ["R-2"]
    assert await all_sent(desk) == []


def begin(journal: Journal, subject: str = "R-1") -> int:
    place = profile_store.Profile("acme", "Acme", "test", "", "", "", "")
    return journal.write_now(request_store.begin_request, place, "quote_submit", subject, "t", b"{}", NOW)


def rows_of(journal: Journal) -> list[RequestRow]:
    return journal.read_now(request_store.requests_page, "acme", ("quote_submit",), 50)


def test_what_was_sent_is_never_changed(tmp_path: Path) -> None:
    with opened_journal(tmp_path / "journal.sqlite3") as journal:
        number = begin(journal)
        with pytest.raises(apsw.ConstraintError):
            journal.write_now(lambda c: c.execute("UPDATE requests SET payload = x'00' WHERE id = ?", (number,)))


def test_old_requests_are_forgotten_but_none_that_is_in_doubt(tmp_path: Path) -> None:
    with opened_journal(tmp_path / "journal.sqlite3") as journal:
        first, second = begin(journal), begin(journal, "R-2")
        journal.write_now(request_store.end_request, first, "accepted", "Done.", NOW)
        journal.write_now(request_store.end_request, second, "in_doubt", "Who knows.", NOW)
        journal.write_now(retention.forget_before, NOW + timedelta(days=400))
        assert [each.subject for each in rows_of(journal)] == ["R-2"]


def test_requests_come_through_the_repair_of_a_damaged_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with opened_journal(path) as journal:
        done, sending = begin(journal), begin(journal, "R-2")
        journal.write_now(request_store.end_request, done, "accepted", "Done.", NOW, http_status=200, reply=b"{}")
        before = {each.id: each for each in rows_of(journal)}
    repair(path, "it is damaged", NOW)
    with opened_journal(path) as journal:
        after = {each.id: each for each in rows_of(journal)}
    assert after[done] == before[done]
    assert after[sending].state == "in_doubt"
    assert not after[sending].damaged


@pytest.mark.parametrize(
    ("body", "not_done"),
    [
        ({"reserved": False}, True),
        ({"isConfirmed": "False"}, True),
        ([{"Accepted": False}], True),
        ({"reserved": True}, False),
        ({"slot": {"reserved": False}}, False),
        ("no", False),
        (None, False),
    ],
)
def test_an_answer_that_says_it_was_not_done_is_read_so(body: object, not_done: bool) -> None:
    assert says_not_done(json.dumps(body).encode()) is not_done


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"quoteNumber":"Q-1","price":{"amount":12.5}}', [("Quote number", "Q-1"), ("Price · Amount", "12.5")]),
        (b"Taken.", [("", "Taken.")]),
        (b"", []),
        (b"null", []),
        (b'"Q-1"', [("", "Q-1")]),
    ],
)
def test_the_facts_of_an_answer_are_told_in_words(body: bytes, told: list[tuple[str, str]]) -> None:
    assert facts(body) == told
    assert in_short(body) == ", ".join(f"{title}: {text}" if title else text for title, text in told)


def test_moments_are_in_utc(tmp_path: Path) -> None:
    with opened_journal(tmp_path / "journal.sqlite3") as journal:
        begin(journal)
        (row,) = rows_of(journal)
    assert row.began_at == NOW.astimezone(row.began_at.tzinfo)
    assert isinstance(row.began_at, datetime)
