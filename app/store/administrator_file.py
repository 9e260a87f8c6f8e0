"""The file by which an administrator settles connections for everybody on a computer, and where it may come from.

Invariant: only a file that no ordinary user can write is read, because whoever writes it decides where orders and
secrets go. On Windows every user may make folders in the place for all users' data, so a policy of the computer's
registry, which administrators alone can write, names the file.
"""

import os
import stat
import sys
from pathlib import Path

from app.translation import translate

LARGEST = 1024 * 1024  # bytes
_UNIX = Path("/etc/waybill/administrator.json")
_MAC = Path("/Library/Application Support/Waybill/administrator.json")
_POLICY, _VALUE = r"Software\Policies\Waybill", "AdministratorFile"


class NotTrusted(Exception):
    """The file is there and is not used; `sentence` says why."""

    def __init__(self, path: Path, why: str) -> None:
        self.sentence = translate("The administrator's file {path} is not used. {why}", path=path, why=why)
        super().__init__(self.sentence)


def read() -> bytes | None:
    """The content of this computer's file; None if there is none. Raises `NotTrusted`."""
    path = place()
    return None if path is None else read_at(path)


def read_at(path: Path) -> bytes | None:
    """The content of the file at this place; None if there is none. Raises `NotTrusted`."""
    try:
        with path.open("rb") as file:
            # Asked of the open file, not of its path: what is read is what was looked at.
            facts = os.fstat(file.fileno())
            if sys.platform != "win32" and (facts.st_uid != 0 or facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
                raise NotTrusted(path, translate("Others than the administrator may write it."))
            if facts.st_size > LARGEST:
                raise NotTrusted(path, translate("It is too large."))
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise NotTrusted(path, f"{error.strerror or error}.") from error


if sys.platform == "win32":
    import winreg

    def place() -> Path | None:
        """Where the policy says that the file is; None without a policy."""
        try:
            access = winreg.KEY_READ | winreg.KEY_WOW64_64KEY
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _POLICY, 0, access) as key:
                named, kind = winreg.QueryValueEx(key, _VALUE)
        except OSError:
            return None
        return Path(named) if kind == winreg.REG_SZ and named else None
else:

    def place() -> Path | None:
        """Where the system keeps what its administrator settles."""
        return _MAC if sys.platform == "darwin" else _UNIX
