"""A keyring plug-in that writes secrets into the file that PLAINTEXT_KEYRING names, and claims the highest priority."""

import os
from pathlib import Path

from keyring.backend import KeyringBackend

FILE = "PLAINTEXT_KEYRING"


class PlaintextKeyring(KeyringBackend):
    """What `keyrings.alt` installs, in short."""

    priority = 100.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    @property
    def _file(self) -> Path:
        return Path(os.environ[FILE])

    def get_password(self, service: str, username: str) -> str | None:
        return self._file.read_text(encoding="utf-8") if self._file.exists() else None

    def set_password(self, service: str, username: str, password: str) -> None:
        self._file.write_text(password, encoding="utf-8")


NAME = f"{PlaintextKeyring.__module__}.{PlaintextKeyring.__qualname__}"
