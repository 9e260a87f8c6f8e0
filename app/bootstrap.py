"""The one composition root: builds everything, starts and stops it in order.

Order matters twice. At the start the databases open on their own threads while Qt comes up, and nothing that the first
paint does not need is imported before it. At the end pages stop first, then what is being sent is finished, then the
client closes, then practice, then the store.
"""

import asyncio
import gc
import json
import logging
import os
import sys
import time
from datetime import datetime
from functools import partial

from app.arguments import Arguments
from app.store.cache_schema import CACHE
from app.store.database import Database
from app.store.errors import StoreError
from app.store.keeping import Journal
from app.store.paths import DataDir, default_data_dir

# Platforms on which nobody could read a window.
_WITHOUT_A_PERSON = ("offscreen", "minimal")
_STARTED = time.perf_counter()
_DISPLAY_WORDS = (
    "Waybill needs a display and found none: start it in a desktop session, forward one with `ssh -X`, "
    "run it under a virtual one with `xvfb-run`, or set QT_QPA_PLATFORM=offscreen to run without any."
)


def start(arguments: Arguments) -> int:
    """Run the program as asked; the exit status."""
    if arguments.selftest:
        from app.selftest import run_selftest

        return run_selftest()
    from app.runtime.memory import hold_collector_back, keep_one_heap

    hold_collector_back()
    keep_one_heap()
    if not _has_display():
        print(_DISPLAY_WORDS, file=sys.stderr)  # noqa: T201
        return 2
    data = _data_dir(arguments)
    try:
        data.create()
    except StoreError as error:
        print(error.sentence, file=sys.stderr)  # noqa: T201
        return 2
    from app.runtime.features import leave_sources_alone

    leave_sources_alone()
    from app.runtime.single_owner import claim

    claimed = claim(data.root, data.lock)
    if claimed.lock is None:
        here = f"Waybill is open already with the data in {data.root}, and has come forward."
        print(here if claimed.answered else claimed.trouble, file=sys.stderr)  # noqa: T201
        return 0 if claimed.answered else 3
    try:
        return _run_as_owner(arguments, data)
    finally:
        claimed.lock.unlock()


def _run_as_owner(arguments: Arguments, data: DataDir) -> int:
    journal, cache, reader = Journal(data.journal), Database(data.cache, CACHE), Database(data.cache, CACHE)
    try:
        return _run_window(arguments, data, journal, cache, reader)
    finally:
        for each in (reader, cache, journal):
            each.close_now()


def _data_dir(arguments: Arguments) -> DataDir:
    return default_data_dir() if arguments.data_dir is None else DataDir(arguments.data_dir.expanduser().resolve())


def _has_display() -> bool:
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _log_to(data: DataDir) -> None:
    """Our own log only, in one small file; the libraries' records stay out of it, as they may quote addresses."""
    from logging.handlers import RotatingFileHandler

    handler = RotatingFileHandler(data.logs / "waybill.log", maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    log = logging.getLogger("waybill")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler)


def _run_window(arguments: Arguments, data: DataDir, journal: Journal, cache: Database, reader: Database) -> int:
    from PySide6.QtWidgets import QApplication

    from app.runtime.loop import run

    application = QApplication(sys.argv[:1])
    application.setApplicationName("Waybill")
    application.setDesktopFileName("waybill")
    return run(application, lambda: _main(application, arguments, data, journal, cache, reader))


async def _main(
    application: object, arguments: Arguments, data: DataDir, journal: Journal, cache: Database, reader: Database
) -> int:
    from PySide6.QtWidgets import QApplication

    from app.desk import profiles
    from app.runtime.loop import on_stop_signal
    from app.runtime.sink import Sink
    from app.ui.first_paint import FirstPaint
    from app.ui.main_window import MainWindow
    from app.ui.page import News, Room
    from app.ui.shell import Kept, Shell
    from app.ui.theme.theme import Theme

    assert isinstance(application, QApplication)
    try:
        await journal.opened()
    except StoreError as error:
        print(error.sentence, file=sys.stderr)  # noqa: T201
        if application.platformName() not in _WITHOUT_A_PERSON:
            from app.ui.widgets.confirm import told

            await told("Waybill cannot open its journal", error.sentence, "Close Waybill")
        return 4
    sink = Sink()
    sink.install(asyncio.get_running_loop())
    theme = Theme(application, await profiles.appearance(journal))
    window = MainWindow(theme)
    shell = Shell(Room(theme, sink, News(), datetime.now), window, Kept(data, journal, cache, reader))
    ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end() -> None:
        if not ended.done():
            ended.set_result(None)

    shell.closing.connect(end)
    on_stop_signal(end)
    try:
        shell.open_desk(await profiles.last_used(journal))
        await shell.list_profiles()
        await shell.orders.load_rows()
        painted = FirstPaint(window)
        window.show()
        shell.orders.enter()
        await painted.done()
        if arguments.time_to_ready:
            facts = {"ready_s": round(time.perf_counter() - _STARTED, 4), "rows": shell.orders.model.rowCount()}
            print(json.dumps(facts), flush=True)  # noqa: T201
        else:
            from app.runtime.door import Door, bring_forward
            from app.runtime.memory import set_libraries_aside
            from app.runtime.practice_child import PracticeChild
            from app.store.secrets import SecretStore

            _log_to(data)
            journal.begin_check()
            door = Door(data.root)
            door.rung.connect(partial(bring_forward, window))
            await shell.begin_work(SecretStore(), PracticeChild(data.practice))
            set_libraries_aside()
            await ended
            door.close()
    finally:
        for why in await shell.aclose():
            print(why, file=sys.stderr)  # noqa: T201  # not into the log, which lies on the same disk
        sink.uninstall()
        window.let_go()
        # What is left of the window lies in circles, and a thread of the store that is still at work would break Qt if
        # it were the one to collect them. The process ends in a moment.
        gc.disable()
    return 0
