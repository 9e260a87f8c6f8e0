"""Stage one of a start: little is imported, the data folder gets its owner, and the window shows the last view.

`app.assembly` is stage two, imported once the still of the last view has been painted: it builds everything. So a
person sees the orders after a third of the time that the whole program needs, and what is typed meanwhile is kept
(`ui/still`). Invariant: nothing is written before stage two but the lock of the data folder.
"""

import contextlib
import os
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from app.arguments import Arguments
from app.start_ends import CannotStart, StartAnew, trouble
from app.store.paths import DataDir, default_data_dir, without_links
from app.store.store_errors import StoreError
from app.translation import translate

if TYPE_CHECKING:
    from concurrent.futures import Future

    from PySide6.QtCore import QMessageLogContext, QtMsgType
    from PySide6.QtWidgets import QApplication

    from app.runtime.single_owner import Claim
    from app.ui.base.main_window import MainWindow
    from app.ui.shell.start_window import Trouble
    from app.ui.still.show_still import StillView
    from app.ui.still.still_file import Reading

_DISPLAY_WORDS = translate(
    "Waybill needs a display and found none that answers: start it in a desktop session, forward one with `ssh -X`, "
    "run it under a virtual one with `xvfb-run`, or set QT_QPA_PLATFORM=offscreen to run without any."
)
_DISPLAY_GONE = translate("The display that Waybill was shown on is gone. What was typed and sent before is kept.")
_NOT_KEPT = translate(
    "Until it can, nothing can be entered or sent. Let this user write there, make room on the disk, or start with "
    "another folder (--data-dir), and try again."
)
_OWN_MISTAKE = translate(
    "Waybill made a mistake of its own while it was starting. What was typed and sent before is kept. Try again; if it "
    "comes again, pass the report on: it names lines of the program and none of your data."
)
_SILENT_S = 1.5  # that a start waits for another Waybill before it says so


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
    from app.runtime.display import DisplayGone, has_display
    from app.runtime.memory import hold_collector_back, keep_one_heap

    # Before Qt and the stores are imported: a collection would go through all that is being loaded.
    hold_collector_back()
    # Before any thread exists: the C library gives out arenas as threads first allocate.
    keep_one_heap()
    if not has_display():
        _print(_DISPLAY_WORDS)
        return 2
    try:
        return _run_until_it_ends(arguments)
    except DisplayGone:
        _print(_DISPLAY_GONE)
        return 1


def _run_until_it_ends(arguments: Arguments) -> int:
    """Try as often as a person wants; returns the exit status. Raises `DisplayGone`."""
    while True:
        ended = _attempt(arguments)
        if isinstance(ended, int):
            return ended
        _print(f"{ended.sentence}\n{ended.report}" if ended.report else ended.sentence)
        if not _try_again(ended):
            return ended.status


def _attempt(arguments: Arguments) -> "int | Trouble":
    """One run of the program; returns the exit status, or the trouble that kept it from starting.

    No lock and no open file is left afterwards, and no frame of an error that would hold them. Raises `DisplayGone`.
    """
    from app.runtime.display import DisplayGone

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
        return trouble("Waybill cannot read what it keeps", error.sentence, 4, folder).trouble
    except ImportError as error:
        _say_what_is_missing(error)
        return _mistake(error, folder)
    except DisplayGone:  # no window could say what went wrong
        raise
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


def _data_dir(arguments: Arguments) -> DataDir:
    named = arguments.data_dir
    if named is None:
        return default_data_dir()
    try:
        return DataDir(without_links(named.expanduser()))
    except (OSError, RuntimeError) as error:  # a circle of links, a home that nobody has
        why = translate("The folder {folder} cannot be used: {why}.", folder=named, why=error)
        raise trouble("Waybill cannot keep its data", f"{why} {_NOT_KEPT}", 2, named) from error


def _run(arguments: Arguments, data: DataDir) -> int:
    try:
        data.create()
    except StoreError as error:
        raise trouble("Waybill cannot keep its data", f"{error.sentence} {_NOT_KEPT}", 2, data.root) from error
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
        raise trouble(heading, sentence, 3 if claimed.held else 2, data.root)
    try:
        return _run_as_owner(arguments, data)
    finally:
        # After everything else: another start may open the files as soon as the lock is gone.
        claimed.lock.unlock()


def _claim(data: DataDir, reference: str) -> "Claim":
    """Become the owner of the folder. That may take a minute if another program holds the folder, so it happens on a
    thread: a window says why the start takes so long, and a person can stop waiting."""
    from PySide6.QtCore import QThread

    from app.runtime.single_owner import Claim, claim, claim_now

    if (lock := claim_now(data.lock)) is not None:
        return Claim(lock)
    from concurrent.futures import ThreadPoolExecutor

    from app.runtime.display import somebody_looks

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

    from app.own_processes import leave_packing
    from app.runtime.display import has_font_files

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
    # The style of the theme, from the start on: a still is true only under the colours that this style has now.
    application.setStyle("Fusion")
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
    from app.ui.still.still_file import Reading

    last_view = Reading(data)  # before Qt's windows are loaded: it is read meanwhile
    from app.ui.base.main_window import MainWindow

    application, window = _application(), MainWindow()
    try:
        view = _show_last_view(application, window, last_view, arguments, data)
        from app.assembly import run_assembled  # all the rest of the program, behind the first paint

        return run_assembled(application, window, view, arguments, data)
    finally:
        window.let_go()


def _show_last_view(
    application: "QApplication", window: "MainWindow", last_view: "Reading", arguments: Arguments, data: DataDir
) -> "StillView | None":
    """Show the window with the orders as last seen; None where it is shown only once it is whole.

    There is a still only where the last run came to its proper end (`still_file`): after a crash there is none.
    """
    from app.ui.still.still_file import forget_still, surroundings

    if arguments.safe:
        forget_still(data)
        return None
    still = last_view.take_out(surroundings(application))
    if still is None:
        return None
    from app.ui.still.show_still import show_still

    view = show_still(window, still)
    if arguments.time_to_ready:
        from app.runtime.start_facts import print_facts

        print_facts("painted_s")
    view.be_in_reach()
    return view
