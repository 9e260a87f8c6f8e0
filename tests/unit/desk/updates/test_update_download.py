"""A package over real HTTP: whole, in pieces, replaced, on a full disk."""

import asyncio
import errno
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.api.errors import ApiError, NotFound
from app.api.network.transport import DIRECT, Transport
from app.desk.updates import download_update
from app.desk.updates import updates_words as words
from app.desk.updates.ask_for_update import site
from app.desk.updates.download_update import download
from app.desk.updates.update_source import Source
from app.desk.updates.version_list import Package, UpdateTrouble
from tests.support.update_host import UpdateHost, package, update_host

CONTENT = bytes(range(256)) * 12_000  # three million bytes: several blocks
NAME = "waybill_0.2.0_amd64.deb"
WANTED = Package(**package(NAME, CONTENT))  # type: ignore[arg-type]
pytestmark = pytest.mark.asyncio


@pytest.fixture
def host() -> Iterator[UpdateHost]:
    with update_host() as made:
        made.files[NAME] = CONTENT
        yield made


async def fetched(host: UpdateHost, folder: Path) -> tuple[Path, list[int]]:
    heard: list[int] = []
    async with site(Source(host.address, ()), Transport(DIRECT)) as opened:
        return await download(opened, WANTED, folder, heard.append, rest=0.01), heard


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


async def test_it_comes_whole_and_is_told_meanwhile(host: UpdateHost, tmp_path: Path) -> None:
    path, heard = await fetched(host, tmp_path / "updates")
    assert path.read_bytes() == CONTENT
    assert names(path.parent) == [NAME]
    assert (heard[0], heard[-1], heard == sorted(heard)) == (0, len(CONTENT), True)
    await fetched(host, tmp_path / "updates")
    assert host.asked == [NAME]  # a package that is there is not fetched again


async def test_what_breaks_off_goes_on_from_there(host: UpdateHost, tmp_path: Path) -> None:
    host.cut = [1_500_000, 1_000]
    path, _ = await fetched(host, tmp_path)
    assert path.read_bytes() == CONTENT
    begins = [int(each.removeprefix("bytes=").rstrip("-")) for each in host.ranges]
    assert len(host.asked) == 3
    assert begins == sorted(begins)
    assert begins[0] >= 1_000_000


async def test_a_host_that_knows_no_parts_sends_the_whole_again(host: UpdateHost, tmp_path: Path) -> None:
    host.cut, host.knows_parts = [1_500_000], False
    path, _ = await fetched(host, tmp_path)
    assert (path.read_bytes(), len(host.ranges)) == (CONTENT, 1)


async def test_what_breaks_off_every_time_is_said_and_kept(host: UpdateHost, tmp_path: Path) -> None:
    host.cut = [1_100_000, 0, 0, 0, 0]
    with pytest.raises(ApiError):
        await fetched(host, tmp_path)
    assert names(tmp_path) == [f"{WANTED.sha256}.part"]
    path, heard = await fetched(host, tmp_path)
    assert path.read_bytes() == CONTENT
    assert heard[0] >= 1_000_000


@pytest.mark.parametrize("other", [CONTENT[:-1] + b"x", CONTENT + b"more", b"x" + CONTENT[1:]])
async def test_a_replaced_package_is_refused_and_deleted(host: UpdateHost, tmp_path: Path, other: bytes) -> None:
    host.files[NAME] = other
    with pytest.raises(UpdateTrouble) as trouble:
        await fetched(host, tmp_path)
    assert trouble.value.sentence == words.REPLACED
    assert names(tmp_path) == []


async def test_what_was_changed_where_it_lies_is_fetched_anew(host: UpdateHost, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"x" + CONTENT[1:])
    (tmp_path / "waybill_0.1.5_amd64.deb").write_bytes(b"an older one")
    path, _ = await fetched(host, tmp_path)
    assert path.read_bytes() == CONTENT
    assert names(tmp_path) == [NAME]


async def test_a_missing_package_is_asked_for_once(host: UpdateHost, tmp_path: Path) -> None:
    del host.files[NAME]
    with pytest.raises(NotFound, match="does not give the file"):
        await fetched(host, tmp_path)
    assert host.asked == [NAME]


async def test_without_room_nothing_is_asked(host: UpdateHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=len(CONTENT)))
    with pytest.raises(UpdateTrouble, match="no room"):
        await fetched(host, tmp_path)
    assert host.asked == []


async def test_a_disk_that_fills_meanwhile_gets_its_room_back(
    host: UpdateHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> int:
        await asyncio.sleep(0)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(download_update, "_write", full)
    with pytest.raises(UpdateTrouble, match="no room"):
        await fetched(host, tmp_path)
    assert names(tmp_path) == []


async def test_a_folder_that_cannot_be_written_is_said(host: UpdateHost, tmp_path: Path) -> None:
    (tmp_path / "updates").write_bytes(b"a file")
    with pytest.raises(UpdateTrouble, match="cannot be written"):
        await fetched(host, tmp_path / "updates")
