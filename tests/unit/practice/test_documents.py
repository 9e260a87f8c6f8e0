"""The documents of the practice world: every folder type, real files, what they say, bars that scan."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import cache
from io import BytesIO
from itertools import groupby
from random import Random

import pytest
from PIL import Image

from app.contract.codes import FOLDER_TYPE_WORDS
from app.practice.photos.document_files import PAPERS, PHOTOS, DocumentFacts, document_bytes
from app.practice.photos.drawing.printed_bars import barcode, symbols, widths
from app.practice.photos.scenes.handwriting import circle, signature, tick
from app.practice.photos.scenes.paper import draw_page, plain

pytestmark = pytest.mark.slow

FACTS = DocumentFacts(
    order_number="7710024",
    crn="CRN-20481",
    consignee_name="Jamila Rivera",
    address_lines=("418 Poplar Ave", "Memphis, TN 38104"),
    facility="MEM1",
    carrier="Acme Freight",
    items=(("SOFA3", "Three seat sofa", 1), ("CHRDN", "Dining chair", 6)),
    when=datetime(2026, 11, 3, 14, 22, 5),
)


Made = Callable[[str, int], tuple[bytes, str, str]]


@pytest.fixture(scope="module")
def made() -> Made:
    """The documents of `FACTS` by folder and seed, each drawn once for all tests of this file: some take seconds."""
    return cache(lambda folder, seed: document_bytes(folder, FACTS, seed))


def embedded(pdf: bytes) -> Image.Image:
    """The page's picture inside a PDF of Pillow's making."""
    start = pdf.index(b"\xff\xd8\xff")
    image = Image.open(BytesIO(pdf[start : pdf.index(b"endstream", start)]))
    image.load()
    return image


def runs(image: Image.Image, y: int, left: int) -> list[int]:
    """Lengths of dark and light along one row from the first dark pixel to the last, in pixels."""
    row = image.convert("L").crop((left, y, image.width, y + 1)).tobytes()
    dark = bytes(level < 128 for level in row).strip(b"\x00")
    return [len(list(group)) for _, group in groupby(dark)]


def test_every_folder_type_of_the_contract_has_its_document() -> None:
    assert set(PAPERS) | set(PHOTOS) == set(FOLDER_TYPE_WORDS)
    assert not set(PAPERS) & set(PHOTOS)


@pytest.mark.parametrize("folder", sorted(PAPERS))
def test_papers_are_one_page_pdfs(folder: str, made: Made) -> None:
    data, media_type, extension = made(folder, 3)
    assert (media_type, extension) == ("application/pdf", "pdf")
    assert data.startswith(b"%PDF-")
    assert data.rstrip().endswith(b"%%EOF")
    assert b"/Count 1" in data
    page = embedded(data)
    assert page.size == (1240, 1650)
    assert sum(page.convert("L").histogram()[:60]) > 3_000


@pytest.mark.parametrize("folder", sorted(PHOTOS))
def test_photos_are_jpegs_of_two_to_twelve_megapixels(folder: str, made: Made) -> None:
    data, media_type, extension = made(folder, 3)
    assert (media_type, extension) == ("image/jpeg", "jpg")
    image = Image.open(BytesIO(data))
    assert image.format == "JPEG"
    assert 1.9e6 < image.width * image.height < 12.1e6
    taken = datetime.strptime(image.getexif().get_ifd(0x8769)[0x9003], "%Y:%m:%d %H:%M:%S")
    assert 0 < (FACTS.when - taken).total_seconds() < 3600


def test_the_photos_of_a_folder_come_in_several_sizes_and_turns(made: Made) -> None:
    found = [Image.open(BytesIO(made("AT", seed)[0])) for seed in range(5)]
    assert len({image.size for image in found}) > 1
    assert len({image.getexif()[0x0112] for image in found}) > 1


@pytest.mark.parametrize("folder", ["POD", "BOL", "RF"])
def test_the_same_arguments_give_the_same_file(folder: str, made: Made) -> None:
    assert document_bytes(folder, FACTS, 3) == made(folder, 3)
    assert document_bytes(folder, FACTS, 10) != made(folder, 3)


@pytest.mark.parametrize(
    "other",
    [
        replace(FACTS, order_number="7710025"),
        replace(FACTS, crn="CRN-1"),
        replace(FACTS, consignee_name="Someone Else"),
        replace(FACTS, address_lines=("1 Elm St",)),
        replace(FACTS, facility="ATL2"),
        replace(FACTS, carrier="Other Freight"),
        replace(FACTS, items=FACTS.items[:1]),
        replace(FACTS, when=datetime(2026, 11, 4)),
    ],
)
def test_each_fact_is_on_the_paper(other: DocumentFacts) -> None:
    drawn = draw_page(PAPERS["BOL"], FACTS, Random(1)).tobytes()
    assert draw_page(PAPERS["BOL"], FACTS, Random(1)).tobytes() == drawn
    assert draw_page(PAPERS["BOL"], other, Random(1)).tobytes() != drawn


def test_the_bars_on_the_paper_are_the_order_number() -> None:
    page = draw_page(PAPERS["BOL"], FACTS, Random(1))
    seen = runs(page, 140, 800)
    assert [round(run / 3) for run in seen] == widths(FACTS.order_number)


def test_a_proof_of_delivery_is_signed_in_ink_and_a_packing_slip_is_not() -> None:
    def inked(folder: str) -> int:
        page = draw_page(PAPERS[folder], FACTS, Random(2)).crop((60, 1320, 620, 1470))
        return sum(page.convert("L").histogram()[:110])

    assert inked("POD") > 1_500
    assert inked("POD") > 2 * inked("PS")


def test_hostile_and_endless_text_stays_on_its_line() -> None:
    facts = replace(
        FACTS,
        order_number="№7\n" + "9" * 60,
        consignee_name="a\u202eb\x00c\n" + "W" * 400,
        address_lines=("\ud83d" * 3, "x" * 900, "y", "z", "one too many"),
        items=tuple(("C" * 80, "d\t" * 300, 10**12) for _ in range(60)),
    )
    page = draw_page(PAPERS["POD"], facts, Random(1))
    assert page.size == (1240, 1650)
    assert plain("a\nb\u202ec") == "a b c"


def test_an_empty_order_still_makes_a_paper() -> None:
    nothing = DocumentFacts("", "", "", (), "", "", (), FACTS.when)
    assert document_bytes("POD", nothing, 1)[0].startswith(b"%PDF-")


def test_an_unknown_folder_type_is_refused() -> None:
    with pytest.raises(ValueError, match="XYZ"):
        document_bytes("XYZ", FACTS, 1)


def test_code_128_values_follow_the_standard() -> None:
    assert symbols("PJJ123C") == [104, 48, 42, 42, 17, 18, 19, 35, 55]
    assert symbols("123456") == [105, 12, 34, 56, 44]
    assert symbols("A1234567")[:3] == [104, 33, 17]
    assert 99 in symbols("A1234567")
    assert 100 in symbols("123456AB")


@pytest.mark.parametrize("text", ["0", "12", "12345", "CRN-20481", "AB1234567", "9" * 31, "7 ~!"])
def test_code_128_reads_back(text: str) -> None:
    assert _read(widths(text)) == text


def test_the_bars_have_quiet_zones_and_even_modules() -> None:
    image = barcode("CRN-1", 2, 10)
    assert runs(image, 5, 0) == [width * 2 for width in widths("CRN-1")]
    assert image.crop((0, 0, 20, 10)).getextrema() == (255, 255)
    assert image.crop((image.width - 20, 0, image.width, 10)).getextrema() == (255, 255)


@pytest.mark.parametrize("text", ["", "a\n", "é", "\x7f"])
def test_code_128_refuses_what_it_cannot_hold(text: str) -> None:
    with pytest.raises(ValueError, match="ASCII"):
        symbols(text)


@pytest.mark.parametrize("drawn", [signature, tick, circle])
def test_ink_fills_its_box_and_differs_from_hand_to_hand(drawn: object) -> None:
    assert callable(drawn)
    first, second = drawn(Random(1), (200, 90)), drawn(Random(2), (200, 90))
    box = first.getbbox()
    assert box is not None
    assert box[2] - box[0] > 100
    assert first.size == (200, 90)
    assert first.tobytes() != second.tobytes()


def _read(bars: list[int]) -> str:
    """A reader written apart from the writer: every symbol's widths are looked up in drawings of single symbols."""
    table = {tuple(widths(chr(32 + value))[6:12]): value for value in range(95)}
    for pair in range(100):
        drawn = widths(f"{pair:02}{pair:02}")
        table.setdefault(tuple(drawn[6:12]), pair)
    table[tuple(widths("0")[:6])] = 104
    table[tuple(widths("0000")[:6])] = 105
    to_b, to_c = tuple(widths("0000A")[18:24]), tuple(widths("A0000")[12:18])
    table[to_b], table[to_c] = 100, 99
    values = [table[tuple(bars[at : at + 6])] for at in range(0, len(bars) - 13, 6)]
    in_c, text = values[0] == 105, ""
    for value in values[1:]:
        if in_c and value == 100:
            in_c = False
        elif not in_c and value == 99:
            in_c = True
        else:
            text += f"{value:02}" if in_c else chr(value + 32)
    return text
