"""D-Bus messages of the questions that a tree is read with, written and read as bytes.

A test reads a tree of a thousand answers at each step, and jeepney takes a quarter of a millisecond for each message:
it was half of the processor time of the end-to-end tests. The four kinds of answers a tree consists of are read here;
the rest, errors included, is left to jeepney. The layout is that of "Message Protocol" in
https://dbus.freedesktop.org/doc/dbus-specification.html.

Invariant: `Wire.ask` has read every answer to its questions when it returns, so that none is left for the next.
"""

import functools
import struct
import time
from collections.abc import Callable, Sequence
from typing import Any

from jeepney import (  # type: ignore[import-untyped]
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    Parser,
    new_method_call,
)
from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

Question = tuple[str, str, str, str, str, tuple[Any, ...]]  # bus name, path, interface, method, signature, arguments
_AT_ONCE = 400  # questions on the wire
_RECEIVED = 1 << 18  # bytes read at a time
_START = struct.Struct(
    "<4s3I"
)  # endianness, type, flags and version; lengths of the body; serial; lengths of the fields
_LENGTH = struct.Struct("<I")
_CALL, _RETURN = 1, 2
_REPLY_SERIAL, _SIGNATURE = 5, 8


class Wire:
    """A connection to the bus at `address`. Answers take at most `patience` seconds."""

    def __init__(self, address: str, patience: float) -> None:
        self._connection = open_dbus_connection(address)
        self._patience = patience
        self._received = bytearray()

    def close(self) -> None:
        """Leave the bus."""
        self._connection.close()

    def ask(self, questions: Sequence[Question]) -> list[tuple[Any, ...] | None]:
        """The answers, in the order of the questions; None where the answer is an error. Raises TimeoutError."""
        answers: list[tuple[Any, ...] | None] = []
        for start in range(0, len(questions), _AT_ONCE):
            answers += self._ask_some(questions[start : start + _AT_ONCE])
        return answers

    def _ask_some(self, questions: Sequence[Question]) -> list[tuple[Any, ...] | None]:
        places: dict[int, int] = {}
        messages = []
        for place, each in enumerate(questions):
            serial = next(self._connection.outgoing_serial)
            places[serial] = place
            messages.append(_written(each, serial))
        self._connection.sock.sendall(b"".join(messages))
        answers: list[tuple[Any, ...] | None] = [None] * len(questions)
        deadline = time.monotonic() + self._patience
        while places:
            for message in self._some_messages(deadline):
                answered, answer = _read(message)
                place_of = places.pop(answered, None)
                if place_of is not None:
                    answers[place_of] = answer
        return answers

    def _some_messages(self, deadline: float) -> list[bytes]:
        """Wait for bytes; the whole messages among all that have come."""
        sock = self._connection.sock
        sock.settimeout(max(deadline - time.monotonic(), 0.001))
        more = sock.recv(_RECEIVED)
        if not more:
            raise ConnectionResetError("the bus has gone")
        self._received += more
        found, start, held = [], 0, self._received
        while len(held) - start >= _START.size:
            _, body, _, fields = _START.unpack_from(held, start)
            end = start + _padded(_START.size + fields) + body
            if end > len(held):
                break
            found.append(bytes(held[start:end]))
            start = end
        del held[:start]
        return found


def _padded(length: int) -> int:
    return (length + 7) & ~7


def _written(question: Question, serial: int) -> bytes:
    """A method call. The path is the last field, since it alone is another one in each question of a tree."""
    bus, path, interface, method, signature, arguments = question
    fixed, body = _fixed(bus, interface, method, signature, arguments)
    fields = fixed + _text_field(1, b"o", path.encode())
    start = _START.pack(b"l\1\0\1", len(body), serial, len(fields))
    return start + fields + bytes(-len(fields) % 8) + body


@functools.lru_cache(1024)
def _fixed(bus: str, interface: str, method: str, signature: str, arguments: tuple[Any, ...]) -> tuple[bytes, bytes]:
    """All fields but the path, padded, and the body."""
    fields = [_text_field(number, b"s", text.encode()) for number, text in ((2, interface), (3, method), (6, bus))]
    if not signature:
        return b"".join(each + bytes(-len(each) % 8) for each in fields), b""
    fields.append(bytes((_SIGNATURE, 1)) + b"g\0" + bytes((len(signature),)) + signature.encode() + b"\0")
    # The body of a message starts at a multiple of eight whatever its header, so jeepney's can be cut off.
    whole = new_method_call(DBusAddress("/", bus, interface), method, signature, arguments).serialise(serial=1)
    _, length, _, _ = _START.unpack_from(whole)
    return b"".join(each + bytes(-len(each) % 8) for each in fields), whole[len(whole) - length :]


def _text_field(number: int, kind: bytes, text: bytes) -> bytes:
    return bytes((number, 1)) + kind + b"\0" + _LENGTH.pack(len(text)) + text + b"\0"


def _read(message: bytes) -> tuple[int, tuple[Any, ...] | None]:
    """The serial of the question (-1: none), and the answer."""
    if message[0] == ord("l") and message[1] == _RETURN:
        answered, signature = _fields(message)
        reader = _READERS.get(signature)
        if reader is not None:
            _, length, _, _ = _START.unpack_from(message)
            answer = reader(message, len(message) - length)
            if answer is not None:
                return answered, answer
    return _read_by_jeepney(message)


def _fields(message: bytes) -> tuple[int, bytes]:
    """Reply serial and signature among the fields of a header."""
    answered, signature = -1, b""
    at, end = _START.size, _START.size + _LENGTH.unpack_from(message, 12)[0]
    while at < end:
        number, kind = message[at], message[at + 2]
        at += 4
        if kind == ord("g"):
            length = message[at]
            if number == _SIGNATURE:
                signature = message[at + 1 : at + 1 + length]
            at += length + 2
        else:
            (value,) = _LENGTH.unpack_from(message, at)
            if number == _REPLY_SERIAL:
                answered = value
            at += 4 if kind == ord("u") else value + 5
        at = _padded(at)
    return answered, signature


def _read_by_jeepney(message: bytes) -> tuple[int, tuple[Any, ...] | None]:
    parser = Parser()
    parser.add_data(message)
    read: Message = parser.get_next_message()
    body = read.body if read.header.message_type is MessageType.method_return else None
    return read.header.fields.get(HeaderFields.reply_serial, -1), body


def _text(message: bytes, at: int) -> tuple[str]:
    (length,) = _LENGTH.unpack_from(message, at)
    return (message[at + 4 : at + 4 + length].decode(),)


def _variant_of_text(message: bytes, at: int) -> tuple[tuple[str, str]] | None:
    """The value of a property that is a text; None: it is another one."""
    if message[at : at + 3] != b"\1s\0":
        return None
    return (("s", _text(message, at + 4)[0]),)


def _numbers(message: bytes, at: int) -> tuple[list[int]]:
    (length,) = _LENGTH.unpack_from(message, at)
    return (list(struct.unpack_from(f"<{length // 4}I", message, at + 4)),)


def _references(message: bytes, at: int) -> tuple[list[tuple[str, str]]]:
    (length,) = _LENGTH.unpack_from(message, at)
    at += 8  # a struct starts at a multiple of eight
    end, found = at + length, []
    while at < end:
        at = _padded(at)
        (size,) = _LENGTH.unpack_from(message, at)
        bus = message[at + 4 : at + 4 + size].decode()
        at = (at + 4 + size + 1 + 3) & ~3
        (size,) = _LENGTH.unpack_from(message, at)
        found.append((bus, message[at + 4 : at + 4 + size].decode()))
        at += 4 + size + 1
    return (found,)


_READERS: dict[bytes, Callable[[bytes, int], tuple[Any, ...] | None]] = {
    b"s": _text,
    b"v": _variant_of_text,
    b"au": _numbers,
    b"a(so)": _references,
}
