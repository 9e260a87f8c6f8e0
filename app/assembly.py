"""Stage two of a start, and the one composition root: builds everything, starts and stops it in order.

Stage one (`app.bootstrap`) may show a still of the last view already. Order matters three times. At the start the
databases open on their own threads while the window is furnished; the frame takes the still's place once its rows are
read, and gets the keys that were typed meanwhile; modules that the frame does without are imported after that. At the
end pages stop first, then the writes under way are finished, then the client closes, then practice; the still for the
next start is taken then, and kept once the databases are closed.
"""

import asyncio
import contextlib
import gc
import logging
import sys
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from app.arguments import Arguments
from app.background.news import News
from app.desk.connections import profiles
from app.runtime.crash_watch import MANY, CrashWatch
from app.runtime.display import DisplayGone
from app.runtime.loop import on_stop_signal, run
from app.runtime.sink import Sink
from app.start_ends import CannotStart, StartAnew, trouble
from app.store.cache.schema.cache_schema import CACHE, CACHE_FOR_READING
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.sqlite.database import Database
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.base.first_paint import FirstPaint
from app.ui.base.main_window import MainWindow
from app.ui.base.page import PageServices
from app.ui.base.window_place import WindowPlace, remembered_place
from app.ui.shell.shell import Kept, Shell
from app.ui.still.still_file import forget_still, surroundings, write_still
from app.ui.theme.theme import SIZES, Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from app.ui.still.show_still import StillView
    from app.ui.still.take_still import Taken

_WITHOUT_JOURNAL = translate("Waybill keeps all that is typed and sent in it, and does not start without it.")


@dataclass(slots=True)
class _Run:
    """One run of the program: what stage one handed over, the files, and the still for the next start."""

    application: "QApplication"
    window: MainWindow
    view: "StillView | None"
    arguments: Arguments
    kept: Kept
    watch: CrashWatch
    safe: bool = False  # asked for, or because several runs in a row broke off
    taken: "Taken | None" = None


def run_assembled(
    application: "QApplication", window: MainWindow, view: "StillView | None", arguments: Arguments, data: DataDir
) -> int:
    """Run the program on this data folder, whose owner this process is, to its end; the exit status.

    `view` is the still that `window` shows, if it shows one. Raises `CannotStart`, `StartAnew`, `StoreError`,
    `DisplayGone`.
    """
    # All three open on their own threads while Qt comes up. `reader` is a second connection to the cache, so that a
    # long write does not hold up the screen.
    journal, cache = Journal(data.journal), Database(data.cache, CACHE)
    reader = Database(data.cache, CACHE_FOR_READING)
    watch = CrashWatch(data.logs)
    watch.begin()
    this = _Run(application, window, view, arguments, Kept(data, journal, cache, reader), watch)
    try:
        return run(application, partial(_main, this))
    except (CannotStart, StartAnew, StoreError):
        raise
    # Both before the watch ends: it then keeps what it knows for the next start.
    except DisplayGone:
        watch.broke_off()
        raise
    except Exception:
        watch.stumbled()
        raise
    finally:
        watch.end()
        for each in (reader, cache, journal):
            each.close_now()
        if this.taken is not None:
            _keep_still(this, this.taken)


def _keep_still(this: _Run, taken: "Taken") -> None:
    """After the databases are closed: the still is true of their files as they are then."""
    # Windows and macOS were told the appearance that a person chose (`ui/theme`). The next start finds the system's.
    this.application.styleHints().unsetColorScheme()
    try:
        write_still(this.kept.data, surroundings(this.application), taken.facts, taken.today, taken.any_day)
    except OSError:  # the next start does without one
        with contextlib.suppress(OSError):
            forget_still(this.kept.data)


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


async def fill(shell: Shell, journal: Journal) -> None:
    """Open the desk that was in use last, and show its orders. Raises `StoreError`."""
    shell.open_desk(await profiles.last_used(journal))
    await shell.list_profiles()
    await shell.orders.load_rows()


async def _show(this: _Run, shell: Shell) -> None:
    """Show the page, in the place of the still if there is one; returns once it is painted."""
    window, view = this.window, this.view
    if view is not None:
        # What the still shows is there before the still goes.
        await shell.orders.tasks.settled()
    painted = FirstPaint(window)
    held = [] if view is None else view.end()
    window.unveil()
    window.show()
    shell.orders.enter()
    if held:
        from app.ui.still.show_still import hand_over

        hand_over(window, held)
    await painted.done()


async def _open_journal(this: _Run) -> None:
    """Return once the journal is open. Raises `CannotStart` where it cannot be opened."""
    try:
        await this.kept.journal.opened()
    except StoreError as error:
        sentence = f"{error.sentence} {_WITHOUT_JOURNAL}"
        raise trouble("Waybill cannot open its journal", sentence, 4, this.kept.data.root) from error


def _end_of(shell: Shell) -> asyncio.Future[None]:
    """Done once the window is closed, or the system asks the program to end."""
    ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end() -> None:
        if not ended.done():
            ended.set_result(None)

    shell.closing.connect(end)
    on_stop_signal(end)
    return ended


async def _main(this: _Run) -> int:
    window, journal = this.window, this.kept.journal
    await _open_journal(this)
    sink = Sink()
    sink.install(asyncio.get_running_loop())
    this.safe = this.arguments.safe or this.watch.in_a_row >= MANY
    theme = Theme(this.application, "system" if this.safe else await profiles.appearance(journal))
    if not this.safe:
        text, compact = await profiles.sizes(journal)
        SIZES.choose(text, compact=compact)
    window.furnish(theme)
    if not this.safe and this.view is None:
        window.stand_at(await remembered_place(journal))
    services = PageServices(theme, sink, News(), datetime.now)
    shell = Shell(services, window, this.kept)
    ended = _end_of(shell)
    administered = await _administered(journal)
    shell.leave_out(await profiles.pages_off(journal))
    anew: list[str] = []
    usable = False
    try:
        await fill(shell, journal)
        await _show(this, shell)
        if this.arguments.time_to_ready:
            from app.runtime.start_facts import print_facts

            # Before anything is awaited: the first reads that may wait for the paint begin then, and import more.
            print_facts("ready_s", rows=shell.orders.model.rowCount())
        await asyncio.to_thread(this.watch.usable)  # it writes a file
        usable = True
        if not this.arguments.time_to_ready:
            anew = await _work(this, shell, theme, administered, ended)
    finally:
        await _close(this, shell, services, with_still=usable and not this.safe)
    if anew:
        raise StartAnew(anew)
    return 0


async def _work(
    this: _Run, shell: Shell, theme: Theme, administered: list[str] | None, ended: asyncio.Future[None]
) -> list[str]:
    """Begin all that the first paint does without, and wait for the end; the command to become then, or none.

    `administered` is what `_administered` has returned.
    """
    from app.runtime.door import Door
    from app.runtime.memory import set_libraries_aside
    from app.runtime.practice_child import PracticeChild
    from app.store.secrets import SecretStore
    from app.ui.shell.failure_notices import tell_of_failure, tell_of_safe_start
    from app.ui.shell.newer_build_notice import NewerBuildNotice

    window, data, journal = this.window, this.kept.data, this.kept.journal
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
    shell.leave_asked.connect(newer.leave_for)
    WindowPlace(window, journal, shell.tasks)
    tell_of_failure(window, theme, this.watch)
    # At once, on the window's thread: Windows ends the process as soon as this has returned.
    this.application.commitDataRequest.connect(this.watch.ending)
    if administered:
        window.bar.say("warn", " ".join(administered), topic="administrator")
    await shell.begin_work(SecretStore(), PracticeChild(data.practice), safe=this.safe)
    if this.safe:
        tell_of_safe_start(window, this.watch, shell.work_as_usual)
    if this.arguments.reference:
        shell.news_routes.show_reference(this.arguments.reference)
    if administered is None:
        from app.desk.connections import given_connections

        await given_connections.forget(journal)
    # After the pages' libraries are loaded: the collector never traverses the frozen objects again.
    set_libraries_aside()
    if window.close_wanted:  # by somebody who saw the still
        window.close()
    await ended
    # First: at a logout the display may be gone before all is closed, and Qt ends the process with it.
    await asyncio.to_thread(this.watch.ending)
    door.close()
    return newer.wanted


async def _close(this: _Run, shell: Shell, services: PageServices, *, with_still: bool) -> None:
    """Close everything in order, and take the still of the next start if wanted."""
    for why in await shell.aclose():
        print(why, file=sys.stderr)  # noqa: T201  # not into the log, which lies on the same disk
    if with_still:
        from app.ui.still.take_still import take_still

        this.taken = await take_still(this.window, services, this.kept, partial(fill, journal=this.kept.journal))
    # After the shell: what fails while it closes is still reported.
    services.sink.uninstall()
    this.window.let_go()
    # Objects of the window refer to each other in circles. A thread of the store that collected them would delete
    # widgets outside the window's thread, which breaks Qt. The process ends in a moment.
    gc.disable()
