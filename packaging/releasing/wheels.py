"""The wheel and the sdist, for those who have Python: `pipx install waybill-VERSION-py3-none-any.whl`."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from devtools import environment, places
from devtools.errors import CannotGoOn

from releasing import program, reproducible

# Where each goes: only what belongs to a package is installed with it, so the resources go into the package.
_SOURCES = {"app": "app", "resources": "app/resources", "pyproject.toml": "pyproject.toml", "README.md": "README.md"}
_MAKE = """
import sys
from setuptools import build_meta
target = sys.argv[1]  # the backend puts words of its own into sys.argv
build_meta.build_sdist(target)
build_meta.build_wheel(target)
"""


def make() -> list[Path]:
    """Both files in dist/. Raises `CannotGoOn`."""
    places.DIST.mkdir(exist_ok=True)
    return build(environment.ensure(program.PINS, program.ENVIRONMENT), places.DIST)


def build(python: Path, target: Path) -> list[Path]:
    """Both files in the folder `target`, by the setuptools of `python`, called as any installer calls it. Raises
    `CannotGoOn`."""
    with tempfile.TemporaryDirectory(prefix="waybill-wheel-") as scratch:
        # A copy of the sources alone: setuptools would take what an earlier build left in build/ along.
        for name, place in _SOURCES.items():
            _copy(places.ROOT / name, Path(scratch, "sources", place))
        made = Path(scratch, "made")
        made.mkdir()
        ran = subprocess.run(
            [python, "-c", _MAKE, made],
            cwd=Path(scratch, "sources"),
            env=reproducible.surroundings(os.environ),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if ran.returncode != 0:
            raise CannotGoOn("The wheel could not be built:\n" + "\n".join(ran.stdout.splitlines()[-15:]))
        for sdist in made.glob("*.tar.gz"):
            reproducible.rewritten_tar(sdist)
        for wheel in made.glob("*.whl"):
            reproducible.rewritten_zip(wheel)
        if len(list(made.iterdir())) != len(("wheel", "sdist")):
            raise CannotGoOn("The wheel and the sdist did not both come out:\n" + ran.stdout)
        return [Path(shutil.move(each, target / each.name)) for each in sorted(made.iterdir())]


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
