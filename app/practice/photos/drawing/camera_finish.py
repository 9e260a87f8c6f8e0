"""From a rendered scene to what a telephone would have saved: lens, sensor, colour, date stamp, JPEG with EXIF.

The scene is rendered small and enlarged, then given grain at full size, as a small sensor behind a small lens does.
Invariant: turning the stored picture as its EXIF orientation says gives the upright picture, pixel for pixel
before compression.
"""

from datetime import datetime
from io import BytesIO
from random import Random
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from app.practice.photos.drawing.noise import blurred, grain_tile, threshold

MAKE, MODEL = "Haulmark", "Haulmark P7"
TILE = 1024
_STORED_AS = {
    2: (Image.Transpose.FLIP_LEFT_RIGHT,),
    3: (Image.Transpose.ROTATE_180,),
    4: (Image.Transpose.FLIP_TOP_BOTTOM,),
    5: (Image.Transpose.TRANSPOSE,),
    6: (Image.Transpose.ROTATE_90,),
    7: (Image.Transpose.TRANSVERSE,),
    8: (Image.Transpose.ROTATE_270,),
}


class Look(NamedTuple):
    """How the picture was taken: colour cast as factors, contrast and lift, darkness of corners, grain in levels."""

    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    lift: float = 0.02
    exposure: float = 1.0
    vignette: float = 0.35
    bloom: float = 0.5
    grain: float = 5.0
    colour: float = 0.86


def through_lens(image: Image.Image, look: Look, rng: Random) -> Image.Image:
    """Add the faults of a camera: glow around bright places, dark corners, colour fringes, tone, over-sharpening."""
    image = _bloom(image, look.bloom)
    image = ImageChops.multiply(image, _vignette(image.size, look.vignette, rng))
    image = image.point(_tone(look))
    red, green, blue = image.split()
    image = Image.merge("RGB", (_zoomed(red, 1.0009), green, _zoomed(blue, 0.9993)))
    shorter = min(image.size)
    return image.filter(ImageFilter.UnsharpMask(radius=shorter / 700, percent=70, threshold=2))


def developed(image: Image.Image, size: tuple[int, int], look: Look, rng: Random) -> Image.Image:
    """The picture at its full size with the sensor's grain in it, as YCbCr."""
    luma, blue, red = image.convert("YCbCr").split()
    blue, red = (_blotched(part, rng, look) for part in (blue, red))
    luma = luma.resize(size, Image.Resampling.BICUBIC)
    luma = ImageChops.add(luma, _grain(size, look.grain, rng), 1, -128)
    chroma = [part.resize(size, Image.Resampling.BILINEAR) for part in (blue, red)]
    return Image.merge("YCbCr", (luma, *chroma))


def stamp(image: Image.Image, when: datetime) -> None:
    """An orange date in the corner, as cameras burn it in; in place, on an RGB picture."""
    shorter = min(image.size)
    font = ImageFont.load_default(max(8, shorter // 30))
    text = when.strftime("%d/%m/%Y  %H:%M")
    draw = ImageDraw.Draw(image)
    wide = draw.textlength(text, font=font)
    spot = (image.width - wide - shorter // 28, image.height - shorter // 14)
    draw.text((spot[0] + shorter / 700, spot[1] + shorter / 700), text, font=font, fill=(60, 25, 5))
    draw.text(spot, text, font=font, fill=(255, 166, 60))


def jpeg(image: Image.Image, orientation: int, taken_at: datetime, quality: int = 86) -> bytes:
    """The bytes of an upright picture, stored turned, with the EXIF record that turns it back."""
    for turn in _STORED_AS.get(orientation, ()):
        image = Image.merge(image.mode, [part.transpose(turn) for part in image.split()])
    exif = Image.Exif()
    moment = taken_at.strftime("%Y:%m:%d %H:%M:%S")
    exif.update({0x010F: MAKE, 0x0110: MODEL, 0x0112: orientation, 0x0131: "3.2.1", 0x0132: moment})
    exif.get_ifd(0x8769).update({0x9003: moment, 0x9004: moment, 0x829D: 1.8, 0x920A: 4.4, 0xA405: 26})
    out = BytesIO()
    image.save(out, "JPEG", quality=quality, subsampling="4:2:0", exif=exif)
    return out.getvalue()


def _bloom(image: Image.Image, strength: float) -> Image.Image:
    if strength <= 0:
        return image
    small = image.reduce(8)
    bright = threshold(small.convert("L"), 235, 20)
    glow = ImageChops.multiply(small, Image.merge("RGB", (bright, bright, bright)))
    glow = blurred(glow, min(small.size) / 26).point([int(level * strength) for level in range(256)] * 3)
    return ImageChops.screen(image, glow.resize(image.size, Image.Resampling.BICUBIC))


def _vignette(size: tuple[int, int], strength: float, rng: Random) -> Image.Image:
    """Darker towards the corners, a little off centre as in any real lens."""
    width, height = 48, 48 * size[1] // size[0]
    off = (rng.uniform(-2, 2), rng.uniform(-2, 2))
    half = (width / 2, height / 2)
    reach = half[0] ** 2 + half[1] ** 2
    values = bytes(
        int(255 * (1 - strength * (((x - half[0] + off[0]) ** 2 + (y - half[1] + off[1]) ** 2) / reach) ** 1.3 * 0.8))
        for y in range(height)
        for x in range(width)
    )
    mask = Image.frombytes("L", (width, height), values).resize(size, Image.Resampling.BICUBIC)
    return Image.merge("RGB", (mask, mask, mask))


def _tone(look: Look) -> list[int]:
    """Exposure, colour cast, lifted blacks and a soft shoulder, as one table for the three channels."""
    table: list[int] = []
    for cast in look.cast:
        for level in range(256):
            value = level / 255 * look.exposure * cast
            value = value / (1 + max(0.0, value - 0.7) * 0.35) if value > 0.7 else value
            curve = value * value * (3 - 2 * min(1.0, value))
            value += (curve - value) * (look.contrast - 0.6)
            table.append(max(0, min(255, int(255 * (look.lift + (1 - look.lift) * value)))))
    return table


def _zoomed(channel: Image.Image, factor: float) -> Image.Image:
    width, height = channel.size
    off = ((1 - 1 / factor) * width / 2, (1 - 1 / factor) * height / 2)
    numbers = (1 / factor, 0.0, off[0], 0.0, 1 / factor, off[1])
    return channel.transform(channel.size, Image.Transform.AFFINE, numbers, Image.Resampling.BILINEAR)


def _grain(size: tuple[int, int], spread: float, rng: Random) -> Image.Image:
    """Grain for the whole picture, laid in tiles that start somewhere else each time."""
    tile = grain_tile(TILE, spread)
    start = (rng.randrange(TILE), rng.randrange(TILE))
    field = Image.new("L", size)
    for top in range(-start[1], size[1], TILE):
        for left in range(-start[0], size[0], TILE):
            field.paste(tile, (left, top))
    return field


def _blotched(channel: Image.Image, rng: Random, look: Look) -> Image.Image:
    """Colour noise: coarse and weak, as a telephone leaves it after its own smoothing."""
    size = (channel.width // 4, channel.height // 4)
    field = _grain(size, look.grain * 0.7, rng).resize(channel.size, Image.Resampling.BICUBIC)
    paler = channel.point([int(128.5 + (level - 128) * look.colour) for level in range(256)])
    return ImageChops.add(paler, field, 1, -128)
