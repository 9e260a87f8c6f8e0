"""No message moves the widgets under a person's hand, nor takes a click that was meant for another widget."""

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QScrollBar, QStackedWidget, QWidget
from shiboken6 import Shiboken

from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.settings.settings_page import SettingsPage
from app.ui.theme.theme import Theme
from app.ui.widgets.bars import message_bar
from app.ui.widgets.bars.floating import Floating
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.files.file_strip import FileStrip
from app.ui.widgets.layout import column, holding
from app.ui.widgets.text.labels import Tone
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import fill, order
from tests.ui.shell_help import Program, open_program

LONG = "Rejected: the provider refused this order. " * 6
PAGES = ("orders", "entry", "outbox", "audits", "settings")


@pytest.fixture
def program(
    loop: RunningLoop, theme: Theme, services: PageServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Program]:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    opened = open_program(loop, theme, services, tmp_path, SecretStore(seconds=5))
    opened.shell.take_services(opened.secrets, opened.practice)
    desk = opened.shell.desk
    assert desk is not None
    fill(loop, desk, [order(number) for number in range(1, 60)])
    yield opened
    opened.close()


def places(window: QWidget, but: QWidget | None) -> dict[QWidget, tuple[QPoint, int, int]]:
    """Where every widget in sight stands on the screen, and how large it is, all but what belongs to `but`."""
    return {
        each: (each.mapToGlobal(QPoint(0, 0)), each.width(), each.height())
        for each in window.findChildren(QWidget)
        if each.isVisible() and each is not but and not (but is not None and but.isAncestorOf(each))
    }


def moved(before: dict[QWidget, tuple[QPoint, int, int]]) -> list[str]:
    return [
        f"{each.metaObject().className()} {each.accessibleName()!r}: {place} became {now}"
        for each, place in before.items()
        if Shiboken.isValid(each)
        and each.isVisible()
        and (now := (each.mapToGlobal(QPoint(0, 0)), each.width(), each.height())) != place
    ]


def begun_elsewhere(before: dict[QWidget, tuple[QPoint, int, int]]) -> list[str]:
    """What begins at another place than before, whatever its size."""
    return [
        f"{each.metaObject().className()} {each.accessibleName()!r}: {at} became {each.mapToGlobal(QPoint(0, 0))}"
        for each, (at, _width, _height) in before.items()
        if Shiboken.isValid(each)
        and each.isVisible()
        and each.mapToGlobal(QPoint(0, 0)) != at
        # A bar to scroll sideways stands at the end of what scrolls.
        and not isinstance(each, QScrollBar)
        and each.objectName() != "qt_scrollarea_hcontainer"
    ]


@pytest.mark.parametrize("name", PAGES)
def test_no_message_moves_anything_of_any_page(loop: RunningLoop, program: Program, name: str) -> None:
    shell, window = program.shell, program.window
    shell.go(name)
    shell.orders.reload()
    page = shell.page(name)
    loop.until(lambda: not page.tasks.busy)
    loop.rest()
    if name == "orders":
        shell.orders.table.selectRow(3)
        order_pane = shell.orders.side
        loop.until(lambda: order_pane.order is not None and order_pane.order.title.text() and not page.tasks.busy)
    said = [
        each for each in window.findChildren(MessageBar) if (on := each.parentWidget()) is not None and on.isVisible()
    ]
    assert {window.bar, page.bar} <= set(said)
    for bar in said:
        own = bar.parentWidget() if isinstance(bar.parentWidget(), FileStrip) else bar
        before = places(window, own)
        loop.rest()
        while moved(before):  # an order that has just been shown is still being laid out
            before = places(window, own)
            loop.rest()
        bar.say("bad", LONG, "Show outbox", lambda: None)
        loop.rest()
        assert bar.isVisible()
        assert moved(before) == []
        for floating in window.findChildren(Floating):
            floating._aimed.stop()
            floating._take_clicks()
        loop.rest()
        assert begun_elsewhere(before) == []  # what scrolls ends higher now
        bar.clear()
        loop.rest()
        assert moved(before) == []


def test_messages_of_one_window_stand_above_each_other(loop: RunningLoop, program: Program) -> None:
    window, page = program.window, program.shell.orders
    window.bar.say("warn", "One.")
    page.bar.say("warn", LONG)
    loop.rest()

    def on_screen(bar: MessageBar) -> object:
        return bar.rect().translated(bar.mapToGlobal(QPoint(0, 0)))

    first, second = on_screen(window.bar), on_screen(page.bar)
    assert not first.intersects(second)  # type: ignore[attr-defined]
    window.bar.clear()
    loop.rest()
    assert on_screen(page.bar) == second  # nor does a message move, as its button may be aimed at


def test_a_message_of_the_window_is_at_the_foot_of_each_page(
    loop: RunningLoop, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-1, -1))
    window, orders = program.window, program.shell.orders
    orders.bar.say("warn", LONG)
    window.bar.say("warn", "One.")
    loop.rest()
    (floating,) = (each for each in window.bar.findChildren(Floating) if each.widget is window.bar)
    assert floating._lift > 0  # above the message of the orders
    program.shell.go("insights")
    loop.rest()
    assert floating._lift == 0


def on_screen(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())


def test_a_message_of_the_window_keeps_off_the_controls_of_each_page(
    loop: RunningLoop, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell, window = program.shell, program.window
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-1, -1))
    window.bar.say("warn", LONG)

    def keeps_off(name: str, *controls: str) -> None:
        shell.go(name)
        page = shell.page(name)
        loop.until(lambda: not page.tasks.busy)
        loop.rest()
        for each in controls:
            control = attrgetter(each)(page)
            assert control.isVisible()
            assert not on_screen(window.bar).intersects(on_screen(control)), f"{each} of {name}"

    keeps_off("quotes", "send_button", "template_button")
    keeps_off("entry", "rail")
    keeps_off("console", "refresh", "described")
    keeps_off("outbox", "tools")
    # The pointer rests where the message would come: it comes above it, and the tabs stay free.
    window.bar.clear()
    foot = window.pages.mapToGlobal(QPoint(100, window.pages.height() - 20))
    monkeypatch.setattr(QCursor, "pos", lambda: foot)
    window.activateWindow()
    window.bar.say("warn", "Short.")
    loop.rest()
    keeps_off("outbox", "tools")
    assert not on_screen(window.bar).contains(foot)
    assert on_screen(window.bar).bottom() > foot.y() - 60


def test_the_last_buttons_of_settings_can_be_scrolled_above_a_message(loop: RunningLoop, program: Program) -> None:
    shell, window = program.shell, program.window
    shell.go("settings")
    page = shell.page("settings")
    assert isinstance(page, SettingsPage)
    loop.until(lambda: not page.tasks.busy)
    window.bar.say("warn", LONG)
    page.bar.say("warn", LONG)
    loop.rest()
    for floating in window.findChildren(Floating):
        floating._aimed.stop()
        floating._take_clicks()
    loop.rest()
    scroll = page._area.verticalScrollBar()
    scroll.setValue(scroll.maximum())
    loop.rest()
    for control in (page.about_section.copy_button, page.about_section.diagnostics_button):
        for bar in (window.bar, page.bar):
            assert bar.isVisible()
            assert not on_screen(bar).intersects(on_screen(control))


class Bench(QWidget):
    """Rows of buttons, with a message over them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.pressed: list[str] = []
        self.rows = [QPushButton(f"{at}") for at in range(12)]
        for each in self.rows:
            each.setSizePolicy(each.sizePolicy().Policy.Expanding, each.sizePolicy().Policy.Expanding)
            each.clicked.connect(partial(self.pressed.append, each.text()))
        self.field = QLineEdit()
        self.setLayout(column(*self.rows, self.field))
        self.bar = MessageBar(theme)
        self.bar.float_over(self, self)


@pytest.fixture
def bench(theme: Theme, show: Show, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(MessageBar, "underMouse", lambda _: False)  # clicks of other tests leave the pointer somewhere
    made = Bench(theme)
    show(made)
    return made


def click_at(window: QWidget, place: QPoint) -> None:
    """As the system delivers it: to the window, which looks what is there."""
    handle = window.windowHandle()
    assert handle is not None
    QTest.mouseClick(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_a_click_goes_where_it_was_aimed_before_the_message_came(loop: RunningLoop, bench: Bench) -> None:
    pressed: list[str] = []
    bench.field.hide()
    loop.rest()
    bench.bar.say("warn", "Something happened.", "Do it", lambda: pressed.append("message"))
    loop.rest()
    (action,) = [each for each in bench.bar.findChildren(QPushButton) if each.text() == "Do it"]
    aim = action.mapTo(bench, action.rect().center())
    click_at(bench, aim)
    assert (pressed, len(bench.pressed)) == ([], 1)
    (floating,) = bench.bar.findChildren(Floating)
    floating._aimed.timeout.emit()  # a moment later it is seen, and takes clicks
    click_at(bench, aim)
    assert (pressed, len(bench.pressed)) == (["message"], 1)


def test_a_click_that_was_aimed_at_the_message_before_does_nothing(loop: RunningLoop, bench: Bench) -> None:
    pressed: list[str] = []
    bench.bar.say("warn", "One thing.", "Do it", lambda: pressed.append("one"), topic="one")
    (floating,) = bench.bar.findChildren(Floating)
    floating._aimed.timeout.emit()
    bench.bar.say("warn", "Another.", "Do it", lambda: pressed.append("another"), topic="another")
    loop.rest()
    (action,) = [each for each in bench.bar.findChildren(QPushButton) if each.text() == "Do it"]
    click_at(bench, action.mapTo(bench, action.rect().center()))
    assert (pressed, bench.pressed) == ([], [])


def test_the_field_that_is_typed_in_is_not_covered(
    loop: RunningLoop, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-1, -1))
    bench.field.setFocus()
    bench.bar.say("warn", "Something happened.")
    loop.rest()
    assert not bench.bar.geometry().intersects(bench.field.geometry())
    assert bench.bar.geometry().top() > bench.height() // 2, "the head stays free"
    bench.bar.clear()
    bench.rows[0].setFocus()
    bench.bar.say("warn", "Something happened.")
    loop.rest()
    assert bench.bar.geometry().top() > bench.rows[0].geometry().bottom()


def test_a_message_does_not_make_way_for_a_bare_page_of_a_stack(
    loop: RunningLoop, theme: Theme, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-1, -1))
    stack, field, bare = QStackedWidget(), QLineEdit(), QWidget()
    for each in (holding(column(field, None)), bare):
        stack.addWidget(each)
    page = holding(column(80, stack))  # a head that the message would fit into
    bar = MessageBar(theme)
    bar.float_over(page, page)
    show(page)
    page.resize(800, 600)
    field.setFocus()
    stack.setCurrentWidget(bare)
    assert bare.hasFocus()
    bar.say("", "Undone.")
    loop.rest()
    assert bar.geometry().top() > page.height() // 2, "the head stays free"


def test_the_field_that_the_keyboard_comes_to_later_is_not_covered(
    loop: RunningLoop, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-1, -1))
    bench.rows[5].setFocus()
    bench.bar.say("warn", "Something happened.")
    loop.rest()
    assert bench.bar.geometry().intersects(bench.field.geometry())
    bench.field.setFocus()
    loop.until(lambda: not bench.bar.geometry().intersects(bench.field.geometry()))
    bench.rows[0].setFocus()
    loop.until(lambda: not bench.bar.geometry().intersects(bench.rows[0].geometry()))
    there = bench.bar.geometry()
    bench.rows[5].setFocus()  # where nothing is covered nothing moves
    loop.rest()
    assert bench.bar.geometry() == there


def test_a_message_above_another_one_does_not_cover_the_keyboard(
    loop: RunningLoop, bench: Bench, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QCursor, "pos", lambda: QPoint(-1, -1))
    bench.bar.say("warn", "Something happened.")
    loop.rest()
    above = QLineEdit(bench)
    above.setGeometry(40, bench.bar.geometry().top() - 30, 200, 20)  # where the second message would stand
    above.show()
    above.setFocus()
    loop.rest()
    second = MessageBar(theme)
    second.float_over(bench, bench)
    second.say("warn", "Something else happened.")
    loop.rest()
    assert not second.geometry().intersects(bench.bar.geometry())
    assert not second.geometry().intersects(above.geometry())
    assert second.geometry().bottom() < above.geometry().top()


def test_a_message_does_not_cover_the_place_below_the_pointer(
    loop: RunningLoop, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = bench.rows[-1].mapToGlobal(bench.rows[-1].rect().center() - QPoint(400, 0))
    monkeypatch.setattr(QCursor, "pos", lambda: at)
    bench.bar.say("warn", "Something happened.")
    loop.rest()
    assert not bench.bar.geometry().contains(bench.mapFromGlobal(at))
    assert bench.bar.geometry().top() > bench.height() // 2, "the head stays free"


# How long a message stands


def test_a_message_without_action_passes_unless_it_is_being_read(
    loop: RunningLoop, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_bar, "PASSES_AFTER_S", 0.02)
    for tone in ("good", ""):
        bench.bar.say(tone, "It is done.")
        loop.until(lambda: not bench.bar.text)
    monkeypatch.setattr(MessageBar, "underMouse", lambda _: True)
    bench.bar.say("good", "It is done.")
    bench.bar.passing.timeout.emit()
    assert bench.bar.text == "It is done."
    monkeypatch.setattr(MessageBar, "underMouse", lambda _: False)
    bench.bar.passing.timeout.emit()
    assert bench.bar.text == ""


@pytest.mark.parametrize(
    ("tone", "action", "stays"), [("warn", "", False), ("bad", "", False), ("good", "Open it", False), ("", "", True)]
)
def test_a_message_with_action_or_warning_stays(bench: Bench, tone: Tone, action: str, stays: bool) -> None:
    bench.bar.say(tone, "Look here.", action, lambda: None, stays=stays)
    assert not bench.bar.passing.isActive()


def test_a_message_that_offers_its_actions_passes_later_and_outlasts_another(
    loop: RunningLoop, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.bar.say("good", "12 orders are in orders.xlsx.", "Show in folder", lambda: None, topic="file", offers=True)
    assert bench.bar.passing.interval() == message_bar.OFFER_PASSES_AFTER_S * 1000
    bench.bar.say("good", "Copied.")
    bench.bar.passing.timeout.emit()
    assert bench.bar.text == "12 orders are in orders.xlsx."
    monkeypatch.setattr(message_bar, "OFFER_PASSES_AFTER_S", 0.02)
    bench.bar.say("good", "13 orders are in orders.xlsx.", "Show in folder", lambda: None, topic="file", offers=True)
    loop.until(lambda: not bench.bar.text)


@pytest.mark.parametrize("tone", ["good", "warn"])
def test_an_answer_passes_later_and_outlasts_a_success(bench: Bench, tone: Tone) -> None:
    bench.bar.say(tone, "The provider has no order R-1.", topic="answer", offers=True)
    assert bench.bar.passing.interval() == message_bar.OFFER_PASSES_AFTER_S * 1000
    bench.bar.say("good", "Copied.")
    bench.bar.passing.timeout.emit()
    assert bench.bar.text == "The provider has no order R-1."
    bench.bar.passing.timeout.emit()
    assert bench.bar.text == ""


def test_trouble_is_said_again_once_a_success_has_gone(bench: Bench) -> None:
    bench.bar.say("bad", "The disk is full.", topic="disk")
    bench.bar.say("good", "Copied.")
    assert bench.bar.text == "Copied."
    bench.bar.passing.timeout.emit()
    assert bench.bar.text == "The disk is full."
    bench.bar.withdraw("disk")
    assert bench.bar.text == ""
