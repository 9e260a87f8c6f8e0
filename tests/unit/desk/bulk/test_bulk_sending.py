"""From verdicts to the receipt, against a provider over sockets: only what changes is sent, and once."""

import asyncio
import csv
import json
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.contract.submission import OrderSubmission
from app.desk.bulk.files.file_tables import ReadOptions
from app.desk.bulk.files.read_file import read_file_now
from app.desk.bulk.outcome import cancel_list, import_batch, import_receipt, import_verdicts, order_contents
from app.desk.bulk.outcome.import_verdicts import Asking, ImportVerdicts
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.desk import Desk
from app.desk.export.spreadsheet_cells import Value, looks_like_formula
from app.desk.export.xlsx_file import write_xlsx
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.sending import outbox
from app.desk.sync import order_sync
from app.store.journal import import_store, profile_store, write_store
from app.store.journal.import_store import FrozenOrder, Newest
from app.store.journal.records import WriteRow
from app.store.store_errors import NotSaved, StoreError, WrongState
from tests.support.desks import let_time_pass, submission
from tests.support.fault_book import COMPLETE
from tests.support.fault_server import INFORMATION, Fault, FaultServer, Seen
from tests.support.faults import Answer, answered, drop_before, json_answer
from tests.support.import_files import FIRST, SECOND, TITLES, lines, mapped, sheet_of, table_of

SUBMIT, STATUS = "/Order/submit", "/Order/status"
pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


def many(count: int, city: str = "Memphis") -> str:
    return lines(*(FIRST.replace("R-1", f"R-{number}").replace("Memphis", city) for number in range(1, count + 1)))


def shown(number: int, row: str) -> dict[str, object]:
    """The order of a row as the information service shows it."""
    reference, name, street, city, state, zip_, phone, commodity, count, _ = row.split(",")
    address = {"StreetAddress1": street, "City": city, "State": state, "ZipCode": zip_}
    return {
        "OrderNumber": number,
        "CRN": reference,
        "StatusId": "STD",
        "DateImported": f"{datetime.now() - timedelta(hours=1):%Y-%m-%dT%H:%M:%S}",
        "Consignee": {"Name": name, "Phone": phone, "Address": address},
        "Facility": {"Id": "MEM01"},
        "Commodities": [{"CommodityCode": commodity, "Count": int(count)}],
    }


async def looked(desk: Desk, sheet: ImportSheet) -> ImportVerdicts:
    verdicts = ImportVerdicts()
    await import_verdicts.look_here(desk, sheet, verdicts, Progress())
    return verdicts


async def kinds(desk: Desk, sheet: ImportSheet) -> list[str]:
    return [each.kind for each in (await looked(desk, sheet)).found.values()]


async def sent(desk: Desk, sheet: ImportSheet, verdicts: ImportVerdicts | None = None) -> int | None:
    """The import of a sheet, after all of it was sent that can be."""
    found = verdicts or await looked(desk, sheet)
    import_id = await import_batch.freeze(desk, sheet, found, Progress())
    await import_batch.run(desk)
    return import_id


async def receipt(desk: Desk, import_id: int | None, target: Path) -> list[dict[str, str]]:
    assert import_id is not None
    await import_receipt.write_receipt(desk, import_id, target, Progress(), replace=True)
    with target.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


# Verdicts


async def test_the_same_file_twice_sends_nothing(desk: Desk, fault_server: FaultServer, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND))
    assert await kinds(desk, sheet) == ["create", "create"]
    await sent(desk, sheet)
    assert await kinds(desk, sheet) == ["unchanged", "unchanged"]
    assert await sent(desk, sheet) is None
    assert [len(each.versions) for each in fault_server.book.all()] == [1, 1]


async def test_the_same_orders_in_another_order_and_form_send_nothing(desk: Desk, tmp_path: Path) -> None:
    other = FIRST.replace("SOFA,2,84.5", "CHAIR,6,36")
    await sent(desk, sheet_of(tmp_path, lines(FIRST, other, SECOND)))
    turned = sheet_of(tmp_path, lines(SECOND, other, FIRST).replace(",", ";"), "other.csv")
    assert await kinds(desk, turned) == ["unchanged", "unchanged"]


async def test_the_same_orders_as_a_workbook_send_nothing(desk: Desk, tmp_path: Path) -> None:
    await sent(desk, sheet_of(tmp_path, lines(FIRST, SECOND)))
    rows: list[list[Value]] = [
        [*row.split(",")[:8], int(row.split(",")[8]), float(row.split(",")[9])] for row in (FIRST, SECOND)
    ]
    write_xlsx(tmp_path / "orders.xlsx", TITLES.split(","), [12] * 10, rows, scratch=tmp_path)
    sheet, _ = mapped(read_file_now(tmp_path / "orders.xlsx", ReadOptions(), Progress()))
    assert await kinds(desk, sheet) == ["unchanged", "unchanged"]


async def test_only_what_changed_is_sent(desk: Desk, fault_server: FaultServer, tmp_path: Path) -> None:
    await sent(desk, sheet_of(tmp_path, many(3)))
    changed = sheet_of(tmp_path, many(3).replace("R-2,J. Rivera", "R-2,Jo Rivera"))
    verdicts = await looked(desk, changed)
    assert [each.kind for each in verdicts.found.values()] == ["unchanged", "update", "unchanged"]
    (difference,) = verdicts.found[1].differences
    assert (difference.path, difference.before, difference.after) == (
        "consignee.consigneeName", "J. Rivera", "Jo Rivera",
    )  # fmt: skip
    await sent(desk, changed, verdicts)
    assert [len(each.versions) for each in fault_server.book.all()] == [1, 2, 1]


async def test_what_a_person_changed_since_is_not_undone_by_the_same_file(desk: Desk, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST))
    await sent(desk, sheet)
    await outbox.queue_submission(desk, submission("R-1", "Changed in the form"), None)
    await outbox.drain(desk)
    verdicts = await looked(desk, sheet)
    assert verdicts.found[0].kind == "unchanged"
    assert verdicts.found[0].sentence.startswith("The file says the same as last time.")
    newer = sheet_of(tmp_path, lines(FIRST.replace("Memphis", "Nashville")))
    assert await kinds(desk, newer) == ["update"]


async def test_what_waits_in_the_outbox_is_not_queued_again(offline_desk: Desk, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND))
    await outbox.queue_submission(offline_desk, submission("R-2", "Another version"), None)
    assert await kinds(offline_desk, sheet) == ["create", "update"]
    await import_batch.freeze(offline_desk, sheet, await looked(offline_desk, sheet), Progress())
    await import_batch.feed(offline_desk)
    assert await kinds(offline_desk, sheet) == ["unchanged", "unchanged"]


async def test_a_closed_order_needs_a_yes(desk: Desk, fault_server: FaultServer, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST))
    await sent(desk, sheet)
    await outbox.queue_cancellation(desk, "R-1")
    await outbox.end_undo(desk, [each.id for each in await outbox.undoable(desk)])
    await outbox.drain(desk)
    changed = sheet_of(tmp_path, lines(FIRST.replace("Memphis", "Nashville")))
    verdicts = await looked(desk, changed)
    assert verdicts.found[0].kind == "second"
    assert not verdicts.is_sent(0)
    assert verdicts.decide([0], "send") == 1
    await sent(desk, changed, verdicts)
    assert len(fault_server.book.all("R-1")) == 2


async def test_a_cancellation_that_the_provider_has_not_taken_is_not_said_to_be_done(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    await sent(desk, sheet_of(tmp_path, lines(FIRST)))
    sheet = sheet_of(tmp_path, lines(FIRST.replace("Memphis", "Nashville")))

    async def said() -> str:
        found = (await looked(desk, sheet)).found[0]
        assert found.kind == "second"
        return found.sentence

    write = await outbox.queue_cancellation(desk, "R-1")
    assert (await said()).startswith("A cancellation of the order is in the outbox.")
    await outbox.end_undo(desk, [write])
    fault_server.plan(drop_before(), "/Order/cancel")
    await outbox.drain(desk)
    assert (await said()).startswith("Whether the provider took this desk's cancellation is in doubt.")
    await outbox.settle(desk, write, "accepted", "Looked up.")
    assert (await said()).startswith("This desk cancelled the order")


async def test_orders_that_the_provider_shows_are_compared_with_it(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    fault_server.serve(INFORMATION + "/orders/open", json_answer([shown(1, FIRST), shown(2, SECOND)]))
    await order_sync.refresh(desk, "open", 7)
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND.replace("Dana", "Diana")))
    verdicts = await looked(desk, sheet)
    assert [each.kind for each in verdicts.found.values()] == ["unchanged", "update"]
    assert [each.path for each in verdicts.found[1].differences] == ["consignee.consigneeName"]


async def test_a_completed_order_of_the_lists_would_be_a_second_one(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    fault_server.book.submit(b'{"orderReferenceNumber": "R-1"}')
    fault_server.book.move("R-1", COMPLETE)
    await order_sync.refresh(desk, "completed", 7)
    assert await kinds(desk, sheet_of(tmp_path, lines(FIRST))) == ["second"]


async def test_a_cancelled_order_of_the_open_list_would_be_a_second_one(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    cancelled = [shown(number, row) | {"StatusId": "CAN"} for number, row in ((1, FIRST), (2, SECOND))]
    fault_server.serve(INFORMATION + "/orders/open", json_answer(cancelled))
    await order_sync.refresh(desk, "open", 7)
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND.replace("Dana", "Diana")))
    verdicts = await looked(desk, sheet)
    assert [each.kind for each in verdicts.found.values()] == ["second", "second"]
    assert not any(verdicts.is_sent(key) for key in sheet.orders)


async def test_an_order_that_was_cancelled_here_and_entered_anew_elsewhere_is_open(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    await sent(desk, sheet_of(tmp_path, lines(FIRST)))
    await outbox.queue_cancellation(desk, "R-1")
    await outbox.end_undo(desk, [each.id for each in await outbox.undoable(desk)])
    await outbox.drain(desk)
    fault_server.book.submit(b'{"orderReferenceNumber": "R-1"}')
    number = fault_server.book.all("R-1")[-1].number
    fault_server.serve(INFORMATION + "/orders/open", json_answer([shown(number, FIRST)]))
    other = sheet_of(tmp_path, lines(FIRST.replace("Memphis", "Nashville")))
    table = table_of(tmp_path, "Reference\nR-1\n", "cancel.csv")
    # Right after the cancellation the list may still show the cancelled order.
    await order_sync.refresh(desk, "open", 7)
    assert await kinds(desk, other) == ["second"]
    assert [each.kind for each in await cancel_list.look_up(desk, table, 0)] == ["cancelled"]
    let_time_pass(desk, timedelta(minutes=10))
    await order_sync.refresh(desk, "open", 7)
    assert await kinds(desk, other) == ["update"]
    found = await cancel_list.look_up(desk, table, 0)
    assert [each.kind for each in found] == ["open"]
    _, writes = await cancel_list.cancel(desk, table, found, {0})
    await outbox.end_undo(desk, writes)
    await outbox.drain(desk)
    assert [each.state for each in fault_server.book.all("R-1")] == ["Cancelled", "Cancelled"]


async def test_what_the_provider_refused_is_not_sent_again_unasked(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    problem = {"title": "Refused", "errors": {"consignee.city": ["No such city."]}}
    fault_server.plan(answered(json_answer(problem, 400)), SUBMIT)
    sheet = sheet_of(tmp_path, lines(FIRST))
    import_id = await sent(desk, sheet)
    verdicts = await looked(desk, sheet)
    assert verdicts.found[0].kind == "refused"
    assert "No such city." in verdicts.found[0].sentence
    assert not verdicts.is_sent(0)
    (row,) = await receipt(desk, import_id, tmp_path / "receipt.csv")
    assert row["Waybill outcome"] == "Refused"
    # The receipt is dropped again, corrected in one cell: what failed goes on.
    mended = (tmp_path / "receipt.csv").read_text("utf-8-sig").replace("Memphis", "Nashville")
    assert await kinds(desk, sheet_of(tmp_path, mended, "again.csv")) == ["create"]


async def test_a_reference_twice_in_a_file_is_sent_once_or_not_at_all(offline_desk: Desk, tmp_path: Path) -> None:
    same = sheet_of(tmp_path, lines(FIRST, SECOND, FIRST))
    same.set_mapping(replace(same.mapping, rows="one"))
    same.check_all(Progress())
    assert await kinds(offline_desk, same) == ["create", "create", "twice"]
    other = sheet_of(tmp_path, lines(FIRST, SECOND, FIRST.replace("Memphis", "Nashville")))
    verdicts = await looked(offline_desk, other)
    assert [each.kind for each in verdicts.found.values()] == ["twice", "create", "twice"]
    assert verdicts.decide([0], "send") == 0
    edit = other.set_cells({(2, 0): "R-3"})
    changed = other.apply(edit)
    await import_verdicts.look_here(offline_desk, other, verdicts, Progress(), changed)
    assert [each.kind for each in verdicts.found.values()] == ["create", "create", "create"]


async def test_one_reference_in_every_row_takes_no_more_time_for_each(
    offline_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As where a column of customers was taken for references.
    sheet, made = sheet_of(tmp_path, lines(*[FIRST] * 50)), list[int]()
    sheet.set_mapping(replace(sheet.mapping, rows="one"))
    sheet.check_all(Progress())
    make = sheet.submission

    def counted(key: int) -> OrderSubmission | None:
        made.append(key)
        return make(key)

    monkeypatch.setattr(sheet, "submission", counted)
    assert Counter(await kinds(offline_desk, sheet)) == {"create": 1, "twice": 49}
    assert len(made) < 4 * 50


async def test_an_order_with_issues_is_blocked(offline_desk: Desk, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST.replace("Memphis", ""), SECOND))
    verdicts = await looked(offline_desk, sheet)
    assert [each.kind for each in verdicts.found.values()] == ["blocked", "create"]
    assert verdicts.counts() | {} == {**dict.fromkeys(import_verdicts.KINDS, 0), "blocked": 1, "create": 1}


async def test_writes_to_an_earlier_provider_prove_nothing_here(desk: Desk, tmp_path: Path) -> None:
    desk.journal.write_now(profile_store.save_profile, desk.profile)
    sheet = sheet_of(tmp_path, lines(FIRST))
    await sent(desk, sheet)
    moved = replace(desk.profile, base_url="http://127.0.0.1:9/")
    desk.journal.write_now(profile_store.move_profile, moved)
    assert await kinds(desk, sheet) == ["create"]


# The provider


async def test_the_provider_is_asked_about_what_nobody_here_knows(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    fault_server.book.submit(b'{"orderReferenceNumber": "R-1"}')
    number = fault_server.book.all()[0].number
    somebody_else = shown(number, FIRST.replace("J. Rivera", "Somebody else"))
    fault_server.serve(f"{INFORMATION}/orders/{number}", json_answer(somebody_else))
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND))
    verdicts, told = await looked(desk, sheet), list[int]()
    await import_verdicts.ask_provider(desk, sheet, verdicts, Asking(), told.append)
    assert sorted(told) == [0, 1]
    assert [each.kind for each in verdicts.found.values()] == ["update", "create"]
    assert [each.path for each in verdicts.found[0].differences] == ["consignee.consigneeName"]
    assert all(each.asked_at is not None for each in verdicts.found.values())
    before = len(fault_server.seen(STATUS))
    await import_verdicts.ask_provider(desk, sheet, verdicts, Asking())
    assert len(fault_server.seen(STATUS)) == before


async def test_the_asking_stops_when_a_person_says_so(desk: Desk, fault_server: FaultServer, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, many(40))
    verdicts, asking = await looked(desk, sheet), Asking()

    def stop(_key: int) -> None:
        asking.stop = True

    await import_verdicts.ask_provider(desk, sheet, verdicts, asking, stop)
    assert len(fault_server.seen(STATUS)) < 10
    assert asking.done < 10


async def test_the_asking_waits_where_the_provider_asks_for_a_pause(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    fault_server.plan(answered(Answer(429, headers=(("Retry-After", "600"),))), STATUS, times=None)
    sheet = sheet_of(tmp_path, many(12))
    verdicts, asking = await looked(desk, sheet), Asking()

    asked = asyncio.ensure_future(import_verdicts.ask_provider(desk, sheet, verdicts, asking))
    async with asyncio.timeout(20):
        while asking.waits_until is None:  # noqa: ASYNC110  # what is waited for is what the window reads
            await asyncio.sleep(0.01)
    asking.stop = True
    await asked
    assert desk.timing.backing_off
    assert len({each.query["OrderReferenceNumber"] for each in fault_server.seen(STATUS)}) <= 4


async def test_a_provider_that_fails_each_time_is_left_alone(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    fault_server.plan(answered(Answer(500)), STATUS, times=None)
    sheet = sheet_of(tmp_path, many(40))
    verdicts, asking = await looked(desk, sheet), Asking()
    await import_verdicts.ask_provider(desk, sheet, verdicts, asking)
    assert asking.trouble.startswith("Not all orders could be asked about.")
    assert Counter(each.kind for each in verdicts.found.values())["unknown"] < 12


# Sending


async def test_all_bytes_are_stored_before_the_first_is_sent(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    sheet = sheet_of(tmp_path, many(150))
    frozen: list[int] = []

    def count(seen: Seen) -> Fault | None:
        if seen.path.endswith(SUBMIT) and not frozen:
            frozen.append(sum(desk.journal.read_now(import_store.order_counts, 1).values()))
        return None

    fault_server.plan_by(count)
    import_id = await sent(desk, sheet)
    assert frozen == [150]
    assert len(fault_server.book.all()) == 150
    about = await import_batch.summary(desk, import_id or 0)
    assert (about.state, about.total, about.accepted, about.waiting) == ("done", 150, 150, 0)


async def test_only_a_portion_is_in_the_outbox(offline_desk: Desk, tmp_path: Path) -> None:
    desk, sheet = offline_desk, sheet_of(tmp_path, many(150))
    import_id = await import_batch.freeze(desk, sheet, await looked(desk, sheet), Progress())
    assert await import_batch.feed(desk) == import_batch.PORTION
    assert await import_batch.feed(desk) == 0
    about = await import_batch.summary(desk, import_id or 0)
    assert (about.waiting, about.under_way) == (150 - import_batch.PORTION, import_batch.PORTION)


async def test_an_import_is_paused_goes_on_and_is_stopped(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    sheet = sheet_of(tmp_path, many(150))
    import_id = await import_batch.freeze(desk, sheet, await looked(desk, sheet), Progress())
    assert import_id is not None
    await import_batch.feed(desk)
    await import_batch.pause(desk, import_id)
    await import_batch.run(desk)
    await outbox.drain(desk)
    assert len(fault_server.book.all()) == import_batch.PORTION
    await import_batch.resume(desk, import_id)
    await import_batch.feed(desk)
    assert await import_batch.stop(desk, import_id) == 150 - import_batch.PORTION
    await import_batch.run(desk)
    await outbox.drain(desk)
    assert len(fault_server.book.all()) == import_batch.PORTION
    about = await import_batch.summary(desk, import_id)
    assert (about.state, about.accepted, about.not_sent) == (
        "stopped",
        import_batch.PORTION,
        150 - import_batch.PORTION,
    )
    with pytest.raises(StoreError):
        await import_batch.resume(desk, import_id)
    outcomes = Counter(row["Waybill outcome"] for row in await receipt(desk, import_id, tmp_path / "r.csv"))
    assert outcomes["Accepted"] == import_batch.PORTION
    # What was not sent is created by the same file; what was is not.
    again = Counter(await kinds(desk, sheet))
    assert again == {"unchanged": import_batch.PORTION, "create": 150 - import_batch.PORTION}


async def test_a_later_change_at_this_desk_is_not_overwritten(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND))
    verdicts = await looked(desk, sheet)
    await outbox.queue_submission(desk, submission("R-1", "From the form"), None)
    import_id = await sent(desk, sheet, verdicts)
    names = [json.loads(each)["consignee"]["consigneeName"] for each in fault_server.book.all("R-1")[0].versions]
    assert names == ["From the form"]
    found = await receipt(desk, import_id, tmp_path / "receipt.csv")
    assert [row["Waybill outcome"] for row in found] == ["Not sent: changed at this desk since", "Accepted"]


async def test_a_file_dropped_again_while_it_is_sent_sends_nothing_more(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    sheet = sheet_of(tmp_path, many(120))
    first = await import_batch.freeze(desk, sheet, await looked(desk, sheet), Progress())
    await import_batch.feed(desk)
    assert Counter(await kinds(desk, sheet)) == {"unchanged": 120}
    await import_batch.pause(desk, first or 0)
    newer = sheet_of(tmp_path, many(120, "Nashville"), "newer.csv")
    verdicts = await looked(desk, newer)
    assert Counter(each.kind for each in verdicts.found.values()) == {"update": 120}
    await import_batch.freeze(desk, newer, verdicts, Progress())
    await import_batch.resume(desk, first or 0)
    await import_batch.run(desk)
    last = [json.loads(each.versions[-1])["consignee"]["city"] for each in fault_server.book.all()]
    assert last == ["Nashville"] * 120


async def test_an_older_file_does_not_undo_what_a_newer_one_brought(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    sheet, newer = sheet_of(tmp_path, many(120)), sheet_of(tmp_path, many(120, "Nashville"), "newer.csv")
    first = await import_batch.freeze(desk, sheet, await looked(desk, sheet), Progress())
    await import_batch.pause(desk, first or 0)
    await sent(desk, newer)
    await import_batch.resume(desk, first or 0)
    await import_batch.run(desk)
    assert [len(each.versions) for each in fault_server.book.all()] == [1] * 120
    about = await import_batch.summary(desk, first or 0)
    assert (about.state, about.not_sent) == ("done", 120)  # more than a portion is skipped at once


async def test_an_order_that_is_changed_while_the_stores_are_read_is_left_to_the_next_look(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = sheet_of(tmp_path, many(3))
    await sent(desk, sheet)
    read = import_store.known_writes

    def then_edit(*given: object) -> object:
        found = read(*given)  # type: ignore[arg-type]
        sheet.apply(sheet.set_cells({(1, 5): ""}))
        return found

    monkeypatch.setattr(import_store, "known_writes", then_edit)
    verdicts = await looked(desk, sheet)
    assert {key: each.kind for key, each in verdicts.found.items()} == {0: "unchanged", 2: "unchanged"}
    monkeypatch.undo()
    await import_verdicts.look_here(desk, sheet, verdicts, Progress(), [1])
    assert verdicts.found[1].kind == "blocked"


async def test_an_order_that_is_fed_while_the_stores_are_read_is_seen(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = sheet_of(tmp_path, many(3))
    await import_batch.freeze(desk, sheet, await looked(desk, sheet), Progress())

    def fed_after(name: str) -> None:
        read = getattr(import_store, name)

        def then_feed(*given: object) -> object:
            found = read(*given)
            desk.journal.write_now(import_store.feed, desk.profile.id, desk.now(), 100, timedelta())
            return found

        monkeypatch.setattr(import_store, name, then_feed)

    fed_after("known_writes")
    fed_after("waiting_orders")
    assert await kinds(desk, sheet) == ["unchanged"] * 3


async def test_the_same_file_sent_twice_by_two_that_looked_at_once_is_sent_once(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    sheet = sheet_of(tmp_path, many(3))
    page, folder = await looked(desk, sheet), await looked(desk, sheet)
    await sent(desk, sheet, folder)
    later = await sent(desk, sheet, page)
    assert [len(each.versions) for each in fault_server.book.all()] == [1] * 3
    assert (await import_batch.summary(desk, later or 0)).not_sent == 3


async def test_what_a_person_looked_at_again_is_sent(desk: Desk, fault_server: FaultServer, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND))
    verdicts = await looked(desk, sheet)
    await outbox.queue_submission(desk, submission("R-1", "From the form"), None)
    sheet.apply(sheet.set_cells({(0, 3): "Nashville"}))
    await import_verdicts.look_here(desk, sheet, verdicts, Progress(), [0])
    assert verdicts.found[0].kind == "update"
    await sent(desk, sheet, verdicts)
    last = json.loads(fault_server.book.all("R-1")[0].versions[-1])
    assert last["consignee"]["city"] == "Nashville"


async def test_two_imports_are_stored_one_after_the_other(offline_desk: Desk, tmp_path: Path) -> None:
    one = sheet_of(tmp_path, many(900))
    other = sheet_of(tmp_path, many(900).replace("R-", "Q-"), "other.csv")
    found = [(one, await looked(offline_desk, one)), (other, await looked(offline_desk, other))]
    both = await asyncio.gather(*(import_batch.freeze(offline_desk, *each, Progress()) for each in found))
    totals = [(await import_batch.summary(offline_desk, each or 0)).total for each in both]
    assert totals == [900, 900]


async def test_freezing_can_be_stopped_and_leaves_nothing(offline_desk: Desk, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, many(20))
    verdicts = await looked(offline_desk, sheet)
    with pytest.raises(Stopped):
        await import_batch.freeze(offline_desk, sheet, verdicts, Progress(stop=True))
    assert await import_batch.summaries(offline_desk) == []
    assert await import_batch.feed(offline_desk) == 0


async def test_a_disk_that_refuses_in_between_leaves_nothing_that_is_sent(
    offline_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = sheet_of(tmp_path, many(300))
    verdicts = await looked(offline_desk, sheet)

    def full(*_given: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(import_store, "add_rows", full)
    with pytest.raises(StoreError):
        await import_batch.freeze(offline_desk, sheet, verdicts, Progress())
    assert await import_batch.summaries(offline_desk) == []
    assert await import_batch.feed(offline_desk) == 0
    monkeypatch.undo()
    again = await import_batch.freeze(offline_desk, sheet, await looked(offline_desk, sheet), Progress())
    assert (await import_batch.summary(offline_desk, again or 0)).total == 300


async def test_the_orders_of_an_ended_import_are_counted_once(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_id = await sent(desk, sheet_of(tmp_path, many(3)))
    before = await import_batch.summaries(desk)
    assert [(each.id, each.state, each.accepted) for each in before] == [(import_id, "done", 3)]

    def never(*_given: object) -> None:
        raise AssertionError

    monkeypatch.setattr(import_store, "order_counts", never)
    assert await import_batch.summaries(desk) == before


async def test_what_was_not_launched_is_never_fed(offline_desk: Desk) -> None:
    journal, desk = offline_desk.journal, offline_desk

    def begin() -> int:
        return journal.write_now(import_store.begin, desk.profile.id, "a.csv", "submit", "", ["A"], desk.now())

    first = begin()
    journal.write_now(import_store.add_orders, first, [FrozenOrder(0, "R-1", b"{}", Newest(0, 0))])
    assert await import_batch.feed(desk) == 0
    second = begin()
    with pytest.raises(WrongState):
        journal.read_now(import_store.import_row, first)
    journal.write_now(import_store.launch, second, desk.now())
    with pytest.raises(WrongState):
        journal.write_now(import_store.add_orders, second, [FrozenOrder(0, "R-1", b"{}", Newest(0, 0))])


async def test_what_is_decided_for_one_is_decided_for_all_alike(
    desk: Desk, fault_server: FaultServer, tmp_path: Path
) -> None:
    sheet = sheet_of(tmp_path, many(6))
    closed = {f"R-{number}" for number in range(1, 5)}  # and in no list that this desk knows

    def status(seen: Seen) -> Fault | None:
        reference = seen.query.get("OrderReferenceNumber", "")
        if reference not in closed or not seen.path.endswith(STATUS):
            return None
        return answered(json_answer({"orderReferenceNumber": reference, "systemNumber": 5, "status": COMPLETE}))

    fault_server.plan_by(status)
    await sent(desk, sheet)

    async def held() -> list[WriteRow]:
        return await outbox.writes(desk, ("queued",), 100, held=True)

    waiting = await held()
    assert len(waiting) == 4
    assert len(await import_batch.alike(desk, waiting[0].id)) == 4
    await outbox.settle(desk, waiting[0].id, "withdrawn", "Not this one.")
    assert await import_batch.send_alike(desk, waiting[1].id) == 3
    await outbox.drain(desk)
    assert await held() == []
    assert sorted(each.reference for each in fault_server.book.all()) == ["R-1", "R-2", "R-3", "R-5", "R-6"]


async def test_a_receipt_has_every_row_with_its_corrections(desk: Desk, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND.replace("Boston", ""), FIRST.replace("R-1", "R-3")))
    sheet.apply(sheet.set_cells({(0, 3): "=Memphis"}))
    import_id = await sent(desk, sheet)
    found = await receipt(desk, import_id, tmp_path / "receipt.csv")
    assert [(row["Reference"], row["City"], row["Waybill verdict"], row["Waybill outcome"]) for row in found] == [
        ("R-1", "'=Memphis", "Create", "Accepted"),
        ("R-2", "", "Blocked", "Not sent"),
        ("R-3", "Memphis", "Create", "Accepted"),
    ]
    assert found[0]["Waybill order number"] == "700001"
    assert "Required." in found[1]["Waybill words"]
    await import_receipt.write_receipt(desk, import_id or 0, tmp_path / "receipt.xlsx", Progress(), replace=False)
    for name in ("receipt.csv", "receipt.xlsx"):
        again = read_file_now(tmp_path / name, ReadOptions(), Progress())
        assert [row[:10] for row in again.rows] == sheet.rows


async def test_a_receipt_runs_nothing_and_reads_the_same_again(offline_desk: Desk, tmp_path: Path) -> None:
    # The title and a cell of the file are guarded; another cell only looks as if it were.
    sheet = sheet_of(tmp_path, f"{TITLES},'=1+1,B,C\n{FIRST},'=2+2,''=3+3,4\n")
    assert (sheet.titles[10], sheet.rows[0][10:12]) == ("=1+1", ("=2+2", "'=3+3"))
    await import_receipt.write_check(
        sheet, await looked(offline_desk, sheet), tmp_path / "r.csv", Progress(), replace=False
    )
    with (tmp_path / "r.csv").open(encoding="utf-8-sig", newline="") as file:
        assert not any(looks_like_formula(cell) for row in csv.reader(file) for cell in row)
    again = read_file_now(tmp_path / "r.csv", ReadOptions(), Progress())
    assert (again.titles[:13], again.rows[0][:13]) == (tuple(sheet.titles), sheet.rows[0])


@pytest.mark.parametrize("name", ["receipt.csv", "receipt.xlsx"])
async def test_a_receipt_is_written_where_a_row_was_stored_with_more_kinds_than_cells(
    offline_desk: Desk, tmp_path: Path, name: str
) -> None:
    # Earlier versions stored the kinds of cells right of the table, and of columns that were taken back.
    desk, journal = offline_desk, offline_desk.journal
    import_id = journal.write_now(import_store.begin, desk.profile.id, "a.xlsx", "submit", "", ["A", "B"], desk.now())
    row = import_store.FileRow(2, -1, "", "", ("R-1", "84.5"), "tnttp")
    journal.write_now(import_store.add_rows, import_id, 0, [row])
    journal.write_now(import_store.launch, import_id, desk.now())
    await import_receipt.write_receipt(desk, import_id, tmp_path / name, Progress(), replace=False)
    again = read_file_now(tmp_path / name, ReadOptions(), Progress())
    assert [each[:2] for each in again.rows] == [("R-1", "84.5")]


@pytest.mark.parametrize("name", ["receipt.csv", "receipt.xlsx"])
async def test_a_receipt_that_is_dropped_again_goes_on_with_what_was_not_sent(
    desk: Desk, fault_server: FaultServer, tmp_path: Path, name: str
) -> None:
    text = many(150).replace("R-150,J. Rivera,12 Beale Street,Memphis", "R-150,J. Rivera,12 Beale Street,")
    sheet = sheet_of(tmp_path, text)
    import_id = await import_batch.freeze(desk, sheet, await looked(desk, sheet), Progress()) or 0
    await import_batch.feed(desk)
    await outbox.drain(desk)
    await import_batch.stop(desk, import_id)
    done = len(fault_server.book.all())
    assert 0 < done < 149
    await import_receipt.write_receipt(desk, import_id, tmp_path / name, Progress(), replace=False)
    again, matched = mapped(read_file_now(tmp_path / name, ReadOptions(), Progress()))
    assert matched.missing == ()
    assert Counter(await kinds(desk, again)) == {"unchanged": done, "create": 149 - done, "blocked": 1}
    again.apply(again.set_cells({(149, 3): "Memphis"}))
    await sent(desk, again)
    assert [len(each.versions) for each in fault_server.book.all()] == [1] * 150


async def test_a_check_can_be_saved_before_anything_is_sent(offline_desk: Desk, tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path, lines(FIRST, SECOND.replace("Boston", "")))
    verdicts = await looked(offline_desk, sheet)
    await import_receipt.write_check(sheet, verdicts, tmp_path / "check.csv", Progress(), replace=False)
    text = (tmp_path / "check.csv").read_text("utf-8-sig")
    assert "Create" in text
    assert "Blocked" in text


async def test_a_connection_that_leads_elsewhere_pauses_its_imports(offline_desk: Desk, tmp_path: Path) -> None:
    desk = offline_desk
    desk.journal.write_now(profile_store.save_profile, desk.profile)
    sheet = sheet_of(tmp_path, lines(FIRST))
    await import_batch.freeze(desk, sheet, await looked(desk, sheet), Progress())
    desk.journal.write_now(profile_store.move_profile, replace(desk.profile, base_url="http://127.0.0.1:9/"))
    assert [each.state for each in await import_batch.summaries(desk)] == ["paused"]
    assert await import_batch.feed(desk) == 0
    with pytest.raises(WrongState):
        desk.journal.write_now(profile_store.remove_profile, desk.profile)


async def test_a_copied_folder_feeds_nothing_by_itself(offline_desk: Desk, tmp_path: Path) -> None:
    desk, sheet = offline_desk, sheet_of(tmp_path, lines(FIRST))
    await outbox.recover(desk, "here")
    await import_batch.freeze(desk, sheet, await looked(desk, sheet), Progress())
    await outbox.recover(desk, "here")
    assert [each.state for each in await import_batch.summaries(desk)] == ["running"]
    await outbox.recover(desk, "elsewhere")
    assert [each.state for each in await import_batch.summaries(desk)] == ["paused"]


# Cancelling by file


async def test_orders_are_cancelled_by_a_file(desk: Desk, fault_server: FaultServer, tmp_path: Path) -> None:
    await sent(desk, sheet_of(tmp_path, many(4)))
    fault_server.book.move("R-4", COMPLETE)
    await order_sync.refresh(desk, "open", 7)
    await order_sync.refresh(desk, "completed", 7)
    path = tmp_path / "cancel.csv"
    path.write_text("Reference\nR-1\nR-2\nR-1\nR-4\nR-77\n" + "x" * 31 + "\n7.71E+05\n")
    table = read_file_now(path, ReadOptions(), Progress())
    column = cancel_list.reference_column(table)
    assert column == 0
    found = await cancel_list.look_up(desk, table, column)
    assert [each.kind for each in found] == ["open", "open", "twice", "closed", "not listed", "wrong", "wrong"]
    import_id, writes = await cancel_list.cancel(desk, table, found, {0, 1, 3, 5})
    assert sorted(writes.values()) == ["R-1", "R-2"]
    assert {each.id for each in await outbox.undoable(desk)} == set(writes)
    assert len(fault_server.book.all(state="Cancelled")) == 0
    await outbox.end_undo(desk, writes)
    await outbox.drain(desk)
    assert [each.reference for each in fault_server.book.all(state="Cancelled")] == ["R-1", "R-2"]
    again = await cancel_list.look_up(desk, table, column)
    assert [each.kind for each in again][:2] == ["cancelled", "cancelled"]
    rows = await receipt(desk, import_id, tmp_path / "receipt.csv")
    assert [row["Waybill outcome"] for row in rows][:3] == ["Accepted", "Accepted", "Not sent"]


async def test_a_file_with_nothing_to_cancel_queues_nothing(offline_desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "cancel.csv").write_text("Reference,City\n,Rome\n")
    table = read_file_now(tmp_path / "cancel.csv", ReadOptions(), Progress())
    found = await cancel_list.look_up(offline_desk, table, 0)
    assert await cancel_list.cancel(offline_desk, table, found, {0}) == (None, {})


async def test_cancellations_that_could_not_be_queued_do_not_leave_later(
    offline_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says that nothing was sent: so what fails may leave nothing behind that is queued later."""
    (tmp_path / "cancel.csv").write_text("Reference\nR-1\nR-2\n")
    table = read_file_now(tmp_path / "cancel.csv", ReadOptions(), Progress())
    found = await cancel_list.look_up(offline_desk, table, 0)

    def full(*_: object, **__: object) -> int:
        raise NotSaved("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(write_store, "queue_write", full)
        with pytest.raises(NotSaved):
            await cancel_list.cancel(offline_desk, table, found, {0, 1})
    assert await import_batch.feed(offline_desk) == 0
    assert await outbox.undoable(offline_desk) == []


async def test_cancellations_are_queued_as_their_import_is_launched(
    offline_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that ends between two commits would feed them at its next start, with no time to undo them."""
    (tmp_path / "cancel.csv").write_text("Reference\nR-1\nR-2\n")
    table = read_file_now(tmp_path / "cancel.csv", ReadOptions(), Progress())
    found = await cancel_list.look_up(offline_desk, table, 0)
    journal, client, waiting = offline_desk.journal, offline_desk.profile.id, list[int]()
    write_now = journal.write_now

    def watched(*args: Any) -> Any:
        written = write_now(*args)
        if journal.read_now(import_store.has_running, client):
            (running,) = journal.read_now(import_store.imports_page, client, 1)
            waiting.append(journal.read_now(import_store.order_counts, running.id).get("waiting", 0))
        return written

    monkeypatch.setattr(journal, "write_now", watched)
    await cancel_list.cancel(offline_desk, table, found, {0, 1})
    assert waiting == [0]


# Contents


async def test_contents_are_compared_whatever_the_order_of_their_lists() -> None:
    first = b'{"a":1,"f":[{"commodity":"A","count":1},{"commodity":"B","count":2}]}'
    turned = b'{"f":[{"count":2,"commodity":"B"},{"commodity":"A","count":1}],"a":1}'
    assert order_contents.same(first, turned)
    assert order_contents.differences(first, turned) == []
    changed = b'{"a":1,"f":[{"commodity":"B","count":3},{"commodity":"C","count":1},{"commodity":"A","count":1}]}'
    assert not order_contents.same(first, changed)
    found = [(each.path, each.before, each.after) for each in order_contents.differences(first, changed)]
    assert found == [("f[1].count", "2", "3"), ("f[2].commodity", "", "C"), ("f[2].count", "", "1")]
    fewer = b'{"a":1,"f":[{"commodity":"B","count":2}]}'
    assert {each.path for each in order_contents.differences(first, fewer)} != set()
