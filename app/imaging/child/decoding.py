"""Decodes bytes to upright pixels of the wanted size.

Invariant: the first bytes alone decide the format, and only the decoder of that format sees the file; names and media
types are ignored. The size of a picture is checked before it is decoded.
"""

import warnings

from PIL import Image, ImageFile, JpegImagePlugin, PngImagePlugin, WebPImagePlugin

from app.imaging.child.colours import on_screen, plain
from app.imaging.child.crop import cut_out, reduced_box, taken_within, whole_size
from app.imaging.child.early_bands import Pieces, can_begin_early, scale_while_loading
from app.imaging.child.orientation import Camera
from app.imaging.child.pdf import draw_page
from app.imaging.pixels import Facts, Size, Trouble
from app.imaging.protocol import Limits, Request, Result

PDF_WITHIN = 1024  # bytes that may stand before the header of a PDF
_WORDS = {"JPEG": "JPEG", "PNG": "PNG", "WEBP": "WebP"}
_PLUGINS = (JpegImagePlugin, PngImagePlugin, WebPImagePlugin)  # named here, so that they are imported and packed
_ROWS = 16  # few enough to stay in the processor's cache

warnings.simplefilter("ignore")  # of Pillow, about sizes and broken records: sizes are checked here
Image.MAX_IMAGE_PIXELS = None  # the limits of a request hold instead: Pillow has one for all formats
Image.core.set_blocks_max(2)  # type: ignore[attr-defined]  # keeps the memory of one picture for the next


def format_of(beginning: bytes) -> str:
    """JPEG, PNG, WEBP, PDF, or nothing."""
    if beginning.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if beginning.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if beginning[:4] == b"RIFF" and beginning[8:12] == b"WEBP":
        return "WEBP"
    return "PDF" if b"%PDF-" in beginning[:PDF_WITHIN] else ""


def decode(data: memoryview, request: Request, limits: Limits, out: memoryview) -> Result | Trouble:
    """Decode `data` into `out`."""
    kind = format_of(bytes(data[:PDF_WITHIN]))
    if not len(data):
        return Trouble("empty")
    if not kind:
        return Trouble("unknown format")
    try:
        if kind == "PDF":
            return draw_page(data, request, limits, out)
        return _picture(data, kind, request, limits, out)
    except MemoryError:
        return Trouble("too large")
    except Exception:  # noqa: BLE001  # decoders written in Python raise whatever a stranger's bytes bring about
        return Trouble("damaged")


def _picture(data: memoryview, kind: str, request: Request, limits: Limits, out: memoryview) -> Result | Trouble:
    try:
        return _loaded(data, kind, request, limits, out)
    except OSError:
        if kind != "JPEG":
            return Trouble("damaged")
    # A JPEG whose end is missing is shown down to there.
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    try:
        return _loaded(data, kind, request, limits, out, cut_off=True)
    except OSError:
        return Trouble("damaged")
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = False


def _loaded(
    data: memoryview, kind: str, request: Request, limits: Limits, out: memoryview, *, cut_off: bool = False
) -> Result | Trouble:
    file = Pieces(data)
    with Image.open(file, formats=(kind,)) as image:
        stored = Size(*image.size)
        if stored.width * stored.height > (limits.jpeg_pixels if kind == "JPEG" else limits.whole_pixels):
            return Trouble("too large")
        camera, profile = Camera(image), image.info.get("icc_profile")
        full = Size(stored.height, stored.width) if camera.lying else stored
        region = taken_within(request.region, full)
        size = fitting(Size(region.width, region.height), request.box, limits.result_pixels)
        target, whole = camera.stored(size), camera.stored(whole_size(size, region, full))
        frames = int(getattr(image, "n_frames", 1)) if kind != "JPEG" else 1
        share = _decode_smaller(image, whole) if kind == "JPEG" else 1.0
        box = camera.box_of(region, full)
        reduced = reduced_box(box, share, image.size)

        def show(rows: Image.Image, top: int = 0) -> None:
            row = camera.upright_row(top, rows.height, size.height)
            _lay_out(camera.upright(on_screen(rows, profile)), out[row * size.width * 4 :])

        alpha = False
        if not can_begin_early(image, reduced, target):
            picture = _scaled(image, box, share, target)
            alpha = picture.mode == "RGBa"
            show(picture)
        elif camera.lying:
            picture = Image.new(image.mode, target, None)  # memory is not cleared: every row is written below
            scale_while_loading(image, file, reduced, target, lambda band, top: picture.paste(band, (0, top)))
            show(picture)
        else:
            scale_while_loading(image, file, reduced, target, show)
    facts = Facts(
        _WORDS[kind], full, frames=max(1, frames), taken=camera.taken, camera=camera.camera, cut_off=cut_off
    )  # fmt: skip
    return Result(size, alpha, facts)


def _decode_smaller(image: Image.Image, target: tuple[int, int]) -> float:
    """Let a JPEG be decoded to a half, quarter or eighth that is not below `target`. Returns the fraction."""
    width = image.width
    drafted = image.draft(None, target)
    return 1.0 if drafted is None else drafted[1][2] / width


def _scaled(image: Image.Image, box: tuple[int, int, int, int], share: float, target: tuple[int, int]) -> Image.Image:
    """`box` of the picture, of which the decoder gives this `share`, scaled to `target`."""
    image.load()
    picture = plain(image)
    is_whole = reduced_box(box, share, image.size) == (0, 0, *picture.size)
    return picture if is_whole and picture.size == target else cut_out(picture, box, share, target)


def _lay_out(picture: Image.Image, out: memoryview) -> None:
    """Write RGB or RGBa into `out`, a few rows at a time, which takes a third of the time of the whole at once."""
    place = 0
    for top in range(0, picture.height, _ROWS):
        strip = picture.crop((0, top, picture.width, min(top + _ROWS, picture.height)))
        if strip.mode == "RGB":
            strip.putalpha(255)
        rows = strip.tobytes("raw", "BGRa" if strip.mode == "RGBa" else "BGRA")
        out[place : place + len(rows)] = rows
        place += len(rows)


def fitting(full: Size, box: Size | None, most: int) -> Size:
    """The size at which a picture fits into `box`: not above its own size, and of at most `most` pixels."""
    scale = 1.0 if box is None else min(1.0, box.width / full.width, box.height / full.height)
    scale = min(scale, (most / (full.width * full.height)) ** 0.5)
    if scale == 1.0:
        return full
    return Size(max(1, int(full.width * scale + 0.4)), max(1, int(full.height * scale + 0.4)))
