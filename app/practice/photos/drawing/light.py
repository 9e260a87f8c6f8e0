"""How bright each face of a practice photo is: lamps, daylight, soft shadows and dark corners.

Light is reckoned in linear units (1.0 shows a surface in its own colour) and returned gamma-coded, so that
multiplying a texture by it is right. One lamp, the first, throws shadows with an edge; the others only fill.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from app.practice.photos.drawing.noise import blurred
from app.practice.photos.drawing.space import Box, Face, Vec, add, dot, length, mul, sub, unit

Light = tuple[float, float, float]


class Lamp(NamedTuple):
    """A lamp at `place` that gives `colour` at `reach` metres; `size` is its radius (softness of shadows).

    `reach` 0 means the sun: no fall-off.
    """

    place: Vec
    colour: Light
    reach: float = 0.0
    size: float = 0.3


class Lighting(NamedTuple):
    """All light of a scene: `above` reaches faces that look up, `below` faces that look down."""

    lamps: tuple[Lamp, ...]
    above: Light
    below: Light
    dapple: Image.Image | None = None


def gather(lighting: Lighting, point: Vec, normal: Vec, *, first_lamp: bool) -> Light:
    """The light that falls on a point, linear; without the first lamp it is the light inside its shadow."""
    sky = 0.5 + 0.5 * normal[1]
    total = [b + (a - b) * sky for a, b in zip(lighting.above, lighting.below, strict=True)]
    for lamp in lighting.lamps if first_lamp else lighting.lamps[1:]:
        way = sub(lamp.place, point)
        far = length(way) or 1e-6
        slant = dot(way, normal) / far
        if slant <= 0:
            continue
        strength = slant * ((lamp.reach / far) ** 2 if lamp.reach else 1.0)
        for i in range(3):
            total[i] += lamp.colour[i] * strength
    return (total[0], total[1], total[2])


def light_map(
    lighting: Lighting,
    face: Face,
    size: tuple[int, int],
    *,
    first_lamp: bool = True,
    cells: int = 4,
    floor: float = 0.0,
) -> Image.Image:
    """The light over a face as an RGB image of `size`, gamma-coded; 255 is full.

    `floor`: how much darker the face gets where it nears the ground (0 none, 1 black).
    """
    normal = face.normal
    values = bytearray()
    for row in range(cells):
        for column in range(cells):
            point = face.at((column + 0.5) / cells, (row + 0.5) / cells)
            near = 1.0 - floor * max(0.0, 1.0 - point[1] / 0.25) ** 2 if floor else 1.0
            for part in gather(lighting, point, normal, first_lamp=first_lamp):
                # 0.4545 is 1 / 2.2, the gamma that pictures are coded with.
                values.append(min(255, int(255 * (max(0.0, part) * near) ** 0.4545)))
    # Light changes slowly over a face: a few points reckoned and the rest between them look the same.
    small = Image.frombytes("RGB", (cells, cells), bytes(values))
    return small.resize(size, Image.Resampling.BICUBIC if size[0] > 160 else Image.Resampling.BILINEAR)


def cast(lamp: Lamp, face: Face, boxes: Sequence[Box], size: tuple[int, int], samples: int, rng: Random) -> Image.Image:
    """Where the lamp is hidden by boxes: one channel over the face, 255 in full shadow."""
    total: Image.Image | None = None
    corners = [points for box in boxes if _before(face, points := box.corners())]
    for count in range(1, samples + 1):
        # Another point of the lamp each time: what only some of them reach lies in half shadow.
        jitter = (rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1))
        place = add(lamp.place, mul(jitter, lamp.size))
        layer = Image.new("L", size, 0)
        draw = ImageDraw.Draw(layer)
        for points in corners:
            hull = _hull([spot for corner in points if (spot := _thrown(place, corner, face))])
            if len(hull) > 2:
                draw.polygon([(x * size[0], y * size[1]) for x, y in hull], fill=255)
        # The running mean: in the end each sample has the same weight.
        total = layer if total is None else Image.blend(total, layer, 1 / count)
    assert total is not None
    return blurred(total, max(size) / 260)


def contact(face: Face, boxes: Sequence[Box], size: tuple[int, int], reach: float, strength: float) -> Image.Image:
    """The dark seam where boxes stand on the face: one channel, 255 where nothing is near. `reach` in metres."""
    layer = Image.new("L", size, 255)
    draw = ImageDraw.Draw(layer)
    for box in boxes:
        feet = [box.place(x, 0.0, z) for x, z in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
        draw.polygon([(s * size[0], t * size[1]) for s, t in (_within(face, foot) for foot in feet)], fill=0)
    scale = size[0] / length(face.along)
    wide = blurred(layer, max(1.0, reach * scale))
    tight = blurred(layer, max(0.6, reach * scale / 6))
    dark = ImageChops.multiply(wide, tight)
    return dark.point([int(255 - (255 - level) * strength) for level in range(256)])


def _before(face: Face, points: list[Vec]) -> bool:
    """Whether any of the points stands out in front of the face: only such can throw a shadow on it."""
    normal = face.normal
    return any(dot(sub(point, face.corner), normal) > 1e-3 for point in points)


def _within(face: Face, point: Vec) -> tuple[float, float]:
    way = sub(point, face.corner)
    return (dot(way, face.along) / dot(face.along, face.along), dot(way, face.down) / dot(face.down, face.down))


def _thrown(lamp: Vec, corner: Vec, face: Face) -> tuple[float, float] | None:
    """Where the shadow of a corner lands on the face, as fractions; None if it does not."""
    normal = face.normal
    high = dot(sub(lamp, face.corner), normal)
    low = max(0.0, dot(sub(corner, face.corner), normal))
    if high <= low + 1e-6:
        return None
    return _within(face, add(lamp, mul(sub(corner, lamp), high / (high - low))))


def _hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The convex hull, by the monotone chain."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    chains: list[list[tuple[float, float]]] = []
    for run in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for point in run:
            while len(chain) > 1 and _left(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def _left(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def sun(direction: Vec, colour: Light, softness: float = 0.012) -> Lamp:
    """Sunlight that comes from `direction`."""
    return Lamp(mul(unit(direction), 200.0), colour, 0.0, 200.0 * softness)
