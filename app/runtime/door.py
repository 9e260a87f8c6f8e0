"""The local socket of a data folder's owner: a second start connects and asks for the window to come forward.

The socket is named after the folder and open to the same user only. Its one request may name an order by its reference,
and is answered once the window has been told to come forward.
"""

import hashlib
import os
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote, unquote

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QWidget

_RING, _ANSWER = b"show", b"shown\n"
_LONGEST_RING = 2_000  # bytes; a reference has 50 characters at most, each of which may become twelve
_LONGEST_PATH = 100  # bytes; a socket's path has to be short, on some systems shorter than 104
_CONNECTED_MS = 1_000  # a socket of this computer is connected at once or not at all
_ANSWER_S = 3.0
_LOOK_MS, _REST_S = 5, 0.02


def door_names(root: Path) -> list[str]:
    """The names under which the owner of this folder may listen, the preferred one first."""
    short = f"waybill-{hashlib.sha256(str(root).encode()).hexdigest()[:20]}"
    if sys.platform == "win32":
        return [short]
    best, other = str(root / "waybill.socket"), str(Path(tempfile.gettempdir()) / f"{short}-{os.getuid()}")
    return [best, other] if len(os.fsencode(best)) <= _LONGEST_PATH else [other]


def ring(root: Path, reference: str = "") -> bool:
    """Ask the owner of the folder to show its window, and the order of this reference in it; True if the owner has
    answered. Blocks for seconds at most."""
    for name in door_names(root):
        socket = QLocalSocket()
        socket.connectToServer(name)
        if not socket.waitForConnected(_CONNECTED_MS):
            continue
        socket.write(_request(reference))
        heard = _heard(socket)
        socket.abort()
        if heard == _ANSWER:
            return True
    return False


def _request(reference: str) -> bytes:
    return b"%s %s\n" % (_RING, quote(reference, safe="").encode()) if reference else _RING + b"\n"


def _heard(socket: QLocalSocket) -> bytes:
    """The owner's answer, or as much of it as came in time."""
    # PySide holds Python's lock while it waits for a socket. Short waits with sleeps between let the window of this
    # process go on meanwhile: it may show that the owner is being waited for.
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
    """Listens for second starts; `rung` asks for the window to come forward at once, and carries the reference of the
    order that is wanted, or an empty text."""

    rung = Signal(str)

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._welcome)
        for name in door_names(root):
            QLocalServer.removeServer(name)  # of a killed owner: we hold the lock, so nobody listens
            if self._server.listen(name):
                break

    @property
    def open(self) -> bool:
        """Whether the socket listens. If not, a second start can only say that the folder is in use."""
        return self._server.isListening()

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _welcome(self) -> None:
        while (guest := self._server.nextPendingConnection()) is not None:
            guest.readyRead.connect(self._hear)
            guest.disconnected.connect(guest.deleteLater)
            # A request may be complete before `readyRead` is connected, so it is read here once by hand.
            self._answer(guest)

    def _hear(self) -> None:
        guest = self.sender()
        assert isinstance(guest, QLocalSocket)
        self._answer(guest)

    def _answer(self, guest: QLocalSocket) -> None:
        if not guest.canReadLine():
            if guest.bytesAvailable() > _LONGEST_RING:
                guest.abort()  # no second start of ours sends this much
            return
        word, _, reference = bytes(guest.readLine().data()).rstrip(b"\n").partition(b" ")
        if word == _RING:
            self.rung.emit(unquote(reference.decode("ascii", "replace")))
            # After the signal: "shown" is what the second start relies on when it ends without a window.
            guest.write(_ANSWER)
            guest.flush()
        else:
            guest.abort()


def bring_forward(window: QWidget) -> None:
    """Show the window above all others, even a minimised one. Some desktops only mark it as asking for attention."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
