"""A JPEG that is scaled while it is decoded equals one that is scaled afterwards."""

import io
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache

import pytest
from PIL import Image, ImageChops

from app.imaging.child import crop
from app.imaging.child.early_bands import Pieces, can_begin_early, scaled_while_loading

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
        made = scaled_while_loading(opened, file, box, target)
    assert (made.size, made.mode) == (target, at_once.mode)
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
        scaled_while_loading(opened, file, (0.0, 0.0, float(opened.width), float(opened.height)), target)
    early = [place for place in begun_after if place < len(data)]
    assert len(early) >= 10, "of sixteen; the file has some twenty pieces"
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
