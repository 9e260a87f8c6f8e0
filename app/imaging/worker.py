"""One child process and the thread that talks to it, a picture at a time.

The thread waits and copies without the interpreter's lock, so the caller never blocks. A child that dies while it
decodes is started anew and tries the picture once more; if it dies again, the picture is to blame. A child that was
killed from outside (by a person, or by a system short of memory) does not count against the picture.
"""

import contextlib
import ctypes
import logging
import mmap
import os
import queue
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.imaging.arena import Arena, own_block
from app.imaging.pixels import Pixels, Region, Size, Trouble
from app.imaging.protocol import (
    READY,
    BadReply,
    Limits,
    Request,
    Result,
    read_reply,
    request_line,
)  # fmt: skip
from app.own_processes import child_command
from app.windows_jobs import Leash

_log = logging.getLogger(__name__)
# A child may have died of the picture before this one.
_ATTEMPTS = 2
_SPARED = 8  # tries of a picture whose child was killed from outside: short of memory, a system kills each new one too
_ENDED_BY_OTHERS = (-9, -15)  # SIGKILL, SIGTERM; Windows does not tell
_EXIT_S = 1.0  # from the child's end of the pipe closing to the end of the child
_LARGE = 16 * 1024 * 1024  # bytes of a picture after which the arena gives its pages back
_KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH")


def imaging_command() -> list[str]:
    """The command that starts the child, from source or from the packed program."""
    return child_command("--imaging-process", "app.imaging")


@dataclass(slots=True, eq=False)
class Job:
    """A picture to decode; `given_up` is set once it took too long."""

    data: bytes = field(repr=False)
    box: Size | None
    page: int = 0
    region: Region | None = None
    given_up: bool = False


Told = Callable[["Worker", Job, Pixels | Trouble], None]


class _Ended(Exception):
    """The child ended before it replied."""


class Worker:
    """`tell` is called in the worker's own thread when a job is done."""

    def __init__(self, command: Sequence[str], limits: Limits, tell: Told) -> None:
        self._command, self._limits, self._tell = command, limits, tell
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._arena: Arena | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._leash: Leash | None = None
        self._ending = False
        self._logged = ""  # why the child did not start, as the log says it
        self._lock = threading.Lock()  # guards `_process`: one thread starts it, another kills it
        # A daemon: a child that the system does not end must not keep the program from ending.
        self._thread = threading.Thread(target=self._run, name="pictures", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """The process id of the child, None while there is none."""
        process = self._process
        return None if process is None else process.pid

    def take(self, job: Job) -> None:
        """Begin this job. The job before it must have been reported."""
        self._jobs.put(job)

    def kill(self) -> None:
        """Kill the child; its job fails."""
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """Take no more jobs, and end the child. Does not wait; `join` does."""
        self._ending = True
        self._jobs.put(None)
        self.kill()

    def join(self) -> None:
        """Wait for the end of the thread, for a few seconds at most."""
        self._thread.join(timeout=5.0)

    def _run(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=None if self._process is None else self._limits.idle_seconds)
            except queue.Empty:
                self._let_go()
                continue
            if job is None:
                break
            try:
                outcome = self._served(job)
            except Exception as error:  # noqa: BLE001  # a bug here is reported, and the next picture is still decoded
                self._let_go()
                outcome = Trouble("crashed")
                hook = threading.ExceptHookArgs((type(error), error, error.__traceback__, self._thread))
                threading.excepthook(hook)
            self._tell(self, job, outcome)
            # The loop waits in `get` for minutes, and its variables would keep the last picture alive meanwhile.
            del job, outcome
        self._let_go()
        if self._arena is not None:
            self._arena.close()

    def _served(self, job: Job) -> Pixels | Trouble:
        if len(job.data) > self._limits.incoming:
            return Trouble("too large")
        began, blamed, spared, why = False, 0, 0, ""
        while blamed < _ATTEMPTS and spared < _SPARED and not job.given_up and not self._ending:
            try:
                process = self._running(job)
                began = True
                return self._asked(process, job)
            except BadReply:
                blamed += 1
                self._let_go()
            except _Ended:
                status = self._exit_status()
                why = f"it ended with status {status}"
                by_others = status in _ENDED_BY_OTHERS
                spared, blamed = spared + by_others, blamed + (not by_others)
                self._let_go()
            except OSError as error:  # no child, or no memory for its pixels
                self._let_go()
                if began:
                    return Trouble("too large")
                why = error.strerror or type(error).__name__  # without the path, which may hold a person's name
                break
        if job.given_up:
            return Trouble("too slow")
        if began:
            return Trouble("crashed")
        if why != self._logged and not self._ending:  # once, not for each picture of a page
            self._logged = why
            _log.warning("the process that decodes pictures did not start: %s", why)
        return Trouble("not started")

    def _exit_status(self) -> int | None:
        """The status of a child that is ending, None if it does not end."""
        assert self._process is not None
        try:
            return self._process.wait(timeout=_EXIT_S)
        except subprocess.TimeoutExpired:
            return None

    def _running(self, job: Job) -> "subprocess.Popen[bytes]":
        """The child, started if there is none any more."""
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._let_go()
        if self._arena is None:
            self._arena = Arena(self._limits.arena)
        process = subprocess.Popen(
            [*self._command, self._arena.handle],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # A pipe that nobody reads would fill up and stop the child; decoders write warnings about a stranger's
            # file.
            stderr=subprocess.DEVNULL,
            # The descriptor alone is inherited: the arena has no name that another program could open.
            pass_fds=self._arena.passed,
            # Only what the interpreter needs to start: no token or proxy password of the environment reaches the child.
            env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        leash = Leash(process.pid)
        with self._lock:
            self._process, self._leash = process, leash
            if job.given_up or self._ending:  # `kill` came while there was no process yet
                process.kill()
        if _line_from(process) != READY:
            raise _Ended
        return process

    def _asked(self, process: subprocess.Popen[bytes], job: Job) -> Pixels | Trouble:
        assert self._arena is not None
        assert process.stdin is not None
        _copy(_address(self._arena.memory), job.data, len(job.data))
        try:
            process.stdin.write(request_line(Request(len(job.data), job.box, job.page, job.region)))
            process.stdin.flush()
        except OSError as error:
            raise _Ended from error
        reply = read_reply(_line_from(process), self._limits)
        if isinstance(reply, Trouble):
            return reply
        pixels = _taken_out(self._arena, reply, self._limits)
        if pixels.nbytes + len(job.data) > _LARGE:
            self._arena.give_back(0, len(job.data))
            self._arena.give_back(self._limits.incoming, pixels.nbytes)
        return pixels

    def _let_go(self) -> None:
        """Kill the child and forget it."""
        with self._lock:
            process, self._process = self._process, None
            leash, self._leash = self._leash, None
        if process is None:
            return
        process.kill()
        if leash is not None:
            leash.let_go()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # bytes that the child did not read any more
                pipe.close()
        # Waited for, so that no zombie is left; after `kill` this takes no time.
        process.wait()


def _line_from(process: subprocess.Popen[bytes]) -> bytes:
    """Wait for the next line. Raises _Ended if there is none."""
    assert process.stdout is not None
    line = process.stdout.readline(64 * 1024)  # bounded, since a broken decoder could write without end
    if not line.endswith(b"\n"):
        raise _Ended
    return line


def _taken_out(arena: Arena, result: Result, limits: Limits) -> Pixels:
    """Copy the pixels into memory of their own, which is freed with them."""
    length = result.size.width * result.size.height * 4
    own = own_block(length)
    _copy(_address(own), _address(arena.memory) + limits.incoming, length)
    return Pixels(*result.size, result.alpha, result.facts, own)


def _address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def _copy(to: int, what: bytes | int, length: int) -> None:
    ctypes.memmove(to, what, length)  # ctypes releases the interpreter's lock for the copy
