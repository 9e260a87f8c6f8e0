"""A program that is forked is as one that was started anew: its own words, folder, variables and files, and its end."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.version import VERSION
from tests.support.children import child, run_child

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems start an interpreter each time")
_PROGRAM = """
import asyncio, json, os, sys

async def nothing():
    pass

def main():
    if sys.argv[1] == "fail":
        raise LookupError("in the middle")
    if sys.argv[1] == "forget":
        nothing()
    if sys.argv[1] == "leave":
        sys.exit("a sentence")
    if sys.argv[1] == "serve":
        print("ready", flush=True)
        print(sys.stdin.read(), flush=True)
        sys.exit(3)
    open_ones = [int(each) for each in os.listdir("/proc/self/fd")]
    print(json.dumps([sys.argv[1:], __name__, os.getcwd(), dict(os.environ), sorted(open_ones)[:-1]]))

if __name__ == "__main__":
    main()
"""
_BATCH = """
import json, os, subprocess, sys, tempfile
from pathlib import Path
from tests.support import forked_programs
sys.path.insert(0, os.getcwd())
forked_programs.begin()
kept_open = open(os.devnull)

def start(*words):
    errors = tempfile.TemporaryFile("w+", encoding="utf-8")
    environment = {"ONLY": "this"}
    begun = forked_programs.fork_program("told", words, folder=Path.cwd(), environment=environment, errors=errors)
    return begun, errors

def end(begun, errors):
    status = begun.wait(20)
    errors.seek(0)
    return [status, begun.stdout.read(), errors.read()]

def outcome(*words):
    return end(*start(*words))
"""


def ran(tmp_path: Path, root: Path, body: str) -> list[object]:
    """What a batch prints that has the helper and the program `told`."""
    (tmp_path / "told.py").write_text(_PROGRAM)
    words = [sys.executable, "-c", f"{_BATCH}\nprint(json.dumps({body}))\nforked_programs.end()\n"]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))


def test_a_forked_program_has_what_it_was_given_and_nothing_of_the_batch(tmp_path: Path, root: Path) -> None:
    status, printed, complaints = ran(tmp_path, root, 'outcome("tell", "--port", "0")')
    assert (status, complaints) == (0, "")
    words, name, folder, environment, open_ones = json.loads(str(printed))
    assert (words, name, folder) == (["tell", "--port", "0"], "__main__", str(tmp_path))
    environment.pop("LC_CTYPE", None)
    assert environment == {"ONLY": "this"}
    assert open_ones == [0, 1, 2]


def test_its_end_is_told_as_python_tells_it(tmp_path: Path, root: Path) -> None:
    failed, left, forgot = ran(tmp_path, root, '[outcome("fail"), outcome("leave"), outcome("forget")]')
    assert isinstance(failed, list)
    assert failed[:2] == [1, ""]
    assert str(failed[2]).startswith("Traceback")
    assert str(failed[2]).endswith("LookupError: in the middle\n")
    assert left == [1, "", "a sentence\n"]
    assert isinstance(forgot, list)
    assert forgot[0] == 0
    assert "was never awaited" in str(forgot[2])


def test_it_serves_over_its_pipes_and_is_ended(tmp_path: Path, root: Path) -> None:
    served = """[
    (lambda begun: [begun[0].stdout.readline(), begun[0].poll(), begun[0].stdin.write("asked"), begun[0].stdin.close(),
                    *end(*begun)])(start("serve")),
    (lambda begun: [begun[0].stdout.readline(), begun[0].kill(), end(*begun)[0]])(start("serve")),
    ]"""
    answered, killed = ran(tmp_path, root, served)
    assert answered == ["ready\n", None, 5, None, 3, "asked\n", ""]
    assert killed == ["ready\n", None, -9]


def test_the_program_itself_prints_and_ends_as_one_that_was_started(tmp_path: Path, root: Path) -> None:
    body = """[
    (lambda record: [forked_programs.fork_window([words], folder=Path.cwd(), environment=dict(os.environ),
                                                 record=record).wait(20), Path(record.name).read_text()]
    )(open(f"{words}.txt", "w")) for words in ("--version", "--no-such")]"""
    told, refused = ran(tmp_path, root, body)
    assert told == [0, f"Waybill {VERSION}\n"]
    assert isinstance(refused, list)
    assert refused[0] == 2
    assert "--no-such" in str(refused[1])


def test_a_stand_in_ends_as_its_practice_service_does_and_is_killed_with_it(tmp_path: Path, root: Path) -> None:
    served = """(lambda start: [
    (lambda begun: [json.loads(begun.stdout.readline())["base_url"][:7], begun.stdin.close(),
                    begun.wait(20)])(start("a")),
    (lambda begun: [begun.stdout.readline()[:1], begun.kill(), begun.wait(20), begun.stdout.read()])(start("b")),
    (lambda begun: [begun.stdout.readline()[:1], begun.stdin.close(), begun.wait(20)])(start("b")),
    (lambda begun: [begun.stdout.readline(), begun.wait(20), begun.stdin.close()])(start("no.txt")),
    ])(lambda name: subprocess.Popen(forked_programs.practice_by_fork(Path(name)), stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))"""
    (tmp_path / "no.txt").write_text("no folder")
    ended, killed, again, refused = ran(tmp_path, root, served)
    assert ended == ["http://", None, 0]
    assert killed == ["{", None, -9, ""], "its output is closed, so nothing of it is left"
    assert again == ["{", None, 0], "the folder is free at once"
    assert refused == ["", 2, None]


def test_a_child_tells_how_it_ended_and_is_killed_if_it_does_not() -> None:
    status, printed, complaints = run_child("json.tool", ["/no/such/file"])
    assert (status, printed) == (2, "")
    assert "/no/such/file" in complaints
    with child("http.server", ["0", "--bind", "127.0.0.1"]) as started:
        assert started.stdout.readable()
        assert started.end(0.5)[0] == -signal.SIGKILL
