"""The watched folder: complete files are taken once, by one program; receipts stand beside them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.desk.bulk.files.file_tables import ReadOptions
from app.desk.bulk.mapping import kept_mappings
from app.desk.bulk.outcome import import_batch, import_verdicts, watched_folder
from app.desk.bulk.outcome.import_verdicts import ImportVerdicts
from app.desk.bulk.outcome.watched_folder import FolderChoice, FolderFile, FolderWatch
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.store.journal.recovery.journal_file import Journal
from tests.support.fault_server import FaultServer
from tests.support.import_files import FIRST, SECOND, lines, mapped, table_of

pytestmark = pytest.mark.asyncio


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "in"
    made.mkdir()
    return made


@pytest.fixture
def other_desk(offline_desk: Desk, tmp_path: Path) -> Iterator[Desk]:
    """A desk with a journal of its own, as another computer that watches the same folder."""
    journal = Journal(tmp_path / "other.sqlite3")
    yield replace(offline_desk, journal=journal)
    journal.close_now()


async def known(desk: Desk, tmp_path: Path) -> None:
    """A person has sent a file with these titles before."""
    table = table_of(tmp_path, lines(FIRST), "known.csv")
    await kept_mappings.remember(desk, table, mapped(table)[0].mapping)


async def taken(watch: FolderWatch) -> list[FolderFile]:
    found = await watch.look()
    files = [await watch.take(path, Progress()) for path in found.ready]
    return [each for each in files if each is not None]


async def test_it_is_off_until_it_is_chosen(offline_desk: Desk, folder: Path) -> None:
    assert await watched_folder.choice(offline_desk) == FolderChoice()
    await watched_folder.choose(offline_desk, FolderChoice(folder, send=True))
    assert await watched_folder.choice(offline_desk) == FolderChoice(folder, send=True)


async def test_a_file_is_taken_once_two_looks_saw_it_alike(offline_desk: Desk, folder: Path) -> None:
    watch = FolderWatch(offline_desk, FolderChoice(folder))
    path = folder / "orders.csv"
    path.write_text(lines(FIRST)[:60])
    assert await taken(watch) == []
    path.write_text(lines(FIRST))
    assert await taken(watch) == []
    (file,) = await taken(watch)
    assert (file.path, file.state) == (path, "waiting")
    assert await taken(watch) == []
    assert [each.state for each in (await watch.look()).files] == ["waiting"]
    assert path.read_text() == lines(FIRST)


async def test_a_guess_waits_for_a_person_also_where_files_are_sent(
    desk: Desk, fault_server: FaultServer, folder: Path
) -> None:
    watch = FolderWatch(desk, FolderChoice(folder, send=True))
    (folder / "orders.csv").write_text(lines(FIRST, SECOND.replace("02144", "2144")))
    await taken(watch)
    assert [each.state for each in await taken(watch)] == ["waiting"]
    assert await import_batch.summaries(desk) == []


async def test_a_file_without_a_remark_is_sent_where_that_is_chosen(
    desk: Desk, fault_server: FaultServer, folder: Path, tmp_path: Path
) -> None:
    await known(desk, tmp_path)
    watch = FolderWatch(desk, FolderChoice(folder, send=True))
    path = folder / "orders.csv"
    path.write_text(lines(FIRST, SECOND))
    await taken(watch)
    (file,) = await taken(watch)
    assert file.state == "sent"
    await import_batch.run(desk)
    found = await watch.look()
    assert [each.state for each in found.files] == ["done"]
    receipt = (folder / "orders receipt.csv").read_text("utf-8-sig")
    assert receipt.count("Accepted") == 2
    assert len(fault_server.book.all()) == 2
    # The receipt is no file to import, and the same contents again send nothing.
    assert await taken(watch) == []
    path.write_text(lines(SECOND, FIRST))
    await taken(watch)
    assert [each.state for each in await taken(watch)] == ["done"]
    assert [len(each.versions) for each in fault_server.book.all()] == [1, 1]


async def test_of_two_programs_one_takes_a_file(offline_desk: Desk, other_desk: Desk, folder: Path) -> None:
    one, other = (FolderWatch(each, FolderChoice(folder)) for each in (offline_desk, other_desk))
    (folder / "orders.csv").write_text(lines(FIRST))
    for watch in (one, other):
        await watch.look()
    ready = (await one.look()).ready
    assert (await other.look()).ready == ready
    first = await one.take(ready[0], Progress())
    assert first is not None
    assert await other.take(ready[0], Progress()) is None
    assert [each.state for each in (await other.look()).files] == ["elsewhere"]


async def test_after_a_crash_the_same_program_takes_the_file_again(offline_desk: Desk, folder: Path) -> None:
    watch = FolderWatch(offline_desk, FolderChoice(folder))
    path = folder / "orders.csv"
    path.write_text(lines(FIRST))
    await watch.look()
    await watch.look()
    stamp = watched_folder._stamp(path)
    assert stamp is not None
    assert watch._mark(path, stamp)  # and here it is killed
    again = FolderWatch(offline_desk, FolderChoice(folder))
    await again.look()
    assert [each.state for each in await taken(again)] == ["waiting"]


async def test_what_cannot_be_read_says_why(offline_desk: Desk, folder: Path) -> None:
    watch = FolderWatch(offline_desk, FolderChoice(folder))
    (folder / "orders.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    (folder / "readme.md").write_text("not looked at")
    (folder / "~$orders.xlsx").write_bytes(b"kept by Excel")
    await taken(watch)
    (file,) = await taken(watch)
    assert file.state == "trouble"
    assert file.sentence.startswith("The workbook cannot be read")
    gone = FolderWatch(offline_desk, FolderChoice(folder / "gone"))
    assert (await gone.look()).trouble.startswith("The folder cannot be read.")


async def test_a_folder_that_nobody_may_write_to_is_said_and_looked_at_again(
    offline_desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = FolderWatch(offline_desk, FolderChoice(folder))
    (folder / "orders.csv").write_text(lines(FIRST))
    mark_of = watched_folder._mark_of
    # A place where no file can be made, as on a share that may only be read.
    monkeypatch.setattr(watched_folder, "_mark_of", lambda path: folder / "gone" / path.name)
    await taken(watch)
    (file,) = await taken(watch)
    assert file.state == "trouble"
    assert file.sentence.startswith("Waybill writes a mark beside each file that it takes")
    monkeypatch.setattr(watched_folder, "_mark_of", mark_of)
    assert [each.state for each in await taken(watch)] == ["waiting"]


async def test_a_receipt_that_cannot_be_written_is_said_and_written_later(
    desk: Desk, fault_server: FaultServer, folder: Path, tmp_path: Path
) -> None:
    await known(desk, tmp_path)
    watch = FolderWatch(desk, FolderChoice(folder, send=True))
    path, receipt = folder / "orders.csv", folder / "orders receipt.csv"
    path.write_text(lines(FIRST))
    receipt.mkdir()  # in place of a file that another program holds
    await taken(watch)
    await taken(watch)
    await import_batch.run(desk)
    (file,) = (await watch.look()).files
    assert (file.state, "orders receipt.csv" in file.sentence) == ("sent", True)
    # The same contents again: nothing is sent, and its receipt cannot be written either.
    path.write_text(lines(FIRST) + "\n")
    await taken(watch)
    assert [each.state for each in await taken(watch)] == ["trouble"]
    receipt.rmdir()
    path.write_text(lines(FIRST))
    await taken(watch)
    assert [each.state for each in await taken(watch)] == ["done"]
    assert receipt.read_text("utf-8-sig").count("Unchanged") == 1


async def test_a_file_that_a_person_sends_in_two_parts_has_a_receipt_of_each(
    desk: Desk, fault_server: FaultServer, folder: Path
) -> None:
    watch = FolderWatch(desk, FolderChoice(folder))
    path = folder / "orders.csv"
    path.write_text(lines(FIRST, SECOND.replace("Boston", "")))
    await taken(watch)
    assert [each.state for each in await taken(watch)] == ["waiting"]
    sheet, _ = await watched_folder.open_sheet(desk, path, ReadOptions(), Progress())
    for city in ("", "Boston"):
        sheet.apply(sheet.set_cells({(1, 3): city}))
        verdicts = ImportVerdicts()
        await import_verdicts.look_here(desk, sheet, verdicts, Progress())
        await FolderWatch(desk, FolderChoice(folder)).note_sent(
            path, await import_batch.freeze(desk, sheet, verdicts, Progress())
        )
    assert [each.sentence for each in (await watch.look()).files] == ["Being sent: 0 of 2."]
    await import_batch.run(desk)
    assert [each.state for each in (await watch.look()).files] == ["done"]
    first, second = (folder / f"orders{part} receipt.csv" for part in ("", ".csv 2"))
    assert [each.read_text("utf-8-sig").count("Accepted") for each in (first, second)] == [1, 1]
    assert await taken(watch) == []  # a receipt is no file to import
    assert [each.path for each in (await watch.look()).files] == [path]


async def test_no_two_receipts_have_one_name(offline_desk: Desk, folder: Path) -> None:
    names = ["orders.csv", "orders.txt", "orders.tsv", "orders 2.csv", "orders.csv 2.csv", "orders.txt.csv",
             "orders.xls", "orders.xlsx", "orders.ods", "orders 2.xlsx"]  # fmt: skip
    receipts = [watched_folder.receipt_path(folder / name, place) for name in names for place in range(3)]
    assert len(set(receipts)) == len(receipts)
    assert receipts[0] == folder / "orders receipt.csv"
    assert watched_folder.receipt_path(folder / "orders.xlsx") == folder / "orders receipt.xlsx"
    assert not any(map(watched_folder.is_candidate, receipts))


async def test_a_person_sends_or_puts_a_waiting_file_aside(offline_desk: Desk, folder: Path) -> None:
    watch = FolderWatch(offline_desk, FolderChoice(folder))
    path = folder / "orders.csv"
    path.write_text(lines(FIRST))
    await taken(watch)
    await taken(watch)
    await FolderWatch(offline_desk, FolderChoice(folder)).note_sent(path, None)
    assert [each.state for each in (await watch.look()).files] == ["done"]
