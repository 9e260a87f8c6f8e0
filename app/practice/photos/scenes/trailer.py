"""Scenes inside a trailer or a van: loading, a shifted load, a defect of the trailer, an appliance strapped in."""

from functools import lru_cache
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from app.practice.photos.drawing.camera_finish import Look
from app.practice.photos.drawing.canvas import Canvas
from app.practice.photos.drawing.light import Lamp, Lighting
from app.practice.photos.drawing.noise import (
    Colour,
    Size,
    blurred,
    clouds,
    dimmed,
    dye,
    levels,
    shade,
    streaks,
    threshold,
    wave,
)
from app.practice.photos.drawing.space import Box, Face, aim, length, sub
from app.practice.photos.drawing.surfaces import boards, ribbed
from app.practice.photos.scenes.carton import arrows, cardboard, carton, label, printed, stick, tape, worn

APPLIANCES = ("REFRIGERATOR 21 CU FT", "FRONT LOAD WASHER", "ELECTRIC RANGE 30", "DRYER 7.4 CU FT", "WARDROBE 3 DOOR")


def trailer(rng: Random, size: Size, *, shifted: bool = False, defect: bool = False) -> tuple[Canvas, Look]:
    """A trailer seen from its rear doors; `shifted`: part of the load has come down, `defect`: empty and torn."""
    eye = (rng.uniform(-0.35, 0.35), rng.uniform(1.35, 1.6), -0.4)
    camera = aim(eye, (rng.uniform(-0.2, 0.2), 1.0, 4.5), size, 58.0, rng.uniform(-2.5, 2.5))
    bright = rng.uniform(0.75, 0.95)
    lamps = (Lamp((rng.uniform(-0.5, 0.5), 1.9, -0.9), (bright, bright * 0.99, bright * 0.95), 3.4, 0.25),)
    canvas = Canvas(camera, Lighting(lamps, (0.055, 0.058, 0.065), (0.06, 0.055, 0.05)), rng, (12, 12, 14))
    boxes = [] if defect else _stacks(rng, shifted)
    _shell(canvas, rng, boxes, 2.5, 2.7, 8.0, rng.choice(((206, 208, 206), (186, 190, 192), (214, 206, 190))))
    if defect:
        _torn_wall(canvas, rng)
    # Far rows first and each from the floor up: a later box covers an earlier one.
    for box, seed in sorted(boxes, key=lambda item: (round(-item[0].base[2] / 0.55), item[0].base[1])):
        canvas.box(box, carton(seed, packed=not shifted), floor=0.45)
    return canvas, Look((1.0, 1.0, 0.98), 1.05, 0.02, 1.25, 0.45, 0.35, 6.4, 0.84)


def van(rng: Random, size: Size) -> tuple[Canvas, Look]:
    """A large appliance in its carton, strapped to the side of a delivery van, blankets beside it."""
    side = rng.choice((-1, 1))
    camera = aim((-side * rng.uniform(0.2, 0.45), rng.uniform(1.15, 1.4), -1.15), (side * 0.12, 0.82, 1.6), size, 54.0,
                 rng.uniform(-2.5, 2.5))  # fmt: skip
    lamps = (
        Lamp((-side * 0.8, 2.0, -1.6), (0.95, 0.99, 1.05), 2.9, 0.5),
        Lamp((0.0, 1.7, 1.2), (0.2, 0.19, 0.16), 1.0),
    )
    canvas = Canvas(camera, Lighting(lamps, (0.12, 0.125, 0.135), (0.1, 0.09, 0.08)), rng, (20, 20, 22))
    tall = rng.uniform(1.25, 1.62)
    hero = Box((side * 0.38, 0.0, 1.55), rng.uniform(0.74, 0.86), tall, 0.72, -side * rng.uniform(6, 20))
    small = Box((-side * 0.5, 0.0, 2.2), 0.55, rng.uniform(0.3, 0.6), 0.5, rng.uniform(-10, 10))
    rest = [small, Box((-side * 0.48, small.height, 2.2), 0.46, 0.3, 0.42, rng.uniform(-16, 16))]
    _shell(canvas, rng, [(hero, 0), (small, 0)], 1.9, 1.95, 3.0, (226, 228, 226))
    for box in rest:
        canvas.box(box, carton(rng.randrange(1 << 20)), floor=0.4)
    seed = rng.randrange(1 << 30)
    canvas.box(hero, lambda name, shape: appliance(seed, name, shape), others=rest[:1], floor=0.3)
    _straps(canvas, rng, hero)
    return canvas, Look((0.98, 1.0, 1.03), 1.0, 0.025, 1.2, 0.38, 0.4, 5.4)


def appliance(seed: int, name: str, size: Size) -> Image.Image:
    """The carton of something large: white or brown board, big print, arrows, a picture of the thing, a label."""
    own, rng = Random(seed), Random(f"{seed}:{name}")
    white = own.random() < 0.4
    brand, what = own.choice(("CORTEGA", "NORVIK", "Bluepine", "FJELL")), own.choice(APPLIANCES)
    ink = own.choice(((24, 52, 92), (30, 30, 32), (130, 28, 30)))
    face = cardboard(rng, size, ((200, 198, 192), (238, 237, 232))) if white else cardboard(rng, size)
    if name == "top":
        tape(face, rng, upright=True)
        return worn(face, rng, 0.008)
    face = printed(face, rng, brand, what, ink)
    draw = ImageDraw.Draw(face)
    w, h = size
    draw.rounded_rectangle((w * 0.3, h * 0.38, w * 0.62, h * 0.74), w * 0.02, outline=ink, width=max(1, w // 120))
    draw.line((w * 0.3, h * 0.5, w * 0.62, h * 0.5), fill=ink, width=max(1, w // 120))
    arrows(draw, w * 0.1, h * 0.6, w * 0.13, ink)
    if name in ("front", own.choice(("left", "right"))):
        stick(face, label(rng), 0.64, 0.2, 0.25, rng)
    return worn(face, rng, 0.008)


def _shell(
    canvas: Canvas, rng: Random, boxes: list[tuple[Box, int]], wide: float, high: float, deep: float, tone: Colour
) -> None:
    """The four sides and the far end of a load space that begins behind the camera."""
    near, long = -1.8, deep + 1.8
    solid = [box for box, _ in boxes]
    end = Face((-wide / 2, high, deep), (wide, 0, 0), (0, -high, 0))
    canvas.plane(end, _sheet("end", tone, 0), solid, strength=0.0, samples=3)
    canvas.lit(Face((-wide / 2, high, near), (wide, 0, 0), (0, 0, long)), _sheet("roof", tone, 0))
    for side in (-1, 1):
        corner, along = ((-wide / 2, high, near), long) if side < 0 else ((wide / 2, high, deep), -long)
        wall = _sheet("wall", tone, rng.randrange(3))
        canvas.plane(Face(corner, (0, 0, along), (0, -high, 0)), wall, solid, strength=0.0, samples=4)
    floor = Face((-wide / 2, 0, deep), (wide, 0, 0), (0, 0, -long))
    canvas.plane(floor, _sheet("floor", tone, rng.randrange(3)), solid, reach=0.09, strength=0.9, samples=5)


@lru_cache(maxsize=32)
def _sheet(what: str, tone: Colour, variant: int) -> Image.Image:
    """A texture of the load space; there are a few of each, made once in a process."""
    rng = Random(f"{what} {tone} {variant}")
    if what == "end":
        return ribbed(rng, (420, 420), tone, 14, dirt=0.5)
    if what == "roof":
        return ribbed(rng, (300, 600), tone, 16, dirt=0.0, along_x=False)
    if what == "floor":
        planks = boards(rng, (480, 1100), 11, (66, 54, 42), (138, 114, 86), along_x=False)
        return shade(planks, levels(clouds(rng, planks.size, 6, 4), 150, 255))
    wall = ribbed(rng, (1000, 420), tone, 34, dirt=0.6)
    wall.paste(boards(rng, (1000, 120), 1, (110, 88, 62), (170, 142, 106)), (0, 300))
    draw = ImageDraw.Draw(wall)
    draw.rectangle((0, 178, 1000, 190), fill=dimmed(tone, 0.72))
    for x in range(8, 1000, 20):  # a rail with holes for straps
        draw.rectangle((x, 181, x + 8, 186), fill=(38, 38, 38))
    draw.line((0, 300, 1000, 300), fill=(60, 52, 42), width=3)
    return wall


def _stacks(rng: Random, shifted: bool) -> list[tuple[Box, int]]:
    """Columns of cartons across the trailer, row behind row, ragged at the front."""
    boxes: list[tuple[Box, int]] = []
    first = rng.uniform(2.1, 2.9)
    for row in range(3):
        z, x = first + row * 0.75, -1.2
        while x < 0.85:
            wide = rng.uniform(0.42, 0.74)
            if x + wide > 1.22:
                break
            high, design = 0.0, rng.randrange(1 << 16)
            top = rng.uniform(0.7, 1.5) + row * 0.5 if row < 2 else 2.4
            while high < top - 0.15:
                tall = rng.uniform(0.26, 0.46)
                turn, off = (
                    (rng.uniform(-16, 16), rng.uniform(-0.12, 0.12))
                    if shifted and high > 0.3
                    else (rng.uniform(-1.5, 1.5), 0.0)
                )
                lean = rng.uniform(-13, 13) if shifted and high > 0.55 else 0.0
                boxes.append((Box((x + wide / 2, high, z + off), wide * 0.98, tall, 0.62, turn, lean), design))
                high += tall
            x += wide
    return [*boxes, *_fallen(rng, first)] if shifted else boxes


def _fallen(rng: Random, first: float) -> list[tuple[Box, int]]:
    """The cartons that lie in front of the first row, at `first`, turned and on their sides."""
    boxes = []
    for _ in range(rng.randrange(2, 5)):
        spot = (rng.uniform(-0.85, 0.85), 0.0, first - rng.uniform(0.6, 1.15))
        wide, tall = rng.uniform(0.4, 0.6), rng.uniform(0.26, 0.4)
        turn, lean = rng.uniform(-70, 70), rng.choice((0, 0, 28, 90))
        boxes.append((Box(spot, wide, tall, 0.4, turn, lean), rng.randrange(99)))
    return boxes


def _straps(canvas: Canvas, rng: Random, hero: Box) -> None:
    """Two woven straps around the carton, orange or blue, a little slack."""
    tone = rng.choice(((214, 96, 24), (30, 66, 140), (208, 170, 30)))
    for height in (0.42, 0.74):
        for name in ("front", "left", "right"):
            face = hero.face(name)
            if length(sub(face.centre, canvas.camera.eye)) > length(sub(hero.place(0, 0.5, 0), canvas.camera.eye)):
                continue
            start = hero.height * (1 - height) + rng.uniform(-0.01, 0.01)
            corner = (face.corner[0], face.corner[1] - start, face.corner[2])
            band = Face(
                corner, (face.along[0], face.along[1] + rng.uniform(-0.012, 0.012), face.along[2]), (0.0, -0.045, 0.0)
            )
            weave = shade(dye(streaks(rng, (300, 24), 30), dimmed(tone, 0.66), tone), wave((300, 24), 5, 190))
            shadow = Face((corner[0], corner[1] + 0.006, corner[2]), band.along, (0.0, -0.066, 0.0))
            canvas.lay(shadow, Image.new("RGB", (8, 8), (20, 16, 12)), mask=Image.new("L", (8, 8), 110))
            canvas.lit(band, weave)


def _torn_wall(canvas: Canvas, rng: Random) -> None:
    """Daylight through a gash in the side wall, and its glare on the floor."""
    side = rng.choice((-1, 1))
    z = rng.uniform(2.0, 3.0)
    size = (300, 220)
    field = Image.blend(clouds(rng, size, 5, 5, 0.7), blurred(_spot(size), 18), 0.62)
    hole = threshold(field, 150, 3)
    rim = ImageChops.subtract(threshold(field, 132, 10), hole)
    x = side * 1.235
    face = (
        Face((x, 1.6, z), (0, 0, 1.5), (0, -1.1, 0))
        if side < 0
        else Face((x, 1.6, z + 1.5), (0, 0, -1.5), (0, -1.1, 0))
    )
    canvas.lit(face, dye(clouds(rng, size, 20, 3), (60, 56, 50), (150, 146, 140)), mask=rim)
    canvas.lay(face, Image.new("RGB", size, (246, 250, 255)), mask=hole)
    beam = blurred(hole, 16).point([level * 2 // 5 for level in range(256)])
    canvas.shine(Face((-0.9, 0.004, z + 1.2), (1.8, 0, 0), (0, 0, -1.6)), Image.merge("RGB", (beam, beam, beam)))


def _spot(size: Size) -> Image.Image:
    spot = Image.new("L", size, 0)
    ImageDraw.Draw(spot).ellipse((size[0] * 0.28, size[1] * 0.3, size[0] * 0.72, size[1] * 0.7), fill=255)
    return spot.filter(ImageFilter.GaussianBlur(2))
