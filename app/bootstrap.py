"""The one composition root: builds everything, starts and stops it in order.

Order matters twice. At the start the databases open on their own threads while Qt comes up, and modules that the first
paint does not need are imported after it. At the end pages stop first, then the writes under way are finished, then the
client closes, then practice, then the store.
"""

import asyncio
import contextlib
import gc
import json
import logging
import os
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from app.arguments import Arguments
from app.runtime.age import seconds_old
from app.runtime.crash_watch import MANY, CrashWatch
from app.store.cache.schema.cache_schema import CACHE
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir, default_data_dir
from app.store.sqlite.database import Database
from app.store.store_errors import StoreError
from app.translation import translate

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType
    from PySide6.QtWidgets import QApplication

    from app.runtime.single_owner import Claim
    from app.ui.base.main_window import MainWindow
    from app.ui.shell.shell import Shell
    from app.ui.shell.start_window import Trouble

_DISPLAY_WORDS = translate(
    "Waybill needs a display and found none that answers: start it in a desktop session, forward one with `ssh -X`, "
    "run it under a virtual one with `xvfb-run`, or set QT_QPA_PLATFORM=offscreen to run without any."
)
_NOT_KEPT = translate(
    "Until it can, nothing can be entered or sent. Let this user write there, make room on the disk, or start with "
    "another folder (--data-dir), and try again."
)
_WITHOUT_JOURNAL = translate("Waybill keeps all that is typed and sent in it, and does not start without it.")
_OWN_MISTAKE = translate(
    "Waybill made a mistake of its own while it was starting. What was typed and sent before is kept. Try again; if it "
    "comes again, pass the report on: it names lines of the program and none of your data."
)
_SILENT_S = 1.5  # that a start waits for another Waybill before it says so


class CannotStart(Exception):
    """The start ends here; `trouble` says why."""

    def __init__(self, trouble: "Trouble") -> None:
        super().__init__(trouble.sentence)
        self.trouble = trouble


class StartAnew(Exception):
    """The window has closed to make way for another build; `command` starts that one."""

    def __init__(self, command: list[str]) -> None:
        super().__init__()
        self.command = command


def start(arguments: Arguments) -> int:
    """Run the program; returns the exit status.

    A start that fails says why in a window, which a person who started the program from a menu can see, and on standard
    error. It is tried again as often as that person wants.
    """
    if arguments.selftest:
        try:
            from app.selftest import run_selftest

            return run_selftest(as_json=arguments.as_json)
        except ImportError as error:
            _say_what_is_missing(error)
            raise
    from app.runtime.display import has_display
    from app.runtime.memory import hold_collector_back, keep_one_heap

    # Before Qt and the stores are imported: a collection would go through all that is being loaded.
    hold_collector_back()
    # Before any thread exists: the C library gives out arenas as threads first allocate.
    keep_one_heap()
    if not has_display():
        _print(_DISPLAY_WORDS)
        return 2
    while True:
        ended = _attempt(arguments)
        if isinstance(ended, int):
            return ended
        _print(f"{ended.sentence}\n{ended.report}" if ended.report else ended.sentence)
        if not _try_again(ended):
            return ended.status


def _attempt(arguments: Arguments) -> "int | Trouble":
    """One run of the program; returns the exit status, or the trouble that kept it from starting.

    No lock and no open file is left afterwards, and no frame of an error that would hold them.
    """
    folder = arguments.data_dir or Path()
    try:
        data = _data_dir(arguments)
        folder = data.root
        return _run(arguments, data)
    except CannotStart as ended:
        return ended.trouble
    except StartAnew as ended:
        command = ended.command
    except StoreError as error:
        return _trouble("Waybill cannot read what it keeps", error.sentence, 4, folder).trouble
    except ImportError as error:
        _say_what_is_missing(error)
        return _mistake(error, folder)
    except Exception as error:  # noqa: BLE001  # whatever it is, a person who double-clicked has to be told
        return _mistake(error, folder)
    from app.runtime.newer_build import start_anew

    start_anew(command)  # nothing of this start is open any more: no lock, no file
    return 0


def _say_what_is_missing(error: ImportError) -> None:
    """Leave with a sentence if it is a library of the system's that Qt does without no more; return otherwise."""
    if "shared object file" in str(error):  # the loader's words
        from app.runtime.system_parts import libraries_sentence, missing_libraries

        _leave(libraries_sentence(missing_libraries()) or translate("Waybill could not load Qt: {why}", why=error))


def _leave(sentence: str) -> NoReturn:
    """End the process for what only the system can mend; said on the terminal, and in a window without Qt."""
    from app.runtime.system_parts import show_without_qt

    _print(sentence)
    show_without_qt(sentence)
    sys.exit(2)


def _mistake(error: Exception, folder: Path) -> "Trouble":
    """The trouble to show for an error that has no sentence of its own."""
    from app.runtime.sink import describe
    from app.ui.shell.start_window import Trouble
    from app.ui.theme.resources import ResourceMissing

    if isinstance(error, ResourceMissing):
        return Trouble("Waybill is not whole", error.sentence, 5, folder)
    return Trouble("Waybill could not start", _OWN_MISTAKE, 1, folder, describe(error))


def _trouble(heading: str, sentence: str, status: int, folder: Path) -> CannotStart:
    from app.ui.shell.start_window import Trouble  # nothing of the window is imported where the start goes well

    return CannotStart(Trouble(heading, sentence, status, folder))


def _data_dir(arguments: Arguments) -> DataDir:
    named = arguments.data_dir
    if named is None:
        return default_data_dir()
    try:
        return DataDir(named.expanduser().resolve())
    except (OSError, RuntimeError) as error:  # a circle of links, a home that nobody has
        why = translate("The folder {folder} cannot be used: {why}.", folder=named, why=error)
        raise _trouble("Waybill cannot keep its data", f"{why} {_NOT_KEPT}", 2, named) from error


def _run(arguments: Arguments, data: DataDir) -> int:
    try:
        data.create()
    except StoreError as error:
        raise _trouble("Waybill cannot keep its data", f"{error.sentence} {_NOT_KEPT}", 2, data.root) from error
    from app.runtime.features import leave_sources_alone

    # Before any other module of PySide's is imported.
    leave_sources_alone()
    claimed = _claim(data, arguments.reference)
    if claimed.lock is None:
        if claimed.answered:
            _print(translate("Waybill is open already with the data in {root}, and has come forward.", root=data.root))
            return 0
        if claimed.given_up:
            _print(claimed.trouble)
            return 3
        heading = "Waybill is open already and does not answer" if claimed.held else "Waybill cannot keep its data"
        sentence = claimed.trouble if claimed.held else f"{claimed.trouble} {_NOT_KEPT}"
        raise _trouble(heading, sentence, 3 if claimed.held else 2, data.root)
    try:
        return _run_as_owner(arguments, data)
    finally:
        claimed.lock.unlock()


def _claim(data: DataDir, reference: str) -> "Claim":
    """Become the owner of the folder. That may take a minute if another program holds the folder, so it happens on a
    thread: a window says why the start takes so long, and a person can stop waiting."""
    from PySide6.QtCore import QThread

    from app.runtime.display import somebody_looks
    from app.runtime.single_owner import claim

    QThread.currentThread()  # Qt takes the first thread that asks it for anything for the one of the window
    given_up = threading.Event()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="claim") as thread:
        asked = thread.submit(claim, data.root, data.lock, given_up=given_up.is_set, reference=reference)
        try:
            return asked.result(_SILENT_S)
        except TimeoutError:
            if somebody_looks() and not _wait_for(asked, data):
                given_up.set()
            return asked.result()


def _wait_for(asked: "Future[Claim]", data: DataDir) -> bool:
    from app.runtime.loop import run
    from app.ui.shell.start_window import wait_for

    application = _application()
    sentence = translate(
        "Another Waybill that was started with the data in {root} has not answered yet. It may still be starting, or "
        "be finishing what it was sending. This start goes on as soon as it answers or ends.",
        root=data.root,
    )
    return bool(run(application, lambda: wait_for(application, asked, "Waybill is open already", sentence)))


def _try_again(trouble: "Trouble") -> bool:
    """Show the trouble in a window if a person would see it; returns whether to start anew."""
    from app.runtime.display import somebody_looks

    if not somebody_looks():
        return False
    try:
        from app.runtime.loop import run
        from app.ui.shell.start_window import try_again
    except ImportError:  # it is Qt itself that is missing: there is nothing to show a window with
        return False
    application = _application()
    return bool(run(application, lambda: try_again(application, trouble)))


def _application() -> "QApplication":
    """The one application of the process, made when it is first needed."""
    from PySide6.QtCore import qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    from app.runtime.display import has_font_files
    from app.runtime.surroundings import leave_packing

    there = QApplication.instance()
    if isinstance(there, QApplication):
        return there
    complaints: list[str] = []
    before = qInstallMessageHandler(partial(_on_qt_words, complaints))
    application = QApplication(sys.argv[:1])
    qInstallMessageHandler(before)
    for each in complaints:
        _print(each)
    if not has_font_files():
        from app.runtime.system_parts import font_sentence

        if sentence := font_sentence():
            _leave(sentence)
    application.setApplicationName("Waybill")
    application.setDesktopFileName("waybill")
    leave_packing()
    return application


def _on_qt_words(complaints: list[str], kind: "QtMsgType", _context: "QMessageLogContext", said: str) -> None:
    """Keep what Qt says while it looks for a window system, and leave with one sentence if it finds none.

    Qt aborts the process, with a core dump, as soon as its fatal message has been taken.
    """
    from PySide6.QtCore import QtMsgType

    if kind != QtMsgType.QtFatalMsg:
        complaints.append(said)
        return
    from app.runtime.system_parts import display_sentence, show_without_qt

    sentence = display_sentence(said)
    _print(sentence)
    show_without_qt(sentence)
    os._exit(2)  # nothing of ours is open yet, and from here an exception would not get through Qt


def _print(sentence: str) -> None:
    """Print the trouble for a person who started Waybill from a terminal."""
    with contextlib.suppress(OSError):
        print(sentence, file=sys.stderr)  # noqa: T201


def _run_as_owner(arguments: Arguments, data: DataDir) -> int:
    from app.runtime.loop import run

    application = _application()
    # All three open on their own threads while Qt comes up. `reader` is a second connection to the cache, so that a
    # long write does not hold up the screen.
    journal, cache, reader = Journal(data.journal), Database(data.cache, CACHE), Database(data.cache, CACHE)
    watch = CrashWatch(data.logs)
    watch.begin()
    try:
        return run(application, lambda: _main(application, arguments, data, journal, cache, reader, watch))
    except (CannotStart, StartAnew, StoreError):
        raise
    except Exception:
        watch.stumbled()
        raise
    finally:
        watch.end()
        for each in (reader, cache, journal):
            each.close_now()


def _log_to(data: DataDir) -> None:
    """Write the program's own log into one small file. Records of libraries stay out: they may quote addresses."""
    from logging.handlers import RotatingFileHandler

    handler = RotatingFileHandler(data.logs / "waybill.log", maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    log = logging.getLogger("waybill")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler)


def _on_ring(window: "MainWindow", shell: "Shell", reference: str) -> None:
    """A second start has asked for the window, and perhaps for an order in it."""
    from app.runtime.door import bring_forward

    bring_forward(window)
    if reference:
        shell.news_routes.show_reference(reference)


def _imported() -> dict[str, object]:
    """How many of Waybill's modules are imported, and the names of the libraries that are: for `--time-to-ready`."""
    packages = {name.partition(".")[0] for name in sys.modules}
    return {
        "modules": sum(name.startswith("app.") for name in sys.modules),
        "libraries": sorted(packages - sys.stdlib_module_names - {"app", "__main__"}),
    }


async def _administered(journal: Journal) -> list[str] | None:
    """Take over the administrator's file of this computer; sentences about what could not be done. None if there is no
    file: then it was a look at the disk."""
    from app.store import administrator_file

    try:
        raw = await asyncio.to_thread(administrator_file.read)
        if raw is None:
            return None
        from app.desk.connections import given_connections  # brings the client, which a start without a file need not

        return await given_connections.take_over(journal, raw)
    except (administrator_file.NotTrusted, StoreError) as error:
        return [error.sentence]


async def _main(
    application: "QApplication",
    arguments: Arguments,
    data: DataDir,
    journal: Journal,
    cache: Database,
    reader: Database,
    watch: CrashWatch,
) -> int:
    from app.background.news import News
    from app.desk.connections import profiles
    from app.runtime.loop import on_stop_signal
    from app.runtime.sink import Sink
    from app.ui.base.main_window import MainWindow
    from app.ui.base.page import PageServices
    from app.ui.base.window_place import WindowPlace, remembered_place
    from app.ui.shell.first_paint import FirstPaint
    from app.ui.shell.shell import Kept, Shell
    from app.ui.theme.theme import Theme

    try:
        await journal.opened()
    except StoreError as error:
        sentence = f"{error.sentence} {_WITHOUT_JOURNAL}"
        raise _trouble("Waybill cannot open its journal", sentence, 4, data.root) from error
    sink = Sink()
    sink.install(asyncio.get_running_loop())
    safe = arguments.safe or watch.in_a_row >= MANY
    theme = Theme(application, "system" if safe else await profiles.appearance(journal))
    window = MainWindow(theme)
    if not safe:
        window.restoreGeometry(await remembered_place(journal))
    shell = Shell(PageServices(theme, sink, News(), datetime.now), window, Kept(data, journal, cache, reader))
    anew: list[str] = []
    ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end() -> None:
        if not ended.done():
            ended.set_result(None)

    shell.closing.connect(end)
    on_stop_signal(end)
    administered = await _administered(journal)
    try:
        shell.open_desk(await profiles.last_used(journal))
        await shell.list_profiles()
        await shell.orders.load_rows()
        painted = FirstPaint(window)
        window.show()
        shell.orders.enter()
        await painted.done()
        await asyncio.to_thread(watch.usable)  # it writes a file
        if arguments.time_to_ready:
            facts = {"ready_s": round(seconds_old(), 4), "rows": shell.orders.model.rowCount(), **_imported()}
            print(json.dumps(facts), flush=True)  # noqa: T201
        else:
            from app.runtime.door import Door
            from app.runtime.memory import set_libraries_aside
            from app.runtime.practice_child import PracticeChild
            from app.store.secrets import SecretStore
            from app.ui.shell.failure_notices import tell_of_failure, tell_of_safe_start
            from app.ui.shell.newer_build_notice import NewerBuildNotice

            try:
                _log_to(data)
            except OSError as error:  # the rest works without it
                why = error.strerror or error
                sentence = translate("Waybill cannot write its log in {folder}: {why}.", folder=data.logs, why=why)
                window.bar.say("warn", sentence)
            # After the first paint: the check reads the whole file, and the first write waits for its end.
            journal.begin_check()
            door = Door(data.root)
            door.rung.connect(partial(_on_ring, window, shell))
            newer = NewerBuildNotice(window, shell.tasks, shell.leaving)
            WindowPlace(window, journal, shell.tasks)
            tell_of_failure(window, theme, watch)
            if administered:
                window.bar.say("warn", " ".join(administered), topic="administrator")
            await shell.begin_work(SecretStore(), PracticeChild(data.practice), safe=safe)
            if safe:
                tell_of_safe_start(window, watch, shell.work_as_usual)
            if arguments.reference:
                shell.news_routes.show_reference(arguments.reference)
            if administered is None:
                from app.desk.connections import given_connections

                await given_connections.forget(journal)
            # After the pages' libraries are loaded: what is frozen now is not gone through again.
            set_libraries_aside()
            await ended
            door.close()
            anew = newer.wanted
    finally:
        for why in await shell.aclose():
            print(why, file=sys.stderr)  # noqa: T201  # not into the log, which lies on the same disk
        # After the shell: what fails while it closes is still reported.
        sink.uninstall()
        window.let_go()
        # What is left of the window lies in circles, and a thread of the store that is still at work would break Qt if
        # it were the one to collect them. The process ends in a moment.
        gc.disable()
    if anew:
        raise StartAnew(anew)
    return 0
