"""The rights that the child gives up: the system enforces that."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.imaging.imaging import Imaging
from app.imaging.pixels import Pixels
from tests.support.pictures import chart, saved
from tests.support.window_process import until

TRIES = """
import os, socket
from app.imaging.child.confine import confine
confine(1_600 * 1024 * 1024)
for name, act in {
    "file": lambda: open("/etc/hostname"),
    "new file": lambda: open(os.devnull, "w"),
    "socket": socket.socket,
    "pipe": os.pipe,
    "folder": lambda: os.listdir("/"),
    "memory": lambda: bytearray(1_700 * 1024 * 1024),
}.items():
    try:
        act()
        print(name, "opened")
    except (OSError, MemoryError):
        pass
"""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what the system holds a process to differs")


def test_no_file_no_connection_and_not_all_memory_can_be_had(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", TRIES], cwd=root, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.asyncio
async def test_the_child_holds_nothing_but_its_pipes(imaging: Imaging) -> None:
    assert isinstance(await imaging.decode(saved(chart(), "JPEG")), Pixels)
    (pid,) = imaging.pids()
    kinds, files = held_by(pid)
    assert kinds == {"pipe", "/dev/null", "/memfd"}
    assert files == ["0", "0"]


def held_by(pid: int) -> tuple[set[str], list[str]]:
    """What a process has open, and how many files it may have."""
    process = Path(f"/proc/{pid}")
    kinds = {str(path.readlink()).split(":")[0] for path in (process / "fd").iterdir()}
    limits = (process / "limits").read_text().splitlines()
    return kinds, next(line for line in limits if line.startswith("Max open files")).split()[3:5]


def test_the_child_ends_with_the_window(root: Path) -> None:
    """However the window ends: its end of the pipe closes."""
    script = (
        "import asyncio, os, signal\n"
        "from app.imaging.imaging import Imaging\n"
        "async def main():\n"
        "    imaging = Imaging(workers=1)\n"
        "    await imaging.decode(b'')\n"
        "    print(imaging.pids()[0], flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False)
    child = Path(f"/proc/{int(done.stdout)}")
    assert until(lambda: not child.exists() or "State:\tZ" in (child / "status").read_text())
