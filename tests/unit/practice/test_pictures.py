"""The photos of the practice world: really JPEG, really turned, the same for the same seed, and not flat drawings."""

import hashlib
import subprocess
import sys
from datetime import datetime
from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps, ImageStat

from app.practice.photos import painter
from app.practice.photos.drawing.camera_finish import Look, jpeg
from app.practice.photos.drawing.canvas import Canvas
from app.practice.photos.drawing.light import Lamp, Lighting, cast
from app.practice.photos.drawing.space import Box, Face, aim
from app.practice.photos.painter import KINDS, SCENES, photo_jpeg, pixel_size

pytestmark = pytest.mark.slow

WHEN = datetime(2026, 10, 3, 9, 41, 7)


def opened(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    image.load()
    return image


def difference(one: Image.Image, other: Image.Image) -> float:
    """Mean difference of two pictures of one size, in levels."""
    assert one.size == other.size
    bands = ImageStat.Stat(ImageChops.difference(one.convert("RGB"), other.convert("RGB"))).mean
    return float(sum(bands) / 3)


def colours(image: Image.Image) -> int:
    """How many colours a picture has, counted in steps of four levels."""
    coarse = image.convert("RGB").point([level & 0xFC for level in range(256)] * 3)
    found = coarse.getcolors(image.width * image.height)
    assert found is not None
    return len(found)


def noise(image: Image.Image) -> float:
    """The median over many small squares of how much the finest detail varies: near 0 in a drawing."""
    luma = image.convert("L")
    fine = ImageChops.subtract(luma, luma.filter(ImageFilter.GaussianBlur(1.2)), 1, 128)
    spots = [(x, y) for x in range(0, luma.width - 16, 48) for y in range(0, luma.height - 16, 48)]
    spreads = sorted(ImageStat.Stat(fine.crop((x, y, x + 16, y + 16))).stddev[0] for x, y in spots)
    return float(spreads[len(spreads) // 2])


def corner_falloff(image: Image.Image) -> float:
    """How bright the corners of the picture's light are against its middle, from a strongly blurred copy."""
    small = image.convert("L").resize((9, 9), Image.Resampling.BOX)
    corners = sum(float(small.crop((x, y, x + 1, y + 1)).tobytes()[0]) for x in (0, 8) for y in (0, 8)) / 4
    return corners / max(1.0, float(small.crop((4, 4, 5, 5)).tobytes()[0]))


def flat_drawing() -> Image.Image:
    """What a photo must not be mistaken for: rectangles in a few colours."""
    image = Image.new("RGB", (1152, 864), (170, 170, 165))
    draw = ImageDraw.Draw(image)
    for place in range(12):
        x, y = 80 + place % 4 * 260, 60 + place // 4 * 260
        draw.rectangle((x, y, x + 220, y + 220), fill=(180 - place, 140, 90 + place), outline=(60, 40, 20))
        draw.text((x + 20, y + 20), "FRAGILE", (20, 20, 20))
    out = BytesIO()
    image.save(out, "JPEG", quality=86)
    return opened(out.getvalue())


@pytest.mark.parametrize("kind", KINDS)
def test_every_scene_has_what_a_photo_has_and_a_drawing_lacks(kind: str) -> None:
    image = opened(photo_jpeg(17, kind=kind, megapixels=1.0))
    drawing = flat_drawing()
    assert image.format == "JPEG"
    assert colours(image) > 5_000 > 4 * colours(drawing)
    assert noise(image) > 2.5 > 5 * noise(drawing)
    shades = image.convert("L").histogram()
    assert sum(shades[:50]) > image.width * image.height / 500
    assert sum(shades[170:]) > image.width * image.height / 500


def test_the_middle_is_brighter_than_the_corners_on_the_whole() -> None:
    ratios = [corner_falloff(opened(photo_jpeg(seed, kind="clipboard", megapixels=0.3))) for seed in range(4)]
    assert max(ratios) < 0.9


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_picture() -> None:
    first = photo_jpeg(5, kind="doorstep", megapixels=0.5, taken_at=WHEN)
    assert photo_jpeg(5, kind="doorstep", megapixels=0.5, taken_at=WHEN) == first
    assert difference(opened(first), opened(photo_jpeg(6, kind="doorstep", megapixels=0.5))) > 10


def test_what_was_drawn_before_in_the_process_changes_nothing() -> None:
    photo_jpeg(1, kind="leaning", megapixels=0.1)
    here = hashlib.sha256(photo_jpeg(8, kind="pallet", megapixels=0.3)).hexdigest()
    program = (
        "import hashlib; from app.practice.photos.painter import photo_jpeg; "
        "print(hashlib.sha256(photo_jpeg(8, kind='pallet', megapixels=0.3)).hexdigest())"
    )
    fresh = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert fresh.stdout.strip() == here


def test_without_a_kind_the_seeds_show_different_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def noted(name: str) -> painter.Scene:
        def scene(rng: Random, size: tuple[int, int]) -> tuple[Canvas, Look]:
            drawn.append(name)
            camera = aim((0.0, 1.0, 0.0), (0.0, 1.0, 1.0), size)
            return Canvas(camera, Lighting((), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0)), rng, (90, 90, 90)), Look()

        return scene

    for name in KINDS:
        monkeypatch.setitem(painter.SCENES, name, noted(name))
    for seed in range(60):
        photo_jpeg(seed, megapixels=0.01)
    assert set(drawn) == set(KINDS)


@pytest.fixture(scope="module")
def seen() -> dict[bool, Image.Image]:
    """One scene as it was seen, landscape and portrait, compressed but never turned."""
    number = Random("photo 4").random()
    found = {}
    for portrait in (False, True):
        picture = painter.upright(SCENES["clipboard"], number, megapixels=0.5, portrait=portrait)
        found[portrait] = opened(jpeg(picture, 1, painter.EPOCH))
    return found


@pytest.mark.parametrize("orientation", range(1, 9))
def test_turning_as_the_exif_says_shows_the_picture_upright(orientation: int, seen: dict[bool, Image.Image]) -> None:
    upright = seen[orientation > 4]
    stored = opened(photo_jpeg(4, kind="clipboard", megapixels=0.5, orientation=orientation))
    assert stored.getexif()[0x0112] == orientation
    assert stored.size == pixel_size(0.5, portrait=False)
    assert difference(ImageOps.exif_transpose(stored), upright) < 3.5
    if orientation > 1:
        assert stored.size != upright.size or difference(stored, upright) > 8


def test_the_exif_record_names_camera_and_moment() -> None:
    exif = opened(photo_jpeg(1, kind="nobody", megapixels=0.3, taken_at=WHEN)).getexif()
    assert exif[0x010F] == "Haulmark"
    assert exif[0x0110] == "Haulmark P7"
    assert exif.get_ifd(0x8769)[0x9003] == "2026:10:03 09:41:07"


@pytest.mark.parametrize("kind", ["dock", "doorstep", "shifted"])
def test_twelve_megapixels_weigh_what_a_telephone_saves(kind: str) -> None:
    data = photo_jpeg(3, kind=kind, orientation=6)
    assert data[:3] == b"\xff\xd8\xff"
    assert Image.open(BytesIO(data)).size == (4000, 3000)
    assert 1_500_000 < len(data) < 4_000_000


@pytest.mark.parametrize(("megapixels", "size"), [(12.0, (4000, 3000)), (2.0, (1632, 1224)), (0.0001, (128, 96))])
def test_pixel_size_is_four_to_three(megapixels: float, size: tuple[int, int]) -> None:
    assert pixel_size(megapixels, portrait=False) == size
    assert pixel_size(megapixels, portrait=True) == size[::-1]


@pytest.mark.parametrize("orientation", [0, 9, -1])
def test_an_orientation_exif_does_not_know_is_refused(orientation: int) -> None:
    with pytest.raises(ValueError, match="orientation"):
        photo_jpeg(1, orientation=orientation)


def test_an_unknown_scene_is_refused() -> None:
    with pytest.raises(ValueError, match="harbour"):
        photo_jpeg(1, kind="harbour")


def test_a_box_throws_its_shadow_on_what_is_below_it_and_on_nothing_in_front_of_it() -> None:
    floor = Face((-2.0, 0.0, 2.0), (4.0, 0.0, 0.0), (0.0, 0.0, -4.0))
    box = Box((0.0, 0.0, 0.0), 0.5, 0.5, 0.5)
    overhead = Lamp((0.0, 3.0, 0.0), (1.0, 1.0, 1.0), 3.0, 0.0)
    shadow = cast(overhead, floor, [box], (80, 80), 1, Random(1))
    assert shadow.getpixel((40, 40)) == 255
    assert shadow.getpixel((8, 8)) == 0
    ahead = Face((-1.0, 1.0, -0.6), (2.0, 0.0, 0.0), (0.0, -1.0, 0.0))
    before = Lamp((0.0, 1.0, -3.0), (1.0, 1.0, 1.0), 3.0, 0.0)
    assert cast(before, ahead, [box], (40, 40), 1, Random(1)).getextrema() == (0, 0)


def test_a_face_lands_where_the_camera_sees_its_corners() -> None:
    camera = aim((0.3, 1.2, -2.0), (0.0, 0.5, 0.0), (400, 300), 50.0, 2.0)
    bright = Lighting((), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0))
    canvas = Canvas(camera, bright, Random(1), (0, 0, 0))
    face = Box((0.0, 0.0, 0.0), 0.8, 0.8, 0.8).face("front")
    texture = Image.new("RGB", (100, 100), (0, 0, 255))
    texture.paste((255, 0, 0), (0, 0, 50, 50))
    canvas.lay(face, texture)
    for s, t, colour in ((0.25, 0.25, (255, 0, 0)), (0.75, 0.25, (0, 0, 255)), (0.25, 0.75, (0, 0, 255))):
        x, y, _ = camera.see(face.at(s, t))
        assert canvas.image.getpixel((int(x), int(y))) == colour
    for s, t in ((-0.1, 0.5), (1.1, 0.5), (0.5, -0.1), (0.5, 1.1)):
        x, y, _ = camera.see(face.at(s, t))
        assert canvas.image.getpixel((int(x), int(y))) == (0, 0, 0)
