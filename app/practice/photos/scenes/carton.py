"""Cartons: cardboard with its fibres and knocks, tape, print, shipping labels with bars that scan.

Invariant: a skin is a function of (face name, size) and draws from its own seed, so the order in which faces are
asked for changes nothing.
"""

from collections.abc import Callable
from functools import lru_cache
from math import log
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from app.practice.photos.drawing.noise import (
    Colour,
    Size,
    blurred,
    clouds,
    dimmed,
    dye,
    lay,
    levels,
    shade,
    slope,
    streaks,
    threshold,
    wave,
)
from app.practice.photos.drawing.printed_bars import barcode

BOARD = 640
MASTER = 260
ENLARGED = 400
POOL = 30
_SHAPES = (0.6, 1.0, 1.6, 2.6)
BRANDS = ("NORVIK", "HEARTHLINE", "Bluepine", "OAKHAVEN", "CORTEGA", "Lumen & Co", "FJELL", "MAPLEROW", "Castellan")
GOODS = (
    "DINING CHAIR",
    "WASHER 27 IN",
    "SOFA ARM L",
    "TV STAND 60",
    "MATTRESS Q",
    "BOOKCASE",
    "DISHWASHER",
    "DESK TOP",
)
TONES: tuple[tuple[Colour, Colour], ...] = (
    ((140, 110, 78), (190, 158, 120)),
    ((150, 119, 86), (200, 170, 133)),
    ((126, 98, 70), (176, 144, 109)),
    ((164, 134, 101), (210, 184, 150)),
)
WHITE_BOARD: tuple[Colour, Colour] = ((196, 193, 186), (238, 236, 230))


@lru_cache(maxsize=32)
def _board(variant: int, tone: tuple[Colour, Colour]) -> Image.Image:
    """A square of raw cardboard: blotches, fibres, the faint ribs of the flutes, scuffs, shallow dents."""
    rng = Random(variant * 7919 + 11)
    size = (BOARD, BOARD)
    mix = Image.blend(clouds(rng, size, 3, 6, 0.66), streaks(rng, size, 26), 0.24)
    mix = Image.blend(mix, wave(size, 7.3), 0.05)
    board = dye(levels(mix, 62, 215), *tone)
    dents = blurred(clouds(rng, size, 4, 2), 6).filter(
        ImageFilter.Kernel((3, 3), (-3, -1, 0, -1, 0, 1, 0, 1, 3), 1, 128)
    )
    relief = levels(dents, 96, 255).point([min(255, int(level * 1.24)) for level in range(256)])
    board = shade(board, relief)
    scuffs = Image.new("L", size, 0)
    draw = ImageDraw.Draw(scuffs)
    for _ in range(26):
        x, y, run = rng.uniform(0, BOARD), rng.uniform(0, BOARD), rng.uniform(10, 120)
        draw.line((x, y, x + run, y + rng.uniform(-30, 30)), fill=rng.randrange(30, 110), width=rng.choice((1, 1, 2)))
    scuffs = ImageChops.multiply(scuffs.filter(ImageFilter.GaussianBlur(0.8)), clouds(rng, size, 9, 3))
    lay(board, dimmed(tone[1], 1.2), scuffs)
    return board


def cardboard(rng: Random, size: Size, tone: tuple[Colour, Colour] = TONES[0]) -> Image.Image:
    """Raw cardboard of any size, another piece of the sheet each time."""
    sheet = _board(rng.randrange(4), tone)
    span = rng.uniform(0.55, 0.95) * BOARD
    left, top = rng.uniform(0, BOARD - span), rng.uniform(0, BOARD - span)
    return sheet.resize(size, Image.Resampling.BILINEAR, box=(left, top, left + span, top + span))


def worn(face: Image.Image, rng: Random, width: float = 0.014) -> Image.Image:
    """The face with rubbed folds: a thin pale line where fibres show, a little dirt behind it."""
    size = face.size
    small = (max(8, size[0] // 2), max(8, size[1] // 2))
    edge = max(1, int(width * min(small)))
    frame = Image.new("L", small, 0)
    frame.paste(255, (edge, edge, small[0] - edge, small[1] - edge))
    patches = clouds(rng, small, 14, 3, 0.7)
    dirt = Image.blend(frame.filter(ImageFilter.GaussianBlur(edge * 2.4)), patches, 0.2)
    face = shade(face, levels(threshold(dirt, 100, 100), 200, 255).resize(size, Image.Resampling.BILINEAR))
    fold = Image.new("L", small, 255)
    fold.paste(0, (1, 1, small[0] - 1, small[1] - 1))
    rubbed = ImageChops.multiply(fold.filter(ImageFilter.GaussianBlur(0.7)), threshold(patches, 110, 60))
    lay(
        face,
        (226, 206, 178),
        rubbed.resize(size, Image.Resampling.BILINEAR).point([level * 2 // 3 for level in range(256)]),
    )
    return face


def tape(face: Image.Image, rng: Random, *, upright: bool, middle: float = 0.5, width: float = 0.13) -> None:
    """A strip of packing tape with its gloss and bubbles, in place."""
    w, h = face.size
    wide = max(3, int((w if upright else h) * width))
    size = (wide, h) if upright else (w, wide)
    spot = (int(w * middle - wide / 2), 0) if upright else (0, int(h * middle - wide / 2))
    under = face.crop((*spot, spot[0] + size[0], spot[1] + size[1]))
    film = dye(levels(Image.blend(streaks(rng, size, 18, along_x=not upright), clouds(rng, size, 14, 3), 0.5), 60, 255),
               (132, 104, 70), (208, 180, 140))  # fmt: skip
    strip = Image.blend(under, film, 0.62)
    draw = ImageDraw.Draw(strip)
    middle_line = size[0] // 2 if upright else size[1] // 2
    line = (middle_line, 0, middle_line, h) if upright else (0, middle_line, w, middle_line)
    draw.line(line, fill=(96, 66, 36), width=max(1, wide // 26))
    face.paste(strip, spot)


def label(rng: Random, width: int = 300) -> Image.Image:
    """A white shipping label: sender, receiver, big route code, bars, number."""
    height = int(width * 1.42)
    paper = dye(levels(clouds(rng, (width, height), 3, 3), 120, 255), (214, 214, 210), (247, 247, 244))
    draw = ImageDraw.Draw(paper)
    ink = (28, 28, 32)
    unit = width / 20
    draw.text(
        (unit, unit * 0.6),
        rng.choice(BRANDS) + " DC " + str(rng.randrange(2, 60)),
        ink,
        ImageFont.load_default(unit * 1.2),
    )
    for row in range(4):
        draw.rectangle((unit, unit * (2.6 + row), unit * rng.uniform(7, 13), unit * (3.05 + row)), fill=(70, 70, 74))
    draw.line((0, unit * 7.2, width, unit * 7.2), fill=ink, width=max(1, int(unit / 5)))
    draw.text((unit, unit * 7.4), f"{rng.choice('ABCDEFGHK')}{rng.randrange(10, 99)}-{rng.randrange(100, 999)}", ink,
              ImageFont.load_default(unit * 4))  # fmt: skip
    draw.line((0, unit * 12.6, width, unit * 12.6), fill=ink, width=max(1, int(unit / 5)))
    number = "".join(str(rng.randrange(10)) for _ in range(12))
    bars = barcode(number, 2, 60).resize((int(width * 0.94), int(unit * 10)), Image.Resampling.BILINEAR)
    paper.paste(bars.convert("RGB"), (int(width * 0.03), int(unit * 13.4)))
    draw.text(
        (unit * 4, unit * 24.2),
        " ".join((number[:4], number[4:8], number[8:])),
        ink,
        ImageFont.load_default(unit * 1.9),
    )
    return paper


def stick(face: Image.Image, sheet: Image.Image, left: float, top: float, width: float, rng: Random) -> None:
    """A label stuck on, in place: slightly askew, with the shadow of its edge. Fractions of the face's width."""
    wide = max(6, int(face.width * width))
    tall = max(6, int(wide * sheet.height / sheet.width))
    turn = rng.uniform(-2.5, 2.5)
    small = sheet.resize((wide, tall), Image.Resampling.BOX if wide < sheet.width else Image.Resampling.BICUBIC)
    cover = Image.new("L", (wide + 4, tall + 4), 0)
    cover.paste(255, (2, 2, wide + 2, tall + 2))
    padded = Image.new("RGB", cover.size, (230, 230, 226))
    padded.paste(small, (2, 2))
    cover = cover.rotate(turn, Image.Resampling.BICUBIC, expand=True)
    spot = (int(face.width * left), int(face.height * top))
    soft = cover.filter(ImageFilter.GaussianBlur(max(0.8, wide / 90)))
    face.paste(
        (40, 28, 16), (spot[0] + 1, spot[1] + max(1, wide // 90)), soft.point([level // 2 for level in range(256)])
    )
    face.paste(padded.rotate(turn, Image.Resampling.BICUBIC, expand=True, fillcolor=(230, 230, 226)), spot, cover)


def arrows(draw: ImageDraw.ImageDraw, left: float, top: float, size: float, ink: Colour) -> None:
    """The two arrows and the bar that say which way is up."""
    for shift in (0.0, 0.62):
        x = left + shift * size
        draw.polygon([(x, top + size * 0.42), (x + size * 0.22, top), (x + size * 0.44, top + size * 0.42)], fill=ink)
        draw.rectangle((x + size * 0.13, top + size * 0.4, x + size * 0.31, top + size * 0.9), fill=ink)
    draw.rectangle((left, top + size, left + size * 1.06, top + size * 1.08), fill=ink)


def printed(face: Image.Image, rng: Random, brand: str, goods: str, ink: Colour) -> Image.Image:
    """Flexo print on the board: brand, article, arrows; the board's blotches show through."""
    layer = Image.new("RGB", face.size, (255, 255, 255))
    draw = ImageDraw.Draw(layer)
    w, h = face.size
    size = min(h * 0.2, w * 1.15 / max(4, len(brand)))
    if size >= 6:
        draw.text((w * 0.06, h * 0.1), brand, ink, ImageFont.load_default(size), stroke_width=round(size / 40))
    if size >= 12:
        draw.text((w * 0.06, h * 0.1 + size * 1.25), goods, ink, ImageFont.load_default(size * 0.42))
        line = f"ITEM {rng.randrange(100000, 999999)}   QTY 1   {rng.randrange(8, 90)} KG"
        draw.text((w * 0.06, h * 0.88), line, ink, ImageFont.load_default(size * 0.26))
    arrows(draw, w * 0.8, h * 0.66, min(w, h) * 0.13, ink)
    fade = levels(clouds(rng, (max(8, w // 2), max(8, h // 2)), 20, 3), 0, 90).resize(face.size)
    return ImageChops.multiply(face, ImageChops.lighter(layer, Image.merge("RGB", (fade, fade, fade))))


def carton(
    seed: int, *, tagged: bool = True, white: bool = False, packed: bool = False
) -> Callable[[str, Size], Image.Image]:
    """The skin of one carton: every face in keeping with the others. `packed`: others stand close beside it."""

    def skin(name: str, size: Size) -> Image.Image:
        if max(size) > ENLARGED:
            return _face(seed % POOL, name, size, tagged, white, packed)
        shape = min(_SHAPES, key=lambda shape: abs(log(shape * size[1] / size[0])))
        full = (MASTER, round(MASTER / shape)) if shape >= 1 else (round(MASTER * shape), MASTER)
        return _master(seed % POOL, name, full, tagged, white, packed).resize(size, Image.Resampling.BILINEAR)

    return skin


@lru_cache(maxsize=400)
def _master(seed: int, name: str, size: Size, tagged: bool, white: bool, packed: bool) -> Image.Image:
    """A face at the size that suits cartons some way off; kept, for stacks show the same few designs."""
    return _face(seed, name, size, tagged, white, packed)


def _face(seed: int, name: str, size: Size, tagged: bool, white: bool, packed: bool) -> Image.Image:
    own = Random(seed)
    tone = WHITE_BOARD if white else own.choice(TONES)
    brand, goods = own.choice(BRANDS), own.choice(GOODS)
    ink = own.choice(((38, 34, 32), (38, 34, 32), (120, 30, 26), (24, 52, 92), (22, 70, 52)))
    label_face = own.choice(("front", "front", "top", "right"))
    place = (own.uniform(0.48, 0.62), own.uniform(0.14, 0.3))
    across = own.random() < 0.5
    rng = Random(f"{seed}:{name}")
    face = cardboard(rng, size, tone)
    if name == "top":
        tape(face, rng, upright=across, width=0.11)
    else:
        face = printed(face, rng, brand, goods, ink)
        if (name in ("front", "back")) == across:
            strip = face.crop((0, 0, size[0], max(4, size[1] // 5)))
            tape(strip, rng, upright=True, width=0.1)
            face.paste(strip, (0, 0))
    if tagged and name == label_face and size[0] > 40:
        stick(face, label(rng), place[0], place[1], 0.3 * min(1.0, size[1] / size[0] * 1.4), rng)
    face = worn(face, rng)
    return gap_shade(face, 0.05, 150) if packed else face


def gap_shade(face: Image.Image, edge: float = 0.04, darkest: int = 90) -> Image.Image:
    """The face darkened towards its rim, as when neighbours stand close."""
    w, h = face.size
    side = slope((max(2, int(w * edge)), h), darkest, 255, along_x=True)
    mask = Image.new("L", face.size, 255)
    mask.paste(side, (0, 0))
    mask.paste(side.transpose(Image.Transpose.FLIP_LEFT_RIGHT), (w - side.width, 0))
    return shade(face, mask)
