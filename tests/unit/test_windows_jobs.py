"""Children on Windows end with the process that started them, and stay within their bounds."""

import ctypes
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.windows_jobs import Leash
from tests.support.window_process import until
from tests.support.wine import under_wine

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="jobs are Windows' own")
SLEEPS = "import time; time.sleep(600)"
STARTS_ANOTHER = (
    "import subprocess, sys, time\n"
    f"child = subprocess.Popen([sys.executable, '-c', {SLEEPS!r}])\n"
    "print(child.pid, flush=True)\n"
    "time.sleep(600)\n"
)
IS_KILLED = (
    "import os, subprocess, sys\n"
    "from app.windows_jobs import Leash\n"
    f"child = subprocess.Popen([sys.executable, '-c', {SLEEPS!r}])\n"
    "leash = Leash(child.pid)\n"
    "print(child.pid, leash.held, flush=True)\n"
    "os.kill(os.getpid(), 9)\n"
)
BOUNDED = (
    "import subprocess, sys\n"
    "from app.windows_jobs import bound_this_process\n"
    "bound_this_process(300 << 20, children=False)\n"
    "bytearray(100 << 20)\n"
    "try:\n"
    "    bytearray(400 << 20)\n"
    "    print('has 400 MB')\n"
    "except MemoryError:\n"
    "    pass\n"
    "try:\n"
    "    subprocess.run([sys.executable, '-V'])\n"
    "    print('has a child')\n"
    "except OSError:\n"
    "    pass\n"
    "print('goes on')\n"
)


@pytest.fixture
def child() -> Iterator["subprocess.Popen[str]"]:
    """A process that waits for a child of its own."""
    made = subprocess.Popen([sys.executable, "-c", STARTS_ANOTHER], stdout=subprocess.PIPE, text=True)
    yield made
    made.kill()
    made.wait()
    assert made.stdout is not None
    made.stdout.close()


def test_a_child_that_is_let_go_ends_and_what_it_started_ends_too(child: "subprocess.Popen[str]") -> None:
    leash = Leash(child.pid)
    assert leash.held
    assert child.stdout is not None
    grandchild = int(child.stdout.readline())
    assert lives(grandchild)
    leash.let_go()
    child.wait(timeout=60)
    assert until(lambda: not lives(grandchild))


def test_a_child_ends_with_a_parent_that_is_killed(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", IS_KILLED], cwd=root, capture_output=True, text=True, check=False)
    pid, held = done.stdout.split()
    assert held == "True"
    assert until(lambda: not lives(int(pid)))


def test_a_child_that_has_ended_is_on_no_leash(child: "subprocess.Popen[str]") -> None:
    child.kill()
    child.communicate()
    assert not Leash(child.pid).held


@pytest.mark.skipif(under_wine(), reason="Wine holds no process to the bounds of its job")
def test_a_bounded_process_has_no_more_memory_and_no_child(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", BOUNDED], cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout.split("\n") == ["goes on", ""], done.stderr


def lives(pid: int) -> bool:
    """Whether the process runs. A handle that somebody holds keeps the number of one that has ended."""
    kernel = ctypes.CDLL("kernel32")
    kernel.OpenProcess.restype = ctypes.c_void_p
    kernel.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
    kernel.CloseHandle.argtypes = (ctypes.c_void_p,)
    found = kernel.OpenProcess(0x00100000, False, pid)  # SYNCHRONIZE
    if not found:
        return False
    ended = kernel.WaitForSingleObject(found, 0) == 0
    kernel.CloseHandle(found)
    return not ended
