"""Requests for pictures: results, their order, and a child that is killed."""

import asyncio
import io
import os
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from app.imaging.imaging import Imaging, Urgency, Wish
from app.imaging.pixels import Facts, Pixels, Size, Trouble
from app.imaging.protocol import Limits

pytestmark = pytest.mark.asyncio
# A child of a test says that it is ready; by bytes, because print ends a line by two letters on Windows.
READY = "import sys\nsys.stdout.buffer.write(b'ready\\n')\nsys.stdout.flush()\n"
KILL = 9  # Windows has no name for it, and ends the process as well


def jpeg(width: int, height: int, colour: tuple[int, int, int] = (200, 40, 90)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(file, "JPEG")
    return file.getvalue()


async def test_a_photo_comes_as_large_as_fits(imaging: Imaging) -> None:
    found = await imaging.decode(jpeg(400, 300), Size(200, 200))
    assert isinstance(found, Pixels)
    assert (found.width, found.height, found.alpha) == (200, 150, False)
    assert found.facts == Facts("JPEG", Size(400, 300))
    assert len(bytes(found.data)) == found.nbytes == 200 * 150 * 4
    assert [abs(one - other) <= 2 for one, other in zip(found.data[:4], (90, 40, 200, 255), strict=True)] == [True] * 4


async def test_a_small_photo_is_not_enlarged(imaging: Imaging) -> None:
    found = await imaging.decode(jpeg(40, 30), Size(2000, 2000))
    assert isinstance(found, Pixels)
    assert (found.width, found.height) == (40, 30)


async def test_a_child_that_is_killed_while_idle_is_started_anew(imaging: Imaging) -> None:
    photo = jpeg(40, 30)
    assert isinstance(await imaging.decode(photo), Pixels)
    (before,) = imaging.pids()
    os.kill(before, KILL)
    assert isinstance(await imaging.decode(photo), Pixels)
    assert imaging.pids() != [before]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell who ended a process")
async def test_who_ends_the_child_again_and_again_is_not_the_picture(tmp_path: Path) -> None:
    falls, killed = tmp_path / "falls", tmp_path / "killed.py"
    killed.write_text(
        "import os, signal\n"
        f"open({str(falls)!r}, 'a').write('x')\n"
        f"{READY}"
        "input()\n"
        f"if len(open({str(falls)!r}).read()) < 6: os.kill(os.getpid(), signal.SIGKILL)\n"
        'print(\'{"trouble": "damaged"}\', flush=True)\n'
        "input()\n"
    )
    imaging = Imaging(workers=1, command=[sys.executable, str(killed)])
    assert await imaging.decode(jpeg(40, 30)) == Trouble("damaged")
    await imaging.aclose()


async def test_a_picture_that_ends_its_child_twice_is_to_blame(tmp_path: Path) -> None:
    faller, falls = tmp_path / "faller.py", tmp_path / "falls"
    faller.write_text(f"open({str(falls)!r}, 'a').write('x')\n{READY}input()\nraise SystemExit(1)\n")
    imaging = Imaging(workers=1, command=[sys.executable, str(faller)])
    assert await imaging.decode(jpeg(40, 30)) == Trouble("crashed")
    assert falls.read_text() == "xx"
    await imaging.aclose()


async def test_a_child_that_has_nothing_to_do_is_ended() -> None:
    imaging = Imaging(limits=Limits(idle_seconds=0.05))
    photo = jpeg(40, 30)
    assert isinstance(await imaging.decode(photo), Pixels)
    async with asyncio.timeout(20):
        while imaging.pids():  # noqa: ASYNC110  # nobody is told of it
            await asyncio.sleep(0.01)
    assert isinstance(await imaging.decode(photo), Pixels)
    await imaging.aclose()


async def test_what_nobody_waits_for_does_not_hold_up_the_others(tmp_path: Path) -> None:
    turns, slow = tmp_path / "turns", tmp_path / "slow.py"
    slow.write_text(
        "import time\n"
        f"open({str(turns)!r}, 'a').write('x')\n"
        f"{READY}"
        "input()\n"
        f"time.sleep(60 if open({str(turns)!r}).read() == 'x' else 0)\n"
        'print(\'{"trouble": "damaged"}\', flush=True)\n'
        "input()\n"
    )
    imaging = Imaging(workers=1, limits=Limits(abandoned_seconds=0.05), command=[sys.executable, str(slow)])
    left = asyncio.create_task(imaging.decode(jpeg(40, 30)))
    async with asyncio.timeout(20):
        while not turns.exists():  # noqa: ASYNC110  # another process makes it
            await asyncio.sleep(0.01)
        left.cancel()
        assert await imaging.decode(jpeg(40, 30)) == Trouble("damaged")
    await imaging.aclose()


async def test_a_picture_is_given_up_after_its_time(tmp_path: Path) -> None:
    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text(f"import time\n{READY}time.sleep(60)\n")
    slow = Imaging(workers=1, limits=Limits(seconds=0.3), command=[sys.executable, str(sleeper)])
    began = time.monotonic()
    found = await slow.decode(jpeg(40, 30))
    assert found == Trouble("too slow")
    assert time.monotonic() - began < 10
    await slow.aclose()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("'nonsense'", "crashed"),
        ("'[1, 2]'", "crashed"),
        ('\'{"trouble": "anything"}\'', "crashed"),
        ('\'{"size": [100000, 100000], "full": [1, 1], "pages": 1, "frames": 1, "format": "JPEG"}\'', "crashed"),
        ("'x' * 100000", "crashed"),
        ('\'{"trouble": "damaged"}\'', "damaged"),
    ],
)
async def test_what_the_child_says_is_not_trusted(tmp_path: Path, answer: str, expected: str) -> None:
    liar = tmp_path / "liar.py"
    liar.write_text(f"{READY}input()\nprint({answer}, flush=True)\ninput()\n")
    imaging = Imaging(workers=1, command=[sys.executable, str(liar)])
    found = await imaging.decode(jpeg(40, 30))
    await imaging.aclose()
    assert isinstance(found, Trouble)
    assert found.kind == expected
    assert found.sentence


@pytest.mark.expects_log("decodes pictures did not start: [^/]+$")
async def test_no_child_is_said(tmp_path: Path) -> None:
    imaging = Imaging(command=[str(tmp_path / "not there")])
    assert await imaging.decode(jpeg(40, 30)) == Trouble("not started")
    await imaging.aclose()


@pytest.mark.expects_log("decodes pictures did not start: it ended with status 3$")
async def test_a_child_that_ends_at_once_is_said() -> None:
    imaging = Imaging(command=[sys.executable, "-c", "raise SystemExit(3)"])
    assert await imaging.decode(jpeg(40, 30)) == Trouble("not started")
    await imaging.aclose()
    assert await imaging.decode(jpeg(40, 30)) == Trouble("not started")


async def test_what_is_on_the_screen_comes_before_what_may_be() -> None:
    imaging = Imaging(workers=1)
    done: list[str] = []
    photo = jpeg(40, 30)

    async def wanted(name: str, wish: Wish) -> None:
        await imaging.decode(photo, wish=wish)
        done.append(name)

    later = Wish(Urgency.PREFETCH)
    asked = [
        asyncio.create_task(wanted("first", Wish())),
        asyncio.create_task(wanted("file", Wish(Urgency.BACKGROUND))),
        asyncio.create_task(wanted("ahead", Wish(Urgency.PREFETCH))),
        asyncio.create_task(wanted("hurried", later)),
        asyncio.create_task(wanted("beside", Wish(Urgency.VISIBLE))),
        asyncio.create_task(wanted("shown", Wish())),
    ]
    await asyncio.sleep(0)
    later.urgency = Urgency.SHOWN
    await asyncio.gather(*asked)
    await imaging.aclose()
    assert done == ["first", "hurried", "shown", "beside", "ahead", "file"]


async def test_what_is_not_wanted_any_more_is_not_begun() -> None:
    imaging = Imaging(workers=1)
    photo = jpeg(400, 300)
    tasks = [asyncio.create_task(imaging.decode(photo, page=number)) for number in range(50)]
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert all(task.cancelled() for task in tasks)
    assert isinstance(await imaging.decode(photo), Pixels)
    await imaging.aclose()
