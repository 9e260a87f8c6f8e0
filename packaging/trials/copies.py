"""Copies of the checkout in other folders, to be built there: as they are, or as the version that comes after this one.

A copy has what git knows, as it is in the working tree now.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

from devtools import logged, places
from devtools.errors import CannotGoOn
from releasing import reproducible

LATER = "9.9.9"
# What a later version might do to the journal: a column more, and every row of a table changed.
_MIGRATION = """

from dataclasses import replace as _replace

_LATER = ("ALTER TABLE writes ADD COLUMN carrier TEXT", "UPDATE attempts SET sentence = 'Attempt ' || id")
JOURNAL = _replace(JOURNAL, migrations=(*JOURNAL.migrations, _LATER))
"""


def copy(target: Path, kept: Collection[str] = ()) -> Path:
    """The checkout's files in the folder `target`, which is made anew but for what is `kept` at its top."""
    target.mkdir(parents=True, exist_ok=True)
    for each in target.iterdir():
        if each.name not in kept:
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    for name in _known():
        source = places.ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / name)
    return target


def later(target: Path) -> Path:
    """The checkout's files in the folder `target`, as a version whose journal has one step more.

    What was built there is kept: it is built anew only if these files have changed.
    """
    copy(target, kept=("build", "dist"))
    schema = target / "app" / "store" / "journal" / "schema" / "journal_schema.py"
    schema.write_text(schema.read_text(encoding="utf-8") + _MIGRATION, encoding="utf-8")
    version = target / "app" / "version.py"
    lines = version.read_text(encoding="utf-8").splitlines()
    version.write_text("\n".join([*lines[:-1], f'VERSION = "{LATER}"', ""]), encoding="utf-8")
    return target


def build(folder: Path, words: list[str], log: Path, more: Mapping[str, str] | None = None, umask: int = -1) -> None:
    """Run `dev.py` of a copy. Raises `CannotGoOn`."""
    given = {**os.environ, reproducible.EPOCH: str(reproducible.epoch()), **(more or {})}
    command: list[str | Path] = [sys.executable, folder / "packaging" / "dev.py", *words]
    logged.run(command, log, f"dev.py {' '.join(words)} failed in {folder}:", env=given, cwd=folder, umask=umask)


def _known() -> list[str]:
    command = ["git", "-c", f"safe.directory={places.ROOT}", "ls-files", "-z", "--cached", "--others"]
    ran = subprocess.run([*command, "--exclude-standard"], cwd=places.ROOT, capture_output=True, check=False)
    if ran.returncode != 0:
        raise CannotGoOn("A copy is made of what git knows, and this is no checkout of git.")
    return sorted(os.fsdecode(each) for each in ran.stdout.split(b"\0") if each)
