"""F12: foreign and redirecting addresses in the links of photos and documents: nobody else sees the token, no file
of this computer is opened, and each address ends as a picture or as a sentence.

The home server is the provider; a stranger records whatever it is shown. A file of this computer stands ready to be
opened, and the interpreter tells of every file that this process opens.
"""

import asyncio
import random
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

from app.desk.files.album import Album, Key, NoPicture
from app.imaging.imaging import Imaging
from app.imaging.pixels import Pixels, Size
from app.store.picture_files import PictureFiles
from tests.faults.harness import Fault as Measure
from tests.faults.harness import Report
from tests.faults.workbench import bench
from tests.support.bombs import some_picture
from tests.support.fault_server import INFORMATION, FaultServer, start_fault_server
from tests.support.faults import Answer

_STATUSES = (301, 302, 303, 307, 308)
_opened: list[str] = []  # of the files that stand ready


def _watch(canary: str) -> None:
    """Note every opening of a path that holds `canary`, from now until the end of this process."""

    def note(event: str, words: tuple[object, ...]) -> None:
        if event in ("open", "os.listdir", "os.scandir") and words and canary in str(words[0]):
            _opened.append(f"{event} {words[0]}")

    sys.addaudithook(note)


class Web:
    """Home, a stranger, and a file of this computer; `address` draws an address that leads astray."""

    def __init__(self, home: FaultServer, stranger: FaultServer, secret: Path, chance: random.Random) -> None:
        self.home, self.stranger, self.secret, self.chance = home, stranger, secret, chance
        photo = Answer(200, some_picture(), "image/jpeg")
        for server in (home, stranger):
            server.serve("/a.jpg", photo)
            server.serve("/ä ö#%?.jpg", photo)
        home.serve(f"{INFORMATION}/download/audit/a.jpg", photo)
        self._count = 0

    def address(self) -> tuple[str, str]:
        """An address, and what it is called in the report."""
        kinds: dict[str, Callable[[], str]] = {
            "stranger": lambda: f"{self._away()}/a.jpg",
            "stranger without a scheme": lambda: f"//127.0.0.1:{self.stranger.port}/a.jpg",
            "home as a user name": lambda: f"http://127.0.0.1:{self.home.port}@127.0.0.1:{self.stranger.port}/a.jpg",
            "a user and a password": lambda: f"http://desk:pw@127.0.0.1:{self.stranger.port}/a.jpg",
            "odd spelling": lambda: f"  HTTP://LOCALHOST:{self.stranger.port}/a.jpg",
            "home by another name": lambda: f"http://localhost:{self.home.port}/a.jpg",
            "home by another number": lambda: f"http://127.1:{self.home.port}/a.jpg",
            "redirected": lambda: self._hops(self.chance.randrange(1, 6)),
            "redirected without an end": self._round,
            "redirected to a file": lambda: self._hops(self.chance.randrange(1, 4), self._file()),
            "a file": self._file,
            "a path that climbs": lambda: f"/download/audit/{'../' * self.chance.randrange(1, 9)}{self.secret}",
            "a path that climbs, hidden": lambda: f"/download/audit/{quote('../' * 8 + str(self.secret), safe='')}",
            "an encoded name": lambda: f"{self._away()}/{quote('ä ö#%?.jpg', safe='')}",
            "a bare name": lambda: "a.jpg",
            "a bare path of this computer": lambda: str(self.secret),
            "no web address": lambda: self.chance.choice(
                (
                    "data:image/png;base64,iVBORw0KGgo=",
                    "ftp://127.0.0.1/a.jpg",
                    "javascript:1",
                    "about:blank",
                    "http://",
                )
            ),
            "controls": lambda: f"http://127.0.0.1:{self.stranger.port}/a.jpg\r\nAuthorization: Bearer x",
        }
        kind = self.chance.choice(list(kinds))
        return kinds[kind](), kind

    def _away(self) -> str:
        return self.chance.choice((self.stranger.origin, f"http://localhost:{self.stranger.port}"))

    def _file(self) -> str:
        place = self.secret.as_posix()
        return self.chance.choice((f"file://{place}", f"file://localhost{place}", f"FILE:{place}", f"\\\\host{place}"))

    def _hops(self, count: int, to: str = "") -> str:
        """An address that redirects `count` times, at home or at the stranger, and ends there or at `to`."""
        target = to or self.chance.choice((f"{self._away()}/a.jpg", f"{self.home.origin}/a.jpg"))
        for _ in range(count):
            self._count += 1
            server, path = self.chance.choice((self.home, self.stranger)), f"/hop/{self._count}"
            answer = Answer(self.chance.choice(_STATUSES), b"moved", "text/plain", (("Location", target),))
            server.serve(path, answer)
            target = f"{server.origin}{path}"
        return target

    def _round(self) -> str:
        self._count += 1
        path = f"/hop/{self._count}"
        server = self.chance.choice((self.home, self.stranger))
        server.serve(
            path, Answer(302, b"", "text/plain", (("Location", self.chance.choice((path, f"{server.origin}{path}"))),))
        )
        return f"{server.origin}{path}"


async def _provoke(size: int, seed: int, servers: tuple[FaultServer, FaultServer], folder: Path) -> Report:
    report, chance = Report(), random.Random(seed)
    secret = folder / f"canary-{seed}-{chance.randrange(10**9)}.jpg"
    secret.write_bytes(some_picture())
    _opened.clear()
    _watch(secret.name)
    home, stranger = servers
    web, ends = Web(home, stranger, secret, chance), {"pictures": 0, "sentences": 0}
    imaging = Imaging(workers=1)
    async with bench(home, folder) as made:
        home.plan_by(None)
        album = Album(made.desk, PictureFiles(folder / "pictures"), imaging)
        for number in range(size):
            address, kind = web.address()
            found = await album.picture(Key(address, Size(60, 60)), fresh=True)
            report.tried += 1
            label = f"number {number}, {kind}"
            if isinstance(found, Pixels):
                ends["pictures"] += 1
                report.check("file" not in kind, f"{label}: shown")
            else:
                ends["sentences"] += 1
                report.check(isinstance(found, NoPicture) and found.sentence.endswith("."), f"{label}: {found}")
            _check_tokens(report, home, stranger, label)
        report.check(not _opened, f"opened: {sorted(set(_opened))[:3]}")
    files = len(_opened)
    secret.read_bytes()  # what watches sees it
    report.check(len(_opened) > files, "an opened file is not seen")
    await imaging.aclose()
    away = len(stranger.seen())
    report.check(away > 0 and ends["pictures"] > 0, "nothing was tried")
    report.note = (
        f"{ends['pictures']} shown, {ends['sentences']} told of; {away} requests to the stranger, "
        f"{files} local files opened"
    )
    return report


def _check_tokens(report: Report, home: FaultServer, stranger: FaultServer, label: str) -> None:
    shown = [each for each in stranger.seen() if "authorization" in each.headers or b"token-" in each.body]
    report.check(not shown, f"{label}: the stranger saw {len(shown)} tokens")
    others = [
        each for each in home.seen() if "authorization" in each.headers and "127.0.0.1" not in each.headers["host"]
    ]
    report.check(not others, f"{label}: a token was sent to another name of home")
    tokens = home.tokens.valid
    told = [each for each in stranger.seen() for token in tokens if token in each.target]
    report.check(not told, f"{label}: a token stands in an address")


def run(size: int, seed: int) -> Report:
    """`size` addresses."""
    with ExitStack() as stack:
        servers = (stack.enter_context(start_fault_server()), stack.enter_context(start_fault_server()))
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        return asyncio.run(_provoke(size, seed, servers, Path(folder)))


FAULT = Measure(
    "F12", "foreign and redirecting addresses: no token seen elsewhere, no local file opened", run, 40, 2_000
)
