"""Photos on paper: upright whatever the camera did, turned as a person turned them, marked where they were marked.

The PDF is rendered by another program and compared with what Pillow makes of the same file.
"""

import asyncio
import io
import os
import signal
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageDraw, ImageOps, ImageStat

from app.desk.audits.audit_reviews import Mark
from app.desk.files.album import Key, NoPicture
from app.desk.files.stoppable_work import Progress, Stopped
from app.desk.printing.page_marks import Block, Page, Photograph
from app.desk.report.report_photos import PhotoSupply, box_of
from app.imaging.imaging import Imaging, Urgency, Wish
from app.imaging.pixels import Pixels
from app.ui.printing.painting.page_output import save_pdf
from app.ui.theme.tokens import LIGHT
from tests.support.loop import RunningLoop
from tests.support.pictures import chart, held, saved

SIZE = (640, 400)
ROOM = (64.0, 64.0)
PAPER = (100.0, 100.0)
MM = 72 / 25.4
_RED = tuple(int(LIGHT.bad[at : at + 2], 16) for at in (1, 3, 5))
pytestmark = pytest.mark.usefixtures("qapp")


def photograph(address: str, turned: int = 0, *drawn: Mark) -> Photograph:
    return Photograph(10.0, 20.0, *ROOM, address, turned=turned, drawn=drawn)


def printed(loop: RunningLoop, folder: Path, files: dict[str, bytes], *photos: Photograph) -> pypdfium2.PdfDocument:
    """Each on a page of its own."""
    target = folder / "photos.pdf"
    pages = [Page(*PAPER, (Block([each]),)) for each in photos]

    async def write() -> None:
        imaging = Imaging(workers=1)

        async def picture(key: Key) -> Pixels | NoPicture:
            if key.address not in files:
                return NoPicture("It is gone.")
            found = await imaging.decode(files[key.address], key.box, page=key.page)
            return found if isinstance(found, Pixels) else NoPicture(found.sentence)

        progress = Progress()
        supply = PhotoSupply(picture, progress)
        try:
            await supply.run(lambda: save_pdf(pages, target, "Photos", progress, supply.photos_of))
        finally:
            await imaging.aclose()

    loop.run(write())
    return pypdfium2.PdfDocument(target)


def seen(document: pypdfium2.PdfDocument, at: int, size: tuple[int, int]) -> Image.Image:
    """What stands in the photo's room, as large as Pillow's own."""
    page: Image.Image = document[at].render(scale=4).to_pil().convert("RGB")
    dots = 4 * MM
    width, height = (side / max(size) * ROOM[0] for side in size)
    left, top, right, bottom = (round(each * dots) for each in (10.0, 20.0, 10.0 + width, 20.0 + height))
    return page.crop((left, top, right, bottom)).resize((size[0] // 4, size[1] // 4), Image.Resampling.BOX)


def differs(one: Image.Image, other: Image.Image) -> float:
    return max(ImageStat.Stat(ImageChops.difference(one, other)).mean)


@pytest.mark.parametrize(
    ("kind", "turns"), [("JPEG", (0, 90, 180, 270)), ("PNG", (0, 90)), ("WEBP", (0, 270))], ids=str
)
def test_all_eight_ways_of_holding_a_camera_and_four_turns_stand_right_on_paper(
    loop: RunningLoop, tmp_path: Path, kind: str, turns: tuple[int, ...]
) -> None:
    """Each kind of file has its own place for how the camera was held."""
    how: dict[str, object] = {} if kind == "PNG" else {"quality": 95}
    files = {str(way): saved(chart(size=SIZE), kind, exif=held(way), **how) for way in range(1, 9)}
    photos = [photograph(address, turned) for address in files for turned in turns]
    with printed(loop, tmp_path, files, *photos) as document:
        for at, each in enumerate(photos):
            with Image.open(io.BytesIO(files[each.address])) as stored:
                upright = ImageOps.exif_transpose(stored).rotate(-each.turned, expand=True)
            own = upright.resize((upright.width // 4, upright.height // 4), Image.Resampling.BOX)
            shown = seen(document, at, upright.size)
            assert differs(shown, own) < 4, each
            assert differs(shown, own.rotate(180)) > 20


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_marks_stand_where_they_were_drawn_however_the_photo_is_turned(
    loop: RunningLoop, tmp_path: Path, turned: int
) -> None:
    grey = Image.new("RGB", SIZE, "#808080")
    frame = Mark("box", 0.1, 0.2, 0.4, 0.7)
    arrow = Mark("arrow", 0.9, 0.1, 0.6, 0.8)
    with printed(loop, tmp_path, {"a": saved(grey, "PNG")}, photograph("a", turned, frame, arrow)) as document:
        drawn = Image.new("L", SIZE)
        pen = ImageDraw.Draw(drawn)
        pen.rectangle([64, 80, 256, 280], outline=255, width=10)
        pen.line([576, 40, 384, 320], fill=255, width=10)
        wanted = drawn.rotate(-turned, expand=True)
        shown = seen(document, 0, wanted.size)
        wanted = wanted.resize(shown.size, Image.Resampling.BOX).point(lambda level: 255 if level > 200 else 0)
        red = shown.convert("RGB")
        places = [(x, y) for x in range(red.width) for y in range(red.height) if wanted.getpixel((x, y)) == 255]
        near = [_is_red(red, x, y) for x, y in places]
        assert len(places) > 100
        assert sum(near) / len(near) > 0.9
        far = red.crop((red.width // 2 - 4, 0, red.width // 2 + 4, 4))
        assert not any(_is_red(far, x, y, 0) for x in range(far.width) for y in range(far.height))


def _is_red(image: Image.Image, x: int, y: int, reach: int = 2) -> bool:
    for across in range(max(0, x - reach), min(image.width, x + reach + 1)):
        for down in range(max(0, y - reach), min(image.height, y + reach + 1)):
            found = image.getpixel((across, down))
            assert isinstance(found, tuple)
            if all(abs(have - want) < 60 for have, want in zip(found, _RED, strict=True)):
                return True
    return False


def test_words_on_a_photo_stay_words_and_stay_on_it(loop: RunningLoop, tmp_path: Path) -> None:
    words = Mark("text", 0.95, 0.95, 0.95, 0.95, "Crushed corner محمد")
    with printed(loop, tmp_path, {"a": saved(chart(size=SIZE), "JPEG")}, photograph("a", 90, words)) as document:
        text = document[0].get_textpage()
        assert "Crushed corner" in text.get_text_range()
        found = text.search("Crushed corner")
        at, _count = found.get_next()
        left, _bottom, right, _top = text.get_charbox(at)
        assert 10 * MM <= left < right <= (10 + ROOM[0]) * MM


def test_a_photo_that_cannot_be_had_is_a_sentence_in_its_place(loop: RunningLoop, tmp_path: Path) -> None:
    files = {"damaged": b"\xff\xd8\xff\xe0 nothing", "no picture": b"<html>"}
    photos = [photograph(each) for each in ("gone", "damaged", "no picture", "")]
    with printed(loop, tmp_path, files, *photos) as document:
        texts = [" ".join(page.get_textpage().get_text_range().split()) for page in document]
        assert not [each for page in document for each in page.get_objects() if isinstance(each, pypdfium2.PdfImage)]
    assert texts == [
        "It is gone.",
        "This file is damaged and cannot be shown.",
        "This is neither a JPEG, PNG or WebP picture nor a PDF.",
        "The provider gives no address for it.",
    ]


def test_sixty_photos_of_twelve_megapixels_make_a_small_file(loop: RunningLoop, tmp_path: Path) -> None:
    photo = Image.blend(Image.effect_noise((4000, 3000), 20).convert("RGB"), chart(size=(4000, 3000)), 0.75)
    files = {str(at): saved(photo, "JPEG", quality=80) for at in range(2)}
    with printed(loop, tmp_path, files, *(photograph(str(at % 2)) for at in range(60))) as document:
        found = [each for page in document for each in page.get_objects() if isinstance(each, pypdfium2.PdfImage)]
        assert len(found) == 60
        widths = {each.get_px_size()[0] for each in found}
    assert widths == {box_of(photograph("0")).width} == {round(ROOM[0] / 25.4 * 150)}
    assert (tmp_path / "photos.pdf").stat().st_size < 5_000_000


@pytest.mark.parametrize(("width", "dpi"), [(84.0, 150), (112.0, 180)])
def test_a_photo_that_stands_large_is_printed_finer(loop: RunningLoop, tmp_path: Path, width: float, dpi: int) -> None:
    photo = Image.blend(Image.effect_noise((2000, 1500), 20).convert("RGB"), chart(size=(2000, 1500)), 0.75)
    one = Photograph(10.0, 20.0, width, width * 0.75, "a")
    assert box_of(one).width == round(width / 25.4 * dpi)
    with printed(loop, tmp_path, {"a": saved(photo, "JPEG", quality=90)}, one) as document:
        (found,) = [each for each in document[0].get_objects() if isinstance(each, pypdfium2.PdfImage)]
        printed_size, shown = found.get_px_size(), found.get_bitmap().to_pil().convert("RGB")
    assert printed_size == pytest.approx(box_of(one), abs=1)
    # No eye tells them apart at this size.
    assert differs(shown, photo.resize(printed_size, Image.Resampling.BOX)) < 3


def test_a_stop_ends_the_thread_that_waits_for_a_photo(loop: RunningLoop, tmp_path: Path) -> None:
    page = Page(*PAPER, (Block([photograph("slow")]),))

    async def write() -> None:
        progress = Progress()
        asked = asyncio.Event()

        async def picture(_key: Key) -> Pixels | NoPicture:
            asked.set()
            await asyncio.sleep(60)
            raise AssertionError("nobody waits so long")

        supply = PhotoSupply(picture, progress)

        async def stop() -> None:
            await asked.wait()
            progress.stop = True

        def work() -> None:
            save_pdf([page], tmp_path / "x.pdf", "", progress, supply.photos_of)

        with pytest.raises(Stopped):
            await asyncio.gather(supply.run(work), stop())

    loop.run(write())
    assert list(tmp_path.iterdir()) == []


def test_the_next_photos_are_begun_while_a_page_is_painted_and_only_a_few(loop: RunningLoop) -> None:
    pages = [Page(*PAPER, (Block([photograph(str(at))] if at != 3 else []),)) for at in range(40)]
    asked: list[str] = []
    held: list[int] = []

    async def write() -> None:
        async def picture(key: Key) -> Pixels | NoPicture:
            asked.append(key.address)
            return NoPicture(key.address)

        supply = PhotoSupply(picture, Progress())

        def paint() -> None:
            supply.expect(pages)
            for at, page in enumerate(pages):
                assert list(supply.photos_of(page).values()) == ([str(at)] if at != 3 else [])
                held.append(len(asked) - at)

        await supply.run(paint)

    loop.run(write())
    assert asked == [str(at) for at in range(40) if at != 3]
    assert 2 <= max(held) <= 4


def test_photos_begun_ahead_end_with_the_report_that_is_stopped(loop: RunningLoop) -> None:
    pages = [Page(*PAPER, (Block([photograph(str(at))]),)) for at in range(9)]
    ended: list[str] = []

    async def write() -> None:
        progress = Progress()

        async def picture(key: Key) -> Pixels | NoPicture:
            if key.address == "0":
                return NoPicture("none")
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(key.address)
            raise AssertionError("nobody waits so long")

        supply = PhotoSupply(picture, progress)

        def paint() -> None:
            supply.expect(pages)
            supply.photos_of(pages[0])
            progress.stop = True
            supply.photos_of(pages[1])

        with pytest.raises(Stopped):
            await supply.run(paint)

    loop.run(write())
    assert {"1", "2"} <= set(ended)


def test_decoders_killed_while_a_report_is_written_cost_no_photo(loop: RunningLoop, tmp_path: Path) -> None:
    files = {str(at): saved(chart(size=(1_600 + 8 * at, 1_200)), "JPEG") for at in range(12)}
    pages = [Page(*PAPER, (Block([photograph(each)]),)) for each in files]
    shown: list[Pixels | str] = []
    killed: list[int] = []

    async def write() -> None:
        imaging = Imaging()

        async def picture(key: Key) -> Pixels | NoPicture:
            found = await imaging.decode(files[key.address], key.box, wish=Wish(Urgency.BACKGROUND))
            return found if isinstance(found, Pixels) else NoPicture(found.sentence)

        supply = PhotoSupply(picture, Progress())

        def paint() -> None:
            supply.expect(pages)
            for at, page in enumerate(pages):
                shown.extend(supply.photos_of(page).values())
                if at % 3 == 1:
                    killed.extend(imaging.pids())
                    for each in imaging.pids():
                        os.kill(each, signal.SIGKILL)

        try:
            await supply.run(paint)
        finally:
            await imaging.aclose()

    loop.run(write(), 60)
    assert len(killed) >= 4
    widths = [each.facts.full.width for each in shown if isinstance(each, Pixels)]
    assert widths == [1_600 + 8 * at for at in range(12)]
