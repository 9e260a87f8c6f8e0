"""`python -m tests.faults.actions_child FOLDER SEED ACTIONS A_SITTING`: random actions on the real window.

A sitting opens the window on a fresh copy of one data folder, works it with random keys, clicks, words and sizes while
the practice service answers with random faults, and closes it as a person does. After each sitting one line of JSON
tells what went wrong and what the process holds after the window was closed: `rss` in KiB, `objects` of Python,
`widgets` and `files`; and `shown`, in KiB, where the new window had shown each page and nothing else was done with it.

Nothing leaves the folder: file dialogs are answered with files below it, foreign programs are not on the path, and no
name but this computer's own is looked up. The last actions are kept in `FOLDER/actions.log`, for a crash or a hang.
"""

import faulthandler
import gc
import importlib
import json
import os
import pkgutil
import random
import shutil
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from PySide6.QtCore import (
    QEvent,
    QMessageLogContext,
    QObject,
    QPoint,
    QPointF,
    Qt,
    QtMsgType,
    QUrl,
    Slot,
    qInstallMessageHandler,
)
from PySide6.QtGui import (
    QDesktopServices,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPixmapCache,
    QShortcut,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import isValid

from app.background.news import News
from app.desk.text.contact_links import MAP_SITES
from app.runtime.memory import give_back, keep_one_heap
from app.runtime.sink import Sink
from app.store.secrets import SecretStore
from app.ui.base.page import PageServices
from app.ui.base.rail import ENTRIES
from app.ui.theme.theme import Theme
from tests.support.hostile import HOSTILE
from tests.support.loop import RunningLoop
from tests.support.practice_calls import Caller
from tests.support.practice_process import SMALL, start_practice
from tests.ui.shell_help import Program, open_program

HANG_S = 180.0  # a child that stands still for so long writes where it stands and ends
_WATCHED_ANEW_S = 5.0  # the clock of a hang is a thread: to start one at each action took a sixth of all time
PATIENCE_S = 60.0
_KEY, _MODIFIER, _BUTTON = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton
_NONE, _SHIFT, _CTRL, _ALT = (
    _MODIFIER.NoModifier,
    _MODIFIER.ShiftModifier,
    _MODIFIER.ControlModifier,
    _MODIFIER.AltModifier,
)
# Ctrl+Q closes the window: that is an action of its own, once a sitting.
_KEYS: tuple[Qt.Key, ...] = (
    *(_KEY.Key_Tab,) * 6, *(_KEY.Key_Return,) * 6, *(_KEY.Key_Escape,) * 4, *(_KEY.Key_Down,) * 6, *(_KEY.Key_Up,) * 4,
    _KEY.Key_Left, _KEY.Key_Right, _KEY.Key_Home, _KEY.Key_End, _KEY.Key_PageDown, _KEY.Key_PageUp, _KEY.Key_Space,
    _KEY.Key_Space, _KEY.Key_Backspace, _KEY.Key_Delete, _KEY.Key_Insert, _KEY.Key_Menu,
    _KEY.Key_F1, _KEY.Key_F2, _KEY.Key_F4, _KEY.Key_F5, _KEY.Key_F7, _KEY.Key_F8, _KEY.Key_F11,
)  # fmt: skip
_NAMED_KEYS = {"\n": _KEY.Key_Return, "\t": _KEY.Key_Tab}
_MODIFIERS = (_NONE, _NONE, _NONE, _NONE, _SHIFT, _CTRL, _ALT, _CTRL | _SHIFT, _CTRL | _ALT)
_WORDS: tuple[str, ...] = (
    *HOSTILE, "CRN", "STR-2", "memphis", "38118", "555", "status:open", "late", "-late", "has:pod", "imported:today",
    "1", "0", "-1", "1e9", "2026-02-30", "12/24", "+3", "fri", "SOFA", "CHAIR", "HOME", "a b c", "x@y.z",
    "(901) 555-0100",     "A\tB\tC\nD\tE\tF\n" * 5, "barcode\n" * 40, "x" * 5_000, "http://127.0.0.1:9/", "\n", " ",
)  # fmt: skip
_FAULTS: tuple[dict[str, object], ...] = (
    {"rate-503": "0.3:1"}, {"rate-429": "0.3:1"}, {"error-500": 0.2}, {"reset-before": 0.2}, {"reset-after": 0.2},
    {"truncate": 0.2}, {"malformed": 0.2}, {"token-expire": 0.3}, {"latency": 150}, {"nulls": True},
    {"unknown-fields": True}, {"pod-foreign": True}, {"image-foreign": True}, {"audit-object": True},
    {"status-bare": True},
)  # fmt: skip
_QUIET: dict[str, object] = {name: None for each in _FAULTS for name in each}
_PAGES = tuple(each.name for each in ENTRIES)
_ROOMS = ("app.api", "app.background", "app.contract", "app.desk", "app.runtime", "app.store", "app.ui")
_LINKS = ("tel:", "mailto:", *(search for _, search in MAP_SITES.values()))
_KNOWN_REMARKS = ("does not support propagateSizeHints", "does not support raise", "does not support grabbing")


class Watch(QObject):
    """What goes wrong by whatever road: the sink and Qt's messages. `last` is what was done last."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.last = ""
        self._alive_at = 0.0

    def note_life(self, stacks: TextIO) -> None:
        """The child goes on: a hang is counted from now on."""
        now = time.monotonic()
        if now - self._alive_at > _WATCHED_ANEW_S:
            self._alive_at = now
            faulthandler.dump_traceback_later(HANG_S, exit=True, file=stacks)

    def note_failure(self, where: str, report: str) -> None:
        """The sink was told of an error that nobody expected."""
        self.faults.append(f"after {self.last}: {where}: {report}")

    def note_message(self, kind: QtMsgType, _context: QMessageLogContext, words: str) -> None:
        """Qt has a remark."""
        if kind != QtMsgType.QtDebugMsg and not any(each in words for each in _KNOWN_REMARKS):
            ours = [f"{each.filename}:{each.lineno}" for each in traceback.extract_stack() if "/app/" in each.filename]
            self.faults.append(f"after {self.last}: Qt says {words}, from {ours}")

    @Slot(QUrl)
    def open_link(self, address: QUrl) -> None:
        """The folder of a written file may be opened, and what a key of an order leads to: a call, a mail, a map."""
        if not address.isLocalFile() and not address.toString().startswith(_LINKS):
            self.faults.append(f"after {self.last}: a link was opened")


@dataclass(frozen=True, slots=True)
class Notes:
    """What was done, where the process stands if it hangs, and the folder of files that may be chosen."""

    log: TextIO
    stacks: TextIO
    files: Path


class Hand:
    """One who does whatever comes to mind with the window that is open."""

    def __init__(self, program: Program, chance: random.Random, watch: Watch, notes: Notes) -> None:
        self.program, self.chance, self.watch = program, chance, watch
        self.log, self.stacks, self.folder = notes.log, notes.stacks, notes.files
        self.closing = 0
        self._held: QWidget | None = None
        program.shell.closing.connect(self._on_closing)
        self._actions: Sequence[tuple[int, Callable[[], str]]] = (
            (30, self.key), (12, self.shortcut), (14, self.type_words), (30, self.click), (3, self.right_click),
            (3, self.double_click), (4, self.wheel), (3, self.drag), (2, self.page), (1, self.resize),
            (1, self.clipboard), (1, self.compose), (1, self.fault),
        )  # fmt: skip
        self._weights = [weight for weight, _ in self._actions]

    def _on_closing(self) -> None:
        self.closing += 1

    def act(self) -> None:
        """Do one thing; what was done stands in the log before it is done."""
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog):
            done = self.answer_file_dialog(dialog)
        else:
            ((_, action),) = self.chance.choices(self._actions, self._weights)
            done = action()
        self.watch.last = done
        self.log.write(f"{done}\n")

    def _note(self, words: str) -> str:
        self.watch.last = words
        self.log.write(f"{words} …\n")
        self.log.flush()
        return words

    def above_all(self) -> QWidget | None:
        """The list, menu or dialog that takes all keys and clicks now."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget()

    def _top(self) -> QWidget:
        above = self.above_all()
        if above is not None:
            return above
        shown = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
        return self.chance.choice(shown) if shown and self.chance.random() < 0.2 else self.program.window

    def _spot(self) -> tuple[QWidget, QPoint]:
        top = self._top()
        at = QPoint(self.chance.randrange(max(top.width(), 1)), self.chance.randrange(max(top.height(), 1)))
        under = top.childAt(at) or top
        self._held = top  # shiboken takes the wrappers of children for dead once the one of their parent is gone
        return under, under.mapFrom(top, at)

    def key(self) -> str:
        target = self.above_all() or QApplication.focusWidget() or self._top()
        key, modifier = self.chance.choice(_KEYS), self.chance.choice(_MODIFIERS)
        words = self._note(f"key {key.name} {modifier} on {_named(target)}")
        QTest.keyClick(target, key, modifier)
        return words

    def shortcut(self) -> str:
        top = self._top()
        found = [each for each in top.findChildren(QShortcut) if each.isEnabled() and each.key().toString() != "Ctrl+Q"]
        if not found:
            return "no shortcut"
        chosen = self.chance.choice(found).key()
        target = QApplication.focusWidget() or top
        words = self._note(f"shortcut {chosen.toString()} on {_named(target)}")
        QTest.keySequence(target, chosen)
        return words

    def type_words(self) -> str:
        target = QApplication.focusWidget() or self._top()
        text = self.chance.choice(_WORDS)[: self.chance.choice((1, 3, 12, 60))]
        words = self._note(f"type {text!r} on {_named(target)}")
        for each in text:
            _type(QApplication.focusWidget() or target, each)
        return words

    def click(self) -> str:
        under, at = self._spot()
        words = self._note(f"click {_named(under)} at {at.x()},{at.y()}")
        QTest.mouseClick(under, _BUTTON.LeftButton, self.chance.choice((_NONE, _NONE, _NONE, _SHIFT, _CTRL)), at)
        return words

    def right_click(self) -> str:
        under, at = self._spot()
        words = self._note(f"right click {_named(under)}")
        QTest.mouseClick(under, _BUTTON.RightButton, _NONE, at)
        if _alive(under):
            QTest.sendKeyEvent(QTest.KeyAction.Click, under, _KEY.Key_Menu, "", _NONE)
        return words

    def double_click(self) -> str:
        under, at = self._spot()
        words = self._note(f"double click {_named(under)}")
        QTest.mouseDClick(under, _BUTTON.LeftButton, _NONE, at)
        return words

    def wheel(self) -> str:
        under, at = self._spot()
        words = self._note(f"wheel on {_named(under)}")
        turn = QPoint(0, self.chance.choice((-720, -120, 120, 720)))
        modifier = self.chance.choice((_NONE, _NONE, _CTRL))
        event = QWheelEvent(
            QPointF(at), QPointF(under.mapToGlobal(at)), QPoint(), turn, _BUTTON.NoButton, modifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(under, event)
        return words

    def drag(self) -> str:
        under, at = self._spot()
        if isinstance(under, QTextEdit | QPlainTextEdit) or isinstance(under.parent(), QTextEdit | QPlainTextEdit):
            return "no drag of text"  # Qt would begin a drag in a loop of its own, which no one ends without a mouse
        words = self._note(f"drag on {_named(under)}")
        to = at + QPoint(self.chance.randrange(-300, 300), self.chance.randrange(-200, 200))
        QTest.mousePress(under, _BUTTON.LeftButton, _NONE, at)
        for point in (at + (to - at) / 2, to):
            if _alive(under):
                moved = QMouseEvent(
                    QEvent.Type.MouseMove, QPointF(point), QPointF(under.mapToGlobal(point)),
                    _BUTTON.NoButton, _BUTTON.LeftButton, _NONE,
                )  # fmt: skip
                QApplication.sendEvent(under, moved)
        if _alive(under):
            QTest.mouseRelease(under, _BUTTON.LeftButton, _NONE, to)
        return words

    def page(self) -> str:
        name = self.chance.choice(_PAGES)
        words = self._note(f"page {name}")
        self.program.window.page_asked.emit(name)
        return words

    def resize(self) -> str:
        size = self.chance.randrange(640, 1_920), self.chance.randrange(480, 1_080)
        words = self._note(f"resize {size}")
        self.program.window.resize(*size)
        return words

    def clipboard(self) -> str:
        text = self.chance.choice(_WORDS) * self.chance.choice((1, 1, 3, 50))
        words = self._note(f"clipboard of {len(text)} characters, pasted")
        QApplication.clipboard().setText(text)
        QTest.keyClick(QApplication.focusWidget() or self._top(), _KEY.Key_V, _CTRL)
        return words

    def compose(self) -> str:
        target = QApplication.focusWidget()
        if target is None:
            return "nothing to compose in"
        words = self._note(f"compose in {_named(target)}")
        # As an input method does it: what is composed is shown, and goes as it is committed or given up. Text that is
        # left half composed while keys arrive makes Qt's editors of several lines crash (QTextCursor out of range).
        committed = QInputMethodEvent()
        committed.setCommitString(self.chance.choice(("Zoë", "שלום", "👩\u200d🚚", "")))
        QApplication.sendEvent(target, QInputMethodEvent("zo", []))
        if not _alive(target):
            return words
        QApplication.sendEvent(target, committed)
        return words

    def fault(self) -> str:
        facts = self.program.practice._facts
        if not facts:
            return "practice is not there"
        switches = _QUIET if self.chance.random() < 0.5 else self.chance.choice(_FAULTS)
        words = self._note(f"provider {switches if switches is not _QUIET else 'as usual'}")
        try:
            Caller(facts).switch(**switches)
        except OSError:
            return "practice went meanwhile"
        return words

    def answer_file_dialog(self, dialog: QFileDialog) -> str:
        """Choose below the folder, or nothing: a dialog for files can also rename and delete what it shows."""
        words = self._note(f"answer {dialog.windowTitle()!r}")
        mode = dialog.fileMode()
        known = sorted(self.folder.iterdir())
        if self.chance.random() < 0.5 or (mode == QFileDialog.FileMode.ExistingFile and not known):
            dialog.reject()
            return words
        if mode == QFileDialog.FileMode.Directory:
            dialog.setDirectory(str(self.folder))
            dialog.selectFile(str(self.folder))
        elif mode == QFileDialog.FileMode.ExistingFile:
            dialog.selectFile(str(self.chance.choice(known)))
        else:
            dialog.selectFile(str(self.folder / f"file-{self.chance.randrange(20)}"))
        dialog.accept()
        return words


def _type(target: QWidget, letter: str) -> None:
    """As a keyboard does; letters that QTest has no key for come as an event with their text."""
    if letter in _NAMED_KEYS or (letter.isascii() and letter.isprintable()):
        QTest.keyClick(
            target, _NAMED_KEYS.get(letter) or Qt.Key(ord(letter.upper())), _SHIFT if letter.isupper() else _NONE
        )
        return
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        if isValid(target):
            QApplication.sendEvent(target, QKeyEvent(kind, _KEY.Key_unknown, _NONE, letter))


def _named(widget: QWidget) -> str:
    return f"{type(widget).__name__} {(widget.accessibleName() or widget.objectName())[:40]!r}"


def _alive(widget: QWidget) -> bool:
    return isValid(widget) and widget.isVisible()


def _close_boxes_of_qt() -> None:
    """A file dialog of Qt's asks in a loop of its own; ours never do."""
    box = QApplication.activeModalWidget()
    if isinstance(box, QMessageBox) and isinstance(box.parent(), QFileDialog):
        box.reject()


def _stay_here() -> None:
    """No name but this computer's own is looked up, and no foreign program is started."""
    look_up = socket.getaddrinfo

    def only_here(host: Any, *more: Any, **named: Any) -> Any:
        if host not in ("127.0.0.1", "::1", "localhost", None):
            raise socket.gaierror(socket.EAI_NONAME, "not on this computer")
        return look_up(host, *more, **named)

    socket.getaddrinfo = only_here
    os.environ["PATH"] = ""


def _threads_left() -> list[str]:
    """The names of the threads that do not end with their window, after a while: some are at their end still."""
    deadline = time.monotonic() + PATIENCE_S
    for each in _threads():
        each.join(max(deadline - time.monotonic(), 0))
    return [each.name for each in _threads()]


def _threads() -> list[threading.Thread]:
    # Python keeps a dummy of each thread of Qt's that ever ran Python, also after that has ended.
    own = (threading.main_thread(), *(each for each in threading.enumerate() if each.name.startswith("Dummy-")))
    return [each for each in threading.enumerate() if each not in own]


def _import_the_rest() -> None:
    """Import what only some dialog or export needs: its first use late in a run would pass for growth."""
    for folder in _ROOMS:
        found = importlib.import_module(folder)
        for each in pkgutil.walk_packages(found.__path__, f"{folder}."):
            importlib.import_module(each.name)


def _resident(theme: Theme) -> int:
    """The memory of the process in KiB."""
    theme.forget_gone_widgets()  # as the program does every ten minutes
    gc.collect()
    gc.collect()
    QPixmapCache.clear()  # it has a bound of its own, and fills up to it
    give_back()  # as the program does after each fetch, or what the allocator holds for later would count
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def _held(actions: int, watch: Watch, shown: int, theme: Theme) -> dict[str, object]:
    rss = _resident(theme)
    faults, watch.faults = watch.faults + [f"a thread was left: {name}" for name in _threads_left()], []
    return {
        "actions": actions, "rss": rss, "shown": shown, "objects": len(gc.get_objects()),
        "widgets": len(QApplication.allWidgets()), "files": len(list(Path("/proc/self/fd").iterdir())),
        "faults": faults,
    }  # fmt: skip


def _show_each_page(program: Program, alive: Callable[[], None]) -> None:
    """Begin as the program does; show each page once, until it has loaded what it shows."""
    loop, shell = program.loop, program.shell
    loop.run(shell.begin_work(program.secrets, program.practice), PATIENCE_S)
    loop.until(lambda: shell.desk and shell.desk.provider, "practice", PATIENCE_S)
    for name in (*_PAGES, _PAGES[0]):
        alive()  # a page at a time: on a busy computer all of them take longer than a hang
        program.window.page_asked.emit(name)
        loop.rest()
        loop.until(lambda: not any(page.tasks.busy for page in shell.pages()), name, PATIENCE_S)


def _sit(program: Program, hand: Hand, actions: int) -> int:
    """Do so many things, fewer when the window was closed; how many were done."""
    loop = program.loop
    for number in range(actions):
        hand.act()
        _close_boxes_of_qt()
        if hand.chance.random() < 0.2:
            loop.breathe()
        hand.watch.note_life(hand.stacks)
        if hand.closing:
            return number + 1
    _close(program, hand)
    return actions


def _close(program: Program, hand: Hand) -> None:
    """Close as a person does: Ctrl+Q, and whatever is asked is answered until the window may go."""
    if program.practice._facts:
        try:
            Caller(program.practice._facts).switch(**_QUIET)
        except OSError as error:
            hand.log.write(f"practice is gone: {error}\n")

    def gone() -> bool:
        if hand.closing:
            return True
        above = hand.above_all()
        if isinstance(above, QMessageBox):
            for each in above.buttons():
                if above.buttonRole(each) == QMessageBox.ButtonRole.AcceptRole:
                    each.click()
                    break
        elif above is not None:
            above.close()
        else:
            program.window.close()
        return False

    program.loop.until(gone, lambda: f"the window to close; last {hand.watch.last}", PATIENCE_S)


def main(arguments: Sequence[str]) -> int:
    """Sit at the window until the actions are done."""
    folder, seed, actions, a_sitting = Path(arguments[0]), int(arguments[1]), int(arguments[2]), int(arguments[3])
    with (
        (folder / "stacks.log").open("w", encoding="utf-8") as stacks,
        (folder / "actions.log").open("w", encoding="utf-8") as log,
    ):
        faulthandler.enable(stacks)
        try:
            _work(folder, random.Random(seed), actions, a_sitting, Notes(log, stacks, folder / "files"))
        except Exception:  # noqa: BLE001  # told to the parent; the sink would leave its words out
            print(traceback.format_exc(), file=sys.stderr, flush=True)
            return 1
        faulthandler.cancel_dump_traceback_later()
    return 0


def _work(folder: Path, chance: random.Random, actions: int, a_sitting: int, notes: Notes) -> None:
    world = folder / "world"
    start_practice(world, *SMALL).stop()
    notes.files.mkdir()
    _stay_here()
    keep_one_heap()
    application = QApplication(sys.argv[:1])
    watch, sink = Watch(), Sink()
    sink.install()
    sink.failed.connect(watch.note_failure)
    qInstallMessageHandler(watch.note_message)
    for scheme in ("http", "https", "file", "mailto", "tel"):
        QDesktopServices.setUrlHandler(scheme, watch, "open_link")  # type: ignore[arg-type]  # the stub is wrong
    theme = Theme(application, "light")
    done, first = 0, True
    while done < actions:
        notes.log.seek(0)
        notes.log.truncate()
        watch.note_life(notes.stacks)
        data = folder / "data"
        shutil.copytree(world, data / "practice")
        loop = RunningLoop(application)
        program = open_program(
            loop, theme, PageServices(theme, sink, News(), datetime.now), data, SecretStore(seconds=5)
        )
        hand = Hand(program, chance, watch, notes)
        _show_each_page(program, lambda: watch.note_life(notes.stacks))
        shown = _resident(theme)
        done += _sit(program, hand, min(a_sitting, actions - done))
        program.close()
        watch.faults += [f"a task was left: {name}" for name in loop.close()]
        del program, hand, loop
        shutil.rmtree(data)
        if first:
            _import_the_rest()  # not before: the first sitting imports as a person's does, amid everything else
            first = False
        print(json.dumps(_held(done, watch, shown, theme)), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
