"""Ground and walls: concrete, brick, boards, siding, sheet metal, doors. Each takes a size in pixels.

Large sheets of the ones every warehouse photo needs are made once in a process and cut from after that.
"""

from functools import lru_cache
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
    white,
)

SHEET = 1300


@lru_cache(maxsize=4)
def _concrete_sheet(variant: int) -> Image.Image:
    rng = Random(variant + 401)
    size = (SHEET, SHEET)
    mix = Image.blend(clouds(rng, size, 4, 7, 0.68), white(rng, size), 0.14)
    sheet = dye(levels(mix, 0, 255), (110, 113, 106), (176, 172, 163))
    for _ in range(5):  # oil and water, long dried
        spot = threshold(
            ImageChops.multiply(clouds(rng, size, 5, 4), clouds(rng, size, 2, 2)), rng.randrange(120, 150), 30
        )
        lay(sheet, rng.choice(((96, 93, 88), (88, 84, 78), (150, 147, 140))), levels(spot, 0, 80))
    pits = threshold(white(rng, size), 252, 1).filter(ImageFilter.GaussianBlur(0.8))
    lay(sheet, (84, 81, 76), levels(pits, 0, 150))
    return sheet


def concrete(rng: Random, size: Size, *, marks: bool = True, tone: Colour = (255, 255, 255)) -> Image.Image:
    """A worn industrial floor; with `marks`, the black arcs lift trucks leave."""
    sheet = _concrete_sheet(rng.randrange(3))
    if rng.random() < 0.5:
        sheet = sheet.transpose(Image.Transpose.ROTATE_90)
    floor = sheet.resize(size, Image.Resampling.BICUBIC, box=(0, 0, min(SHEET, size[0]), min(SHEET, size[1])))
    if marks:
        lines = Image.new("L", (size[0] // 2, size[1] // 2), 0)
        draw = ImageDraw.Draw(lines)
        for _ in range(9):
            x, y, r = (
                rng.uniform(-0.3, 1) * size[0] / 2,
                rng.uniform(-0.3, 1) * size[1] / 2,
                rng.uniform(0.1, 0.6) * size[0] / 2,
            )
            start = rng.uniform(0, 360)
            for twin in (0, size[0] * 0.035):
                draw.arc((x - twin, y - twin, x + r + twin, y + r + twin), start, start + rng.uniform(20, 90),
                         fill=rng.randrange(60, 150), width=max(2, size[0] // 170))  # fmt: skip
        lines = ImageChops.multiply(blurred(lines, 1.6), levels(clouds(rng, lines.size, 24, 3), 20, 255))
        lay(floor, (52, 50, 48), lines.resize(size, Image.Resampling.BILINEAR))
    return ImageChops.multiply(floor, Image.new("RGB", size, tone)) if tone != (255, 255, 255) else floor


def painted_line(
    floor: Image.Image, rng: Random, box: tuple[int, int, int, int], colour: Colour = (214, 172, 38)
) -> None:
    """A band of floor paint, worn through in patches, in place."""
    size = (max(2, box[2] - box[0]), max(2, box[3] - box[1]))
    wear = threshold(clouds(rng, size, 26 * max(size) / floor.width, 4, 0.7), 78, 46)
    floor.paste(colour, box, levels(wear, 30, 225))


def brick(rng: Random, size: Size, rows: int = 22) -> Image.Image:
    """Running bond with mortar, each brick of its own tone."""
    w, h = size
    wall = dye(clouds(rng, size, 30, 3), (150, 143, 132), (186, 180, 168))
    bond = Image.new("RGB", size)
    mask = Image.new("L", size, 0)
    paint, cut = ImageDraw.Draw(bond), ImageDraw.Draw(mask)
    tall = h / rows
    wide = tall * 3.1
    for row in range(rows):
        x = -wide * (0.5 if row % 2 else 0.0)
        while x < w:
            k = rng.uniform(0.78, 1.12)
            tone = (int(146 * k), int(78 * k + rng.uniform(-6, 8)), int(60 * k))
            area = (x + tall * 0.08, row * tall + tall * 0.08, x + wide - tall * 0.08, (row + 1) * tall - tall * 0.08)
            paint.rectangle(area, fill=tone)
            cut.rounded_rectangle(area, tall * 0.08, fill=255)
            x += wide
    bond = shade(bond, levels(Image.blend(clouds(rng, size, 40, 4, 0.8), white(rng, size), 0.3), 150, 255))
    edge = ImageChops.offset(mask, 0, max(1, int(tall * 0.1)))
    wall = shade(wall, levels(ImageChops.subtract(edge, mask), 255, 120))
    wall.paste(bond, (0, 0), mask.filter(ImageFilter.GaussianBlur(tall * 0.03)))
    return wall


def siding(rng: Random, size: Size, tone: Colour, boards: int = 14) -> Image.Image:
    """Lapped horizontal boards: each has a shadow under its lower edge."""
    tall = size[1] / boards
    one = slope((4, max(4, int(tall))), 236, 255)
    shadow = max(1, int(tall * 0.1))
    one.paste(120, (0, 0, 4, shadow))
    ridge = Image.new("L", (4, size[1]), 255)
    for row in range(boards + 1):
        ridge.paste(one, (0, int(row * tall)))
    ridge = ridge.filter(ImageFilter.GaussianBlur(max(0.5, tall * 0.03))).resize(size)
    face = dye(Image.blend(clouds(rng, size, 5, 4), streaks(rng, size, 40), 0.35), dimmed(tone, 0.89), tone)
    return shade(face, ridge)


def boards(rng: Random, size: Size, count: int, dark: Colour, light: Colour, *, along_x: bool = True) -> Image.Image:
    """Planks with grain and gaps; they run along x or down the sheet."""
    if not along_x:
        return boards(rng, (size[1], size[0]), count, dark, light).transpose(Image.Transpose.ROTATE_90)
    grain = Image.blend(streaks(rng, size, 40), clouds(rng, size, 6, 4), 0.45)
    sheet = dye(levels(grain, 20, 245), dark, light)
    draw = ImageDraw.Draw(sheet)
    tall = size[1] / count
    for row in range(count):
        top, bottom = int(row * tall), int((row + 1) * tall)
        k = rng.randrange(205, 256)
        area = (0, top, size[0], bottom)
        sheet.paste(ImageChops.multiply(sheet.crop(area), Image.new("RGB", (size[0], bottom - top), (k, k, k))), area)
        draw.line((0, top, size[0], top), fill=(34, 26, 20), width=max(1, int(tall * 0.05)))
        for x in (0.02, 0.5, 0.98):
            spot = (size[0] * x, top + tall * 0.3)
            draw.ellipse((spot[0] - 1, spot[1] - 1, spot[0] + 1.5, spot[1] + 1.5), fill=(50, 44, 40))
    return sheet


def ribbed(rng: Random, size: Size, tone: Colour, ribs: int, *, dirt: float = 0.5, along_x: bool = True) -> Image.Image:
    """Sheet metal with ribs, scratches at shoulder height and dirt that rises from below."""
    face = dye(
        Image.blend(clouds(rng, size, 3, 5), streaks(rng, size, 60, along_x=False), 0.3), dimmed(tone, 0.82), tone
    )
    face = shade(face, blurred(wave(size, (size[0] if along_x else size[1]) / ribs, 150, along_x=along_x), 1.2))
    scratch = Image.new("L", size, 0)
    draw = ImageDraw.Draw(scratch)
    for _ in range(60):
        x, y = rng.uniform(0, size[0]), size[1] * rng.betavariate(3, 2)
        draw.line((x, y, x + rng.uniform(-0.2, 0.2) * size[0], y + rng.uniform(-4, 4)), fill=rng.randrange(40, 150))
    lay(face, (96, 92, 86), scratch.filter(ImageFilter.GaussianBlur(0.7)))
    grime = ImageChops.multiply(slope(size, 0, int(255 * dirt)), clouds(rng, size, 6, 4))
    lay(face, (84, 72, 58), grime)
    return face


def panelled(rng: Random, size: Size, tone: Colour, rows: int = 3) -> Image.Image:
    """A house door with sunk panels, a handle and a lock."""
    door = dye(
        Image.blend(clouds(rng, size, 3, 4), streaks(rng, size, 50, along_x=False), 0.5), dimmed(tone, 0.86), tone
    )
    draw = ImageDraw.Draw(door)
    w, h = size
    dark, bright = dimmed(tone, 0.5), dimmed(tone, 1.35)
    thick = max(2, w // 60)
    for row in range(rows):
        for column in range(2):
            left, top = w * (0.13 + column * 0.41), h * (0.06 + row * 0.9 / rows)
            right, bottom = left + w * 0.33, top + h * 0.74 / rows
            draw.line((left, bottom, left, top, right, top), fill=dark, width=thick)
            draw.line((right, top, right, bottom, left, bottom), fill=bright, width=thick)
            inset = w * 0.05
            draw.line(
                (left + inset, bottom - inset, left + inset, top + inset, right - inset, top + inset),
                fill=bright,
                width=thick,
            )
            draw.line(
                (right - inset, top + inset, right - inset, bottom - inset, left + inset, bottom - inset),
                fill=dark,
                width=thick,
            )
    door = door.filter(ImageFilter.GaussianBlur(w / 500))
    draw = ImageDraw.Draw(door)
    for y, r in ((0.53, 0.041 * w), (0.465, 0.031 * w)):
        spot = (w * 0.93, h * y)
        draw.ellipse((spot[0] - r * 0.7, spot[1] - r * 0.4, spot[0] + r * 1.2, spot[1] + r * 1.5), fill=dark)
        draw.ellipse((spot[0] - r, spot[1] - r, spot[0] + r, spot[1] + r), fill=(168, 150, 112))
        draw.ellipse((spot[0] - r * 0.6, spot[1] - r * 0.7, spot[0] + r * 0.1, spot[1]), fill=(244, 232, 204))
    return door


def dock_door(rng: Random, size: Size, number: int) -> Image.Image:
    """A closed sectional dock door with two small windows and its number."""
    door = dye(
        levels(Image.blend(clouds(rng, size, 3, 4), streaks(rng, size, 30, along_x=False), 0.3), 60, 255),
        (150, 152, 150),
        (208, 210, 206),
    )
    door = shade(door, blurred(wave(size, size[1] / 20, 214, along_x=False), 0.8))
    draw = ImageDraw.Draw(door)
    w, h = size
    for row in range(1, 5):
        draw.line((0, h * row / 5, w, h * row / 5), fill=(82, 84, 84), width=max(1, h // 130))
    for x in (0.2, 0.62):
        draw.rectangle(
            (w * x, h * 0.25, w * (x + 0.18), h * 0.35),
            fill=(232, 244, 255),
            outline=(40, 40, 40),
            width=max(1, w // 80),
        )
    draw.rectangle((w * 0.42, h * 0.62, w * 0.6, h * 0.66), fill=(50, 50, 50))
    if number:
        draw.text((w * 0.4, h * 0.04), str(number), (40, 42, 46), ImageFont.load_default(max(8, h * 0.12)))
    grime = ImageChops.multiply(slope(size, 0, 200), clouds(rng, size, 5, 4))
    lay(door, (70, 62, 52), grime)
    return door


def coir(rng: Random, size: Size) -> Image.Image:
    """A doormat of coconut fibre with a darker rim."""
    mat = dye(Image.blend(white(rng, size), clouds(rng, size, 20, 3), 0.45), (66, 48, 30), (156, 122, 80))
    draw = ImageDraw.Draw(mat)
    edge = max(2, size[1] // 16)
    draw.rectangle((edge * 2, edge * 2, size[0] - edge * 2, size[1] - edge * 2), outline=(48, 38, 28), width=edge)
    font = ImageFont.load_default(size[1] * 0.34)
    wide = draw.textlength("HOME", font=font)
    draw.text(((size[0] - wide) / 2, size[1] * 0.3), "HOME", (44, 34, 24), font)
    return mat.filter(ImageFilter.GaussianBlur(0.6))
