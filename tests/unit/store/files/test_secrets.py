"""Secrets go to a real keyring or stay in memory: never to a file, a null store or a plug-in's choice.

The keyring is a real gnome-keyring on a D-Bus session of the test's own.
"""

import asyncio
import gc
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from keyring import errors
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null

from app.store import secrets
from app.store.secrets import ALLOWED, SecretStore, class_path
from app.store.store_errors import KeyringSilent, SecretError
from tests.support import plaintext_keyring
from tests.support.keyring_session import KeyringSession, keyring_session
from tests.support.plaintext_keyring import PlaintextKeyring

SECRET = "canary-é-7f3a91"
SECRET_SERVICE = "keyring.backends.SecretService.Keyring"

# The library leaves its socket to the collector when a keyring is locked or silent.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KeyringSession]:
    """A D-Bus session of its own, which this process uses."""
    with keyring_session(tmp_path / "session") as made:
        for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "HOME"):
            monkeypatch.setenv(name, made.environment[name])
        yield made
        gc.collect()


def files_with(text: str, folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


@pytest.mark.asyncio
async def test_a_secret_is_stored_in_the_keyring(session: KeyringSession, tmp_path: Path) -> None:
    session.start_keyring()
    store = SecretStore()
    assert await store.read("p") is None
    assert await store.write("p", SECRET) == "keyring"
    assert await store.write("q", "another") == "keyring"
    assert await SecretStore().read("p") == SECRET
    keeping = await store.describe()
    assert (keeping.place, keeping.backend) == ("keyring", SECRET_SERVICE)
    assert keeping.sentence == "Secrets are kept in the system's keyring (Secret Service)."
    await store.write("p", "changed")
    assert await SecretStore().read("p") == "changed"
    await store.delete("p")
    await store.delete("p")
    assert (await store.read("p"), await store.read("q")) == (None, "another")
    assert files_with(SECRET, tmp_path) == []


def test_a_secret_in_the_keyring_outlives_the_program(secret_service: dict[str, str], root: Path) -> None:
    def run(line: str) -> str:
        program = f"import asyncio; from app.store.secrets import SecretStore; print(asyncio.run(SecretStore().{line}))"
        command = [sys.executable, "-c", program]
        return subprocess.run(command, env=secret_service, cwd=root, capture_output=True, text=True, check=True).stdout

    assert run(f"write('p', {SECRET!r})").strip() == "keyring"
    assert run("read('p')").strip() == SECRET


@pytest.mark.asyncio
async def test_without_a_keyring_secrets_stay_in_memory(session: KeyringSession, tmp_path: Path) -> None:
    store = SecretStore()
    assert await store.read("p") is None
    assert await store.write("p", SECRET) == "memory"
    assert await store.read("p") == SECRET
    keeping = await store.describe()
    assert (keeping.place, keeping.backend) == ("memory", "")
    assert "memory" in keeping.sentence
    assert await SecretStore().read("p") is None
    await store.delete("p")
    assert await store.read("p") is None
    assert files_with(SECRET, tmp_path) == []


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the keyring of this system needs no session bus")
@pytest.mark.asyncio
async def test_without_any_session_bus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/nobody-listens")
    store = SecretStore()
    assert await store.write("p", SECRET) == "memory"
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert await store.write("p", SECRET) == "memory"
    assert (await store.describe()).place == "memory"


@pytest.mark.asyncio
async def test_a_locked_keyring(session: KeyringSession, tmp_path: Path) -> None:
    session.start_keyring()
    await SecretStore().write("p", "from before")
    session.stop_keyring()
    session.start_keyring(unlocked=False)
    store = SecretStore()
    with pytest.raises(SecretError, match="is locked"):
        await store.read("p")
    with pytest.raises(SecretError, match="is locked"):
        await store.delete("p")
    assert await store.write("p", SECRET) == "memory"
    assert await store.read("p") == SECRET
    keeping = await store.describe()
    assert keeping.place == "memory"
    assert "is locked" in keeping.sentence
    assert files_with(SECRET, tmp_path) == []


@pytest.mark.asyncio
async def test_a_call_of_a_silent_keyring_ends_after_the_time_limit(session: KeyringSession) -> None:
    session.start_keyring()
    await SecretStore().write("p", SECRET)
    session.freeze_keyring()
    store = SecretStore(seconds=0.3)
    turns = 0

    async def live() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0.01)

    living = asyncio.create_task(live())
    with pytest.raises(KeyringSilent, match=r"within 0\.3 s"):
        await store.read("p")
    with pytest.raises(KeyringSilent):
        await store.read("p")  # waits for the first call, and ends after the time limit too
    living.cancel()
    assert turns > 10
    assert await store.write("q", "new") == "memory"
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "keyring")
    session.thaw_keyring()
    assert await SecretStore().read("p") == SECRET
    await asyncio.to_thread(_join_keyring_threads)
    assert await SecretStore().read("q") is None  # a call whose time limit ended before its turn is never made


def _join_keyring_threads() -> None:
    for thread in threading.enumerate():
        if thread.name == "keyring":
            thread.join(10)


def test_a_silent_keyring_does_not_delay_the_end_of_the_program(session: KeyringSession, root: Path) -> None:
    session.start_keyring()
    session.freeze_keyring()
    program = """
import asyncio
from app.store.store_errors import KeyringSilent
from app.store.secrets import SecretStore
try:
    asyncio.run(SecretStore(seconds=0.2).read("p"))
except KeyringSilent:
    print("given up")
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, env=session.environment, cwd=root, stdout=subprocess.PIPE, text=True, check=True, timeout=20
    )
    assert done.stdout.strip() == "given up"


@pytest.mark.asyncio
@pytest.mark.parametrize("wanted", ["keyring.backends.null.Keyring", "keyring.backends.fail.Keyring", "a.missing.One"])
async def test_no_environment_or_file_chooses_the_keyring(
    session: KeyringSession, monkeypatch: pytest.MonkeyPatch, wanted: str
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", wanted)
    config = Path(session.environment["XDG_CONFIG_HOME"]) / "python_keyring" / "keyringrc.cfg"
    config.parent.mkdir()
    config.write_text(f"[backend]\ndefault-keyring={wanted}\n", encoding="utf-8")
    assert await SecretStore().write("p", SECRET) == "memory"
    session.start_keyring()
    assert (await SecretStore().describe()).backend == SECRET_SERVICE
    assert await SecretStore().write("p", SECRET) == "keyring"


@pytest.mark.asyncio
async def test_a_plaintext_plug_in_is_never_used(
    session: KeyringSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import keyring

    monkeypatch.setenv(plaintext_keyring.FILE, str(tmp_path / "plaintext"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", plaintext_keyring.NAME)
    keyring.set_keyring(PlaintextKeyring())
    assert isinstance(keyring.get_keyring(), PlaintextKeyring)  # the library itself would use it
    assert await SecretStore().write("p", SECRET) == "memory"
    assert files_with(SECRET, tmp_path) == []


def test_the_list_of_allowed_keyrings() -> None:
    allowed = {path: called for paths in ALLOWED.values() for path, called in paths.items()}
    assert all(allowed.values()), "each has a name that people know"
    assert not any("keyring." in called for called in allowed.values())
    for backend in (null.Keyring, fail.Keyring, chainer.ChainerBackend, PlaintextKeyring):
        assert class_path(backend) not in allowed
    assert not any(path.startswith("keyrings.") for path in allowed)
    assert set(ALLOWED) == {"linux", "darwin", "win32"}


class Forgetful(KeyringBackend):
    """A keyring that accepts every secret and stores none."""

    priority = 5.0
    kept: str | None = None

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept

    def set_password(self, service: str, username: str, password: str) -> None:
        pass

    def delete_password(self, service: str, username: str) -> None:
        pass


@pytest.mark.asyncio
async def test_a_secret_that_was_written_is_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """No real keyring forgets secrets, so the list of allowed ones names this one."""
    monkeypatch.setitem(ALLOWED, sys.platform, {f"{Forgetful.__module__}.{Forgetful.__qualname__}": "forgetful"})
    store = SecretStore()
    assert await store.write("p", SECRET) == "memory"
    assert "did not store" in (await store.describe()).sentence
    monkeypatch.setattr(Forgetful, "kept", "stuck")
    with pytest.raises(SecretError, match="still holds"):
        await store.delete("p")


@pytest.mark.asyncio
async def test_an_error_of_a_keyring_is_reported_without_the_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: object, service: str, username: str, password: str) -> None:
        raise ValueError(f"cannot take {password}")

    monkeypatch.setattr(Forgetful, "set_password", refuse)
    monkeypatch.setitem(ALLOWED, sys.platform, {f"{Forgetful.__module__}.{Forgetful.__qualname__}": "forgetful"})
    store = SecretStore()
    assert await store.write("p", SECRET) == "memory"
    keeping = await store.describe()
    assert "The keyring could not do what was asked." in keeping.sentence
    assert "ValueError" not in keeping.sentence
    assert SECRET not in keeping.sentence + repr(store) + repr(keeping)


def test_the_library_is_not_loaded_before_it_is_needed(root: Path) -> None:
    program = "import sys, app.store.secrets; print('keyring' in sys.modules)"
    command = [sys.executable, "-c", program]
    assert subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.strip() == "False"
    assert secrets.SERVICE == "Waybill"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (errors.InitError, "could not be opened"),
        (errors.PasswordSetError, "did not take the secret"),
        (errors.PasswordDeleteError, "did not delete the secret"),
        (errors.KeyringError, "could not do what was asked"),
        (OSError, "could not do what was asked"),
        (errors.KeyringLocked, "is locked"),
    ],
)
async def test_an_error_of_a_keyring_is_reported_without_names_of_classes(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception], words: str
) -> None:
    """The sentence says what happened and where to look, without the name of a class."""

    def refuse() -> KeyringBackend:
        raise error("canary of the message")

    monkeypatch.setattr(secrets, "_choose", refuse)
    with pytest.raises(SecretError) as caught:
        await SecretStore().read("p")
    assert words in caught.value.sentence
    assert error.__name__ not in caught.value.sentence
    assert "canary" not in caught.value.sentence
