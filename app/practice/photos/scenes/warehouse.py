"""Scenes inside the warehouse: the dock with its doors and racks, and one pallet close up."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFont

from app.practice.photos.drawing.camera_finish import Look
from app.practice.photos.drawing.canvas import Canvas, Skin
from app.practice.photos.drawing.light import Lamp, Lighting
from app.practice.photos.drawing.noise import Colour, Size, blurred, clouds, dye, grey, levels, slope, streaks
from app.practice.photos.drawing.space import Box, Camera, Face, aim, mul
from app.practice.photos.drawing.surfaces import concrete, dock_door, painted_line, ribbed
from app.practice.photos.scenes.carton import carton
from app.practice.photos.scenes.pallet import Load, draw_load, load

DEEP, WIDE, HIGH = 13.0, 9.0, 6.2
WARM, COOL = (1.0, 0.93, 0.8), (0.86, 0.96, 1.0)


def dock(rng: Random, size: Size) -> tuple[Canvas, Look]:
    """The hall: concrete, racks on one side, dock doors at the far end, pallets waiting."""
    eye = (rng.uniform(-1.6, 1.6), rng.uniform(1.5, 1.75), 0.0)
    camera = aim(eye, (rng.uniform(-1.4, 1.4), 1.1, 8.0), size, 58.0, rng.uniform(-2.0, 2.0))
    loads = row(rng, close=rng.uniform(2.9, 3.6))
    canvas = hall(rng, camera, loads)
    for one in sorted(loads, key=lambda one: -one.box.base[2]):
        draw_load(canvas, one)
    return canvas, look(rng)


def pallet(rng: Random, size: Size, *, leaning: bool = False) -> tuple[Canvas, Look]:
    """One pallet of cartons from two steps away; the hall behind it is out of focus."""
    side = rng.choice((-1.0, 1.0))
    turned = side * rng.uniform(22, 42)
    hero = load(rng, (0.0, 0.0, 2.5), turned, wrapped=rng.random() < 0.7 and not leaning, leaning=leaning)
    middle = hero.box.height * 0.55
    away = -0.45 if size[1] > size[0] else -0.05
    eye = (rng.uniform(-0.3, 0.3), rng.uniform(1.35, 1.65), away)
    camera = aim(eye, (rng.uniform(-0.12, 0.12), middle, 2.5), size, 52.0, rng.uniform(-2.6, 2.6))
    canvas = backed(rng, camera, [hero.box], row(rng, close=6.2))
    draw_load(canvas, hero)
    return canvas, look(rng)


def backed(rng: Random, camera: Camera, boxes: list[Box], behind: list[Load], radius: float = 5.5) -> Canvas:
    """The hall out of focus, with room in front for `boxes`, whose shadows are there already."""
    small = camera._replace(focal=camera.focal / 2, width=camera.width // 2, height=camera.height // 2)
    canvas = hall(rng, small, behind, boxes)
    for one in sorted(behind, key=lambda one: -one.box.base[2]):
        canvas.box(one.box, _block(one.seed % 10, False, (3, 2 + one.seed % 3), 2), floor=0.4)
    size = (camera.width, camera.height)
    canvas.blur(radius)
    canvas.image = canvas.image.resize(size, Image.Resampling.BICUBIC)
    canvas.camera = camera
    _near_floor(canvas, boxes)
    return canvas


def look(rng: Random) -> Look:
    """How a camera in a warehouse sees: warm or cold lamps, little light."""
    if rng.random() < 0.5:
        return Look((1.05, 1.0, 0.88), 1.0, 0.025, 1.2, 0.4, 0.6, 5.6, 0.84)
    return Look((0.97, 1.02, 1.0), 1.0, 0.03, 1.2, 0.4, 0.6, 5.2, 0.8)


def row(rng: Random, close: float) -> list[Load]:
    """Pallets set down here and there, none in the way of another."""
    spots = [(-2.2, close), (2.1, close + 0.7), (-0.5, close + 2.6), (2.3, close + 3.2), (-2.6, close + 3.4)]
    kept = [spot for spot in spots if rng.random() < 0.8] or spots[:2]
    return [
        load(
            rng,
            (x + rng.uniform(-0.3, 0.3), 0.0, z + rng.uniform(-0.3, 0.3)),
            rng.uniform(-14, 14),
            wrapped=rng.random() < 0.6,
        )
        for x, z in kept
    ]


def hall(rng: Random, camera: Camera, loads: list[Load], more: Sequence[Box] = ()) -> Canvas:
    """The empty hall with the shadows of the loads and of `more` on its floor."""
    tint = WARM if rng.random() < 0.5 else COOL
    lamps = (
        Lamp((rng.uniform(-2, 2), HIGH - 0.3, 4.2), mul(tint, 0.62), 4.6, 1.1),
        Lamp((rng.uniform(-3, 3), 3.0, DEEP - 0.6), (0.7, 0.8, 0.95), 3.2, 1.0),
        Lamp((0.0, HIGH - 0.3, 10.0), mul(tint, 0.5), 4.6),
        Lamp((rng.uniform(-1, 1), 2.6, -1.0), mul(tint, 0.34), 3.4),
    )
    canvas = Canvas(camera, Lighting(lamps, mul(tint, 0.15), (0.07, 0.068, 0.06)), rng, (24, 24, 26))
    boxes = [*(one.box for one in loads), *more]
    _far_wall(canvas, rng)
    _ceiling(canvas, rng)
    for side in (-1, 1):
        _side_wall(canvas, rng, side)
    floor = Face((-WIDE / 2, 0.0, DEEP), (WIDE, 0.0, 0.0), (0.0, 0.0, -DEEP))
    canvas.plane(floor, _sheet("floor", rng.randrange(4)), boxes, reach=0.16, strength=0.9, samples=8)
    _gleam(canvas, rng)
    return canvas


@lru_cache(maxsize=24)
def _sheet(what: str, variant: int) -> Image.Image:
    """A texture of the hall itself; there are a few of each, made once in a process."""
    rng = Random(f"{what} {variant}")
    if what == "wall":
        return ribbed(rng, (700, 480), (196, 196, 190), 46, dirt=0.4)
    if what == "roof":
        return ribbed(rng, (400, 400), (120, 120, 118), 26, dirt=0.0, along_x=False)
    if what == "rack":
        return ribbed(rng, (600, 300), (104, 104, 102), 60, dirt=0.3)
    if what == "door":
        return dock_door(rng, (220, 280), variant)
    skin = concrete(rng, (1200, 1300))
    for x in (360, 828):
        painted_line(skin, rng, (x, 0, x + 15, 1300))
    return skin


def _far_wall(canvas: Canvas, rng: Random) -> None:
    wall = Face((-WIDE / 2, HIGH, DEEP), (WIDE, 0.0, 0.0), (0.0, -HIGH, 0.0))
    canvas.lit(wall, _sheet("wall", rng.randrange(2)))
    open_door = rng.randrange(3)
    for place in range(3):
        x = -3.0 + place * 3.0
        opening = Face((x - 1.2, 3.0, DEEP - 0.02), (2.4, 0.0, 0.0), (0.0, -3.0, 0.0))
        frame = Face((x - 1.35, 3.15, DEEP - 0.01), (2.7, 0.0, 0.0), (0.0, -3.15, 0.0))
        canvas.lit(frame, Image.new("RGB", (40, 40), (38, 38, 40)))
        if place == open_door:
            canvas.lay(opening, _daylight(rng))
        else:
            canvas.lit(opening, _sheet("door", 11 + place))
        sign = Face((x - 0.28, 3.75, DEEP - 0.03), (0.56, 0.0, 0.0), (0.0, -0.5, 0.0))
        plate = Image.new("RGB", (90, 80), (226, 184, 40))
        ImageDraw.Draw(plate).text((18, 10), str(11 + place), (20, 20, 20), ImageFont.load_default(52))
        canvas.lit(sign, plate)
        for post in (-1.5, 1.5):
            pole = Box((x + post, 0.0, DEEP - 0.4), 0.14, 1.1, 0.14)
            canvas.box(pole, _flat((206, 164, 32)))


def _daylight(rng: Random) -> Image.Image:
    """The view through an open dock door: a yard too bright for the camera, the outline of a trailer."""
    yard = dye(clouds(rng, (160, 200), 3, 3), (214, 228, 244), (255, 255, 255))
    draw = ImageDraw.Draw(yard)
    if rng.random() < 0.6:
        draw.rectangle((16, 26, 144, 200), fill=(150, 150, 148))
        draw.rectangle((26, 38, 134, 200), fill=(236, 240, 246))
        draw.polygon([(26, 200), (134, 200), (118, 160), (42, 160)], fill=(176, 160, 138))
    else:
        draw.rectangle((0, 150, 160, 200), fill=(186, 184, 180))
        draw.rectangle((0, 128, 160, 152), fill=(196, 204, 196))
    return blurred(yard, 2)


def _ceiling(canvas: Canvas, rng: Random) -> None:
    roof = Face((-WIDE / 2, HIGH, 0.0), (WIDE, 0.0, 0.0), (0.0, 0.0, DEEP))
    canvas.lit(roof, _sheet("roof", 0))
    for z in range(2, 13, 2):
        beam = Box((0.0, HIGH - 0.35, float(z)), WIDE, 0.3, 0.14)
        canvas.box(beam, _flat((112, 96, 84)))
    for z in range(3, 13, 2):
        for x in (-2.2, 2.2):
            tube = Face((x - 0.75, HIGH - 0.5, float(z)), (1.5, 0.0, 0.0), (0.0, 0.0, 0.22))
            canvas.lay(tube, Image.new("RGB", (16, 8), (255, 253, 244)))


def _side_wall(canvas: Canvas, rng: Random, side: int) -> None:
    """A rack of three levels: orange beams, blue uprights, cartons on every level."""
    x = side * WIDE / 2
    down, along = (0.0, -HIGH, 0.0), (0.0, 0.0, DEEP)
    corner = (x, HIGH, 0.0) if side < 0 else (x, HIGH, DEEP)
    canvas.lit(Face(corner, along if side < 0 else (0.0, 0.0, -DEEP), down), _sheet("rack", rng.randrange(2)))
    for z in [1.2 + 2.3 * step for step in range(5, -1, -1)]:
        for level in (0.0, 1.75, 3.4):
            if rng.random() < 0.9:
                _bay(canvas, rng, side, z, level)
        for depth in (0.35, 1.25):
            canvas.box(Box((x - side * depth, 0.0, z - 1.12), 0.09, 5.0, 0.09), _flat((40, 66, 118)), floor=0.2)
        for level in (1.6, 3.25):
            canvas.box(Box((x - side * 1.28, level, z), 0.07, 0.13, 2.2), _flat((208, 92, 28)), floor=0.0)


def _flat(colour: Colour) -> Skin:
    """Paint without any pattern."""
    return lambda _name, _size: Image.new("RGB", (8, 8), colour)


def _bay(canvas: Canvas, rng: Random, side: int, z: float, level: float) -> None:
    """The freight on one level of one bay: two stacks, each drawn as one cuboid with gaps painted on."""
    cells = [(0.52, 0.96), (-0.52, 0.96)] if rng.random() < 0.7 else [(0.0, 2.0)]
    for shift, deep in cells:
        box = Box((side * (WIDE / 2 - 0.8), level, z + shift), 0.95, rng.uniform(0.7, 1.4), deep)
        design, white, rows = rng.randrange(10), rng.random() < 0.15, rng.randrange(2, 5)
        canvas.box(box, _block(design, white, (2 if deep < 1 else 4, rows), 2), floor=0.0)


def _block(design: int, white: bool, grid: Size, deep: int) -> Skin:
    """The skin of a whole stack: `grid` cartons along the aisle and upwards, `deep` across."""

    def skin(name: str, size: Size) -> Image.Image:
        across = grid[0] if name in ("left", "right") else deep
        return _stacked(design, white, (across, grid[1])).resize(size, Image.Resampling.BILINEAR)

    return skin


@lru_cache(maxsize=160)
def _stacked(design: int, white: bool, grid: Size) -> Image.Image:
    """Cartons in rows and columns on a strip of pallet wood, as one picture."""
    one = carton(design, tagged=design % 2 == 0, white=white, packed=True)("front", (96, 70))
    sheet = Image.new("RGB", (96 * grid[0], 70 * grid[1] + 24), (30, 24, 18))
    rng = Random(design)
    for row in range(grid[1]):
        for column in range(grid[0]):
            k = rng.randrange(196, 256)
            sheet.paste(ImageChops.multiply(one, Image.new("RGB", one.size, (k, k, k))), (96 * column, 70 * row))
    wood = dye(streaks(rng, (sheet.width, 9), 12), (84, 66, 46), (150, 122, 88))
    sheet.paste(wood, (0, sheet.height - 24))
    sheet.paste(wood, (0, sheet.height - 9))
    return sheet


def _gleam(canvas: Canvas, rng: Random) -> None:
    """The doors and lamps mirrored, dully, in the polished floor."""
    streak = Image.new("RGB", (64, 64), 0)
    draw = ImageDraw.Draw(streak)
    for x in (14, 46):
        draw.line((x, 0, x, 64), fill=(60, 58, 52), width=7)
    draw.rectangle((24, 0, 40, 40), fill=(70, 80, 92))
    rough = levels(clouds(rng, (64, 64), 8, 3), 90, 255)
    rough = ImageChops.multiply(rough, slope((64, 64), 255, 0))
    streak = ImageChops.multiply(blurred(streak, 5), grey(rough))
    canvas.shine(Face((-WIDE / 2, 0.001, DEEP), (WIDE, 0.0, 0.0), (0.0, 0.0, -9.0)), streak)


def _near_floor(canvas: Canvas, boxes: list[Box]) -> None:
    """The floor around what the camera looks at, sharp and in its own detail; it fades into the rest."""
    size = (800, 800)
    mask = Image.new("L", (100, 100), 0)
    mask.paste(255, (14, 30, 86, 100))
    face = Face((-1.55, 0.0, 3.6), (3.1, 0.0, 0.0), (0.0, 0.0, -3.6))
    skin = concrete(canvas.rng, size, marks=canvas.rng.random() < 0.5)
    canvas.plane(face, skin, boxes, reach=0.1, strength=0.9, samples=6, mask=blurred(mask, 9))
