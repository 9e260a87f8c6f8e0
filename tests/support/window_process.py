"""The program's window as a process of its own, on a desktop of its own: display, D-Bus session, accessibility bus.

Nothing of the person who runs the tests is touched, and everything that is started here ends with its block, by its
process id. What is missing on this computer fails the test that needs it, with the name of the Debian package.
"""

import ctypes
import ctypes.util
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from tests.support import targets
from tests.support.accessibility import AccessibilityBus, Call
from tests.support.display import private_display
from tests.support.forked_programs import ForkedProgram, can_fork, fork_window
from tests.support.keyring_session import KeyringSession

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0  # seconds for anything that a window does; all of it takes a fraction of that
# Seconds between two looks. A look at a window reads its whole accessible tree, which keeps two processors busy: what
# comes at once is seen at once, and what takes long is looked for more seldom.
_GLANCE, _LONGEST_PAUSE, _LONGER = 0.03, 0.5, 1.3
_LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
_NEEDS = {
    "Xvfb": "xvfb",
    "xdotool": "xdotool",
    "setxkbmap": "x11-xkb-utils",
    "dbus-daemon": "dbus-daemon",
    "gnome-keyring-daemon": "gnome-keyring",
}


def until(look: Callable[[], T | None], patience: float = PATIENCE) -> T | None:
    """The first result of `look` that is not None, False or empty; None after `patience` seconds."""
    deadline = time.monotonic() + patience
    pause = _GLANCE
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > deadline:
            return None
        time.sleep(pause)
        pause = min(pause * _LONGER, _LONGEST_PAUSE)


def launcher() -> str:
    """The program that starts an accessibility bus. Fails with the Debian packages that are not installed."""
    found = next((each for each in _LAUNCHERS if Path(each).exists()), "")
    missing = [package for command, package in _NEEDS.items() if shutil.which(command) is None]
    missing += [] if found else ["at-spi2-core"]
    assert not missing, (
        f"The end-to-end tests work a real window and need the Debian packages {', '.join(missing)}; "
        "`python3 packaging/dev.py test` installs them."
    )
    return found


class WindowGone(AssertionError):
    """A window closed while xdotool looked at it."""


class Desktop:
    """A place for windows: `environment` shows a program the way to it, `session` starts and stops its keyring."""

    def __init__(self, environment: dict[str, str], session: KeyringSession, bus: AccessibilityBus) -> None:
        self.environment, self.session, self.bus = environment, session, bus

    def do(self, *words: str) -> str:
        """Send real keys or find a window: what xdotool prints. Raises WindowGone."""
        ran = subprocess.run(["xdotool", *words], env=self.environment, capture_output=True, text=True, check=False)
        if "BadWindow" in ran.stderr:
            raise WindowGone(f"xdotool {' '.join(words)}: {ran.stderr}")
        assert not ran.stderr, f"xdotool {' '.join(words)}: {ran.stderr}"
        return ran.stdout

    def begin(self, *words: str) -> subprocess.Popen[bytes]:
        """Begin to send keys while the test goes on."""
        return subprocess.Popen(["xdotool", *words], env=self.environment)

    def use_german_keys(self) -> None:
        """Give ä, ö, ü and the backslash keys of their own.

        xdotool types a letter without a key by giving it one for a moment. A busy program reads the keys of the display
        only later, when that letter is gone again, and takes another in its place. A German backslash needs AltGr,
        which Wine does not take from xdotool: it stands on the key of ß here.
        """
        # Without dead keys: xdotool types one, and the program waits for the letter to put it on.
        asked = ["setxkbmap", "-layout", "de", "-variant", "nodeadkeys", "-print"]
        keys = subprocess.run(asked, env=self.environment, capture_output=True, text=True, check=True).stdout
        # Replaced and not overridden: xdotool would find the backslash with AltGr first.
        keys = re.sub(r"xkb_symbols *{[^}]*", r"\g<0>replace key <AE11> { [ backslash, question ] };", keys)
        load = ["xkbcomp", "-w", "0", "-", self.environment["DISPLAY"]]
        subprocess.run(load, env=self.environment, input=keys, text=True, check=True)

    def picture(self, path: Path) -> Path:
        """Save what the display shows."""
        subprocess.run([sys.executable, "-c", _PICTURE, str(path)], env=self.environment, check=True)
        return path


_PICTURE = """
import sys
from PySide6.QtGui import QGuiApplication
application = QGuiApplication([])
assert QGuiApplication.primaryScreen().grabWindow(0).save(sys.argv[1])
"""


@contextmanager
def private_desktop(size: str = "1440x1000x24") -> Iterator[Desktop]:
    """A desktop without a keyring; `session.start_keyring()` gives it one."""
    program = launcher()
    # The sockets of both buses lie here, and a socket's path has to be short.
    with tempfile.TemporaryDirectory(prefix="waybill-") as folder, private_display(size) as display:
        session = KeyringSession(Path(folder))
        try:
            shown = {name: display[name] for name in ("DISPLAY", "QT_QPA_PLATFORM")}
            environment = {**session.environment, **shown, **_READ_ALOUD}
            with _accessibility(program, environment) as bus:
                yield Desktop(environment, session, bus)
        finally:
            session.stop()


_READ_ALOUD = {
    "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    "QT_ACCESSIBILITY": "1",
    "PYTHONUTF8": "1",
    # Qt prints which elements a screen reader asked for too late. A test asks all the time; it tells of no fault.
    "QT_LOGGING_RULES": "qt.accessibility.atspi.warning=false",
}


@contextmanager
def _accessibility(program: str, environment: dict[str, str]) -> Iterator[AccessibilityBus]:
    command = [program, "--launch-immediately"]
    launched = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        session = AccessibilityBus(environment["DBUS_SESSION_BUS_ADDRESS"])
        question = Call(("org.a11y.Bus", "/org/a11y/bus"), "org.a11y.Bus", "GetAddress")
        address = until(lambda: session.ask([question])[0])
        session.close()
        assert address, "at-spi-bus-launcher did not bring an accessibility bus up"
        bus = AccessibilityBus(address[0])
        try:
            yield bus
        finally:
            bus.close()
    finally:
        launched.terminate()
        launched.wait()


class WindowProcess:
    """One run of the program on `desktop`, with everything it keeps in `data` and what it prints in `record`.

    `root` is where its sources lie; `before` is called in the new process before it becomes the program; `variables`
    are added to its environment. Not `anew`: it is forked from a process that has imported the program, if there is
    one (`forked_programs`); with `root` or `before` it always starts anew.
    """

    def __init__(
        self,
        desktop: Desktop,
        data: Path,
        record: Path,
        *,
        root: Path = ROOT,
        before: Callable[[], None] | None = None,
        variables: Mapping[str, str] | None = None,
        anew: bool = True,
    ) -> None:
        self.desktop, self.data, self._record = desktop, data, record
        words = ["--data-dir", str(data)]
        environment = {**desktop.environment, **(variables or {})}
        of_sources = targets.target() == "source" and root == ROOT
        forked = of_sources and before is None and not anew and can_fork()
        self.process: subprocess.Popen[bytes] | ForkedProgram
        with record.open("wb") as printed:
            if forked:
                self.process = fork_window(words, folder=root, environment=environment, record=printed)
                return
            self.process = subprocess.Popen(
                [*targets.program(), *words],
                cwd=root,
                env=environment,
                preexec_fn=before,  # noqa: PLW1509  # it makes system calls alone
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
            )

    @property
    def log(self) -> str:
        """The program's own log."""
        file = self.data / "logs" / "waybill.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    @property
    def printed(self) -> str:
        """The text printed to standard output and standard error so far."""
        return self._record.read_text(encoding="utf-8", errors="replace")

    def children(self) -> list[int]:
        """The processes that this one has started and that are still there."""
        running = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdecimal()]
        return [each for each in running if (status := _status(each)) and int(status[1]) == self.process.pid]

    def kill_children(self) -> None:
        """End what this process has started, and nothing else, as a power switch would."""
        for each in self.children():
            os.kill(each, signal.SIGKILL)

    @functools.cached_property
    def window_id(self) -> str:
        """The X window of the program's main window."""
        words = ("search", "--all", "--onlyvisible", "--pid", str(self.process.pid), "--name", "^Waybill · ")
        found = until(lambda: self.desktop.do(*words).split())
        assert found, "the window is not on the display"
        return found[0]

    def ask_to_close(self) -> None:
        """Close the window as the close button of a window manager does."""
        _send_close(self.desktop.environment["DISPLAY"], int(self.window_id))

    def ended(self, patience: float = PATIENCE) -> int:
        """Wait for the end of the process; its exit status."""
        return self.process.wait(patience)

    def kill(self) -> None:
        """End the process as a power switch would, if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def is_gone(process_id: int) -> bool:
    """Whether no process with this id runs any more; a zombie counts as gone."""
    status = _status(process_id)
    return not status or status[0] == "Z"


def _status(process_id: int) -> list[str]:
    """State, parent and the rest of /proc/*/stat; empty for a process that is no more."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def all_gone(process_ids: Sequence[int], patience: float = PATIENCE) -> bool:
    """Whether these processes end within `patience` seconds."""
    return until(lambda: all(is_gone(each) for each in process_ids), patience) is not None


class _ClientMessage(ctypes.Structure):
    """XClientMessageEvent of Xlib.h, as large as XEvent."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("rest", ctypes.c_long * 12),
    )


def _send_close(display: str, window: int) -> None:
    """WM_DELETE_WINDOW, which xdotool can send only from a later version on than Debian 12 has."""
    name = ctypes.util.find_library("X11")
    assert name is not None, "The end-to-end tests need the Debian package libx11-6."
    x11 = ctypes.CDLL(name)
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    connection = ctypes.c_void_p(x11.XOpenDisplay(display.encode()))
    assert connection, f"no display {display}"
    protocols, close = (x11.XInternAtom(connection, word, 0) for word in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
    client_message = 33
    event = _ClientMessage(type=client_message, window=window, message_type=protocols, format=32)
    event.data[0] = close
    x11.XSendEvent(connection, ctypes.c_ulong(window), 0, 0, ctypes.byref(event))
    x11.XCloseDisplay(connection)
