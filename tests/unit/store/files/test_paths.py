"""All files of a run are in one folder, and opening the store for the first paint imports little."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.store.paths import DataDir, default_data_dir
from app.store.store_errors import NotOpened

FIRST_PAINT = (
    "sqlite.database",
    "paths",
    "journal.write_store",
    "cache.order_store",
    "journal.setting_store",
    "journal.profile_store",
    "journal.schema.journal_schema",
)


def test_all_paths_are_in_one_folder(tmp_path: Path) -> None:
    data = DataDir(tmp_path / "a" / "b")
    places = [data.journal, data.cache, data.practice, data.logs, data.lock]
    assert len(set(places)) == len(places)
    assert all(place.is_relative_to(data.root) for place in places)
    assert not data.root.exists()
    data.create()
    data.create()
    assert data.root.is_dir()
    if sys.platform != "win32":  # there the folder of a person is closed to others by what it inherits
        assert data.root.stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    why = "file already exists" if sys.platform == "win32" else "not a directory"
    with pytest.raises(NotOpened, match=rf"cannot keep its data in .*below: .*{why}\."):
        DataDir(tmp_path / "file" / "below").create()


def test_the_default_folder_is_that_of_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert "Waybill" in default_data_dir().root.name
    if sys.platform == "linux":
        assert default_data_dir().root == tmp_path / "Waybill"


def test_the_first_paint_imports_apsw_and_the_standard_library_alone(root: Path) -> None:
    lines = "\n".join(f"import app.store.{name}" for name in FIRST_PAINT)
    program = f"import sys, asyncio, logging, concurrent.futures\nbefore = set(sys.modules)\n{lines}\n"
    program += "names = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
    program += "print(*sorted(names - set(sys.stdlib_module_names)))"
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["app", "apsw"]
