"""The services of the import that run by themselves: feeding the outbox, and watching a folder."""

from pathlib import Path

import pytest

from app.background import folder_watcher, import_feeder
from app.background.folder_watcher import FolderWatcher
from app.background.import_feeder import ImportFeeder
from app.background.sender import Sender
from app.desk.bulk.mapping import kept_mappings
from app.desk.bulk.outcome import import_batch, import_verdicts, watched_folder
from app.desk.bulk.outcome.import_batch import BatchSummary
from app.desk.bulk.outcome.import_verdicts import ImportVerdicts
from app.desk.bulk.outcome.watched_folder import FolderChoice, FolderFile
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress
from app.store.store_errors import NotSaved
from app.ui.base.page import PageServices
from tests.support.fault_server import FaultServer
from tests.support.import_files import FIRST, lines, mapped, sheet_of, table_of
from tests.support.loop import RunningLoop

MANY = 130  # more than one portion


@pytest.fixture
def sender(loop: RunningLoop, services: PageServices, window_desk: Desk) -> Sender:
    made = Sender(services.sink, services.news, services.now)
    services.news.queue_changed.connect(made.wake)  # as the window does it
    made.take_desk(window_desk)
    return made


def freeze(loop: RunningLoop, desk: Desk, folder: Path, count: int = MANY) -> int:
    rows = (FIRST.replace("R-1", f"R-{number}") for number in range(count))
    sheet, verdicts = sheet_of(folder, lines(*rows)), ImportVerdicts()
    loop.run(import_verdicts.look_here(desk, sheet, verdicts, Progress()))
    import_id = loop.run(import_batch.freeze(desk, sheet, verdicts, Progress()))
    assert import_id is not None
    return import_id


def state(loop: RunningLoop, desk: Desk, import_id: int) -> BatchSummary:
    return loop.run(import_batch.summary(desk, import_id))


def test_an_import_is_fed_portion_by_portion_until_it_is_done(
    loop: RunningLoop,
    services: PageServices,
    sender: Sender,
    window_desk: Desk,
    fault_server: FaultServer,
    tmp_path: Path,
) -> None:
    feeder = ImportFeeder(services.sink, services.news)
    feeder.take_desk(window_desk)
    import_id = freeze(loop, window_desk, tmp_path)
    services.news.queue_changed.emit()  # as the page does it
    loop.until(lambda: state(loop, window_desk, import_id).state == "done", seconds=60)
    assert len(fault_server.book.all()) == MANY
    assert all(len(each.versions) == 1 for each in fault_server.book.all())
    loop.run(sender.until_idle())
    assert loop.run(feeder.aclose(5))
    assert loop.run(sender.aclose(5))


def test_what_an_earlier_start_left_goes_on_and_a_pause_holds(
    loop: RunningLoop,
    services: PageServices,
    sender: Sender,
    window_desk: Desk,
    fault_server: FaultServer,
    tmp_path: Path,
) -> None:
    import_id = freeze(loop, window_desk, tmp_path, 3)
    loop.run(import_batch.pause(window_desk, import_id))
    feeder, looks = ImportFeeder(services.sink, services.news), list[int]()
    feeder.fed.connect(lambda: looks.append(1))
    feeder.take_desk(window_desk)
    feeder.wake()  # as the window does it once it is connected
    assert feeder.busy
    loop.until(lambda: not feeder.busy)
    assert (looks, fault_server.book.all()) == ([], [])
    loop.run(import_batch.resume(window_desk, import_id))
    services.news.queue_changed.emit()
    loop.until(lambda: state(loop, window_desk, import_id).state == "done")
    assert looks
    assert len(fault_server.book.all()) == 3
    loop.run(sender.until_idle())
    loop.run(feeder.aclose(5))
    loop.run(sender.aclose(5))


@pytest.mark.expects_log("import feeder: feed could not be done: NotSaved")
def test_an_import_goes_on_by_the_clock_once_the_disk_takes_it_again(
    loop: RunningLoop, services: PageServices, sender: Sender, window_desk: Desk, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    feed, tries, told = import_batch.feed, list[int](), list[str]()

    async def full_at_first(desk: Desk) -> int:
        tries.append(1)
        if len(tries) == 1:
            raise NotSaved("The disk is full.")
        return await feed(desk)

    services.sink.troubled.connect(lambda _where, sentence: told.append(sentence))
    monkeypatch.setattr(import_feeder, "_RETRY_MS", 20)
    monkeypatch.setattr(import_batch, "feed", full_at_first)
    feeder = ImportFeeder(services.sink, services.news)
    feeder.take_desk(window_desk)
    import_id = freeze(loop, window_desk, tmp_path, 3)
    feeder.wake()
    loop.until(lambda: state(loop, window_desk, import_id).state == "done")
    loop.until(lambda: told == ["The disk is full.", ""], lambda: told)
    loop.run(sender.until_idle())
    assert loop.run(feeder.aclose(5))
    assert loop.run(sender.aclose(5))


def test_a_folder_is_watched_and_its_file_is_sent(
    loop: RunningLoop,
    services: PageServices,
    sender: Sender,
    window_desk: Desk,
    fault_server: FaultServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(folder_watcher, "_EVERY_MS", 20)
    folder = tmp_path / "in"
    folder.mkdir()
    table = table_of(tmp_path, lines(FIRST))
    loop.run(kept_mappings.remember(window_desk, table, mapped(table)[0].mapping))
    loop.run(watched_folder.choose(window_desk, FolderChoice(folder, send=True)))
    feeder, watcher, told = (
        ImportFeeder(services.sink, services.news),
        FolderWatcher(services.sink),
        list[list[FolderFile]](),
    )
    watcher.changed.connect(lambda files, _trouble: told.append(files))
    watcher.sending.connect(feeder.wake)
    feeder.take_desk(window_desk)
    watcher.take_desk(window_desk)
    (folder / "orders.csv").write_text(lines(FIRST))
    loop.until(lambda: [each.state for each in watcher.said[0]] == ["done"], lambda: watcher.said)
    assert (folder / "orders receipt.csv").exists()
    assert len(fault_server.book.all()) == 1
    assert {each.state for files in told for each in files} <= {"growing", "sent", "done"}
    watcher.leave_desk()
    assert (watcher.watch, watcher.said) == (None, ([], ""))
    loop.run(sender.until_idle())
    for service in (watcher, feeder, sender):
        loop.run(service.aclose(5))


def test_a_folder_that_is_gone_says_so_and_none_is_watched_until_one_is_chosen(
    loop: RunningLoop, services: PageServices, window_desk: Desk, tmp_path: Path
) -> None:
    watcher, said = FolderWatcher(services.sink), list[str]()
    watcher.changed.connect(lambda _files, trouble: said.append(trouble))
    watcher.take_desk(window_desk)
    loop.until(lambda: not watcher._tasks.busy)
    assert watcher.watch is None
    loop.run(watched_folder.choose(window_desk, FolderChoice(tmp_path / "gone")))
    watcher.take_desk(window_desk)
    loop.until(lambda: said)
    assert said[0].startswith("The folder cannot be read.")
    loop.run(watcher.aclose(5))
