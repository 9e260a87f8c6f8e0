"""Runs one set of tests against every kind of program, and says in a table which ran where: `dev.py flows`.

The tests are those of tests/e2e. Most of them work the window through the interface of screen readers. Wine passes none
of Windows' on, so on the Windows program run those that need keys and kept data alone: the flows.
"""

import argparse
import os
import subprocess
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from devtools import debian, environment, places
from devtools.errors import CannotGoOn
from releasing import packages, program, windows_packages, wine

from trials import copies

FOLDER = places.ROOT / "tests" / "e2e"
FLOWS = "test_flow_*.py"
PACKED, LATER, CROWD = "WAYBILL_PACKED", "WAYBILL_LATER", "WAYBILL_CROWD"  # what tests/support/targets reads
# Starts at once, each with a real window; F7 makes fifty without. Under Wine each takes ten times as long.
_MANY, _MANY_UNDER_WINE = "12", "8"
_ENDINGS = ("failed", "passed", "left out")


@dataclass(frozen=True)
class Target:
    """`ready` makes the program and returns the environment by which tests find it."""

    name: str
    what: str
    ready: Callable[[], Mapping[str, str]]


def _source() -> Mapping[str, str]:
    return {LATER: str(copies.later(places.BUILD / "later-source")), CROWD: _MANY}


def _linux() -> Mapping[str, str]:
    made = packages.packed()
    later = _later("linux", "build") / "dist" / "waybill" / "waybill"
    return {PACKED: str(made.folder / "waybill"), LATER: str(later), CROWD: _MANY}


def _windows() -> Mapping[str, str]:
    windows = wine.ensure(program.PINS)
    made = windows_packages.packed(packages.icons())
    later = _later("windows", "build", "--windows") / "dist" / "windows" / "waybill" / "waybill.exe"
    windows.stop()  # what runs on in this prefix has a server with other settings
    named = windows.surroundings()
    settings = {name: named[name] for name in ("WINEPREFIX", "WINEARCH", "WINEDLLOVERRIDES", "WINEDEBUG")}
    return {PACKED: str(made.folder / "waybill.exe"), LATER: str(later), CROWD: _MANY_UNDER_WINE, **settings}


def _later(name: str, *words: str) -> Path:
    """A copy of the checkout as a later version, in which `dev.py` was run with these words."""
    copy = copies.later(places.BUILD / f"later-{name}")
    copies.build(copy, list(words), places.log_file(f"later-{name}"))
    return copy


TARGETS = (
    Target("source", "the sources", _source),
    Target("linux", "the packed program for Linux", _linux),
    Target("windows", "the packed program for Windows, under Wine", _windows),
)


def run(words: list[str]) -> int:
    """Run the flows, or with `--all` every test of tests/e2e, on the named targets or on all; 1 if one failed."""
    parser = argparse.ArgumentParser(prog="dev.py flows", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(each.name for each in TARGETS))
    parser.add_argument("--all", action="store_true", help="every test of tests/e2e, not the flows alone")
    parser.add_argument("-k", dest="some", default="", metavar="WORDS", help="only some of the tests, as in pytest")
    parser.add_argument("--targets", action="store_true", help="name the targets and leave", dest="listed")
    asked = parser.parse_args(words)
    if asked.listed:
        print("\n".join(f"{each.name:8} {each.what}" for each in TARGETS))
        return 0
    unknown = set(asked.targets) - {each.name for each in TARGETS}
    if unknown:
        raise CannotGoOn(f"There is no target {', '.join(sorted(unknown))}; dev.py flows --targets names them.")
    debian.ensure((*debian.QT, *debian.TESTS))
    python = environment.ensure(places.DEV_PINS)
    counted: dict[str, dict[str, str]] = {}
    status = 0
    for each in (each for each in TARGETS if not asked.targets or each.name in asked.targets):
        report = places.BUILD / f"flows-{each.name}.xml"
        report.unlink(missing_ok=True)
        every = asked.all and each.name != "windows"
        command: list[str | Path] = [python, "-m", "pytest", "-q", f"--junitxml={report}"]
        command += [*(["-k", asked.some] if asked.some else []), *chosen(every=every)]
        print(f"\n== {each.name}: {each.what}", flush=True)
        given = {**os.environ, **each.ready()}
        status |= subprocess.run(command, cwd=places.ROOT, env=given, check=False).returncode
        counted[each.name] = told(report)
    print("\n" + table(counted))
    return 1 if status else 0


def chosen(*, every: bool) -> list[Path]:
    """The files of tests."""
    return sorted(FOLDER.glob("test_*.py" if every else FLOWS))


def told(report: Path) -> dict[str, str]:
    """How the tests of each file ended, and how long they took together: `3 passed, 1 left out (42 s)`."""
    if not report.exists():
        return {}
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    seconds: dict[str, float] = defaultdict(float)
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - pytest has just written it
        file = case.get("classname", "").rpartition(".")[2]
        kinds = {child.tag for child in case}
        ending = "left out" if "skipped" in kinds else "failed" if kinds & {"failure", "error"} else "passed"
        counts[file][ending] += 1
        seconds[file] += float(case.get("time", "0"))
    return {file: f"{_in_words(ended)} ({seconds[file]:.0f} s)" for file, ended in counts.items()}


def _in_words(ended: Mapping[str, int]) -> str:
    return ", ".join(f"{ended[each]} {each}" for each in _ENDINGS if each in ended)


def table(counted: Mapping[str, Mapping[str, str]]) -> str:
    """A line for each file and a column for each target, as Markdown."""
    names = sorted({file for files in counted.values() for file in files})
    lines: list[Sequence[str]] = [("tests", *counted), ("---",) * (len(counted) + 1)]
    lines += [(name, *(counted[target].get(name, "–") for target in counted)) for name in names]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
