"""A place on loopback where a company hosts newer versions: real files over real HTTP, with the troubles of such hosts.

It runs on a thread of its own. `signed` makes a list as `dev.py update-list` writes it, with whatever is wrong in it.
"""

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from nacl.signing import SigningKey

LIST = "waybill-updates.json"
FAR = date(2099, 1, 1)


def key_text(key: SigningKey) -> str:
    """The key to give away."""
    return base64.b64encode(bytes(key.verify_key)).decode()


def package(name: str, content: bytes, system: str = "linux-x86_64") -> dict[str, object]:
    """What a list says of a package."""
    return {"system": system, "name": name, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def signed(key: SigningKey, *versions: dict[str, Any], number: int = 1, expires: object = FAR) -> bytes:
    """A list signed with this key."""
    text = json.dumps({"number": number, "expires": str(expires), "versions": versions})
    return wrapped(text, key.sign(b"waybill updates 1\n" + text.encode()).signature)


def wrapped(text: str, signature: bytes) -> bytes:
    """A list with this text and signature, whether they fit or not."""
    signatures = [base64.b64encode(signature).decode()]
    return json.dumps({"format": "waybill updates", "list": text, "signatures": signatures}).encode()


def version(number: str, *packages: dict[str, object], notes: str = "") -> dict[str, Any]:
    """An entry of a list."""
    return {"version": number, "notes": notes, "packages": list(packages)}


class UpdateHost:
    """`files` by name; `cut`: so many bytes of each answer come before the connection breaks off, once for each entry.

    `knows_parts`: whether a request for a part of a file gets that part. `ranges`: what was asked for, in order.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cut: list[int] = []
        self.knows_parts = True
        self.ranges: list[str] = []
        self.asked: list[str] = []
        self.held = threading.Event()
        self.held.set()
        self.port = 0

    @property
    def address(self) -> str:
        """The address of the list."""
        return f"http://127.0.0.1:{self.port}/{LIST}"

    def serve(self, request: BaseHTTPRequestHandler) -> None:
        """Answer one request."""
        name = request.path.lstrip("/")
        self.asked.append(name)
        content = self.files.get(name)
        if content is None:
            request.send_error(404)
            return
        begin = self._begin(request.headers.get("Range", ""), len(content))
        if begin is None:
            request.send_error(416)
            return
        request.send_response(206 if begin else 200)
        if begin:
            request.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        request.send_header("Content-Length", str(len(content) - begin))
        request.end_headers()
        rest = content[begin:]
        if name != LIST and self.cut:
            request.wfile.write(rest[: self.cut.pop(0)])
            request.close_connection = True
            return
        half = len(rest) // 2 if name != LIST else 0
        request.wfile.write(rest[:half])
        request.wfile.flush()
        self.held.wait(20)
        request.wfile.write(rest[half:])

    def _begin(self, wanted: str, size: int) -> int | None:
        if not wanted:
            return 0
        self.ranges.append(wanted)
        begin = int(wanted.removeprefix("bytes=").partition("-")[0])
        if not self.knows_parts:
            return 0
        return begin if begin < size else None


@contextmanager
def update_host() -> Iterator[UpdateHost]:
    """A host, gone when the block ends."""
    host = UpdateHost()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            try:
                host.serve(self)
            except (BrokenPipeError, ConnectionResetError):  # whoever asked has gone
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        host.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield host
        finally:
            host.held.set()
            server.shutdown()
            thread.join()
