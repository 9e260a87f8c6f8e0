"""A second program to drag files from: `python -m tests.support.drag_source X Y FILE…`.

A small window at this place of the screen, as a file manager's would be. Pressed and moved, it begins a drag of the
files with Qt's own protocol (XDND on X11): what arrives in another program went through the window system.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.support.window_process import Desktop, WindowProcess, until

TITLE = "Files to drag"
SIZE = 60
_STEPS = 6  # a hand moves through several places; Qt begins a drag only after some pixels


class Source(QWidget):
    """The window. `files` are dragged as a copy."""

    def __init__(self, files: Sequence[Path]) -> None:
        super().__init__()
        self._files = files
        self.setWindowTitle(TITLE)
        self.setFixedSize(SIZE, SIZE)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            drag, data = QDrag(self), QMimeData()
            data.setUrls([QUrl.fromLocalFile(str(each)) for each in self._files])
            data.setText("\n".join(map(str, self._files)))  # as file managers do: a text field would take it
            drag.setMimeData(data)
            drag.exec(Qt.DropAction.CopyAction)


@contextmanager
def drag_source(desktop: Desktop, left: int, top: int, *files: Path) -> Iterator[None]:
    """A window with these files at this place of the screen."""
    command = [sys.executable, "-m", "tests.support.drag_source", str(left), str(top), *map(str, files)]
    root = Path(__file__).resolve().parents[2]
    made = subprocess.Popen(command, cwd=root, env=desktop.environment)
    try:
        words = ("search", "--all", "--onlyvisible", "--pid", str(made.pid), "--name", f"^{TITLE}$")
        assert until(lambda: desktop.do(*words).split()), "the window to drag from is not on the display"
        yield
    finally:
        made.terminate()
        made.wait()


def drag_to(desktop: Desktop, source: tuple[int, int], target: WindowProcess, place: tuple[int, int]) -> None:
    """Press at `source` on the screen, move to a place of the window and let go there, as a hand does."""
    left, top = (int(each) for each in _place_of(desktop, target.window_id))
    x, y = left + place[0], top + place[1]
    desktop.do("mousemove", *map(str, source), "mousedown", "1")
    for step in range(1, _STEPS + 1):
        at = [str(begin + (end - begin) * step // _STEPS) for begin, end in zip(source, (x, y), strict=True)]
        desktop.do("mousemove", "--sync", *at)


def let_go(desktop: Desktop) -> None:
    """End the drag where the pointer is."""
    desktop.do("mouseup", "1")


def _place_of(desktop: Desktop, window: str) -> tuple[str, str]:
    facts = dict(each.split("=") for each in desktop.do("getwindowgeometry", "--shell", window).split())
    return facts["X"], facts["Y"]


if __name__ == "__main__":
    _left, _top, *_files = sys.argv[1:]
    _application = QApplication(sys.argv[:1])
    _window = Source([Path(each) for each in _files])
    _window.move(int(_left), int(_top))
    _window.show()
    sys.exit(_application.exec())
