"""A pallet with its load: boards and blocks of wood, cartons in layers that do not quite line up, stretch film.

Invariant: `Load.box` encloses everything that throws a shadow; the parts are drawn from far to near.
"""

from functools import lru_cache
from random import Random
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from app.practice.photos.drawing.canvas import Canvas
from app.practice.photos.drawing.noise import Size, blurred, clouds, dye, levels, slope, streaks, threshold
from app.practice.photos.drawing.space import Box, Face, Vec, facing, length, sub
from app.practice.photos.scenes.carton import carton

WOOD = 0.145
LENGTH, BREADTH = 1.2, 1.0


class Load(NamedTuple):
    """A loaded pallet: the cuboid around it, its cartons with their seeds, and whether it is wrapped."""

    box: Box
    cartons: tuple[tuple[Box, int], ...]
    wrapped: bool
    seed: int


def load(rng: Random, spot: Vec, turned: float, *, wrapped: bool, leaning: bool = False) -> Load:
    """A pallet of equal cartons, with some missing from the top layer; `leaning`: stacked badly."""
    columns, rows = rng.choice(((2, 2), (3, 2), (2, 1), (3, 3)))
    high = rng.choice((0.28, 0.34, 0.42, 0.52))
    layers = max(2, min(5, int(rng.uniform(0.9, 1.65) / high)))
    enclosing = Box(spot, LENGTH, WOOD + layers * high, BREADTH, turned)
    family = rng.randrange(1 << 16)
    kept: list[tuple[Box, int]] = []
    drift = rng.choice((-1, 1)) * (0.075 if leaning else 0.006)
    for layer in range(layers):
        for column in range(columns):
            for row in range(rows):
                if layer == layers - 1 and rng.random() < (0.45 if leaning else 0.16):
                    continue
                x = (column + 0.5) / columns - 0.5 + layer * layer * drift * 0.5 + rng.uniform(-0.008, 0.008)
                z = (row + 0.5) / rows - 0.5 + rng.uniform(-0.01, 0.01)
                wobble = rng.uniform(-1.2, 1.2) + (layer * rng.uniform(-5, 5) if leaning else 0)
                size = (LENGTH * 0.985 / columns, high * rng.uniform(0.975, 0.995), BREADTH * 0.985 / rows)
                lean = layer * drift * 40 if leaning and rng.random() < 0.7 else 0.0
                base = _level(enclosing, x, WOOD + layer * high, z)
                kept.append((Box(base, *size, turned + wobble, lean), family + (rng.random() < 0.2)))
    return Load(enclosing, tuple(kept), wrapped, rng.randrange(1 << 30))


def draw_load(canvas: Canvas, one: Load) -> None:
    """Wood first, then the cartons from far to near, then the film."""
    rng = Random(one.seed)
    _wood(canvas, one, rng)
    eye = canvas.camera.eye
    ordered = sorted(one.cartons, key=lambda item: (round(item[0].base[1], 1), -length(sub(item[0].base, eye))))
    near = [item for item in ordered if _seen(one, item[0])]
    for box, seed in near:
        canvas.box(box, carton(seed, packed=True), floor=0.15)
    if one.wrapped:
        _film(canvas, one, rng)


def _seen(one: Load, box: Box) -> bool:
    """Whether the carton may stand free on some side: those deep inside the stack are not drawn."""
    top = one.box.height - 2.2 * box.height
    outer = (
        abs(_across(one.box, box)) + box.width * 0.75 > LENGTH / 2
        or abs(_deep(one.box, box)) + box.depth * 0.75 > BREADTH / 2
    )
    return outer or box.base[1] > top


def _across(outer: Box, box: Box) -> float:
    axis = sub(outer.place(0.5, 0, 0), outer.place(-0.5, 0, 0))
    way = sub(box.base, outer.base)
    return (way[0] * axis[0] + way[2] * axis[2]) / LENGTH


def _deep(outer: Box, box: Box) -> float:
    axis = sub(outer.place(0, 0, 0.5), outer.place(0, 0, -0.5))
    way = sub(box.base, outer.base)
    return (way[0] * axis[0] + way[2] * axis[2]) / BREADTH


def _level(outer: Box, x: float, height: float, z: float) -> Vec:
    point = outer.place(x, 0.0, z)
    return (point[0], outer.base[1] + height, point[2])


def _wood(canvas: Canvas, one: Load, rng: Random) -> None:
    def skin(_name: str, size: Size) -> Image.Image:
        along = size[0] >= size[1]
        grain = Image.blend(streaks(rng, size, 18, along_x=along), clouds(rng, size, 4, 3), 0.4)
        return dye(levels(grain, 20, 240), (92, 70, 48), (186, 154, 112))

    turned = one.box.turned
    eye = canvas.camera.eye
    if length(sub(one.box.base, eye)) > 3.4:
        canvas.box(one.box._replace(height=WOOD), lambda _name, size: _far_wood().resize(size), floor=0.5)
        return
    parts = [(x, 0.022, z, 0.13, 0.09, 0.13) for x in (-0.445, 0.0, 0.445) for z in (-0.435, 0.0, 0.435)]
    parts += [(0.0, 0.0, z, LENGTH, 0.022, 0.13) for z in (-0.435, 0.0, 0.435)]
    boxes = [Box(_level(one.box, x, y, z), w, h, d, turned) for x, y, z, w, h, d in parts]
    for box in sorted(boxes, key=lambda box: -length(sub(box.base, eye))):
        canvas.box(box, skin, floor=0.75)
    canvas.box(Box(_level(one.box, 0.0, 0.112, 0.0), LENGTH, WOOD - 0.112, BREADTH, turned), skin, floor=0.2)


def _film(canvas: Canvas, one: Load, rng: Random) -> None:
    """Stretch film over the visible sides: haze, slanting folds, hard glints along the corners."""
    for name in ("left", "right", "front", "back"):
        face = one.box.face(name)
        if not facing(canvas.camera, face):
            continue
        top = max((box.base[1] + box.height for box, _ in one.cartons), default=one.box.height)
        low = 0.06
        sheet = Face((face.corner[0], top - 0.02, face.corner[2]), face.along, (0.0, low - top, 0.0))
        size = canvas.seen_size(sheet, 600)
        folds = _folds(rng.randrange(6)).resize(size, Image.Resampling.BILINEAR)
        haze = dye(folds, (150, 156, 160), (235, 240, 244))
        canvas.lit(sheet, haze, mask=levels(folds, 18, 120))
        glint = threshold(ImageChops.multiply(folds, clouds(rng, size, 3, 3)), 148, 26)
        glint = glint.filter(ImageFilter.GaussianBlur(0.7)).point([int(level * 0.62) for level in range(256)])
        canvas.lit(sheet, Image.new("RGB", size, (255, 255, 255)), mask=glint)


@lru_cache(maxsize=1)
def _far_wood() -> Image.Image:
    """The side of a pallet seen from afar: boards above and below, blocks and darkness between."""
    rng = Random(5)
    side = dye(streaks(rng, (160, 40), 18), (112, 88, 60), (186, 154, 112))
    draw = ImageDraw.Draw(side)
    for left in (22, 92):
        draw.rectangle((left, 10, left + 46, 32), fill=(26, 22, 18))
    return side


@lru_cache(maxsize=6)
def _folds(variant: int) -> Image.Image:
    """Bands wound around the load: long streaks, a few degrees off level, denser at the overlaps."""
    rng, size, large = Random(variant), (560, 440), (740, 580)
    coarse = blurred(streaks(rng, (large[0] // 3, large[1] // 3), 60), 1.0).resize(large)
    mixed = Image.blend(streaks(rng, large, 90), coarse, 0.62).rotate(rng.uniform(-7, 7), Image.Resampling.BILINEAR)
    mixed = mixed.crop((90, 70, 90 + size[0], 70 + size[1]))
    mixed = ImageChops.multiply(mixed, levels(slope(size, 120, 255), 170, 255))
    return threshold(mixed, 118, 64)
