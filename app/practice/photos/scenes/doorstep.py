"""Scenes at the customer's house: cartons left before a door, or the door alone after an attempt."""

from random import Random

from PIL import Image, ImageChops

from app.practice.photos.drawing.camera_finish import Look
from app.practice.photos.drawing.canvas import Canvas
from app.practice.photos.drawing.light import Lighting, sun
from app.practice.photos.drawing.noise import Size, blurred, clouds, threshold
from app.practice.photos.drawing.space import Box, Face, aim, mul
from app.practice.photos.drawing.surfaces import boards, brick, coir, concrete, panelled, siding
from app.practice.photos.scenes.carton import carton

DOORS = ((122, 40, 36), (44, 72, 92), (58, 84, 66), (236, 232, 222), (96, 66, 44), (52, 54, 60))
WALLS = ((214, 208, 194), (168, 182, 186), (196, 178, 150), (230, 228, 222), (150, 160, 144))


def doorstep(rng: Random, size: Size, cartons: int) -> tuple[Canvas, Look]:
    """A front door in the sun or in shade with `cartons` cartons on the mat (0: nobody was at home)."""
    sunny = rng.random() < 0.7
    side = rng.choice((-1.0, 1.0))
    tall = size[1] > size[0]
    boxes = _stack(rng, cartons)
    target = (rng.uniform(-0.1, 0.15), 0.45 if cartons else 0.85, 0.6)
    eye = (side * rng.uniform(0.25, 0.7), rng.uniform(1.4, 1.6), -1.7 if tall else -1.3)
    camera = aim(eye, target, size, 50.0, rng.uniform(-2.2, 2.2))
    canvas = Canvas(camera, _light(rng, sunny, side), rng, (70, 70, 70))
    _wall(canvas, rng)
    _ground(canvas, rng, boxes)
    for box in sorted(boxes, key=lambda box: -box.base[2] + box.base[1]):
        canvas.box(
            box, carton(rng.randrange(1 << 30)), others=[other for other in boxes if other is not box], floor=0.3
        )
    look = (
        Look((1.03, 1.0, 0.95), 1.05, 0.02, 1.12, 0.3, 0.5, 4.6)
        if sunny
        else Look((0.97, 1.0, 1.05), 0.95, 0.03, 1.1, 0.35, 0.3, 5.4)
    )
    return canvas, look


def _stack(rng: Random, cartons: int) -> list[Box]:
    boxes: list[Box] = []
    if cartons:
        width, depth, height = rng.uniform(0.5, 0.72), rng.uniform(0.4, 0.5), rng.uniform(0.28, 0.46)
        boxes.append(
            Box((rng.uniform(-0.25, 0.2), 0.0, rng.uniform(0.35, 0.5)), width, height, depth, rng.uniform(-24, 24))
        )
    if cartons > 1:
        base = boxes[0]
        top = (base.base[0] + rng.uniform(-0.05, 0.05), base.height, base.base[2] + rng.uniform(-0.03, 0.03))
        boxes.append(
            Box(top, base.width * 0.72, rng.uniform(0.18, 0.3), base.depth * 0.8, base.turned + rng.uniform(-16, 16))
        )
    if cartons > 2:
        boxes.append(
            Box((rng.choice((-0.78, 0.78)), 0.0, 0.62), 0.36, rng.uniform(0.5, 0.8), 0.34, rng.uniform(-12, 12))
        )
    return boxes


def _light(rng: Random, sunny: bool, side: float) -> Lighting:
    if not sunny:
        lamp = sun((side * 0.5, 1.6, -1.2), mul((0.86, 0.95, 1.1), 0.32), 0.35)
        return Lighting((lamp,), (0.46, 0.5, 0.58), (0.2, 0.2, 0.2))
    lamp = sun((side * rng.uniform(0.7, 1.5), rng.uniform(1.2, 1.8), -1.5), (1.16, 1.02, 0.82), 0.02)
    return Lighting((lamp,), (0.17, 0.21, 0.29), (0.14, 0.12, 0.1), _leaves(rng) if rng.random() < 0.75 else None)


def _leaves(rng: Random) -> Image.Image:
    """The moving shade of a tree, one channel: 255 where leaves hide the sun."""
    size = (420, 420)
    big = threshold(clouds(rng, size, 3, 2), rng.randrange(105, 150), 22)
    small = threshold(clouds(rng, size, 15, 3, 0.7), 118, 26)
    return blurred(ImageChops.multiply(big, small), 2.2)


def _wall(canvas: Canvas, rng: Random) -> None:
    """The front of the house at z = 1 with a framed door."""
    face = Face((-3.0, 3.0, 1.0), (6.0, 0.0, 0.0), (0.0, -3.0, 0.0))
    size = (1300, 650)
    skin = brick(rng, size, 34) if rng.random() < 0.4 else siding(rng, size, rng.choice(WALLS), 20)
    canvas.plane(face, skin, strength=0.0, samples=6)
    door = Face((-0.46, 2.08, 0.985), (0.92, 0.0, 0.0), (0.0, -2.02, 0.0))
    frame = rng.choice(((238, 236, 230), (226, 220, 206), (70, 66, 62)))
    for bar in (
        Box((-0.53, 0.0, 0.97), 0.13, 2.2, 0.12),
        Box((0.53, 0.0, 0.97), 0.13, 2.2, 0.12),
        Box((0.0, 2.08, 0.97), 0.95, 0.12, 0.12),
        Box((0.0, 0.0, 0.9), 1.1, 0.06, 0.2),
    ):
        if bar.height < 0.1:
            canvas.plane(door, panelled(rng, (420, 900), rng.choice(DOORS)), cells=4, strength=0.0, samples=6)
        canvas.box(bar, lambda _name, size: siding(rng, size, frame, 1), floor=0.3)


def _ground(canvas: Canvas, rng: Random, boxes: list[Box]) -> None:
    face = Face((-2.6, 0.0, 1.0), (5.2, 0.0, 0.0), (0.0, 0.0, -3.4))
    if rng.random() < 0.55:
        skin = concrete(rng, (1100, 720), marks=False, tone=(255, 248, 236))
    else:
        skin = boards(rng, (1100, 720), 22, (96, 76, 58), (158, 132, 104))
    canvas.plane(face, skin, boxes, reach=0.07, strength=0.85, samples=12)
    if rng.random() < 0.8:
        mat = Face((-0.42, 0.012, 0.82), (0.84, 0.0, 0.0), (0.0, 0.0, -0.5))
        canvas.plane(mat, coir(rng, (520, 310)), boxes, reach=0.05, strength=0.85, samples=12)
