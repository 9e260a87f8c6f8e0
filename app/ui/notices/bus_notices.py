"""Desktop notices on Linux: org.freedesktop.Notifications on the session's D-Bus.

A thread of its own asks and hears; the window never waits for the bus. jeepney speaks D-Bus, since it is there with
keyring's Secret Service, and since PySide's QtDBus sends Python's numbers as signed ones, which `Notify` refuses.

The interface: https://specifications.freedesktop.org/notification-spec/1.2/
"""

import contextlib
import html
import os
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from app.runtime.sink import describe, log

_PATH, _NAME = "/org/freedesktop/Notifications", "org.freedesktop.Notifications"
_BUS_PATH, _BUS_NAME = "/org/freedesktop/DBus", "org.freedesktop.DBus"
_WATCHER = "org.kde.StatusNotifierWatcher"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_OPENING_S, _ANSWER_S = 1.0, 5.0
_DEFAULT = "default"  # the action of a click on the notice itself
_NORMAL = 1  # urgency


@dataclass(frozen=True, slots=True)
class BusNotice:
    """A notice as it is asked for, in plain text; `opens` is the name of its action."""

    heading: str
    body: str
    opens: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The services that answer on the bus: the program that shows notices (empty if none does), and whether a tray may
    be asked for without waiting for a program that hangs."""

    server: str = ""
    tray_answers: bool = True


class _Refused(Exception):
    """The bus or the program behind it answered with an error, or not in time."""


class BusNotices(QObject):
    """Shows one notice at a time, each in the place of the one before as long as that is there.

    `clicked`: a person wants what the notice is about. `closed`: the notice has gone. `stands` carries a `Standing`, at
    first and whenever it becomes another. `failed`: the last notice was not taken.
    """

    clicked = Signal()
    closed = Signal()
    stands = Signal(object)
    failed = Signal()

    _heard = Signal(str, object)  # from the thread

    def __init__(self) -> None:
        super().__init__()
        self._worker: _Worker | None = None
        # Queued: it comes from the other thread, and nothing of the window may run there.
        self._heard.connect(self._on_heard, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        """Find out who shows notices, and listen."""
        self._worker = _Worker(self._heard.emit)
        self._worker.start()

    def show_notice(self, notice: BusNotice) -> None:
        """Show this notice, in place of the last one."""
        if self._worker is not None:
            self._worker.want(notice)

    def withdraw(self) -> None:
        """Take the last notice away."""
        if self._worker is not None:
            self._worker.want(None)

    def end(self) -> None:
        """Take the last notice away, and leave the bus."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _on_heard(self, what: str, about: object) -> None:
        if self._worker is None:
            return
        if what == "token":
            # A Wayland desktop lets a window come forward only with the token of the click; Qt takes it from here.
            os.environ["XDG_ACTIVATION_TOKEN"] = str(about)
        elif what == "clicked":
            self.clicked.emit()
        elif what == "closed":
            self.closed.emit()
        elif what == "failed":
            self.failed.emit()
        else:
            self.stands.emit(about)


class _Worker(threading.Thread):
    """The thread. `want` and `end` are called from the window's thread, everything else runs here."""

    def __init__(self, tell: Any) -> None:
        super().__init__(name="notices", daemon=True)
        self._tell = tell
        self._lock = threading.Lock()
        self._wanted: deque[BusNotice | None] = deque()
        self._ended = False
        self._connection: Any = None
        self._shown = 0  # the id of the notice that is there; 0 for none
        self._last = 0  # the id of the last one: some tell first that it has gone, and then that it was clicked
        self._server, self._markup = "", False
        self._look_again = False  # another program shows notices
        self._stood: Standing | None = None

    def want(self, notice: BusNotice | None) -> None:
        """Show this, or take away what is there."""
        with self._lock:
            self._wanted.clear()  # only the last one counts
            self._wanted.append(notice)
            self._wake()

    def end(self) -> None:
        """Take away what is there, and end."""
        with self._lock:
            self._ended = True
            self._wanted.clear()
            self._wanted.append(None)
            self._wake()

    def _wake(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(OSError):
                self._connection.interrupt()

    def run(self) -> None:
        from jeepney.bus import get_bus  # type: ignore[import-untyped]
        from jeepney.io.blocking import prep_socket  # type: ignore[import-untyped]
        from jeepney.io.threading import DBusConnection  # type: ignore[import-untyped]

        try:
            # Where the bus goes before it has answered, jeepney's `open_dbus_connection` leaves the socket open, and an
            # error in a thread of its own.
            connection = DBusConnection(prep_socket(get_bus("SESSION"), timeout=_OPENING_S))
        except Exception:  # noqa: BLE001  # no bus: an address that is not set, that nobody listens at, or refuses us
            self._stand(Standing())
            return
        try:
            with self._lock:
                self._connection = connection
            self._ask(_BUS_PATH, _BUS_NAME, _BUS_NAME, "Hello")  # a bus wants to be greeted first
            self._listen()
            while True:
                if self._look_again:
                    self._look_again = False
                    self._look_who_shows()
                with self._lock:
                    wanted = [self._wanted.popleft()] if self._wanted else []
                    ended = self._ended
                for each in wanted:
                    self._do(each)
                if ended and not wanted:
                    return
                if not wanted:
                    # A wish that comes just now is not missed: `interrupt` writes to a pipe, which `receive` looks at
                    # first.
                    self._hear_one(None)
        except (OSError, EOFError):  # the session has ended, or its bus
            self._stand(Standing())
        except Exception as error:  # noqa: BLE001  # what answers on the bus is not ours: the window goes on without
            log.warning("notices are not shown any more: %s", describe(error))
            self._stand(Standing())
        finally:
            with self._lock:
                self._connection = None
            with contextlib.suppress(OSError):
                connection.close()

    # The bus

    def _listen(self) -> None:
        for rule in (
            f"type='signal',sender='{_NAME}',path='{_PATH}',interface='{_NAME}'",
            f"type='signal',sender='{_BUS_NAME}',member='NameOwnerChanged',arg0='{_NAME}'",
        ):
            with contextlib.suppress(_Refused):
                self._ask(_BUS_PATH, _BUS_NAME, _BUS_NAME, "AddMatch", "s", (rule,))
        self._look_who_shows()

    def _look_who_shows(self) -> None:
        """Ask who shows notices, which may start it; nobody is one answer."""
        self._server, self._markup, self._shown = "", False, 0
        with contextlib.suppress(_Refused):
            server = self._ask(_PATH, _NAME, _NAME, "GetServerInformation")
            skills = self._ask(_PATH, _NAME, _NAME, "GetCapabilities")[0]
            version = f"{server[2]}".partition(" ")[0]  # some add the day on which they were made
            self._server = f"{server[0]} {version}".strip()
            self._markup = "body-markup" in skills
        self._stand(Standing(self._server, self._tray_answers()))

    def _tray_answers(self) -> bool:
        """Whether the program that keeps tray icons answers, or there is none: then Qt need not wait for it."""
        try:
            if not self._ask(_BUS_PATH, _BUS_NAME, _BUS_NAME, "NameHasOwner", "s", (_WATCHER,))[0]:
                return True
            asked = (_WATCHER, "IsStatusNotifierHostRegistered")
            self._ask("/StatusNotifierWatcher", _WATCHER, _PROPERTIES, "Get", "ss", asked)
        except _Refused:
            return False
        return True

    def _stand(self, standing: Standing) -> None:
        if standing != self._stood:
            self._stood = standing
            self._tell("stands", standing)

    def _do(self, notice: BusNotice | None) -> None:
        if notice is None:
            # Forgotten first: that it has gone is no news to whoever wants it gone, and might be told of the next one.
            shown, self._shown, self._last = self._shown, 0, 0
            if shown:
                with contextlib.suppress(_Refused):  # it has gone meanwhile
                    self._ask(_PATH, _NAME, _NAME, "CloseNotification", "u", (shown,))
            return
        body = html.escape(notice.body, quote=False) if self._markup else notice.body
        hints = {"desktop-entry": ("s", "waybill"), "urgency": ("y", _NORMAL)}
        actions = [_DEFAULT, notice.opens]
        asked = ("Waybill", self._shown, "waybill", notice.heading, body, actions, hints, -1)
        try:
            self._shown = self._ask(_PATH, _NAME, _NAME, "Notify", "susssasa{sv}i", asked)[0]
            self._last = self._shown
        except _Refused:
            self._shown = 0
            self._tell("failed", None)

    def _ask(
        self, path: str, name: str, interface: str, method: str, signature: str | None = None,
        arguments: tuple[Any, ...] = (),
    ) -> tuple[Any, ...]:  # fmt: skip
        """The answer. Signals that come before it are heard. Raises `_Refused`."""
        from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call  # type: ignore[import-untyped]

        message = new_method_call(DBusAddress(path, name, interface), method, signature, arguments)
        serial = next(self._connection.outgoing_serial)
        self._connection.send(message, serial=serial)
        deadline = time.monotonic() + _ANSWER_S
        while (left := deadline - time.monotonic()) > 0:
            reply = self._hear_one(left)
            if reply is not None and reply.header.fields.get(HeaderFields.reply_serial) == serial:
                if reply.header.message_type is MessageType.method_return:
                    return tuple(reply.body)
                break
        raise _Refused(method)

    def _hear_one(self, patience: float | None) -> Any:
        """Wait for a message, and return it if it is no signal; None if there was none or somebody wants something."""
        from jeepney import HeaderFields, MessageType
        from jeepney.io.threading import ReceiveStopped

        try:
            message = self._connection.receive(timeout=patience)
        except ReceiveStopped:
            self._connection.reset_interrupt()
            return None
        except TimeoutError:
            return None
        if message.header.message_type is not MessageType.signal:
            return message
        member, body = message.header.fields.get(HeaderFields.member), tuple(message.body)
        if member == "NameOwnerChanged":
            self._on_owner(body)
        elif body and self._last and body[0] == self._last:
            self._on_signal(str(member), body)
        return None

    def _on_owner(self, body: tuple[Any, ...]) -> None:
        """Another program shows notices from now on, or none: the numbers of notices are other ones."""
        self._last = 0
        if self._shown:
            self._shown = 0
            self._tell("closed", None)
        self._look_again = True  # not now: an answer may be waited for, and a question within would take it

    def _on_signal(self, member: str, body: tuple[Any, ...]) -> None:
        if member == "NotificationClosed":
            self._shown = 0
            self._tell("closed", None)
        elif member == "ActivationToken":
            self._tell("token", body[1])
        elif member == "ActionInvoked" and body[1] == _DEFAULT:
            self._tell("clicked", None)
