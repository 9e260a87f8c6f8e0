"""A disk below SQLite that fails when a test says so, and that can lose unsynced data in a simulated power cut.

It is an apsw file layer (VFS): pass its `vfs` to `Database`. All data goes to the real disk as well.
"""

import itertools
import random
from pathlib import Path

import apsw

_numbers = itertools.count()
Change = tuple[int, bytes | None]  # an offset and the data written there; None: truncated at the offset


class FailingDisk(apsw.VFS):
    """Raises `fail`, if it is set, from every write, truncation, sync and deletion.

    The first `after` operations succeed. With `once` only one operation fails.
    """

    def __init__(self) -> None:
        self.vfs = f"failing-disk-{next(_numbers)}"
        self.fail: type[apsw.Error] | None = None
        self.after = 0
        self.once = False
        self.synced: dict[Path, bytes] = {}
        self.unsynced: dict[Path, list[Change]] = {}
        super().__init__(self.vfs, "")

    def xOpen(self, name: "apsw.URIFilename | str | None", flags: list[int]) -> "_File":
        return _File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self._check()
        super().xDelete(filename, syncdir)
        self.synced.pop(Path(filename), None)
        self.unsynced.pop(Path(filename), None)

    def power_cut(self, target: Path, chance: random.Random) -> None:
        """Write to the folder `target` what a disk might hold after a power cut at this moment.

        All synced data is there. Each write after the last sync is complete, torn or missing, by chance.
        """
        for path in self.synced.keys() | self.unsynced.keys():
            content = bytearray(self.synced.get(path, b""))
            for offset, data in self.unsynced.get(path, []):
                if chance.random() < 0.5:
                    continue
                if data is None:
                    del content[offset:]
                else:
                    _put(content, offset, data if chance.random() < 0.7 else data[: chance.randrange(len(data) + 1)])
            (target / path.name).write_bytes(content)

    def _check(self) -> None:
        if self.fail is None:
            return
        if self.after > 0:
            self.after -= 1
            return
        fail, self.fail = self.fail, None if self.once else self.fail
        raise fail("this disk was told to fail")


class _File(apsw.VFSFile):
    def __init__(self, disk: FailingDisk, name: "apsw.URIFilename | str | None", flags: list[int]) -> None:
        self._disk = disk
        text = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._path = None if text is None else Path(text)
        super().__init__("", name, flags)
        if self._path is not None and self._path not in disk.unsynced:
            disk.synced[self._path] = self._path.read_bytes()
            disk.unsynced[self._path] = []

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk._check()
        super().xWrite(data, offset)
        self._note((offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        self._disk._check()
        super().xTruncate(newsize)
        self._note((newsize, None))

    def xSync(self, flags: int) -> None:
        self._disk._check()
        super().xSync(flags)
        if self._path is not None:
            content = bytearray(self._disk.synced[self._path])
            for offset, data in self._disk.unsynced[self._path]:
                if data is None:
                    del content[offset:]
                else:
                    _put(content, offset, data)
            self._disk.synced[self._path] = bytes(content)
            self._disk.unsynced[self._path] = []

    def _note(self, change: Change) -> None:
        if self._path is not None:
            self._disk.unsynced[self._path].append(change)


def _put(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data
