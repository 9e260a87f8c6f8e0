"""The still shows what the window shows, is used once and only while it is true, and loses no key and no click."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from app.assembly import fill
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.ui.base.main_window import MainWindow
from app.ui.base.page import PageServices
from app.ui.shell.shell import Shell
from app.ui.still import still_file
from app.ui.still.show_still import Held, StillView, hand_over
from app.ui.still.still_file import Facts, Reading, Still, surroundings, write_still
from app.ui.still.take_still import Taken, take_still
from app.ui.theme.theme import Appearance, Theme
from app.ui.widgets.buttons import shortcut
from tests.bench.world import fill_cache
from tests.support.display import private_display
from tests.support.loop import PATIENCE, RunningLoop
from tests.ui.shell_help import Program, open_program

ORDERS = 300
SIZE = 1100, 700


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    fill_cache(tmp_path / "data", ORDERS)
    monkeypatch.setattr("app.ui.still.take_still._PATIENCE_S", PATIENCE)  # a busy machine takes its time
    made = open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5))
    made.window.resize(*SIZE)
    yield made
    made.close()


def at_ten() -> datetime:
    """Today at ten: in the first hour of a day a still says nothing of ages."""
    return datetime.now().replace(hour=10)


def taken_of(program: Program) -> Taken:
    services = replace(program.shell.services, now=at_ten)
    opened = partial(fill, journal=program.kept.journal)
    taken = program.loop.run(take_still(program.window, services, program.kept, opened))
    assert taken is not None
    return taken


def image_of(taken: Taken, pixels: bytes) -> QImage:
    facts = taken.facts
    return QImage(pixels, facts.width, facts.height, 4 * facts.width, QImage.Format.Format_RGB32).copy()


def grabbed(window: MainWindow) -> QImage:
    return window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def same(one: QImage, other: QImage) -> str:
    """Empty if both pictures are the same, pixel by pixel; else where they are not."""
    assert one.size() == other.size()
    if one == other:
        return ""
    places = ((x, y) for y in range(one.height()) for x in range(one.width()))
    return f"the first pixel that differs is {next(at for at in places if one.pixel(*at) != other.pixel(*at))}"


@pytest.mark.parametrize("appearance", ["light", "dark"])
def test_the_page_comes_in_the_place_of_a_still_that_looks_the_same(
    program: Program, appearance: Appearance, request: pytest.FixtureRequest
) -> None:
    loop, shell = program.loop, program.shell
    theme = shell.services.theme
    request.addfinalizer(partial(theme.choose, "light"))
    theme.choose(appearance)
    shell.orders.line.set_text("memphis")  # what a person has done in this run is not what the next start shows
    loop.until(lambda: shell.orders.model.rowCount() < ORDERS)
    taken = taken_of(program)
    window = MainWindow(theme)
    window.resize(*SIZE)
    next_start = Shell(replace(shell.services, now=at_ten), window, program.kept)
    loop.run(fill(next_start, program.kept.journal))
    next_start.orders.views.may_count = True  # what is counted after the first paint comes later
    window.show()
    window.activateWindow()
    next_start.orders.enter()
    loop.until(window.isActiveWindow)
    loop.run(next_start.orders.tasks.settled())
    loop.until(lambda: not same(image_of(taken, taken.today), grabbed(window)), "the page to look as the still")
    page = grabbed(window)
    next_start.orders.leave_out_dated()
    window.left_label.setText(" ")
    assert window.status.height() == window.status.sizeHint().height()
    undated = grabbed(window)
    assert not same(image_of(taken, taken.any_day), undated)
    assert same(undated, page), "the page shows something of the day"
    loop.run(next_start.aclose())
    window.let_go()
    window.deleteLater()


def test_a_view_that_asks_for_other_orders_each_day_is_of_its_day_alone(program: Program) -> None:
    orders = program.shell.orders
    orders.views.choose("Due today")
    program.loop.until(lambda: orders.loader.is_current and orders.state.current.name == "Due today")
    assert not orders.asks_the_same_on(at_ten().date() + timedelta(days=1))
    orders.views.choose("Open")
    assert orders.asks_the_same_on(at_ten().date() + timedelta(days=1))


def test_without_rows_there_is_no_still(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    program = open_program(loop, theme, services, tmp_path / "data", SecretStore(seconds=5))
    opened = partial(fill, journal=program.kept.journal)
    assert loop.run(take_still(program.window, program.shell.services, program.kept, opened)) is None
    program.close()


# Keys and clicks


@pytest.fixture
def bare(loop: RunningLoop, theme: Theme) -> Iterator[tuple[MainWindow, StillView]]:
    """A window with a still in it, as it is between the stages."""
    window = MainWindow()
    still = StillView(Still(Facts("Waybill", "", "#101010", 2, 1, 1.0), bytes(8)))
    window.setCentralWidget(still)
    still.setFocus()
    window.show()
    window.activateWindow()
    loop.until(window.isActiveWindow)
    yield window, still
    window.let_go()
    window.deleteLater()


def test_what_is_typed_and_clicked_on_a_still_reaches_the_page(
    bare: tuple[MainWindow, StillView], loop: RunningLoop, theme: Theme
) -> None:
    window, still = bare
    window.furnish(theme)
    done: list[str] = []
    page, line = QWidget(), QLineEdit()
    line.setParent(page)
    shortcut(window, "Ctrl+N", partial(done.append, "new"))
    shortcut(window, "Ctrl+B", partial(done.append, "hidden")).setEnabled(False)
    window.add_page(page)
    window.page_asked.connect(done.append)
    for keys in ("a", "B"):
        QTest.keyClicks(still, keys)
    QTest.keyClick(still, Qt.Key.Key_Backspace)
    QTest.keyClick(still, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(still, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(still, "c")
    loop.rest()
    assert not done, "nothing is done for anybody who sees the still"
    held = still.end()
    assert not still.held
    window.unveil()
    window.show_page("orders", page)
    line.setFocus()
    loop.rest()
    hand_over(window, held)
    assert (line.text(), done) == ("ac", ["new"])
    entry = window.rail.findChild(QPushButton, "entry")
    assert entry is not None
    middle = entry.mapTo(window, entry.rect().center())
    hand_over(window, clicks_on(middle))
    assert done == ["new", "entry"]


def test_a_key_of_the_rail_that_a_still_held_reaches_it_at_once(
    bare: tuple[MainWindow, StillView], theme: Theme
) -> None:
    window, still = bare
    window.furnish(theme)
    page, asked = QWidget(), list[str]()
    page.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.add_page(page)
    window.page_asked.connect(asked.append)
    QTest.keyClick(still, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    held = still.end()
    # As a start does it, in one turn of the loop.
    window.unveil()
    window.show_page("orders", page)
    page.setFocus()
    hand_over(window, held)
    assert asked == ["today"]


def clicks_on(place: QPoint) -> list[Held]:
    """A click, as a still holds it that fills the window."""
    still = StillView(Still(Facts("Waybill", "", "#101010", 2, 1, 1.0), bytes(8)))
    QTest.mouseClick(still, Qt.MouseButton.LeftButton, pos=place)
    return still.held


def test_the_tabulator_is_held_too(bare: tuple[MainWindow, StillView]) -> None:
    _, still = bare
    QTest.keyClick(still, Qt.Key.Key_Tab)
    assert [each.key() for each in still.held if isinstance(each, QKeyEvent)] == [Qt.Key.Key_Tab]


def test_closing_is_remembered_while_nobody_can_be_asked(bare: tuple[MainWindow, StillView]) -> None:
    window, _ = bare
    window.close()
    assert window.isVisible()
    assert window.close_wanted


def test_where_the_picture_ends_its_ground_goes_on(qapp: QApplication) -> None:
    """On a larger monitor than the last one, or where the person has made the window larger meanwhile."""
    still = StillView(Still(Facts("Waybill", "", "#123456", 2, 1, 1.0), b"\0\0\xff\xff" * 2))
    still.resize(20, 10)
    seen = still.grab().toImage()
    assert [seen.pixelColor(*place).name() for place in ((0, 0), (1, 0), (2, 0), (0, 1), (19, 9))] == [
        *("#ff0000", "#ff0000"),
        *("#123456", "#123456", "#123456"),
    ]


# The file

FACTS = Facts("Waybill · Practice", "AAAA", "#F5F6F8", 2, 1, 1.0)
TODAY, ANY_DAY = b"\1\2\3\4\5\6\7\10", b"\0" * 8


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    made = DataDir(tmp_path / "data")
    made.create()
    made.journal.write_bytes(b"journal")
    made.cache.write_bytes(b"cache")
    return made


def test_a_still_is_used_once(data: DataDir, qapp: QApplication) -> None:
    around = surroundings(qapp)
    assert Reading(data).take_out(around) is None
    write_still(data, around, FACTS, TODAY, ANY_DAY)
    assert Reading(data).take_out(surroundings(qapp)) == Still(FACTS, TODAY)
    assert Reading(data).take_out(around) is None
    assert not data.still.exists()


def _change_journal(data: DataDir) -> None:
    data.journal.write_bytes(b"journal of another day")


def _lose_cache(data: DataDir) -> None:
    data.cache.unlink()


def _leave_log(data: DataDir) -> None:
    data.cache.with_name(f"{data.cache.name}-wal").write_bytes(b"log")


def _spoil_pixel(data: DataDir) -> None:
    kept = bytearray(data.still.read_bytes())
    kept[-3] ^= 1
    data.still.write_bytes(kept)


def _spoil_title(data: DataDir) -> None:
    data.still.write_bytes(data.still.read_bytes().replace(b"Practice", b"Prictace"))


def _cut(data: DataDir) -> None:
    data.still.write_bytes(data.still.read_bytes()[:-4])


def _empty(data: DataDir) -> None:
    data.still.write_bytes(b"")


@pytest.mark.parametrize("spoil", [_change_journal, _lose_cache, _leave_log, _spoil_pixel, _spoil_title, _cut, _empty])
def test_a_still_that_is_stale_or_damaged_is_none(
    data: DataDir, qapp: QApplication, spoil: Callable[[DataDir], None]
) -> None:
    around = surroundings(qapp)
    write_still(data, around, FACTS, TODAY, ANY_DAY)
    spoil(data)
    assert Reading(data).take_out(around) is None
    assert not data.still.exists()


def test_a_still_of_other_screens_or_another_version_is_none(
    data: DataDir, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    around = surroundings(qapp)
    write_still(data, {**around, "scheme": "other"}, FACTS, TODAY, ANY_DAY)
    assert Reading(data).take_out(around) is None
    write_still(data, around, FACTS, TODAY, ANY_DAY)
    monkeypatch.setattr(still_file, "VERSION", "0.0.1")
    assert Reading(data).take_out(around) is None


def test_on_another_day_it_shows_nothing_of_its_day(
    data: DataDir, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    around = surroundings(qapp)
    write_still(data, around, FACTS, TODAY, ANY_DAY)
    monkeypatch.setattr(still_file, "_day", lambda: "2030-01-01 +0000")
    assert Reading(data).take_out(around) == Still(FACTS, ANY_DAY)
    monkeypatch.undo()
    write_still(data, around, FACTS, TODAY, b"")
    monkeypatch.setattr(still_file, "_day", lambda: "2030-01-01 +0000")
    assert Reading(data).take_out(around) is None, "other orders may be shown on another day"


_CHOSEN = """
from pathlib import Path
from types import SimpleNamespace
from PySide6.QtCore import Qt
from app import bootstrap
from app.assembly import _keep_still
from app.store.paths import DataDir
from app.ui.still.still_file import Facts, Reading, surroundings
from app.ui.still.take_still import Taken

application = bootstrap._application()
data = DataDir(Path("data"))
at_start = surroundings(application)
application.styleHints().setColorScheme(Qt.ColorScheme.Dark)
told = surroundings(application) != at_start
facts = Facts("Waybill", "AAAA", "#F5F6F8", 2, 1, 1.0)
_keep_still(SimpleNamespace(application=application, kept=SimpleNamespace(data=data)), Taken(facts, bytes(8), bytes(8)))
print(told, Reading(data).take_out(at_start) is not None)
"""


def test_a_dark_theme_on_a_light_system_has_a_still_too(data: DataDir, root: Path) -> None:
    """The program tells its scheme to Windows and macOS alone; of the systems here, Gnome follows such a word."""
    with private_display("800x600x24") as display:
        theme = {"QT_QPA_PLATFORM": "xcb", "QT_QPA_PLATFORMTHEME": "gnome", "PYTHONPATH": str(root)}
        command = [sys.executable, "-c", _CHOSEN]
        surrounding = {**os.environ, **display, **theme}
        ran = subprocess.run(command, cwd=data.root.parent, env=surrounding, capture_output=True, text=True, check=True)
    assert ran.stdout == "True True\n"
