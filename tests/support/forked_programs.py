"""Starts programs of ours as processes forked from one that has imported them, in place of `python -m MODULE`.

A start of the practice service is 0.4 s of a processor, all of it imports, and one of the window 0.9 s more than it has
to be; the tests start some hundred of each. A batch of `tests/suite.py` is forked from a server that has imported
everything. Before it has a thread, it forks a helper process (`begin`), which forks each process that `fork_program`
asks for. Without a helper (one file of tests run by itself, Windows), callers start an interpreter, and so do tests of
starts and of the process itself.

What is forked is as a new interpreter would be: arguments, environment, folder, standard streams and signals are its
own, and no other file is open. Invariant: the helper has one thread, no loop, and no file but its sockets and those by
which it waits for its children.

A window starts its practice service by itself, as a process of Qt's. In its place it starts a stand-in
(`practice_by_fork`), an interpreter that imports nothing: it hands its streams to the helper, which forks the service,
and ends as the service ends. Whoever kills the stand-in has killed the service.
"""

import ast
import atexit
import ctypes
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NoReturn

_MOST_BYTES = 1 << 20  # of a request
# The module below `socket` is built in: importing the other takes as long as the rest of the stand-in.
_STAND_IN = """
import _socket, os, sys
asking = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
asking.connect("\\0" + sys.argv[1])
request = {"module": "app.practice", "words": sys.argv[2:], "folder": os.getcwd(), "environment": dict(os.environ)}
streams = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, b"".join(each.to_bytes(4, sys.byteorder) for each in (0, 1, 2)))]
asking.sendmsg([repr(request).encode()], streams)
status = int(asking.recv(16) or 1)
if status < 0:
    os.kill(os.getpid(), -status)
sys.exit(status)
"""


class _Helper:
    """The helper of this process, if it has one."""

    asking: socket.socket | None = None
    pid = 0
    name = ""  # of the socket at which stand-ins ask it
    turn = threading.Lock()  # an answer belongs to the request before it, also where several threads ask


class ForkedProgram:
    """A process of the helper's, with the part of `subprocess.Popen` that tests use."""

    def __init__(self, pid: int, ended: int, stdin: IO[str] | None, stdout: IO[str] | None) -> None:
        self.pid, self.stdin, self.stdout = pid, stdin, stdout
        self.returncode: int | None = None
        self._ended = ended  # a pipe on which the helper writes the status

    def poll(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end. Raises subprocess.TimeoutExpired."""
        status = self._look(timeout)
        if status is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0)
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal to the process, if it still runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has ended just now
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the process."""
        self.send_signal(signal.SIGKILL)

    def _look(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._ended], [], [], seconds)[0]:
            told = os.read(self._ended, 16)
            os.close(self._ended)
            # The helper ends with the batch alone, so it has always told.
            self.returncode = int(told)
        return self.returncode


def begin() -> None:
    """Fork the helper, where the system tells it of the ends of its children (Linux). Call in a process of one thread
    that has imported what is to be started."""
    if not hasattr(os, "pidfd_open"):
        return
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    _Helper.name = f"waybill-tests-{uuid.uuid4().hex}"
    door.bind(f"\0{_Helper.name}")
    door.listen()
    _Helper.pid = os.fork()
    if _Helper.pid == 0:
        ours.close()
        try:
            _serve(its, door)
        finally:
            os._exit(0)
    its.close()
    door.close()
    _Helper.asking = ours


def end() -> None:
    """End the helper. Waited for, so that what it and its children used counts as this process's children's."""
    if _Helper.asking is not None:
        _Helper.asking.close()
        _Helper.asking = None
        os.waitpid(_Helper.pid, 0)


def can_fork() -> bool:
    """Whether this process has a helper."""
    return _Helper.asking is not None


def fork_program(
    module: str,
    words: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    errors: IO[Any],
    whole_end: bool = False,
) -> ForkedProgram:
    """Start a module with these arguments. Its standard input and output are pipes of text; `errors` is a file.

    `whole_end`: its end is that of an interpreter, a tenth of a second, since a window's last trouble may come there.
    """
    its_input, ours_in = os.pipe()
    ours_out, its_output = os.pipe()
    request = {"module": module, "words": list(words), "folder": str(folder), "environment": dict(environment)}
    pid, ended = _asked({**request, "whole_end": whole_end}, [its_input, its_output, errors.fileno()])
    os.close(its_input)
    os.close(its_output)
    return ForkedProgram(pid, ended, os.fdopen(ours_in, "w", encoding="utf-8"), os.fdopen(ours_out, encoding="utf-8"))


def fork_window(
    words: Sequence[str], *, folder: Path, environment: Mapping[str, str], record: IO[Any]
) -> ForkedProgram:
    """Start the program itself. It has nothing to read, and prints to the file `record`. Its end is that of an
    interpreter, since a window's last trouble may come there."""
    request = {"module": "app", "words": list(words), "folder": str(folder), "environment": dict(environment)}
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  # a device
        pid, ended = _asked({**request, "whole_end": True}, [nothing.fileno(), record.fileno(), record.fileno()])
    return ForkedProgram(pid, ended, None, None)


def practice_by_fork(data: Path, *more: str) -> list[str]:
    """The command of a stand-in, in place of `practice_child.practice_command`."""
    words = ["--port", "0", "--data", str(data), "--stop-with-stdin", *more]
    return [sys.executable, "-I", "-S", "-c", _STAND_IN, _Helper.name, *words]


def let_windows_fork_practice() -> None:
    """Have the windows of this process start a stand-in for their practice service."""
    if practice_child := sys.modules.get("app.runtime.practice_child"):
        practice_child.practice_command = practice_by_fork  # type: ignore[attr-defined]


def _asked(request: Mapping[str, object], streams: Sequence[int]) -> tuple[int, int]:
    """Ask the helper for a process: its id, and the pipe on which its end is told."""
    asking = _Helper.asking
    assert asking is not None, "begin() comes first"
    ended, telling = os.pipe()
    with _Helper.turn:
        socket.send_fds(asking, [json.dumps(request).encode()], [*streams, telling])
        pid = int(asking.recv(16))
    os.close(telling)
    return pid, ended


def _serve(asked: socket.socket, door: socket.socket) -> None:
    """Fork what is asked for, and tell how each ended, until the batch has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the batch too, which ends what it has started
    running: dict[int, tuple[int, int]] = {}  # descriptor of a process → its id, and where it is told
    stand_ins: dict[int, int] = {}  # descriptor of a stand-in's connection → the process in whose place it stands
    while True:
        waited: list[socket.socket | int] = [asked, door, *running, *stand_ins]
        ready, _, _ = select.select(waited, [], [])
        for descriptor in [each for each in ready if each in running]:
            assert isinstance(descriptor, int)
            pid, telling = running.pop(descriptor)
            os.close(descriptor)
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            stand_ins.pop(telling, None)
            _tell(telling, status)
        # Before anything new is forked: whoever killed a stand-in may start the next service on the same folder.
        for descriptor in [each for each in ready if each in stand_ins]:
            assert isinstance(descriptor, int)
            _end_for(descriptor, stand_ins.pop(descriptor), running)
        if door in ready:
            connection = door.accept()[0]
            request, streams, _, _ = socket.recv_fds(connection, _MOST_BYTES, 3)
            if request:
                telling = connection.detach()
                pid, descriptor = _forked(streams, ast.literal_eval(request.decode()))
                running[descriptor], stand_ins[telling] = (pid, telling), pid
            connection.close()
        if asked in ready:
            request, given, _, _ = socket.recv_fds(asked, _MOST_BYTES, 4)
            if not request:
                return
            *streams, telling = given
            pid, descriptor = _forked(streams, json.loads(request))
            running[descriptor] = (pid, telling)
            asked.send(str(pid).encode())


def _forked(streams: Sequence[int], request: Mapping[str, Any]) -> tuple[int, int]:
    """The id of a new process, and a descriptor of it."""
    pid = os.fork()
    if pid == 0:
        _become(streams, **request)
    for each in streams:
        os.close(each)
    return pid, os.pidfd_open(pid)


def _end_for(stand_in: int, pid: int, running: dict[int, tuple[int, int]]) -> None:
    """End the process whose stand-in has gone."""
    os.kill(pid, signal.SIGKILL)  # it was not waited for, so the id is still its own
    os.waitpid(pid, 0)
    descriptor = next(each for each, (number, _) in running.items() if number == pid)
    del running[descriptor]
    os.close(descriptor)
    os.close(stand_in)


def _tell(pipe: int, status: int) -> None:
    with suppress(BrokenPipeError):  # nobody waits for it any more
        os.write(pipe, str(status).encode())
    os.close(pipe)


def _become(
    streams: Sequence[int],
    module: str,
    words: list[str],
    folder: str,
    environment: dict[str, str],
    whole_end: bool = False,
) -> NoReturn:
    """Be `python -m module words…`, and leave with the status that Python would leave with."""
    status = 1
    try:
        _put_on(streams, folder, environment)
        let_windows_fork_practice()
        status = _ran(module, words)
        if not whole_end:
            threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as the end of Python does
            atexit._run_exitfuncs()
            gc.collect()  # so that a coroutine nobody awaited says so
    except BaseException:  # noqa: BLE001  # told as Python tells it
        sys.excepthook(*sys.exc_info())
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        if whole_end:
            ctypes.pythonapi.Py_Exit(status)  # does not return
        # To free all that was imported would take a tenth of a second.
        os._exit(status)


def _put_on(streams: Sequence[int], folder: str, environment: dict[str, str]) -> None:
    """Take the streams, the folder and the variables of the process, and let go of what the batch has open."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(len(streams), os.sysconf("SC_OPEN_MAX"))
    for each in (signal.SIGTERM, signal.SIGCHLD):
        signal.signal(each, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # a variable names the place
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    atexit._clear()  # what the server of the batches has to end is none of this process


def _ran(module: str, words: list[str]) -> int:
    sys.argv, sys.orig_argv = [module, *words], [sys.executable, "-m", module, *words]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as left:
        if left.code is None or isinstance(left.code, int):
            return left.code or 0
        print(left.code, file=sys.stderr)  # noqa: T201
        return 1
    return 0
