"""A real PostgreSQL for the tests of a team: one server for each test process, a database for each test.

The server is Debian's, with a folder of its own, on loopback only, with TLS and passwords as a company would run it.
It forgets what it should keep in a power cut (fsync off): that is PostgreSQL's own matter, and the tests are quick.

`TeamServer.place` says how a person reaches a database: by the name `HOST`, which the certificate bears, so that TLS is
checked as it is on a network. `PGHOSTADDR` leads libpq from that name to loopback.
"""

import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from app.store.team.setup_database import Database as TeamNames
from app.store.team.setup_database import add_person, set_up
from app.store.team.team_place import TeamPlace

HOST = "team.acme.test"
ADMINISTRATOR = "administrator"
_PASSWORD = "the administrator's own"
_PATIENCE = 30.0
_HBA = """
local   all all                trust
hostssl all all 127.0.0.1/32   scram-sha-256
hostnossl all all 127.0.0.1/32 reject
"""
_OPTIONS = {
    "listen_addresses": "127.0.0.1",
    # synchronous_commit stays on. Without it the server keeps a commit in its own memory for up to 0.6 s, and a test
    # that stops the server at once finds its people gone. A commit that was written outlives the server's process.
    "unix_socket_permissions": "0700",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "ssl": "on",
}


@dataclass
class TeamServer:
    """A server that runs. `authority` is the file with the authority that vouches for its certificate."""

    folder: Path
    port: int
    authority: Path
    binaries: Path
    user: str | None
    process: "subprocess.Popen[bytes] | None" = None
    databases: int = 0

    def administrator(self, database: str = "postgres") -> str:
        """A connection string of the administrator, who may do anything."""
        return psycopg.conninfo.make_conninfo(
            host=HOST, hostaddr="127.0.0.1", port=self.port, dbname=database, user=ADMINISTRATOR, password=_PASSWORD,
            sslmode="verify-full", sslrootcert=str(self.authority),
        )  # fmt: skip

    def place(self, database: str) -> TeamPlace:
        """Where a team's database is, as its people say it in the settings."""
        return TeamPlace(host=HOST, port=self.port, database=database, authorities=str(self.authority))

    @property
    def socket(self) -> Path:
        """Its socket on this computer: whoever comes there is believed to be who they say."""
        return self.folder / f".s.PGSQL.{self.port}"

    @contextmanager
    def as_administrator(self, database: str = "postgres") -> Iterator[psycopg.Connection]:
        """A connection that commits each statement."""
        with self._at_its_socket(database) as c:
            yield c

    def _at_its_socket(self, database: str) -> psycopg.Connection:
        # An empty address, because one in PGHOSTADDR would count for more than the folder of the socket.
        return psycopg.connect(
            host=str(self.folder), hostaddr="", port=self.port, dbname=database, user=ADMINISTRATOR, autocommit=True
        )

    def start(self) -> None:
        """Start the server; returns once it answers."""
        self._spawn()
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                self._at_its_socket("postgres").close()
            except psycopg.OperationalError:
                assert time.monotonic() < until, (self.folder / "server.log").read_text()
                time.sleep(0.02)
                # After `kill` it refuses to start until the last process of the one before has noticed its death.
                if self.process is not None and self.process.poll() is not None:
                    self._spawn()
            else:
                return

    def _spawn(self) -> None:
        command = [str(self.binaries / "postgres"), "-D", str(self.folder / "data"), "-p", str(self.port)]
        command += ["-k", str(self.folder)]
        for name, value in _OPTIONS.items():
            command += ["-c", f"{name}={value}"]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=_environment(),
                user=self.user, group=self.user, extra_groups=[] if self.user else None,
            )  # fmt: skip

    def kill(self) -> None:
        """Kill the server's first process as a system without memory would: it can tell nobody."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(_PATIENCE)
            self.process = None

    def stop(self) -> None:
        """Stop the server at once, as a crash would; its data stays."""
        if self.process is not None:
            self.process.send_signal(3)  # "immediate": every connection breaks
            self.process.wait(_PATIENCE)
            self.process = None


@dataclass(frozen=True)
class TeamDatabase:
    """A database that was set up for a team, and the people in it: name of the role → password."""

    server: TeamServer
    names: TeamNames
    people: dict[str, str]

    @property
    def place(self) -> TeamPlace:
        """Where it is."""
        return self.server.place(self.names.database)

    def empty(self) -> None:
        """Nobody has ever been in this team."""
        with self.server.as_administrator(self.names.database) as c:
            c.execute("TRUNCATE waybill.entries, waybill.kept, waybill.claims, waybill.presence, waybill.desks")


def binaries() -> Path | None:
    """The folder of the newest PostgreSQL server of this computer; None without one."""
    if sys.platform == "win32":  # Debian's is no program of Windows, though Wine shows its folder
        return None
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda each: int(each.split("/")[4]))  # noqa: PTH207
    if found:
        return Path(found[-1]).parent
    elsewhere = shutil.which("initdb")
    return None if elsewhere is None else Path(elsewhere).resolve().parent


@contextmanager
def run_server() -> Iterator[TeamServer]:
    """A server until the end of the block. Its folder is in the system's place for such: its socket's user has to get
    there, and a test's own folder is closed to all others."""
    tools = binaries()
    if tools is None:
        pytest.skip("there is no PostgreSQL server here; `dev.py test` installs Debian's")
    # PostgreSQL refuses to run as root; Debian's package brings a user of its own.
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="waybill-team-"))
    try:
        authority = _write_papers(folder)
        server = TeamServer(folder, _free_port(), authority, tools, user)
        (folder / "password").write_text(_PASSWORD)
        if user is not None:
            import pwd  # Windows has none

            account = pwd.getpwnam(user)
            for each in (folder, *folder.iterdir()):
                os.chown(each, account.pw_uid, account.pw_gid)
        subprocess.run(
            [
                tools / "initdb", "-D", folder / "data", "-U", ADMINISTRATOR, "-A", "scram-sha-256", "--no-sync",
                "--encoding=UTF8", "--locale=C.UTF-8", f"--pwfile={folder / 'password'}",
            ],
            cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=_environment(),
            user=user, group=user, extra_groups=[] if user else None,
        )  # fmt: skip
        data = folder / "data"
        for name in ("server.crt", "server.key"):
            shutil.copy2(folder / name, data / name)
            shutil.chown(data / name, user or os.geteuid(), user or os.getegid())
        (data / "pg_hba.conf").write_text(_HBA)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def _environment() -> dict[str, str]:
    # Messages in English whoever runs the tests, and none of the surroundings' own PG* settings.
    return {**{name: text for name, text in os.environ.items() if not name.startswith("PG")}, "LC_ALL": "C.UTF-8"}


def _write_papers(folder: Path) -> Path:
    from cryptography.hazmat.primitives import serialization

    from tests.support.certificates import authority, vouched

    by = authority()
    paper = vouched(by, HOST)
    form = serialization.PrivateFormat.PKCS8
    (folder / "authority.pem").write_bytes(by.pem)
    (folder / "server.crt").write_bytes(paper.pem)
    key = folder / "server.key"
    key.write_bytes(paper.key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    key.chmod(0o600)
    folder.chmod(0o755)  # whoever runs the tests reads the authority
    return folder / "authority.pem"


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def team_of(server: TeamServer, *people: str) -> Iterator[TeamDatabase]:
    """A database set up for a team of these people, until the end of the block."""
    server.databases += 1
    # Roles are the whole server's: their names hold the database's, so that no test meets another's people.
    name = f"team{server.databases}"
    made: list[str] = []
    with server.as_administrator() as c:
        c.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        with psycopg.connect(server.administrator(name)) as c:
            names = set_up(c)
            passwords = {each: add_person(c, names, f"{each}_{name}") for each in people}
            made += [f"{each}_{name}" for each in people]
        yield TeamDatabase(server, names, {f"{each}_{name}": word for each, word in passwords.items()})
    finally:
        with server.as_administrator() as c:
            c.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
            for role in (*made, f"{name}_member", f"{name}_owner"):
                c.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(role)))


@pytest.fixture(scope="session")
def shared_team_server() -> Iterator[TeamServer]:
    """The server of this test process."""
    with run_server() as server:
        yield server


@pytest.fixture
def team_server(shared_team_server: TeamServer, monkeypatch: pytest.MonkeyPatch) -> TeamServer:
    """The server of this test process, found by its name."""
    monkeypatch.setenv("PGHOSTADDR", "127.0.0.1")
    return shared_team_server


@pytest.fixture
def team_database(team_server: TeamServer) -> Iterator[TeamDatabase]:
    """A team of Anna, Ben and Cleo, with a database of their own."""
    with team_of(team_server, "anna", "ben", "cleo") as made:
        yield made
