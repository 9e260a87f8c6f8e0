"""Client secrets, in the operating system's keyring or, failing that, in memory until the program ends.

Invariants: a secret is never written to a disk by this program, and never to a store that is not on the list
below. The backend is chosen here by its class, so neither PYTHON_KEYRING_BACKEND, nor a keyringrc.cfg, nor an
installed plug-in (a plaintext file, a null backend) has a say. What was written is read back. A keyring can
wait for minutes for a person to unlock it: every call runs on a thread of its own that never delays the end
of the program, one at a time, and is given up after a time limit.
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

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")
SecretPlace = Literal["keyring", "memory"]

_log = logging.getLogger(__name__)
SERVICE = "Waybill"
# What may be used on each system, by its class, and what people call it.
ALLOWED: dict[str, dict[str, str]] = {
    "linux": {
        "keyring.backends.SecretService.Keyring": "Secret Service",
        "keyring.backends.kwallet.DBusKeyring": "KWallet",
        "keyring.backends.libsecret.Keyring": "libsecret",
    },
    "darwin": {"keyring.backends.macOS.Keyring": "Keychain"},
    "win32": {"keyring.backends.Windows.WinVaultKeyring": "Windows Credential Manager"},
}
_IN_MEMORY = "Secrets are kept in memory, until Waybill is closed, and have to be entered again then."


@dataclass(frozen=True)
class SecretStorage:
    """Where secrets go: `backend` is the class of the keyring, empty without one; `sentence` is for a person, and says
    the keyring's name as people know it."""

    place: SecretPlace
    backend: str
    sentence: str


class SecretStore:
    """The secrets of all profiles, by the profile's id."""

    def __init__(self, *, seconds: float = 20.0) -> None:
        self._seconds = seconds
        self._memory: dict[str, str] = {}
        self._trouble = ""  # why the keyring did not take the latest secret
        self._one_at_a_time = threading.Lock()

    async def describe(self) -> SecretStorage:
        """Which keyring is used, or why none is. Never raises."""
        try:
            backend = await self._ask(_choose)
        except SecretError as error:
            return SecretStorage("memory", "", f"{error.sentence} {_IN_MEMORY}")
        name = class_path(type(backend))
        if self._memory:
            return SecretStorage("memory", name, f"{self._trouble} {_IN_MEMORY}")
        called = ALLOWED[sys.platform][name]
        return SecretStorage("keyring", name, f"Secrets are kept in the system's keyring ({called}).")

    async def read(self, profile_id: str) -> str | None:
        """The secret, or None when there is none. Raises `SecretError` when the keyring will not say."""
        if profile_id in self._memory:
            return self._memory[profile_id]
        try:
            return await self._ask(lambda: _choose().get_password(SERVICE, profile_id))
        except NoKeyring:
            return None

    async def write(self, profile_id: str, secret: str) -> SecretPlace:
        """Keep a secret, and say where: in memory when the keyring is absent, locked, silent or forgetful."""
        try:
            await self._ask(lambda: _write(profile_id, secret))
        except SecretError as error:
            self._trouble = error.sentence
            self._memory[profile_id] = secret
            return "memory"
        self._memory.pop(profile_id, None)
        return "keyring"

    async def delete(self, profile_id: str) -> None:
        """Forget a secret. Raises `SecretError` when the keyring may still hold it."""
        self._memory.pop(profile_id, None)
        try:
            await self._ask(lambda: _delete(profile_id))
        except NoKeyring:
            return

    async def _ask(self, call: Callable[[], T]) -> T:
        """Run `call` on a thread of its own. Raises `KeyringSilent` after the time limit."""
        answer: Future[T] = Future()
        threading.Thread(target=self._run, args=(call, answer), name="keyring", daemon=True).start()
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.wrap_future(answer)
        except TimeoutError:
            raise KeyringSilent(
                f"The keyring did not answer within {self._seconds:g} s. It may be waiting to be unlocked: look "
                "for its window, then try again."
            ) from None

    def _run(self, call: Callable[[], T], answer: "Future[T]") -> None:
        with self._one_at_a_time:
            if not answer.set_running_or_notify_cancel():
                return  # given up while another call was still waiting for the keyring
            try:
                answer.set_result(call())
            except SecretError as error:
                answer.set_exception(error)
            except Exception as error:  # noqa: BLE001 (backends raise whatever their system raises)
                answer.set_exception(_in_words(error))


class NoKeyring(SecretError):
    """This computer has no keyring that may be used."""


def class_path(backend: "type[KeyringBackend]") -> str:
    """A backend's class, as in `ALLOWED`."""
    return f"{backend.__module__}.{backend.__qualname__}"


def _choose() -> "KeyringBackend":
    """The best allowed backend that works here. Raises `NoKeyring`."""
    found: list[tuple[float, KeyringBackend]] = []
    for path in ALLOWED.get(sys.platform, {}):
        module, _, name = path.rpartition(".")
        try:
            backend = getattr(importlib.import_module(module), name)
            found.append((float(backend.priority), backend()))
        except (ImportError, RuntimeError, OSError):
            continue  # not for this desktop; the others may be
    if not found:
        raise NoKeyring("This computer offers no keyring that keeps secrets safely.")
    return max(found, key=lambda pair: pair[0])[1]


def _write(profile_id: str, secret: str) -> None:
    backend = _choose()
    backend.set_password(SERVICE, profile_id, secret)
    if backend.get_password(SERVICE, profile_id) != secret:
        raise SecretError("The keyring did not keep what it was given.")


def _delete(profile_id: str) -> None:
    backend = _choose()
    if backend.get_password(SERVICE, profile_id) is None:
        return
    backend.delete_password(SERVICE, profile_id)
    if backend.get_password(SERVICE, profile_id) is not None:
        raise SecretError("The keyring still holds the secret after it was told to forget it.")


def _in_words(error: Exception) -> SecretError:
    from keyring.errors import InitError, KeyringLocked, PasswordDeleteError, PasswordSetError

    # The kind is for whoever reads the log: it says nothing to a person, and no more than that may be told.
    _log.info("The keyring raised %s", type(error).__qualname__)
    match error:
        case KeyringLocked():
            return SecretError("The keyring is locked. Unlock it, then try again.")
        case InitError():
            said = "The keyring could not be opened."
        case PasswordSetError():
            said = "The keyring did not take the secret."
        case PasswordDeleteError():
            said = "The keyring did not delete the secret."
        case _:
            said = "The keyring could not do what was asked."
    return SecretError(f"{said} Look at it in its own program.")
