"""A real Secret Service on a D-Bus session of its own: nothing of the person's own keyring is touched.

`private_keyring` is for a test that starts child processes, `KeyringSession` for one that also stops, locks or
freezes the daemon. Both start their own processes and end them by their process ids.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

_PASSWORD = b"a password of this keyring"
_PATIENCE = 20.0
# No service directories: only what is started here can answer on this bus.
_BUS = """
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen> <!-- a socket's path has to be short -->
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    {denied}
  </policy>
</busconfig>
"""


_DENIED = '<deny send_destination="org.freedesktop.secrets"/>'


class KeyringSession:
    """A D-Bus session below `tmp`, with a gnome-keyring once `start_keyring` was called.

    `denied`: the bus lets nobody ask the keyring anything, as it does with programs in a sandbox.
    """

    def __init__(self, tmp: Path, *, denied: bool = False) -> None:
        self.environment = dict(os.environ)
        for name, folder in (("DATA", "data"), ("CONFIG", "config"), ("CACHE", "cache")):
            self._folder(f"XDG_{name}_HOME", tmp / folder)
        self._folder("XDG_RUNTIME_DIR", tmp / "run")
        self.environment["HOME"] = str(tmp)
        self.environment.pop("PYTHON_KEYRING_BACKEND", None)
        self._daemon: subprocess.Popen[bytes] | None = None
        self._bus = self._start_bus(tmp, _BUS.replace("{denied}", _DENIED if denied else ""))

    def _folder(self, variable: str, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.environment[variable] = str(folder)

    def _start_bus(self, tmp: Path, policy: str) -> subprocess.Popen[bytes]:
        config = tmp / "bus.conf"
        config.write_text(policy, encoding="utf-8")
        bus = subprocess.Popen(
            ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert bus.stdout is not None
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        return bus

    def start_keyring(self, *, unlocked: bool = True) -> None:
        """Start the daemon; unlocked with a password, which also makes the first keyring."""
        command = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
        daemon = subprocess.Popen(
            [*command, "--unlock"] if unlocked else command,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert daemon.stdin is not None
        if unlocked:
            daemon.stdin.write(_PASSWORD)
        daemon.stdin.close()
        self._daemon = daemon
        self._wait_for_name()

    def freeze_keyring(self) -> None:
        """Stop the daemon: it stays on the bus and answers nothing, as a daemon that waits for a person."""
        assert self._daemon is not None
        self._daemon.send_signal(signal.SIGSTOP)

    def thaw_keyring(self) -> None:
        """Let the daemon go on; it answers the calls that came meanwhile."""
        assert self._daemon is not None
        self._daemon.send_signal(signal.SIGCONT)

    def stop_keyring(self) -> None:
        """End the daemon; its files stay."""
        if self._daemon is not None:
            self._daemon.send_signal(signal.SIGCONT)
            _end(self._daemon)
            self._daemon = None

    def stop(self) -> None:
        """End everything that was started."""
        self.stop_keyring()
        _end(self._bus)
        if self._bus.stdout is not None:
            self._bus.stdout.close()
        for part in self.environment["DBUS_SESSION_BUS_ADDRESS"].split(","):
            if part.startswith("unix:path="):
                Path(part.removeprefix("unix:path=")).unlink(missing_ok=True)

    def _wait_for_name(self) -> None:
        from jeepney import DBusAddress, new_method_call  # type: ignore[import-untyped]
        from jeepney.io.blocking import open_dbus_connection  # type: ignore[import-untyped]

        driver = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        question = new_method_call(driver, "NameHasOwner", "s", ("org.freedesktop.secrets",))
        deadline = time.monotonic() + _PATIENCE
        with open_dbus_connection(self.environment["DBUS_SESSION_BUS_ADDRESS"]) as connection:
            while not connection.send_and_get_reply(question).body[0]:
                assert time.monotonic() < deadline, "gnome-keyring did not come up"
                time.sleep(0.01)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _have_what_is_needed() -> bool:
    return all(shutil.which(name) for name in ("dbus-daemon", "gnome-keyring-daemon"))


@contextlib.contextmanager
def keyring_session(tmp: Path) -> Iterator[KeyringSession]:
    """A session without a keyring yet."""
    if not _have_what_is_needed():
        pytest.skip("dbus-daemon and gnome-keyring are not installed")
    session = KeyringSession(tmp)
    try:
        yield session
    finally:
        session.stop()


@contextlib.contextmanager
def private_keyring(tmp: Path) -> Iterator[dict[str, str]]:
    """The environment for a child process that finds a real, unlocked keyring; its files lie below `tmp`."""
    with keyring_session(tmp) as session:
        session.start_keyring()
        yield session.environment


@pytest.fixture
def secret_service(tmp_path: Path) -> Iterator[dict[str, str]]:
    """`private_keyring` below the test's own folder."""
    with private_keyring(tmp_path / "keyring") as environment:
        yield environment
