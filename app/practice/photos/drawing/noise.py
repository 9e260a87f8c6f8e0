"""Grain, clouds and streaks: the seeded irregularity every surface of the practice photos is made of.

Invariant: everything is drawn from the `random.Random` handed in, so the same seed gives the same pixels
on every machine (Pillow's own noise effects use the C library's generator and are avoided).
"""

from functools import lru_cache
from math import cos, pi
from random import Random

from PIL import Image, ImageChops, ImageFilter, ImageOps

Size = tuple[int, int]
Colour = tuple[int, int, int]


def white(rng: Random, size: Size) -> Image.Image:
    """Evenly spread values 0..255, one channel."""
    return Image.frombytes("L", size, rng.randbytes(size[0] * size[1]))


def bell(rng: Random, size: Size, spread: float) -> Image.Image:
    """Values around 128 that fall off like a bell curve; `spread` is the standard deviation in levels."""
    total = white(rng, size)
    for count in (2, 3, 4):
        total = Image.blend(total, white(rng, size), 1 / count)
    scale = spread / 36.8  # the mean of four even spreads deviates by 255 / sqrt(12 * 4)
    return total.point([_byte(128 + (level - 127.5) * scale) for level in range(256)])


def clouds(rng: Random, size: Size, cells: float = 4.0, octaves: int = 4, keep: float = 0.5) -> Image.Image:
    """Soft patches, stretched to the whole range; the largest are about 1/`cells` of the longer side."""
    longer = max(size)
    result: Image.Image | None = None
    weight, total = 1.0, 0.0
    for octave in range(octaves):
        step = cells * 2**octave
        grid = (max(2, round(step * size[0] / longer) + 1), max(2, round(step * size[1] / longer) + 1))
        if grid[0] > size[0] or grid[1] > size[1]:
            break
        layer = white(rng, grid).resize(size, Image.Resampling.BICUBIC)
        total += weight
        result = layer if result is None else Image.blend(result, layer, weight / total)
        weight *= keep
    return ImageOps.autocontrast(result if result is not None else white(rng, size), cutoff=0.5)


def streaks(rng: Random, size: Size, stretch: float, *, along_x: bool = True) -> Image.Image:
    """Fine noise drawn out `stretch` times along one axis: wood grain, brushed metal, paper fibre."""
    across = (max(2, int(size[0] / stretch)), size[1]) if along_x else (size[0], max(2, int(size[1] / stretch)))
    return white(rng, across).resize(size, Image.Resampling.BICUBIC)


def wave(size: Size, period: float, low: int = 0, *, along_x: bool = True) -> Image.Image:
    """A row of soft ridges, `period` pixels apart, from `low` to 255: ribs of sheet metal or board."""
    length = size[0] if along_x else size[1]
    depth = (255 - low) / 2
    values = bytes(_byte(low + depth + depth * cos(2 * pi * at / period)) for at in range(length))
    return Image.frombytes("L", (length, 1) if along_x else (1, length), values).resize(size, Image.Resampling.NEAREST)


def slope(size: Size, first: int, last: int, *, along_x: bool = False) -> Image.Image:
    """An even run from one level to another."""
    ends = Image.frombytes("L", (2, 1) if along_x else (1, 2), bytes((first, last)))
    return ends.resize((size[0] * 2, size[1]) if along_x else (size[0], size[1] * 2), Image.Resampling.BILINEAR).crop(
        (size[0] // 2, 0, size[0] // 2 + size[0], size[1])
        if along_x
        else (0, size[1] // 2, size[0], size[1] // 2 + size[1])
    )


def threshold(image: Image.Image, at: int, soft: int = 8) -> Image.Image:
    """White above `at`, black below, over a ramp of `soft` levels either side."""
    return image.point(_step(at, soft))


def levels(image: Image.Image, low: int, high: int) -> Image.Image:
    """The whole range squeezed into `low`..`high`."""
    return image.point(_ramp(low, high))


def dye(mask: Image.Image, dark: Colour, light: Colour) -> Image.Image:
    """One channel turned into a run between two colours."""
    return Image.merge("RGB", [levels(mask, dark[i], light[i]) for i in range(3)])


def dimmed(colour: Colour, factor: float) -> Colour:
    """A colour made darker, or brighter with a factor above 1."""
    return (_byte(colour[0] * factor), _byte(colour[1] * factor), _byte(colour[2] * factor))


def lay(base: Image.Image, colour: Colour, mask: Image.Image) -> None:
    """Paint one colour over `base`, in place, where `mask` is white."""
    base.paste(colour, (0, 0, *base.size), mask)


def grey(mask: Image.Image) -> Image.Image:
    """One channel as a neutral RGB image, to multiply with."""
    return Image.merge("RGB", (mask, mask, mask))


def shade(base: Image.Image, mask: Image.Image) -> Image.Image:
    """`base` darkened by `mask` (255 leaves it alone)."""
    return ImageChops.multiply(base, grey(mask))


def blurred(image: Image.Image, radius: float) -> Image.Image:
    """A Gaussian blur that is cheap for large radii: it blurs a smaller copy."""
    factor = int(radius / 3)
    if factor < 2:
        return image.filter(ImageFilter.GaussianBlur(radius))
    small = image.reduce(min(factor, *image.size))
    return small.filter(ImageFilter.GaussianBlur(radius / factor)).resize(image.size, Image.Resampling.BICUBIC)


@lru_cache(maxsize=4)
def grain_tile(side: int, spread: float) -> Image.Image:
    """A square of sensor grain that photos are covered with in tiles; made once in a process."""
    return bell(Random(side), (side, side), spread)


@lru_cache(maxsize=512)
def _ramp(low: int, high: int) -> list[int]:
    return [_byte(low + (high - low) * level / 255) for level in range(256)]


@lru_cache(maxsize=512)
def _step(at: int, soft: int) -> list[int]:
    return [_byte((level - at + soft) * 255 / (2 * soft)) for level in range(256)]


def _byte(value: float) -> int:
    return 0 if value < 0 else 255 if value > 255 else int(value + 0.5)
