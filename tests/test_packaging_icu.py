"""The data of ICU that is packed: what Qt asks of it is there, and answered as by the whole."""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import PySide6
import pytest
from devtools.errors import CannotGoOn
from releasing import icu_data

WHOLE = next(iter((Path(PySide6.__path__[0]) / "Qt" / "lib").glob("libicudata.so.*")), None)
_NAMES = ("icudt1l/coll/de.res", "icudt1l/curr/de.res", "icudt1l/de.res", "icudt1l/cnvalias.icu")
# Sorts words of many scripts as each language does, by Qt, and says which file the data came from.
_SORTS = """
import random
from functools import cmp_to_key
from PySide6.QtCore import QCollator, QLocale
letters = [chr(each) for span in ((33, 592), (880, 1024), (1040, 1120), (3585, 3630), (12353, 12448), (19968, 20096))
           for each in range(*span)]
chance = random.Random(1)
words = ["".join(chance.choices(letters, k=3)) for _ in range(400)]
for name in ("C", "en_US", "de_DE", "sv_SE", "cs_CZ", "es_ES", "tr_TR", "th_TH", "ja_JP", "ko_KR", "zh_CN", "zh_TW"):
    collator = QCollator(QLocale(name))
    collator.setNumericMode(True)
    print(name, sorted(words, key=cmp_to_key(collator.compare)), QLocale(name).toUpper("ißé"))
print(next(line.split()[-1] for line in open("/proc/self/maps") if "libicudata" in line))
"""


def packed(*names: str) -> bytes:
    """A package of data with these items, each of which holds its own name twice."""
    header = struct.pack("<H", 32) + b"\xda\x27" + bytes(8) + b"CmnD" + bytes(16)
    contents = [name.encode() * 2 for name in sorted(names)]
    texts = b"".join(name.encode() + b"\0" for name in sorted(names))
    table, name_at, content_at = struct.pack("<I", len(names)), 4 + 8 * len(names), 4 + 8 * len(names) + len(texts)
    for name, content in zip(sorted(names), contents, strict=True):
        table += struct.pack("<II", name_at, content_at)
        name_at, content_at = name_at + len(name) + 1, content_at + len(content)
    return header + table + texts + b"".join(contents)


def test_only_what_is_asked_for_is_kept_whole_and_in_order() -> None:
    made = icu_data.kept(packed(*_NAMES))
    assert made[:32] == packed(*_NAMES)[:32]
    items = icu_data._items(made, 32)
    assert [name for name, _ in items] == [b"icudt1l/cnvalias.icu", b"icudt1l/coll/de.res"]
    assert all(content.rstrip(b"\0") == name * 2 for name, content in items)
    places = [struct.unpack_from("<II", made, 36 + 8 * number)[1] for number in range(2)]
    assert [place % 16 for place in places] == [0, 0]  # ICU reads numbers in place


def test_other_data_is_refused() -> None:
    with pytest.raises(CannotGoOn, match="no package of ICU's data"):
        icu_data.kept(b"something else entirely")


@pytest.mark.skipif(WHOLE is None or not shutil.which("ld"), reason="Qt brings ICU on Linux only; needs a linker")
def test_qt_sorts_in_every_language_as_with_the_whole_data(tmp_path: Path) -> None:
    assert WHOLE is not None
    smaller = tmp_path / WHOLE.name
    shutil.copyfile(WHOLE, smaller)
    icu_data.reduce(tmp_path)
    assert smaller.stat().st_size < WHOLE.stat().st_size / 8
    said = []
    for folder in (WHOLE.parent, tmp_path):
        given = {**os.environ, "LD_LIBRARY_PATH": str(folder)}
        ran = subprocess.run([sys.executable, "-c", _SORTS], env=given, capture_output=True, text=True, check=True)
        *sorted_words, file = ran.stdout.splitlines()
        assert Path(file) == folder / WHOLE.name
        said.append((sorted_words, ran.stderr))
    assert said[0] == said[1]
    assert said[0][1] == ""
