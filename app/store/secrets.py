"""Client secrets, in the operating system's keyring or, if there is none, in memory until the program ends.

Invariants:
- This program never writes a secret to a disk, nor to a keyring that is not in `ALLOWED`. The backend is chosen by its
  class, so PYTHON_KEYRING_BACKEND, a keyringrc.cfg or an installed plug-in (a plaintext file, a null backend) cannot
  choose another one.
- Every secret that was written is read back.
- A call never delays the end of the program, and ends after a time limit. A keyring can wait for minutes for a person
  to unlock it, so each call runs on a daemon thread, one at a time.
"""

import asyncio
import importlib
import logging
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar

from app.store.store_errors import KeyringSilent, SecretError
from app.translation import translate

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")
SecretPlace = Literal["keyring", "memory"]

_log = logging.getLogger(__name__)
SERVICE = "Waybill"
# The backends that may be used on each system: class path → the keyring's usual name.
ALLOWED: dict[str, dict[str, str]] = {
    "linux": {
        "keyring.backends.SecretService.Keyring": "Secret Service",
        "keyring.backends.kwallet.DBusKeyring": "KWallet",
        "keyring.backends.libsecret.Keyring": "libsecret",
    },
    "darwin": {"keyring.backends.macOS.Keyring": "Keychain"},
    "win32": {"keyring.backends.Windows.WinVaultKeyring": "Windows Credential Manager"},
}
TEAM_LOGIN = "team"  # the name under which the password for the team's database is stored
_IN_MEMORY = translate("Secrets are kept in memory until Waybill is closed, and must be entered again after that.")


@dataclass(frozen=True)
class SecretStorage:
    """Where secrets are stored: `backend` is the class path of the keyring, empty without one. `sentence` is for a
    person and names the keyring."""

    place: SecretPlace
    backend: str
    sentence: str


def proxy_password_of(profile_id: str) -> str:
    """The name under which the password for the proxy of a profile is stored."""
    return f"{profile_id}/proxy"


class SecretStore:
    """The secrets of all profiles, by profile id; those for their proxies by `proxy_password_of` it."""

    def __init__(self, *, seconds: float = 20.0) -> None:
        self._seconds = seconds
        self._memory: dict[str, str] = {}
        self._trouble = ""  # the sentence why the keyring did not store the latest secret
        self._calling = threading.Lock()  # a keyring that waits to be unlocked would ask once for each call

    async def describe(self) -> SecretStorage:
        """Where secrets are stored now, and why not in a keyring if they are not. Never raises."""
        try:
            backend = await self._call(_choose)
        except SecretError as error:
            return SecretStorage("memory", "", f"{error.sentence} {_IN_MEMORY}")
        name = class_path(type(backend))
        if self._memory:
            return SecretStorage("memory", name, f"{self._trouble} {_IN_MEMORY}")
        sentence = translate(
            "Secrets are kept in the system's keyring ({keyring}).", keyring=ALLOWED[sys.platform][name]
        )
        return SecretStorage("keyring", name, sentence)

    async def read(self, profile_id: str) -> str | None:
        """The secret of a profile, None if there is none. Raises `SecretError` if the keyring cannot be read."""
        if profile_id in self._memory:
            return self._memory[profile_id]
        try:
            return await self._call(lambda: _choose().get_password(SERVICE, profile_id))
        except NoKeyring:
            return None

    async def write(self, profile_id: str, secret: str) -> SecretPlace:
        """Store a secret; returns where. It goes to memory if there is no keyring, or if the keyring fails."""
        try:
            await self._call(lambda: _write(profile_id, secret))
        except SecretError as error:
            self._trouble = error.sentence
            self._memory[profile_id] = secret
            return "memory"
        self._memory.pop(profile_id, None)
        return "keyring"

    async def delete(self, profile_id: str) -> None:
        """Delete a secret. Raises `SecretError` if the keyring may still hold it."""
        self._memory.pop(profile_id, None)
        try:
            await self._call(lambda: _delete(profile_id))
        except NoKeyring:
            return

    async def _call(self, call: Callable[[], T]) -> T:
        """Run `call` on a daemon thread of its own. Raises `KeyringSilent` after the time limit."""
        answer: Future[T] = Future()
        threading.Thread(target=self._run, args=(call, answer), name="keyring", daemon=True).start()
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(answer)
        except TimeoutError:
            raise KeyringSilent(
                translate(
                    "The keyring did not answer within {seconds:g} s. It may be waiting to be unlocked: look for its "
                    "window, then try again.",
                    seconds=self._seconds,
                )
            ) from None

    def _run(self, call: Callable[[], T], answer: "Future[T]") -> None:
        with self._calling:
            if not answer.set_running_or_notify_cancel():
                return  # the time limit ended while another call waited for the keyring
            try:
                answer.set_result(call())
            except SecretError as error:
                answer.set_exception(error)
            except Exception as error:  # noqa: BLE001 (backends raise whatever their system raises)
                answer.set_exception(_secret_error(error))


class NoKeyring(SecretError):
    """This computer has no keyring of `ALLOWED`."""


def class_path(backend: "type[KeyringBackend]") -> str:
    """The class path of a backend, as in `ALLOWED`."""
    return f"{backend.__module__}.{backend.__qualname__}"


def _choose() -> "KeyringBackend":
    """The allowed backend with the highest priority of those that work on this computer. Raises `NoKeyring`."""
    found: list[tuple[float, KeyringBackend]] = []
    for path in ALLOWED.get(sys.platform, {}):
        module, _, name = path.rpartition(".")
        try:
            backend = getattr(importlib.import_module(module), name)
            found.append((float(backend.priority), backend()))
        except (ImportError, RuntimeError, OSError):
            continue  # a backend for another desktop
    if not found:
        raise NoKeyring(translate("This computer offers no keyring that keeps secrets safely."))
    return max(found, key=lambda pair: pair[0])[1]


def _write(profile_id: str, secret: str) -> None:
    backend = _choose()
    backend.set_password(SERVICE, profile_id, secret)
    if backend.get_password(SERVICE, profile_id) != secret:
        raise SecretError(translate("The keyring did not store the secret."))


def _delete(profile_id: str) -> None:
    backend = _choose()
    # Asked first: backends raise an error for a secret that is not there.
    if backend.get_password(SERVICE, profile_id) is None:
        return
    backend.delete_password(SERVICE, profile_id)
    if backend.get_password(SERVICE, profile_id) is not None:
        raise SecretError(translate("The keyring still holds the secret that it was told to delete."))


def _secret_error(error: Exception) -> SecretError:
    from keyring.errors import InitError, KeyringLocked, PasswordDeleteError, PasswordSetError

    # Only the class goes to the log: the text of such an error may quote the secret.
    _log.info("The keyring raised %s", type(error).__qualname__)
    match error:
        case KeyringLocked():
            return SecretError(translate("The keyring is locked. Unlock it, then try again."))
        case InitError():
            return SecretError(translate("The keyring could not be opened. Look at it in its own program."))
        case PasswordSetError():
            return SecretError(translate("The keyring did not take the secret. Look at it in its own program."))
        case PasswordDeleteError():
            return SecretError(translate("The keyring did not delete the secret. Look at it in its own program."))
        case _:
            return SecretError(translate("The keyring could not do what was asked. Look at it in its own program."))
