"""Damage close up: a crushed corner, torn board, a water stain.

A crushed carton is a mesh whose points are pushed in around one corner; every small triangle gets its own light,
which is what makes creases read as creases.
"""

from collections.abc import Callable
from math import dist
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from app.practice.photos.drawing.camera_finish import Look
from app.practice.photos.drawing.canvas import Canvas
from app.practice.photos.drawing.light import Lamp, gather
from app.practice.photos.drawing.noise import (
    Size,
    blurred,
    clouds,
    dye,
    lay,
    levels,
    shade,
    slope,
    streaks,
    threshold,
    wave,
)
from app.practice.photos.drawing.space import Box, Face, Vec, add, aim, cross, dot, facing, mul, sub, unit
from app.practice.photos.scenes.carton import carton
from app.practice.photos.scenes.warehouse import backed, row
from app.practice.photos.scenes.warehouse import look as hall_look

CELLS = 14
Bend = Callable[[Vec], Vec]


def damage(rng: Random, size: Size, what: str) -> tuple[Canvas, Look]:
    """One carton from an arm's length; `what` is crushed, torn or stained."""
    side = rng.choice((-1.0, 1.0))
    wide, tall, deep = rng.uniform(0.52, 0.72), rng.uniform(0.4, 0.52), rng.uniform(0.4, 0.5)
    hero = Box((0.0, 0.0, 1.5), wide, tall, deep, side * rng.uniform(20, 40))
    neighbour = Box((-side * 0.78, 0.0, 2.05), 0.6, rng.uniform(0.36, 0.6), 0.5, rng.uniform(-20, 20))
    camera = aim((side * rng.uniform(0.05, 0.3), rng.uniform(0.95, 1.15), 0.5 if size[0] > size[1] else 0.3),
                 (rng.uniform(-0.05, 0.05), tall * 0.52, 1.42), size, 48.0, rng.uniform(-4, 4))  # fmt: skip
    behind = row(rng, close=4.6)
    canvas = backed(rng, camera, [hero, neighbour], behind, 5.0)
    flash = Lamp(add(camera.eye, (0.08, 0.12, 0.0)), (0.34, 0.34, 0.35), 1.2)
    canvas.lighting = canvas.lighting._replace(lamps=(*canvas.lighting.lamps, flash))
    canvas.box(neighbour, carton(rng.randrange(1 << 20)), floor=0.4)
    canvas.blur(1.4)
    seed = rng.randrange(1 << 30)
    if what == "crushed":
        _crushed(canvas, hero, carton(seed), rng, side)
    else:
        mark = _torn if what == "torn" else _stained
        best = max(("front", "left", "right"), key=lambda name: _turned_to(canvas, hero.face(name)))
        _marked(canvas, hero, carton(seed), best, mark, neighbour, rng)
    return canvas, hall_look(rng)


def _turned_to(canvas: Canvas, face: Face) -> float:
    return dot(face.normal, unit(sub(canvas.camera.eye, face.centre)))


def _marked(
    canvas: Canvas,
    hero: Box,
    skin: Callable[[str, Size], Image.Image],
    where: str,
    mark: Callable[[Image.Image, Random], Image.Image],
    neighbour: Box,
    rng: Random,
) -> None:
    seed = rng.random()

    def marked(name: str, size: Size) -> Image.Image:
        face = skin(name, size)
        if name == where or (mark is _stained and name != "top"):
            face = mark(face, Random(f"{seed}:{name}"))
        return face

    canvas.box(hero, marked, others=[neighbour], floor=0.35)


def _torn(face: Image.Image, rng: Random) -> Image.Image:
    """A gash: raw paper around it, the flutes of the board, foam and darkness inside, a flap that hangs out."""
    size = face.size
    w, h = size
    spot = (rng.uniform(0.35, 0.6) * w, rng.uniform(0.4, 0.62) * h)
    reach = (w * rng.uniform(0.2, 0.3), h * rng.uniform(0.16, 0.26))
    core = Image.new("L", size, 0)
    turn = rng.uniform(-30, 30)
    ImageDraw.Draw(core).ellipse(
        (spot[0] - reach[0], spot[1] - reach[1], spot[0] + reach[0], spot[1] + reach[1]), fill=255
    )
    core = core.rotate(turn, center=spot)
    field = Image.blend(blurred(core, min(w, h) / 16), clouds(rng, size, 5, 5, 0.5), 0.42)
    hole, raw, peeled = threshold(field, 156, 3), threshold(field, 140, 3), threshold(field, 122, 3)
    paper = dye(Image.blend(streaks(rng, size, 12), clouds(rng, size, 30, 3), 0.5), (186, 160, 124), (228, 210, 182))
    flutes = shade(paper, wave(size, max(4.0, w / 110), 110).rotate(0))
    shadow = blurred(peeled, min(w, h) / 70)
    face = shade(face, levels(ImageChops.offset(shadow, 0, max(1, h // 120)), 255, 150))
    face.paste(paper, (0, 0), peeled)
    face.paste(flutes, (0, 0), raw)
    inside = dye(ImageChops.multiply(clouds(rng, size, 14, 4), slope(size, 60, 255)), (34, 30, 26), (196, 194, 190))
    edge = blurred(hole, min(w, h) / 26)
    inside = shade(inside, levels(ImageChops.offset(edge, w // 60, h // 22), 40, 255))
    face.paste(inside, (0, 0), hole)
    return _flap(face, rng, spot, reach)


def _flap(face: Image.Image, rng: Random, spot: tuple[float, float], reach: tuple[float, float]) -> Image.Image:
    """The piece that was torn out hangs down by its lower edge, its pale inside turned outwards."""
    x, y = spot[0] - reach[0] * rng.uniform(0.2, 0.6), spot[1] + reach[1] * 0.5
    wide, tall = reach[0] * rng.uniform(0.7, 1.1), reach[1] * rng.uniform(0.9, 1.5)
    steps = 16
    rim = [
        (x + wide * (1 - i / steps), y + tall * (1 - abs(2 * i / steps - 1) ** 2.2) * rng.uniform(0.8, 1.05))
        for i in range(steps + 1)
    ]
    shape = Image.new("L", face.size, 0)
    ImageDraw.Draw(shape).polygon([(x, y), (x + wide, y), *rim], fill=255)
    shape = shape.filter(ImageFilter.GaussianBlur(1.2))
    dark = blurred(shape, max(2, face.width / 90))
    face = shade(face, levels(ImageChops.offset(dark, face.width // 90, face.width // 60), 255, 110))
    paper = dye(
        Image.blend(clouds(rng, face.size, 12, 4), wave(face.size, max(4.0, face.width / 110)), 0.25),
        (158, 130, 94),
        (214, 188, 150),
    )
    face.paste(shade(paper, slope(face.size, 255, 190)), (0, 0), shape)
    return face


def _stained(face: Image.Image, rng: Random) -> Image.Image:
    """Water that came from below: dark board, a darker tide line, another fainter one, swollen ripples."""
    size = face.size
    rise = rng.uniform(0.42, 0.62)
    height = Image.blend(slope(size, 0, 255), clouds(rng, size, 3.2, 4, 0.5), 0.36)
    at = int(255 * (1 - rise) * 0.64 + 255 * 0.18)
    wet, older = threshold(height, at, 4), threshold(height, max(10, at - 34), 5)
    face = shade(face, levels(older, 255, 214))
    ripple = levels(blurred(clouds(rng, size, 16, 2), 1.5), 178, 255)
    damp = shade(dye(face.convert("L"), (40, 26, 14), (146, 112, 76)), ripple)
    mixed = Image.blend(face, damp, 0.72)
    face = Image.composite(mixed, face, wet)
    for mask, strength in ((wet, 150), (older, 70)):
        ring = ImageChops.subtract(blurred(mask, 3.2), mask.filter(ImageFilter.MinFilter(5)))
        lay(face, (62, 40, 20), ring.point([min(255, level * strength // 90) for level in range(256)]))
    return face


def _crushed(canvas: Canvas, hero: Box, skin: Callable[[str, Size], Image.Image], rng: Random, side: float) -> None:
    """The upper corner nearest to the camera is stove in."""
    corner = min(((x, 1.0, -0.5) for x in (-0.5, 0.5)), key=lambda c: dist(hero.place(*c), canvas.camera.eye))
    bend = _dent(rng, corner)
    for name in ("left", "right", "top", "front"):
        face = hero.face(name)
        if facing(canvas.camera, face):
            _mesh(canvas, hero, name, skin(name, canvas.seen_size(face)), bend)


def _dent(rng: Random, corner: Vec) -> Bend:
    """Moves a point of the box (in its own units) away from the corner's hollow, with crumples."""
    reach, depth = rng.uniform(0.7, 0.95), rng.uniform(0.3, 0.44)
    folds = [
        (unit((rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1))), rng.uniform(2.5, 10), rng.uniform(0, 6))
        for _ in range(5)
    ]
    inward = unit((-corner[0] * 1.2, -1.0, -corner[2] * 1.2))

    def bend(point: Vec) -> Vec:
        near = max(0.0, 1 - dist(point, corner) / reach)
        if near == 0:
            return point
        crumple = sum(abs(((dot(point, way) * rate + phase) % 2) - 1) - 0.5 for way, rate, phase in folds) / len(folds)
        push = depth * near**1.5 + crumple * 0.3 * min(1.0, near * 2.5) * (0.3 + near)
        return add(point, mul(inward, push))

    return bend


def _mesh(canvas: Canvas, box: Box, name: str, texture: Image.Image, bend: Bend) -> None:
    """A face of the box in small triangles, lit by the direction each point of it now has."""
    flat = box.face(name)
    spots = [
        [_bent(box, name, column / CELLS, line / CELLS, bend) for column in range(CELLS + 1)]
        for line in range(CELLS + 1)
    ]
    lit = ImageChops.multiply(texture, _relit(canvas, spots, texture.size))
    w, h = texture.width / CELLS, texture.height / CELLS
    pieces = [(line, column) for line in range(CELLS) for column in range(CELLS)]
    for line, column in sorted(pieces, key=lambda at: -dist(spots[at[0]][at[1]], canvas.camera.eye)):
        left, top = int(column * w), int(line * h)
        piece = lit.crop((left, top, max(left + 2, round((column + 1) * w)), max(top + 2, round((line + 1) * h))))
        a, b = spots[line][column], spots[line][column + 1]
        c, d = spots[line + 1][column], spots[line + 1][column + 1]
        if _still(box, name, column, line, (a, b, c, d)):
            canvas.lay(Face(a, sub(b, a), sub(c, a)), piece)
            continue
        turned = piece.transpose(Image.Transpose.ROTATE_180)
        for face, part in ((Face(a, sub(b, a), sub(c, a)), piece), (Face(d, sub(c, d), sub(b, d)), turned)):
            if dot(cross(face.along, face.down), flat.normal) > 0 or facing(canvas.camera, face):
                canvas.lay(face, part, half=True)


def _relit(canvas: Canvas, spots: list[list[Vec]], size: Size) -> Image.Image:
    """The light over a bent face, gamma-coded, one reading at each point of its grid."""
    values = bytearray()
    for line in range(CELLS + 1):
        for column in range(CELLS + 1):
            along = sub(spots[line][min(CELLS, column + 1)], spots[line][max(0, column - 1)])
            down = sub(spots[min(CELLS, line + 1)][column], spots[max(0, line - 1)][column])
            normal = unit(cross(along, down))
            point = spots[line][column]
            near = 1 - 0.35 * max(0.0, 1 - point[1] / 0.25) ** 2
            light = gather(canvas.lighting, point, normal, first_lamp=True)
            values.extend(min(255, int(255 * (part * near) ** 0.4545)) for part in light)
    grid = Image.frombytes("RGB", (CELLS + 1, CELLS + 1), bytes(values))
    return grid.resize(size, Image.Resampling.BILINEAR)


def _still(box: Box, name: str, column: int, line: int, corners: tuple[Vec, Vec, Vec, Vec]) -> bool:
    """Whether none of a cell's corners has moved."""
    places = ((column, line), (column + 1, line), (column, line + 1), (column + 1, line + 1))
    flat = [_bent(box, name, x / CELLS, y / CELLS, lambda point: point) for x, y in places]
    return all(dist(a, b) < 1e-9 for a, b in zip(flat, corners, strict=True))


def _bent(box: Box, name: str, s: float, t: float, bend: Bend) -> Vec:
    x, z = s - 0.5, 0.5 - s
    local: dict[str, Vec] = {
        "front": (x, 1 - t, -0.5),
        "left": (-0.5, 1 - t, z),
        "right": (0.5, 1 - t, x),
        "top": (x, 1.0, 0.5 - t),
    }
    return box.place(*bend(local[name]))
