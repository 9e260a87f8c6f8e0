"""The door of whoever owns a data folder: a second start rings, and the window comes forward.

It is a local socket named after the folder, open to the same user only. Who rings gets its answer once the window has
been told to come forward; nothing else is ever said through it.
"""

import hashlib
import os
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QWidget

_RING, _ANSWER = b"show\n", b"shown\n"
_LONGEST_PATH = 100  # bytes; a socket's path has to be short, on some systems shorter than 104
_CONNECTED_MS = 1_000  # a socket of this computer is connected at once or not at all
_ANSWER_S = 3.0
_LOOK_MS, _REST_S = 5, 0.02


def door_names(root: Path) -> list[str]:
    """Where the owner of this folder may be listening, the best place first."""
    short = f"waybill-{hashlib.sha256(str(root).encode()).hexdigest()[:20]}"
    if sys.platform == "win32":
        return [short]
    best, other = str(root / "waybill.socket"), str(Path(tempfile.gettempdir()) / f"{short}-{os.getuid()}")
    return [best, other] if len(os.fsencode(best)) <= _LONGEST_PATH else [other]


def ring(root: Path) -> bool:
    """Ask the owner of the folder to show its window; whether it did. Blocks for a moment."""
    for name in door_names(root):
        socket = QLocalSocket()
        socket.connectToServer(name)
        if not socket.waitForConnected(_CONNECTED_MS):
            continue
        socket.write(_RING)
        heard = _heard(socket)
        socket.abort()
        if heard == _ANSWER:
            return True
    return False


def _heard(socket: QLocalSocket) -> bytes:
    """What comes back, as long as it may take. In short looks with rests between: PySide holds Python's lock while it
    waits, and a window of this process may be showing what is being waited for."""
    heard, deadline = b"", time.monotonic() + _ANSWER_S
    while len(heard) < len(_ANSWER) and time.monotonic() < deadline:
        if socket.waitForReadyRead(_LOOK_MS):
            heard += bytes(socket.readAll().data())
        elif socket.state() != QLocalSocket.LocalSocketState.ConnectedState:
            break
        else:
            time.sleep(_REST_S)
    return heard


class Door(QObject):
    """Listens for whoever rings; `rung` is to bring the window forward at once."""

    rung = Signal()

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._welcome)
        for name in door_names(root):
            QLocalServer.removeServer(name)  # what a killed owner has left: we hold the lock, so nobody listens there
            if self._server.listen(name):
                break

    @property
    def open(self) -> bool:
        """Whether anybody can ring at all; without a door a second start only says that the folder is in use."""
        return self._server.isListening()

    def close(self) -> None:
        """Listen no more."""
        self._server.close()

    def _welcome(self) -> None:
        while (guest := self._server.nextPendingConnection()) is not None:
            guest.readyRead.connect(self._hear)
            guest.disconnected.connect(guest.deleteLater)
            self._answer(guest)

    def _hear(self) -> None:
        guest = self.sender()
        assert isinstance(guest, QLocalSocket)
        self._answer(guest)

    def _answer(self, guest: QLocalSocket) -> None:
        if not guest.canReadLine():
            if guest.bytesAvailable() > len(_RING):
                guest.abort()  # this is nobody we know
            return
        if bytes(guest.readLine().data()) == _RING:
            self.rung.emit()
            guest.write(_ANSWER)
            guest.flush()
        else:
            guest.abort()


def bring_forward(window: QWidget) -> None:
    """Show the window above the others, also when it was minimised. The desktop may only let it ask for attention."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
