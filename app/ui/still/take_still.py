"""Takes the still for the next start: of a second window, built as a start builds it, that nobody sees.

Invariant: nothing is read or decided here otherwise than at a start, so the still shows what the next start will show,
and not what a person was looking at.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from app.background.news import News
from app.runtime.sink import Sink
from app.store.store_errors import StoreError
from app.ui.base.main_window import MainWindow
from app.ui.base.page import PageServices
from app.ui.shell.shell import Kept, Shell
from app.ui.still.still_file import Facts

# Layouts ask for each other by events and by timers of zero, so they need turns of the loop; and a window that nobody
# sees lays out what is painted. It is done when so many pictures in a row are the same.
_SAME, _TURN_S = 3, 0.005
_PATIENCE_S = 4.0  # the window has gone: nobody waits, but the system may


@dataclass(frozen=True, slots=True)
class Taken:
    """The pixels and facts that `still_file.write_still` keeps.

    `any_day` is empty where other rows may be shown on another day.
    """

    facts: Facts
    today: bytes
    any_day: bytes


async def take_still(
    window: MainWindow, services: PageServices, kept: Kept, fill: Callable[[Shell], Awaitable[None]]
) -> Taken | None:
    """A still of the size of `window`, which is about to go; None if there is nothing to show at the next start.

    `fill` opens the desk and reads the rows, as at a start.
    """
    if window.isFullScreen() or window.isMinimized():
        return None
    with suppress(StoreError, TimeoutError):  # the next start says what is wrong
        async with asyncio.timeout(_PATIENCE_S):
            return await _take(window, services, kept, fill)
    return None


async def _take(
    window: MainWindow, services: PageServices, kept: Kept, fill: Callable[[Shell], Awaitable[None]]
) -> Taken | None:
    unseen = MainWindow(services.theme)
    unseen.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    unseen.resize(window.size())
    # News and failures of its own: what it does is no concern of the window that goes.
    shell = Shell(replace(services, sink=Sink(), news=News()), unseen, kept)
    try:
        await fill(shell)
        shell.orders.views.may_count = True  # so that painting it begins no count, which a first paint does not show
        unseen.show()
        shell.orders.enter()
        await shell.orders.tasks.settled()
        await _lay_out(unseen)
        return _pictures(window, unseen, shell) if shell.orders.model.rowCount() else None
    finally:
        # The work first, then its window: a task that still runs would meet deleted widgets.
        await shell.aclose()
        unseen.let_go()


async def _lay_out(unseen: MainWindow) -> None:
    before, same = _image(unseen), 1
    while same < _SAME:
        await asyncio.sleep(_TURN_S)
        now = _image(unseen)
        # Layouts settle over several turns, and nothing tells that the last one is over; so pictures are compared.
        before, same = now, same + 1 if now == before else 1


def _pictures(window: MainWindow, unseen: MainWindow, shell: Shell) -> Taken:
    image, now = _image(unseen), shell.services.now()
    facts = Facts(
        unseen.windowTitle(),
        bytes(window.saveGeometry().toBase64().data()).decode("ascii"),
        shell.services.theme.colours.ground,
        image.width(),
        image.height(),
        image.devicePixelRatio(),
    )
    shell.orders.leave_out_dated()
    unseen.left_label.setText(" ")  # an empty line would be lower
    undated = _image(unseen)
    same_rows = shell.orders.asks_the_same_on(now.date() + timedelta(days=1))
    # In the first hour of a day an age of yesterday's is told in minutes, which are others at the next start.
    today = image if now.hour else undated
    return Taken(facts, _pixels(today), _pixels(undated) if same_rows else b"")


def _image(unseen: MainWindow) -> QImage:
    return unseen.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def _pixels(image: QImage) -> bytes:
    return bytes(image.constBits())  # 32 bits a pixel leave no gap at the end of a row
