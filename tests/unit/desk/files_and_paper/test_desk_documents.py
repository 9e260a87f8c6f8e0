"""Documents are shown by kind and saved under names that every system takes, in nobody's place."""

import errno
from pathlib import Path
from urllib.parse import quote_from_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.information import Order
from app.desk.files.album import NoPicture
from app.desk.files.save_files import Saved, ending_of, save, unchanged
from app.desk.files.stoppable_work import Progress
from app.desk.orders.order_documents import Document, by_kind, documents_of, file_stem, to_save
from app.desk.text.file_names import plain_name

JPEG, PNG, PDF, WEBP = b"\xff\xd8\xff\xe0x", b"\x89PNG\r\n\x1a\nx", b"%PDF-1.7", b"RIFF\x00\x00\x00\x00WEBPx"


def paper(name: str, folder: str = "POD", address: str = "/a") -> Document:
    return Document(address, name, folder)


def test_they_stand_by_kind_the_proof_of_delivery_first_and_unknown_kinds_last() -> None:
    order = Order.model_validate(
        {
            "ProofOfDelivery": [
                {"Filename": "z", "Folder": "ZZZ"},
                {"Filename": "b", "Folder": "BOL"},
                {"Filename": "old", "Folder": "POD", "CreatedDate": "2026-11-01T09:00:00"},
                {"Filename": "new", "Folder": "POD", "CreatedDate": "2026-11-20T09:00:00"},
                {"Filename": "n", "Url": None},
                {"Filename": "a", "Folder": "AT"},
            ]
        }
    )
    found = by_kind(documents_of(order))
    assert [kind for kind, _ in found] == [
        "Proof of delivery (POD)", "Attempt (AT)", "Bill of lading (BOL)", "Document", "Document (ZZZ)",
    ]  # fmt: skip
    assert [each.name for each in found[0][1]] == ["new", "old"]
    assert documents_of(Order()) == []


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("delivery.jpg", "CRN-1 POD delivery"),
        ("../../etc/passwd", "CRN-1 POD passwd"),
        ("C:\\temp\\x.exe", "CRN-1 POD x"),
        ("a:b?.pdf", "CRN-1 POD a_b"),
        ("..", "CRN-1 POD"),
        ("", "CRN-1 POD"),
        ("CON.txt", "CRN-1 POD CON"),
        ("صورة.png", "CRN-1 POD صورة"),
        ("ab\u202egpj.exe", "CRN-1 POD ab_gpj"),
        ("tab\there\n.pdf", "CRN-1 POD tab_here"),
        ("version 1.2", "CRN-1 POD version 1"),
    ],
)
def test_names_are_our_own(name: str, stem: str) -> None:
    assert file_stem(paper(name), "CRN-1") == stem


@pytest.mark.parametrize(
    ("told", "name", "stem"),
    [
        ("delivery%20note.pdf", "delivery note.pdf", "CRN-1 POD delivery note"),
        ("Ren%C3%A9e.jpg", "Renée.jpg", "CRN-1 POD Renée"),
        ("%2e%2e%2F..%5Cetc%2Fpasswd", "../..\\etc/passwd", "CRN-1 POD passwd"),
        ("C%3A%5Cx.exe", "C:\\x.exe", "CRN-1 POD x"),
        ("50%25.pdf", "50%.pdf", "CRN-1 POD 50%"),
        ("a%2520b.pdf", "a%20b.pdf", "CRN-1 POD a%20b"),  # once
        ("CON%2Etxt", "CON.txt", "CRN-1 POD CON"),
        ("line%0Abreak%00.pdf", "line\nbreak\x00.pdf", "CRN-1 POD line_break"),
        ("5% off.pdf", "5% off.pdf", "CRN-1 POD 5% off"),  # not encoded: it has a blank
        ("100%.pdf", "100%.pdf", "CRN-1 POD 100%"),
        ("%FF.pdf", "%FF.pdf", "CRN-1 POD %FF"),  # no text in UTF-8
        ("plain.pdf", "plain.pdf", "CRN-1 POD plain"),
    ],
)
def test_encoded_names_are_shown_decoded_and_saved_as_safely_as_others(told: str, name: str, stem: str) -> None:
    (found,) = documents_of(
        Order.model_validate({"ProofOfDelivery": [{"Filename": told, "Url": told, "Folder": "POD"}]})
    )
    assert (found.name, found.address) == (name, told), "the address stays as it came"
    (wanted,) = to_save([found], "CRN-1")
    assert (wanted.stem, wanted.address) == (stem, told)


@pytest.mark.parametrize("name", ["CON", "nul.txt", "COM1", "lpt9.pdf"])
def test_names_that_a_system_keeps_for_itself_are_not_used(name: str) -> None:
    assert file_stem(paper(name, ""), "").startswith("_")


@given(st.text() | st.binary().map(quote_from_bytes), st.text(max_size=5), st.text())
def test_no_name_leads_anywhere(name: str, folder: str, reference: str) -> None:
    stem = file_stem(Document("", plain_name(name), folder), reference)
    assert stem
    assert Path(stem).name == stem
    assert not set(stem) & set('<>:"/\\|?*')
    assert stem.isprintable()
    assert ".." not in stem
    assert not stem.endswith((".", " "))
    assert len(f"{stem} (9999).webp".encode()) < 200


@pytest.mark.parametrize(
    ("data", "ending"),
    [
        (JPEG, "jpg"),
        (PNG, "png"),
        (PDF, "pdf"),
        (WEBP, "webp"),
        (b"RIFFxxxxWAVE", "bin"),
        (b"<svg", "bin"),
        (b"", "bin"),
    ],
)
def test_the_ending_comes_from_the_bytes(data: bytes, ending: str) -> None:
    assert ending_of(data) == ending


def _count(folder: Path) -> int:
    return len(list(folder.iterdir()))


async def _saved(folder: Path, files: dict[str, bytes | NoPicture], progress: Progress | None = None) -> Saved:
    async def fetch(address: str) -> bytes | NoPicture:
        return files[address]

    papers = [paper("photo.exe", "POD", address) for address in files]
    return await save(to_save(papers, "CRN-1"), folder, unchanged(fetch), progress or Progress())


@pytest.mark.asyncio
async def test_each_is_saved_and_none_takes_the_place_of_another(tmp_path: Path) -> None:
    mine = tmp_path / "CRN-1 POD photo.jpg"
    mine.write_bytes(b"mine")
    progress = Progress()
    saved = await _saved(tmp_path, {"/a": JPEG, "/b": JPEG + b"2", "/c": PDF}, progress)
    assert [each.name for each in saved.files] == [
        "CRN-1 POD photo (2).jpg", "CRN-1 POD photo (3).jpg", "CRN-1 POD photo.pdf",
    ]  # fmt: skip
    assert mine.read_bytes() == b"mine"
    assert saved.files[1].read_bytes() == JPEG + b"2"
    assert _count(tmp_path) == 4
    assert (progress.done, progress.total) == (3, 3)


@pytest.mark.asyncio
async def test_what_cannot_be_had_is_told_and_the_others_are_saved(tmp_path: Path) -> None:
    saved = await _saved(tmp_path, {"/a": NoPicture("It is gone."), "/b": PNG})
    assert [(each.address, why) for each, why in saved.failed] == [("/a", "It is gone.")]
    assert [each.name for each in saved.files] == ["CRN-1 POD photo.png"]


@pytest.mark.asyncio
async def test_a_disk_that_refuses_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: Path, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    saved = await _saved(tmp_path, {"/a": PNG})
    assert "the disk is full" in saved.failed[0][1]
    assert _count(tmp_path) == 0


@pytest.mark.asyncio
async def test_it_can_be_stopped(tmp_path: Path) -> None:
    saved = await _saved(tmp_path, {"/a": PNG, "/b": PNG}, Progress(stop=True))
    assert saved.stopped
    assert saved.files == []
