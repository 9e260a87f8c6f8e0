"""Orientation, colour and geometry of each format, pixel by pixel against Qt's decoders and EXIF's own definition."""

import io

import pytest
from PIL import Image
from PySide6.QtGui import QColor, QColorSpace, QImage

from app.imaging.imaging import Imaging
from app.imaging.pixels import Pixels, Region, Size, Trouble
from tests.support.pictures import (
    CHART,
    PAPER,
    PATCHES,
    Rows,
    chart,
    differences,
    held,
    in_colours_of,
    pdf,
    qt_chart,
    read_by_qt,
    rows_of,
    saved,
    saved_by_qt,
    upright,
    without_adobe,
)

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
F = QImage.Format
TURNED = {
    "jpeg": lambda way: saved(chart(), "JPEG", quality=95, exif=held(way)),
    "png": lambda way: saved(chart(), "PNG", exif=held(way)),
    "webp": lambda way: saved(chart("RGBA"), "WEBP", lossless=True, exif=held(way)),
}
COLOURS: dict[str, tuple[str, bytes, int]] = {  # the format, the file, and how far a number may be off
    "grey jpeg": ("jpeg", saved(chart("L"), "JPEG"), 1),
    "jpeg 4:4:4": ("jpeg", saved(chart(), "JPEG", subsampling=0), 1),
    "jpeg 4:2:0": ("jpeg", saved(chart(), "JPEG", subsampling=2), 1),
    "progressive jpeg": ("jpeg", saved(chart(), "JPEG", progressive=True), 1),
    "four inks by Adobe": ("jpeg", saved(chart("CMYK"), "JPEG", quality=95), 3),
    "four inks as YCCK": ("jpeg", saved_by_qt(qt_chart(F.Format_CMYK8888), "jpeg"), 3),
    "display P3 jpeg": ("jpeg", saved_by_qt(in_colours_of(QColorSpace.NamedColorSpace.DisplayP3), "jpeg"), 3),
    "Adobe RGB png": ("png", saved_by_qt(in_colours_of(QColorSpace.NamedColorSpace.AdobeRgb), "png"), 3),
    "black and white png": ("png", saved(chart("1"), "PNG"), 0),
    "grey png": ("png", saved(chart("L"), "PNG"), 0),
    "grey png, clear in places": ("png", saved(chart("LA"), "PNG"), 1),
    "palette png": ("png", saved(chart("P"), "PNG"), 0),
    "palette png with a clear colour": ("png", saved(chart("P"), "PNG", transparency=40), 0),
    "png": ("png", saved(chart(), "PNG"), 0),
    "png with a clear colour": ("png", saved(chart(), "PNG", transparency=chart().getpixel((5, 5))), 0),
    "png, clear in places": ("png", saved(chart("RGBA"), "PNG"), 1),
    "grey png of 16 bits": ("png", saved_by_qt(qt_chart(F.Format_Grayscale16), "png"), 1),
    "png of 16 bits": ("png", saved_by_qt(qt_chart(F.Format_RGBX64), "png"), 1),
    "png of 16 bits, clear in places": ("png", saved_by_qt(qt_chart(F.Format_RGBA64), "png"), 1),
    "webp": ("webp", saved(chart(), "WEBP", quality=90), 1),
    "webp without loss": ("webp", saved(chart(), "WEBP", lossless=True), 0),
    "webp, clear in places": ("webp", saved(chart("RGBA"), "WEBP", lossless=True), 1),
}


async def decoded(
    imaging: Imaging, data: bytes, box: Size | None = None, page: int = 0, region: Region | None = None
) -> tuple[Pixels, Rows]:
    found = await imaging.decode(data, box, page=page, region=region)
    assert isinstance(found, Pixels), found
    rows = rows_of(bytes(found.data), found.width, found.height)
    assert found.alpha or all(pixel[3] == 255 for row in rows for pixel in row)
    return found, rows


@pytest.mark.parametrize("way", range(1, 9))
@pytest.mark.parametrize("kind", TURNED)
async def test_each_way_a_camera_is_held_comes_out_upright(shared_imaging: Imaging, kind: str, way: int) -> None:
    data = TURNED[kind](way)
    found, rows = await decoded(shared_imaging, data)
    assert found.facts.full == Size(*(CHART if way < 5 else CHART[::-1]))
    assert max(differences(rows, upright(read_by_qt(data, kind), way))) <= 1


@pytest.mark.parametrize("way", range(1, 9))
async def test_each_way_comes_out_upright_when_it_is_made_smaller(shared_imaging: Imaging, way: int) -> None:
    """A JPEG is decoded to a fraction of its size first; Qt makes its own smaller in its own manner."""
    size = (483, 317)
    data = saved(chart(size=size), "JPEG", quality=95, exif=held(way))
    full = upright(read_by_qt(data, "jpeg"), way)
    for box in (Size(50, 50), Size(125, 200), Size(166, 166), Size(180, 180), Size(250, 250), Size(350, 45)):
        found, rows = await decoded(shared_imaging, data, box)
        width, height = size if way < 5 else size[::-1]
        scale = min(box.width / width, box.height / height)
        assert abs(found.width - width * scale) < 1
        assert abs(found.height - height * scale) < 1
        assert found.width <= box.width
        assert found.height <= box.height
        columns = [int((x + 0.5) * width / found.width) for x in range(found.width)]
        lines = [int((y + 0.5) * height / found.height) for y in range(found.height)]
        expected = [[full[line][column] for column in columns] for line in lines]
        assert max(differences(rows, expected)) <= 12
        assert sum(differences(rows, expected)) / (found.nbytes) < 1


@pytest.mark.parametrize("name", COLOURS)
async def test_the_colours_of_each_kind_are_right(shared_imaging: Imaging, name: str) -> None:
    kind, data, off = COLOURS[name]
    _, rows = await decoded(shared_imaging, data)
    assert max(differences(rows, read_by_qt(data, kind))) <= off


async def test_four_inks_that_are_not_adobes_are_the_other_way_round(shared_imaging: Imaging) -> None:
    _, adobes = await decoded(shared_imaging, saved(chart("CMYK"), "JPEG", quality=95))
    _, plain = await decoded(shared_imaging, without_adobe(saved(Image.merge("CMYK", [
        band.point(lambda level: 255 - level) for band in chart("CMYK").split()
    ]), "JPEG", quality=95)))  # fmt: skip
    assert max(differences(adobes, plain)) <= 3


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
async def test_of_an_animation_the_first_frame_is_shown(shared_imaging: Imaging, kind: str) -> None:
    others = [Image.new("RGB", CHART, colour) for colour in ("red", "green")]
    moving = saved(chart(), kind, save_all=True, append_images=others, lossless=True)
    found, rows = await decoded(shared_imaging, moving)
    assert found.facts.frames == 3
    assert max(differences(rows, read_by_qt(saved(chart(), "PNG"), "png"))) <= 0


async def test_what_is_clear_stays_clear_when_it_is_made_smaller(shared_imaging: Imaging) -> None:
    """Colours of places that nobody sees must not bleed into those one sees."""
    image = Image.new("RGBA", (400, 400), (255, 0, 0, 0))
    image.paste((0, 0, 255, 255), (100, 100, 300, 300))
    found, rows = await decoded(shared_imaging, saved(image, "PNG"), Size(100, 100))
    assert found.alpha
    assert max(red for row in rows for _, _, red, _ in row) == 0
    assert rows[50][50] == (255, 0, 0, 255)
    assert rows[5][5] == (0, 0, 0, 0)


async def test_the_camera_and_its_time_are_told(shared_imaging: Imaging) -> None:
    record = held(1)
    record.update({0x010F: "Maker", 0x0110: "Model\u202e \x07X", 0x0132: "2026:01:01 00:00:00"})
    record.get_ifd(0x8769)[0x9003] = "2026:01:02 03:04:05"
    found, _ = await decoded(shared_imaging, saved(chart(), "JPEG", exif=record))
    assert found.facts.taken == "2026:01:02 03:04:05"
    assert found.facts.camera.startswith("Model")
    assert found.facts.camera.isprintable()


async def test_a_photo_whose_end_is_missing_is_shown_down_to_there(shared_imaging: Imaging) -> None:
    whole = saved(chart(size=(960, 640)), "JPEG", quality=95)
    found, rows = await decoded(shared_imaging, whole[: len(whole) // 2])
    assert found.facts.cut_off
    assert max(differences(rows[:100], read_by_qt(whole, "jpeg")[:100])) <= 1


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0, 3.7])
async def test_a_page_is_drawn_where_it_belongs_at_any_size(shared_imaging: Imaging, scale: float) -> None:
    box = Size(round(PAPER[0] * scale), 10_000)
    found, rows = await decoded(shared_imaging, pdf(2), box)
    assert (found.facts.format, found.facts.pages) == ("PDF", 2)
    assert (found.width, found.height) == (box.width, round(PAPER[1] * box.width / PAPER[0]))
    assert not found.alpha
    for y, row in enumerate(rows):
        for x, pixel in enumerate(row):
            colour = _of_paper((x + 0.5) / scale, (y + 0.5) / scale, edge=1 / scale)
            assert colour is None or pixel == colour, (x, y)


def _of_paper(x: float, y: float, edge: float) -> tuple[int, int, int, int] | None:
    """The colour of a place of the paper, None close to where two meet."""
    for place, name in PATCHES:
        if place.adjusted(edge, edge, -edge, -edge).contains(x, y):
            colour = QColor(name)
            return colour.blue(), colour.green(), colour.red(), 255
        if place.adjusted(-edge, -edge, edge, edge).contains(x, y):
            return None
    return 255, 255, 255, 255


async def test_pages_are_told_apart_and_counted(shared_imaging: Imaging) -> None:
    document = pdf(2)
    _, first = await decoded(shared_imaging, document, Size(160, 90))
    _, second = await decoded(shared_imaging, document, Size(160, 90), page=1)
    assert first[5][5] != (255, 255, 255, 255) == second[5][5]
    assert await shared_imaging.decode(document, page=2) == Trouble("no such page")
    assert await shared_imaging.decode(document, page=-1) == Trouble("no such page")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b"<html>not found</html>", "unknown format"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>", "unknown format"),
        (b"GIF89a", "unknown format"),
        (b"\xff\xd8\xff\xe0", "damaged"),
        (b"\x89PNG\r\n\x1a\n<svg/>", "damaged"),
        (b"%PDF-1.7\nnothing", "damaged"),
        (saved(chart(), "PNG")[:-30], "damaged"),
    ],
)
async def test_what_is_no_picture_is_told_in_words(shared_imaging: Imaging, data: bytes, kind: str) -> None:
    found = await shared_imaging.decode(data)
    assert isinstance(found, Trouble)
    assert found.kind == kind
    assert found.sentence.endswith(".")
    assert found.lasting


async def test_a_bomb_is_too_large_before_it_is_decoded(shared_imaging: Imaging) -> None:
    file = io.BytesIO()
    Image.new("1", (12_000, 12_000)).save(file, "PNG")
    assert await shared_imaging.decode(file.getvalue(), Size(100, 100)) == Trouble("too large")


@pytest.mark.parametrize("kind", list(TURNED))
@pytest.mark.parametrize("way", range(1, 9))
async def test_a_part_is_what_the_whole_shows_there(shared_imaging: Imaging, kind: str, way: int) -> None:
    data = TURNED[kind](way)
    whole, rows = await decoded(shared_imaging, data)
    for region in (Region(3, 5, 10, 7), Region(0, 0, whole.width, 4), Region(whole.width - 6, whole.height - 9, 6, 9)):
        found, got = await decoded(shared_imaging, data, region=region)
        assert (found.width, found.height) == (region.width, region.height)
        assert found.facts.full == Size(whole.width, whole.height)
        assert got == [
            row[region.left : region.left + region.width] for row in rows[region.top : region.top + region.height]
        ]


@pytest.mark.parametrize("way", [1, 6, 3])
async def test_a_part_made_smaller_is_what_the_whole_made_smaller_shows_there(
    shared_imaging: Imaging, way: int
) -> None:
    data = saved(chart(size=(640, 480)), "JPEG", quality=95, exif=held(way))
    for less in (2, 4, 8):
        whole, rows = await decoded(shared_imaging, data, Size(640 // less, 640 // less))
        region = Region(16 * less, 8 * less, 24 * less, 12 * less)
        found, got = await decoded(shared_imaging, data, Size(24, 12), region=region)
        assert (found.width, found.height) == (24, 12)
        assert max(differences(got, [row[16:40] for row in rows[8:20]])) <= 6, (less, whole.width)


async def test_a_part_that_reaches_beyond_ends_at_the_edge(shared_imaging: Imaging) -> None:
    data = saved(chart(), "PNG")
    for region, size in ((Region(CHART[0] - 5, -4, 90, 8), (5, 4)), (Region(500, 500, 9, 9), (1, 1))):
        found, _ = await decoded(shared_imaging, data, region=region)
        assert (found.width, found.height) == size


async def test_a_part_of_a_page_is_drawn_where_it_is(shared_imaging: Imaging) -> None:
    whole, rows = await decoded(shared_imaging, pdf())
    region = Region(whole.width // 4, 10, 90, 60)
    found, got = await decoded(shared_imaging, pdf(), region=region)
    assert (found.width, found.height) == (90, 60)
    assert max(differences(got, [row[region.left : region.left + 90] for row in rows[10:70]])) <= 2
    twice, _ = await decoded(shared_imaging, pdf(), Size(180, 120), region=region)
    assert (twice.width, twice.height) == (180, 120)
