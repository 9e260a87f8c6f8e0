"""The way of a picture: from an address by the files that were kept to pixels, or to a sentence."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from app.desk.desk import Desk
from app.desk.files.album import Album, Key, NoPicture, PixelCache, prefetch_order
from app.imaging.imaging import Imaging
from app.imaging.pixels import Facts, Pixels, Size
from app.imaging.protocol import Limits
from app.store.picture_files import PictureFiles
from tests.support.bombs import BOMBS
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import Answer, answered, held
from tests.support.pictures import chart, pdf, saved

PHOTO = saved(chart(size=(400, 300)), "JPEG")
PATH = f"{INFORMATION}/download/audit/a.jpg"


@pytest_asyncio.fixture
async def imaging() -> AsyncIterator[Imaging]:
    made = Imaging(workers=1, limits=Limits(seconds=60.0))  # the child starts slowly on a machine that has much to do
    yield made
    await made.aclose()


@pytest.fixture
def files(tmp_path: Path) -> PictureFiles:
    return PictureFiles(tmp_path / "pictures")


@pytest.fixture
def album(desk: Desk, files: PictureFiles, imaging: Imaging) -> Album:
    return Album(desk, files, imaging)


def pixels(width: int = 10) -> Pixels:
    return Pixels(width, 10, False, Facts("JPEG", Size(width, 10)), bytes(width * 40))


@pytest.mark.asyncio
async def test_a_photo_is_fetched_once_and_shown_in_any_size(album: Album, fault_server: FaultServer) -> None:
    fault_server.serve(PATH, Answer(200, PHOTO, "text/plain"))
    for box, width in ((Size(100, 100), 100), (Size(40, 40), 40), (None, 400)):
        found = await album.picture(Key("a.jpg", box))
        assert isinstance(found, Pixels)
        assert found.width == width
    assert len(fault_server.seen(PATH)) == 1
    assert isinstance(await album.picture(Key("a.jpg"), fresh=True), Pixels)
    assert len(fault_server.seen(PATH)) == 2


@pytest.mark.asyncio
async def test_two_who_want_it_at_once_fetch_it_once_also_if_the_first_gives_up(
    album: Album, fault_server: FaultServer
) -> None:
    fault_server.serve(PATH, Answer(200, PHOTO, "image/jpeg"))
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), PATH)
    first = asyncio.create_task(album.picture(Key("a.jpg", Size(50, 50))))
    await fault_server.until(1, PATH)
    others = [asyncio.create_task(album.picture(Key("a.jpg", Size(size, size)))) for size in (60, 70)]
    await asyncio.sleep(0)
    first.cancel()
    gate.release()
    found = await asyncio.gather(*others)
    assert [each.width for each in found if isinstance(each, Pixels)] == [60, 70]
    assert len(fault_server.seen(PATH)) == 2
    assert first.cancelled()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("answer", "words", "again"),
    [
        (Answer(404), "does not have this picture", True),
        (Answer(403), "", True),
        (Answer(500), "", True),
        (Answer(200, b"<html>Sign in</html>", "image/jpeg"), "neither a JPEG", True),
        (Answer(200, PHOTO[:20], "image/jpeg"), "damaged", True),
        (Answer(200, b"", "image/jpeg"), "This file is empty: the provider has sent no picture.", True),
        (Answer(200, BOMBS["jpeg of 4 gigapixels"](), "image/jpeg"), "larger than Waybill can show", False),
        (Answer(302, headers=(("Location", "file:///etc/passwd"),)), "web addresses only", False),
    ],
)
async def test_whatever_comes_in_its_place_is_told(
    album: Album, fault_server: FaultServer, files: PictureFiles, answer: Answer, words: str, again: bool
) -> None:
    fault_server.plan(answered(answer), PATH, times=None)
    found = await album.picture(Key("a.jpg"))
    assert isinstance(found, NoPicture)
    assert words in found.sentence
    assert found.sentence.endswith(".")
    assert found.again is again


@pytest.mark.asyncio
async def test_two_who_want_at_once_what_cannot_be_had_wait_for_it_once(
    album: Album, fault_server: FaultServer
) -> None:
    gate = fault_server.gate()
    fault_server.plan(held(before=gate), PATH)
    first = asyncio.create_task(album.picture(Key("a.jpg", Size(40, 40))))
    await fault_server.until(1, PATH)
    others = [asyncio.create_task(album.picture(Key("a.jpg", box), fresh=True)) for box in (Size(100, 100), None)]
    await asyncio.sleep(0)
    gate.release()
    found = await asyncio.gather(first, *others)
    assert len(set(found)) == 1
    assert isinstance(found[0], NoPicture)
    assert len(fault_server.seen(PATH)) == 1
    fault_server.serve(PATH, Answer(200, PHOTO, "image/jpeg"))
    assert isinstance(await album.picture(Key("a.jpg")), Pixels)  # who comes later asks anew
    assert len(fault_server.seen(PATH)) == 2


@pytest.mark.asyncio
async def test_a_page_in_a_photos_place_is_not_kept(album: Album, fault_server: FaultServer) -> None:
    fault_server.plan(answered(Answer(200, b"<html>Sign in</html>", "image/jpeg")), PATH)
    fault_server.serve(PATH, Answer(200, PHOTO, "image/jpeg"))
    assert isinstance(await album.picture(Key("a.jpg")), NoPicture)
    assert isinstance(await album.picture(Key("a.jpg")), Pixels)


@pytest.mark.asyncio
async def test_without_a_connection_there_is_what_was_kept(
    offline_desk: Desk, files: PictureFiles, imaging: Imaging
) -> None:
    album = Album(offline_desk, files, imaging)
    found = await album.picture(Key("a.jpg"))
    assert found == NoPicture("Not connected: this picture was not fetched before.")
    files.keep(offline_desk.profile.id, "a.jpg", PHOTO)
    assert isinstance(await album.picture(Key("a.jpg")), Pixels)


@pytest.mark.asyncio
async def test_pages_of_a_document(album: Album, fault_server: FaultServer) -> None:
    fault_server.serve("/papers/pod.pdf", Answer(200, pdf(2), "application/pdf"))
    address = f"{fault_server.origin}/papers/pod.pdf"
    found = [await album.picture(Key(address, Size(160, 90), page)) for page in range(3)]
    assert [each.facts.pages for each in found if isinstance(each, Pixels)] == [2, 2]
    assert found[2] == NoPicture("This document has no such page.", again=False)
    assert len(fault_server.seen("/papers/pod.pdf")) == 1


def test_what_was_longest_unseen_is_let_go_of() -> None:
    held_ready = PixelCache(budget=1_200)
    keys = [Key(f"{number}.jpg") for number in range(4)]
    for key in keys[:3]:
        held_ready.put(key, pixels())
    assert held_ready.look(keys[0]) is not None
    held_ready.put(keys[3], pixels())
    assert [key in held_ready for key in keys] == [True, False, True, True]
    assert held_ready.nbytes == 1_200
    held_ready.put(keys[0], pixels(100))  # more than the budget, but it is what is shown
    assert [key in held_ready for key in keys] == [True, False, False, False]
    held_ready.drop(keys[0])
    held_ready.drop(keys[0])
    assert (held_ready.nbytes, len(held_ready)) == (0, 0)
    held_ready.put(keys[0], pixels())
    held_ready.clear()
    assert (held_ready.nbytes, len(held_ready)) == (0, 0)


@pytest.mark.parametrize(
    ("at", "direction", "expected"),
    [
        (0, 1, ["1", "2", "3"]),
        (3, 1, ["4", "5", "6", "2"]),
        (3, -1, ["2", "1", "0", "4"]),
        (7, 1, ["6"]),
        (0, -1, ["1"]),
    ],
)
def test_what_comes_next_is_fetched_in_the_direction_of_travel(at: int, direction: int, expected: list[str]) -> None:
    assert prefetch_order([str(number) for number in range(8)], at, direction) == expected


def test_what_comes_next_holds_nothing_twice() -> None:
    assert prefetch_order(["a", "a", "b", "b", "c"], 0, 1) == ["b"]
    assert prefetch_order([], 0, 1) == []
    assert prefetch_order(["a"], 5, 1) == []
