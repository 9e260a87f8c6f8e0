"""The files of the repository work on any machine: no address of a registry, no path of somebody's computer."""

import re
import subprocess
from pathlib import Path

import pytest

PLACES = ("root", "home", "Users", "work", "workspace", "mnt", "opt", "srv")
MACHINE_PATH = re.compile(r"(?<![\w.~}>:/-])/(?:" + "|".join(PLACES) + r")/\w|[A-Z]:[\\/]+Users[\\/]")
REGISTRY = re.compile(
    r"--(?:extra-)?index" + r"-url|--find" + r"-links|--trusted" + r"-host"
    r"|https?://[^\s\"'<>)]*(?:py" + r"pi|pythonhosted|artifact|/simple\b|devpi|nexus|deb\.debian|registry)",
    re.IGNORECASE,
)


def tracked(root: Path) -> list[Path]:
    """The files git knows here, those about to be added included."""
    command = ["git", "-c", f"safe.directory={root}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    return [path for name in listing.split("\0") if name and (path := root / name).is_file()]


def lines_with(root: Path, pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in tracked(root):
        if b"\0" in (content := path.read_bytes())[:4096]:
            continue
        lines = content.decode("utf-8", errors="replace").splitlines()
        found += [f"{path.relative_to(root)}:{at}: {line}" for at, line in enumerate(lines, 1) if pattern.search(line)]
    return found


def test_no_tracked_file_names_a_registry(root: Path) -> None:
    assert lines_with(root, REGISTRY) == []


def test_no_tracked_file_names_a_path_of_this_machine(root: Path) -> None:
    assert lines_with(root, MACHINE_PATH) == []


@pytest.mark.parametrize("text", ["/ho" + "me/ann/x", "see /ro" + "ot/x", '"/wo' + 'rk/main"', "C:\\Us" + "ers\\ann"])
def test_a_machine_path_is_recognised(text: str) -> None:
    assert MACHINE_PATH.search(text)


@pytest.mark.parametrize(
    "text", ["{base_url}/ho" + "me/x", "a/wo" + "rk/b", "/orders/open", "/OrderManagementApi/Order/submit"]
)
def test_other_paths_are_not(text: str) -> None:
    assert not MACHINE_PATH.search(text)


@pytest.mark.parametrize(
    "text", ["https://py" + "pi.org/simple", "--index" + "-url=x", "http://mirror/art" + "ifact/y"]
)
def test_a_registry_is_recognised(text: str) -> None:
    assert REGISTRY.search(text)
