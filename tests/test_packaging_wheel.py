"""The wheel holds everything that the program needs, and starts from there, far from the checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from releasing import wheels

from app.version import VERSION


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return wheels.build(Path(sys.executable), tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def installed(made: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As pip lays it out."""
    folder = tmp_path_factory.mktemp("there") / "site-packages"
    with zipfile.ZipFile(made[0]) as wheel:
        wheel.extractall(folder)
    return folder


def test_wheel_and_sdist_bear_the_version(made: list[Path]) -> None:
    assert [each.name for each in made] == [f"waybill-{VERSION}-py3-none-any.whl", f"waybill-{VERSION}.tar.gz"]


def test_the_wheel_holds_every_resource_and_module(root: Path, installed: Path) -> None:
    def files(folder: Path) -> set[str]:
        found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return {path.relative_to(folder).as_posix() for path in found if path.suffix != ".md"}

    resources = {f"resources/{name}" for name in files(root / "resources")}
    assert files(installed / "app") == files(root / "app") | resources


SCRIPT = """
import sys
from app.own_processes import child_command
from app.practice.world.name_tables import places
from app.ui.theme.resources import resource_text
assert sys.modules["app"].__path__[0].startswith(sys.argv[1]), sys.modules["app"].__path__
print(len(resource_text("style.qss")) > 1000, len(places()) > 10, child_command("--x", "app.practice")[1:])
"""


def test_it_finds_its_files_where_it_was_installed(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").touch()  # another program's, in the folder where it happens to be started
    # Ahead of the site-packages of the test environment, which lead to the checkout
    given = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-P", "-c", SCRIPT, str(installed)]
    ran = subprocess.run(command, cwd=tmp_path, env=given, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("True True ['-P', '-m', 'app.practice']\n", "")
