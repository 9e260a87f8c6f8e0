"""Text files of any usual encoding and separator as rows of cells.

Invariants: no cell changes on the way: what cannot be read for certain is marked (`Broken`), never mended. A quoted
cell may hold separators, quotes and line breaks. A quote that is never closed costs one row, not the rest of the file.
"""

import codecs
import csv
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from app.desk.bulk import bulk_words as words
from app.desk.bulk.files.file_tables import FileTrouble
from app.desk.export.spreadsheet_cells import unguarded
from app.desk.files.stoppable_work import Progress

# Codec and what a person calls it. Among guesses that fit equally well the first one counts.
ENCODINGS: dict[str, str] = {
    "utf-8": words.UTF_8,
    "utf-16-le": words.UTF_16,
    "utf-16-be": words.UTF_16_BE,
    "cp1252": words.WESTERN,
    "cp1250": words.CENTRAL,
    "cp1251": words.CYRILLIC,
    "cp1253": words.GREEK,
    "cp1254": words.TURKISH,
    "mac_roman": words.MACINTOSH,
    "cp850": words.DOS,
    "cp932": words.JAPANESE,
    "gb18030": words.CHINESE,
    "big5": words.CHINESE_TRADITIONAL,
    "cp949": words.KOREAN,
}
_GUESSED = tuple(each for each in ENCODINGS if not each.startswith("utf"))
SEPARATORS: dict[str, str] = {
    ",": words.COMMA,
    ";": words.SEMICOLON,
    "\t": words.TAB,
    "|": words.BAR,
    "^": words.CARET,
}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
LOST = "\ufffd"  # stands for bytes that are no text in the encoding
_SAMPLE = 65_536  # bytes with which encodings are compared
_SEVERAL = 200  # rows with which separators are compared
_LONGEST_CELL = 100  # lines; a quote that is open for longer was never meant as one
_ALL_OF = re.compile(r'="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Broken:
    """A row that could not be read for certain: its place, the column, and the sentence about it."""

    row: int
    column: int
    sentence: str


@dataclass(slots=True)
class TextRows:
    """The rows of a text file, the line at which each begins (from 1), and what is broken."""

    rows: list[list[str]]
    lines: list[int]
    broken: list[Broken]


def find_encoding(data: bytes) -> tuple[str, bool]:
    """The encoding of a file, and whether that is certain. Raises `FileTrouble` for what is no text."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, True
    if zeros := data[:_SAMPLE].count(0):
        return _wide(data[:_SAMPLE], zeros), True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _guess(data)
    return "utf-8", True


def decode(data: bytes, encoding: str) -> str:
    """The text of a file without its mark; bytes that are no text become `LOST`."""
    for mark, name in _MARKS:
        if name == encoding and data.startswith(mark):
            data = data[len(mark) :]
            break
    return data.decode(encoding, "replace")


def _wide(sample: bytes, zeros: int) -> str:
    """UTF-16 without a mark: every other byte of plain letters is zero."""
    even = sample[::2].count(0)
    if zeros * 4 < len(sample) or 0 < even < zeros:
        raise FileTrouble(words.NO_TEXT)
    return "utf-16-be" if even else "utf-16-le"


def _guess(data: bytes) -> tuple[str, bool]:
    lost = data.decode("utf-8", "replace").count(LOST)
    wide = sum(1 for _ in re.finditer(rb"[\xc2-\xf4][\x80-\xbf]+", data))
    if lost * 10 < wide:  # UTF-8 with a few broken bytes: anything else would break every other letter
        return "utf-8", False
    sample = b"\n".join(line for line in data.splitlines() if not line.isascii())[:_SAMPLE]
    best = max(_GUESSED, key=lambda name: (_likeness(sample, name), -_GUESSED.index(name)))
    return best, False


def _likeness(sample: bytes, encoding: str) -> float:
    """How much like words the sample looks in an encoding."""
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError as error:
        if error.end < len(sample) - 3:  # the sample may end within a letter
            return float("-inf")
        text = sample.decode(encoding, "ignore")
    return sum(map(_letter_likeness, f" {text}", text, f"{text[1:]} "))


def _letter_likeness(before: str, sign: str, after: str) -> float:
    if sign.isascii():
        return 0.0
    kind = unicodedata.category(sign)
    if kind.startswith("C"):
        return -10.0
    if not kind.startswith("L"):
        return -2.0 if before.isalpha() and after.isalpha() else 0.0
    name = unicodedata.name(sign, "")
    if name.startswith("LATIN"):
        # Words in Latin letters have few accents in a row, and no capital behind a small letter.
        beside = [each for each in (before, after) if not each.isascii() and each.isalpha()]
        return 1.0 - 1.5 * len(beside) - (3.0 if sign.isupper() and before.islower() else 0.0)
    if name.startswith("HALFWIDTH"):
        return -1.0
    mixed = [each for each in (before, after) if each.isascii() and each.isalpha()]
    capital = 3.0 if sign.isupper() and before.islower() else 0.0
    told = 1.5 if name.startswith(("HIRAGANA", "KATAKANA")) else 1.0
    return told - 2.0 * len(mixed) - capital


def find_separator(text: str) -> tuple[str, bool]:
    """The sign between the cells of a text, and whether that is certain."""
    if told := re.match(r"sep=(.)\r?\n", text):
        return told[1], True
    head = "\n".join(text[:_SAMPLE].splitlines()[:_SEVERAL])
    found = {sign: _fitness(head, sign) for sign in SEPARATORS}
    best = max(found, key=lambda sign: found[sign])
    if found[best] <= 0:
        return ",", True  # one column
    others = [each for sign, each in found.items() if sign != best]
    return best, found[best] > 1.2 * max(others)


def _fitness(head: str, separator: str) -> float:
    """How evenly a separator parts the rows; 0 if it parts none."""
    widths = [len(row) for row in split(head, separator, Progress()).rows if any(row)]
    usual = max(set(widths), key=lambda width: (widths.count(width), width), default=1)
    parted = max(widths, default=1)
    if parted < 2:
        return 0.0
    return (widths.count(usual) / len(widths) if usual > 1 else 0.05) * min(parted, 8)


def split(text: str, separator: str, progress: Progress) -> TextRows:
    """The rows of a text. Blank lines are left out. Raises `Stopped`."""
    found = TextRows([], [], [])
    lines = text.splitlines(keepends=True) if _breaks_plainly(text) else re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
    at = 1 if re.match(r"sep=.\r?\n", text) else 0
    while at < len(lines):
        if not at % 200:
            progress.checkpoint()
        line = lines[at]
        if '"' not in line:
            plain = line.rstrip("\r\n")
            cells, used = plain.split(separator), 1
        else:
            cells, used = _quoted(lines, at, separator, found)
        if len(cells) > 1 or cells[0].strip():
            found.rows.append([_meant(each) if each[:1] in ("=", "'") else each for each in cells])
            found.lines.append(at + 1)
        at += used
    return found


def _breaks_plainly(text: str) -> bool:
    """Whether `splitlines` finds the same lines as a spreadsheet: it also breaks at rarer signs."""
    return not any(sign in text for sign in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")


def _quoted(lines: list[str], at: int, separator: str, found: TextRows) -> tuple[list[str], int]:
    """The row that begins at a line with quotes, and how many lines it takes."""
    for used in range(1, min(_LONGEST_CELL, len(lines) - at) + 1):
        try:
            (cells,) = csv.reader(_chunk(lines, at, used), delimiter=separator, strict=True)
        except csv.Error as error:
            if "end of data" not in str(error):
                break
        except ValueError:
            break
        else:
            return cells, used
    cells = lines[at].rstrip("\r\n").split(separator)
    column = next(place for place, cell in enumerate(cells) if '"' in cell)
    found.broken.append(Broken(len(found.rows), column, words.OPEN_QUOTE))
    return cells, 1


def _chunk(lines: list[str], at: int, used: int) -> Iterator[str]:
    yield from lines[at : at + used - 1]
    yield lines[at + used - 1].rstrip("\r\n")


def _meant(cell: str) -> str:
    """The text that a cell stands for where it was guarded: `="007"`, or an apostrophe before what could run."""
    if whole := _ALL_OF.fullmatch(cell):
        return whole[1]
    return unguarded(cell)
