"""`python -m app.desk.bulk.files.workbook_process PATH`: the child that reads a workbook.

It says each answer as a length (four bytes) and so many bytes of MessagePack. First the heads of all sheets. Then it
reads a line with the number of a sheet, and says the rows of that sheet in blocks, each row as its texts and its kinds
(`file_tables.KINDS`); an empty block behind them; and the cells that the reader lost (`lost_cells`). It ends when its
standard input closes.

Invariant: what a file does to this process, it does to no other. The process may use only so much memory, and unpacks
no more than so many bytes.
"""

import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from app.desk.bulk.files import lost_cells
from app.windows_jobs import bound_this_process

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

HEAD = 40  # rows
BLOCK = 500  # rows
MEMORY = 3 << 30  # bytes
UNPACKED = 400 << 20  # bytes; a sheet of 100,000 rows and 30 columns has some 120


class SheetHead(msgspec.Struct, array_like=True):
    """A sheet: its name, whether a person sees it, the place of its first row, its size, and its first rows."""

    name: str
    visible: bool
    first: int
    height: int
    width: int
    rows: list[tuple[list[str], bytes]]


class Lost(msgspec.Struct, array_like=True):
    """The cells of a sheet that were read as blank and are not: their rows and columns within the rows said, and their
    texts; and how many errors other formats hold somewhere."""

    cells: list[tuple[int, int, str]]
    somewhere: int


class Heads(msgspec.Struct, array_like=True):
    """The answer to the opening: the sheets, or why there are none, as a key of `bulk_words.WORKBOOK_TROUBLE`."""

    sheets: list[SheetHead] = []
    refused: str = ""


class Block(msgspec.Struct, array_like=True):
    """Some rows of a sheet; none behind the last one."""

    rows: list[tuple[list[str], bytes]]


def main(arguments: list[str] | None = None) -> int:
    """Read the workbook at the path; the exit status."""
    (path,) = sys.argv[1:] if arguments is None else arguments
    _limit_memory()
    opened = _Opened(Path(path))
    _say(opened.heads())
    for line in sys.stdin.buffer:
        for block in opened.blocks(int(line)):
            _say(Block(block))
        _say(Block([]))
        _say(opened.lost(int(line)))
    return 0


class _Opened:
    """A workbook, and its sheets as far as they were read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sheets: list[CalamineSheet] = []
        self._places: list[int] = []  # of each among all sheets of the book

    def heads(self) -> Heads:
        """The sheets with their first rows."""
        from python_calamine import CalamineError, CalamineWorkbook, PasswordError

        try:
            if why := _bomb(self._path):
                return Heads(refused=why)
            with self._path.open("rb") as file:  # by its content: a name may end in anything
                book = CalamineWorkbook.from_filelike(file)
                return Heads([_head(each, visible) for each, visible in self._read(book)])
        except PasswordError:
            return Heads(refused="password")
        except (CalamineError, zipfile.BadZipFile, EOFError, ValueError, OSError):
            return Heads(refused="unreadable")

    def _read(self, book: "CalamineWorkbook") -> Iterator[tuple["CalamineSheet", bool]]:
        for place, about in enumerate(book.sheets_metadata):
            if _is_work_sheet(about):
                sheet = book.get_sheet_by_index(place)
                self._sheets.append(sheet)
                self._places.append(place)
                yield sheet, str(about.visible).endswith("Visible")

    def blocks(self, sheet: int) -> Iterator[list[tuple[list[str], bytes]]]:
        """The rows of a sheet from its first row on, some at a time."""
        block: list[tuple[list[str], bytes]] = []
        for row in self._sheets[sheet].to_python(skip_empty_area=True):
            block.append(written(row))
            if len(block) == BLOCK:
                yield block
                block = []
        if block:
            yield block

    def lost(self, sheet: int) -> Lost:
        """The parts that the rows of a sheet lack."""
        first = self._sheets[sheet].start or (0, 0)
        try:
            somewhere = lost_cells.count_errors(self._path)
            found = lost_cells.lost_cells(self._path, self._places[sheet]) if zipfile.is_zipfile(self._path) else []
        except (zipfile.BadZipFile, ElementTree.ParseError, DefusedXmlException, KeyError, IndexError, OSError):
            return Lost([], 1)  # the library could read it, and this could not: a person should look
        return Lost([(row - first[0], column - first[1], text) for row, column, text in found], somewhere)


def _is_work_sheet(about: Any) -> bool:
    return str(about.typ).endswith("WorkSheet")


def _head(sheet: "CalamineSheet", visible: bool) -> SheetHead:
    first = sheet.start[0] if sheet.start else 0
    rows = [written(row) for row in sheet.to_python(skip_empty_area=True, nrows=HEAD)]
    return SheetHead(sheet.name, visible, first, sheet.height, sheet.width, rows)


def _bomb(path: Path) -> str:
    """Why a packed file is not to be unpacked: it is unpacked once here, and the bytes are counted."""
    if not zipfile.is_zipfile(path):
        return ""
    left = UNPACKED
    with zipfile.ZipFile(path) as book:
        for part in book.infolist():
            if part.flag_bits & 1:
                return "password"
            if not part.filename.endswith((".xml", ".bin", ".rels")):
                continue
            with book.open(part) as unpacked:
                while piece := unpacked.read(1 << 20):
                    left -= len(piece)
                    if left < 0:
                        return "too large"
    return ""


def written(row: Iterable[Any]) -> tuple[list[str], bytes]:
    """The texts of a row, and the letters of their kinds; nothing in place of the letters if all are texts."""
    texts: list[str] = []
    kinds = bytearray()
    for cell in row:
        kind, write = _FORMS.get(type(cell), _OTHER)
        texts.append(write(cell))
        kinds.append(kind)
    return texts, bytes(kinds) if kinds.strip(b"t") else b""


def _number(value: float) -> str:
    """The digits that a spreadsheet shows: fifteen at most."""
    if value == int(value) if abs(value) < float("inf") else False:
        return str(int(value))
    return f"{value:.15g}"


def _moment(value: datetime) -> str:
    return value.isoformat(" ", "seconds")


def _span(value: timedelta) -> str:
    seconds = int(value.total_seconds())
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


_FORMS: dict[type, tuple[int, Callable[[Any], str]]] = {
    str: (ord("t"), str),
    int: (ord("n"), str),
    float: (ord("n"), _number),
    bool: (ord("b"), lambda flag: "TRUE" if flag else "FALSE"),
    date: (ord("d"), date.isoformat),
    datetime: (ord("m"), _moment),
    time: (ord("m"), time.isoformat),
    timedelta: (ord("m"), _span),
}
_OTHER: tuple[int, Callable[[Any], str]] = (ord("t"), str)


def _say(answer: object) -> None:
    body = msgspec.msgpack.encode(answer)
    sys.stdout.buffer.write(len(body).to_bytes(4, "big") + body)
    sys.stdout.buffer.flush()


def _limit_memory() -> None:
    """Bound this process's memory, so that a file with a cell in the last row and column ends it, not the computer."""
    if sys.platform == "win32":
        bound_this_process(MEMORY, children=False)
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    sys.exit(main())
