"""A program that shows notices, for tests: org.freedesktop.Notifications on a bus, recording what it is asked for.

It checks types as the bus does: a call with another signature than the specification's is answered by an error.
"""

import threading
from dataclasses import dataclass
from typing import Any

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal  # type: ignore[import-untyped]
from jeepney.io.threading import ReceiveStopped, open_dbus_connection  # type: ignore[import-untyped]

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
_BUS = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")


@dataclass(frozen=True, slots=True)
class Asked:
    """One `Notify`: its id, and the id of the notice in whose place it was asked for (0 for none)."""

    id: int
    replaces: int
    heading: str
    body: str
    actions: tuple[str, ...]


class NotificationServer:
    """Takes the name on the bus at `address` until `stop`. `asked` and `closed` are what came, in order.

    `refuses`: each notice is answered by an error. `silent`: nothing is answered.
    """

    def __init__(self, address: str, *, skills: tuple[str, ...] = ("actions", "body", "body-markup")) -> None:
        self.asked: list[Asked] = []
        self.closed: list[int] = []
        self.refuses = self.silent = False
        self._skills = skills
        self._last = 0
        self._connection = open_dbus_connection(address)
        self._connection.send(_call("RequestName", "su", (NAME, 0)))
        self._owned = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._owned.wait(10), "the name is not ours"

    def click(self, notice: int, action: str = "default") -> None:
        """Invoke an action, as a click does."""
        self._emit("ActionInvoked", "us", (notice, action))

    def dismiss(self, notice: int) -> None:
        """Take a notice away, as a person does."""
        self._emit("NotificationClosed", "uu", (notice, 2))

    def stop(self) -> None:
        """Leave the bus."""
        self._connection.interrupt()
        self._thread.join(10)
        self._connection.close()

    def _emit(self, member: str, signature: str, body: tuple[Any, ...]) -> None:
        self._connection.send(new_signal(DBusAddress(PATH, NAME, NAME), member, signature, body))

    def _run(self) -> None:
        try:
            while True:
                message = self._connection.receive()
                fields = message.header.fields
                if fields.get(HeaderFields.member) == "NameAcquired" and message.body[0] == NAME:
                    self._owned.set()
                if message.header.message_type is MessageType.method_call and not self.silent:
                    self._answer(message, fields.get(HeaderFields.member), fields.get(HeaderFields.signature) or "")
        except (ReceiveStopped, OSError):
            return

    def _answer(self, message: Any, member: str, signature: str) -> None:
        if member == "GetServerInformation":
            reply = new_method_return(message, "ssss", ("Recorder", "tests", "1.0", "1.2"))
        elif member == "GetCapabilities":
            reply = new_method_return(message, "as", (list(self._skills),))
        elif member == "Notify" and signature == "susssasa{sv}i" and not self.refuses:
            _, replaces, _, heading, body, actions, _, _ = message.body
            self._last = replaces or self._last + 1
            self.asked.append(Asked(self._last, replaces, heading, body, tuple(actions)))
            reply = new_method_return(message, "u", (self._last,))
        elif member == "CloseNotification":
            self.closed.append(message.body[0])
            reply = new_method_return(message)
            self._emit("NotificationClosed", "uu", (message.body[0], 3))
        else:
            reply = new_error(message, "org.freedesktop.DBus.Error.InvalidArgs")
        self._connection.send(reply)


def _call(member: str, signature: str, body: tuple[Any, ...]) -> Any:
    from jeepney import new_method_call

    return new_method_call(_BUS, member, signature, body)
