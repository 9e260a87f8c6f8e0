"""A JPEG that is scaled while it is decoded equals one that is scaled afterwards."""

import io
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache

import pytest
from PIL import Image, ImageChops, ImageCms

from app.imaging.child import crop
from app.imaging.child.decoding import decode
from app.imaging.child.early_bands import Pieces, can_begin_early, scale_while_loading
from app.imaging.child.orientation import _TURNS
from app.imaging.pixels import Size
from app.imaging.protocol import LIMITS, Request, Result

_FILE = (1400, 1050)


@cache
def _jpeg(kind: str, *, progressive: bool = False) -> bytes:
    picture = Image.merge("RGB", [Image.effect_noise(_FILE, sigma) for sigma in (40, 80, 120)])
    if kind == "grey":
        picture = picture.convert("L")
    if kind == "dark below":
        picture.paste((0, 0, 0), (0, _FILE[1] // 3, *_FILE))
    if kind == "black":
        picture = Image.new("RGB", _FILE)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=92, progressive=progressive)
    return file.getvalue()


@pytest.mark.parametrize("target", [(640, 480), (601, 1), (699, 525)])
@pytest.mark.parametrize(
    ("kind", "progressive"),
    [("colours", False), ("colours", True), ("grey", False), ("dark below", False), ("black", False)],
)
def test_no_band_is_scaled_before_its_rows_are_there(kind: str, progressive: bool, target: tuple[int, int]) -> None:
    data = _jpeg(kind, progressive=progressive)
    with Image.open(io.BytesIO(data)) as opened:
        opened.draft(None, target)
        box = (3.5, 0.0, opened.width - 8.25, float(opened.height))
        at_once = opened.resize(target, Image.Resampling.HAMMING, box=box)
    with Image.open(file := Pieces(data)) as opened:
        opened.draft(None, target)
        made = Image.new(opened.mode, target, None)
        scale_while_loading(opened, file, box, target, lambda band, top: made.paste(band, (0, top)))
    assert made.mode == at_once.mode
    apart = ImageChops.difference(made, at_once).point(lambda level: 255 * (level > 1))
    assert apart.getbbox() is None, "only rounding may differ"


def test_bands_begin_before_the_end_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    data, target = _jpeg("colours"), (640, 480)
    begun_after: list[int] = []

    def submit(work: Callable[[int], object], band: int) -> Future[object]:
        begun_after.append(file.tell())
        done: Future[object] = Future()
        done.set_result(work(band))
        return done

    monkeypatch.setattr(crop.HELPER, "submit", submit)
    with Image.open(file := Pieces(data)) as opened:
        opened.draft(None, target)
        box = (0.0, 0.0, float(opened.width), float(opened.height))
        scale_while_loading(opened, file, box, target, lambda _band, _top: None)
    early = [place for place in begun_after if place < len(data)]
    assert len(early) >= 15, "of twenty-four; the file has some twenty pieces"
    assert early[0] < len(data) / 4


@pytest.mark.parametrize(
    ("kind", "mode", "target", "can"),
    [
        ("JPEG", "RGB", (640, 480), True),
        ("JPEG", "L", (640, 480), True),
        ("JPEG", "CMYK", (640, 480), False),
        ("PNG", "RGB", (640, 480), False),
        ("JPEG", "RGB", _FILE, False),
        ("JPEG", "RGB", (64, 48), False),
    ],
)
def test_what_can_be_scaled_while_it_is_decoded(kind: str, mode: str, target: tuple[int, int], can: bool) -> None:
    file = io.BytesIO()
    Image.new(mode, _FILE).save(file, kind)
    with Image.open(file) as opened:
        assert can_begin_early(opened, (0.0, 0.0, float(_FILE[0]), float(_FILE[1])), target) is can


def test_no_band_is_handed_out_once_the_decoder_has_failed() -> None:
    """The memory that bands are written into belongs to the next picture then."""
    data, target, taken = _jpeg("colours"), (640, 480), 0

    def take(_band: Image.Image, _top: int) -> None:
        nonlocal taken
        time.sleep(0.02)  # slower than the decoder: several wait for their turn
        taken += 1

    with Image.open(file := Pieces(data[: len(data) // 2])) as opened:
        opened.draft(None, target)
        box = (0.0, 0.0, float(opened.width), float(opened.height))
        with pytest.raises(OSError, match="truncated"):
            scale_while_loading(opened, file, box, target, take)
        at_failure = taken
        time.sleep(0.2)
    assert at_failure == taken > 1


def _turned(kind: str, orientation: int) -> bytes:
    """A photo whose camera was held in this way, in the colours of a profile of its own."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ")).tobytes() if kind == "colours" else None
    file = io.BytesIO()
    with Image.open(io.BytesIO(_jpeg(kind))) as opened:
        opened.save(file, "JPEG", quality=92, exif=exif, icc_profile=profile)
    return file.getvalue()


def _decoded(data: bytes, box: Size) -> Image.Image:
    out = memoryview(bytearray(box.width * box.height * 4))
    found = decode(memoryview(data), Request(len(data), box), LIMITS, out)
    assert isinstance(found, Result)
    assert not found.alpha
    pixels = bytes(out[: found.size.width * found.size.height * 4])
    return Image.frombytes("RGBA", found.size, pixels, "raw", "BGRA")


@pytest.mark.parametrize("kind", ["colours", "grey"])
@pytest.mark.parametrize("orientation", range(2, 9))
def test_a_photo_held_in_any_way_is_the_upright_one_turned(kind: str, orientation: int) -> None:
    """Bands of some are written from the bottom up, those of a photo that lies only once all are there."""
    box = Size(640, 640)  # the same scale for each way
    upright, turned = (_decoded(_turned(kind, each), box) for each in (1, orientation))
    assert ImageChops.difference(upright.transpose(_TURNS[orientation]), turned).getbbox(alpha_only=False) is None
