"""Where things stand in a practice photo: points in metres, a camera, and flat faces seen through it.

x runs right, y up, z away from the camera. Invariant: nothing here draws; it is arithmetic on tuples.
"""

from math import cos, hypot, radians, sin, tan
from typing import NamedTuple

Vec = tuple[float, float, float]
Coefficients = tuple[float, float, float, float, float, float, float, float]
NEAR = 0.08


def add(a: Vec, b: Vec) -> Vec:
    """The sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a: Vec, b: Vec) -> Vec:
    """The vector from `b` to `a`."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def mul(a: Vec, k: float) -> Vec:
    """The vector, `k` times as long."""
    return (a[0] * k, a[1] * k, a[2] * k)


def dot(a: Vec, b: Vec) -> float:
    """The scalar product: 0 at a right angle."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec, b: Vec) -> Vec:
    """The vector product, at right angles to both."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a: Vec) -> float:
    """The length of a vector."""
    return hypot(*a)


def unit(a: Vec) -> Vec:
    """The vector of length 1 in the same direction; a vector of no length stays as it is."""
    return mul(a, 1 / (length(a) or 1.0))


class Camera(NamedTuple):
    """A pinhole: `focal` in pixels, the picture's size in pixels."""

    eye: Vec
    right: Vec
    up: Vec
    ahead: Vec
    focal: float
    width: int
    height: int

    def turn(self, direction: Vec) -> Vec:
        """A direction of the world in the camera's own axes."""
        return (dot(direction, self.right), dot(direction, self.up), dot(direction, self.ahead))

    def see(self, point: Vec) -> Vec:
        """Pixel x, pixel y and distance along the view; the distance is negative behind the camera."""
        x, y, z = self.turn(sub(point, self.eye))
        depth = z if abs(z) > 1e-6 else 1e-6
        return (self.width / 2 + self.focal * x / depth, self.height / 2 - self.focal * y / depth, z)


def aim(eye: Vec, target: Vec, size: tuple[int, int], field: float = 52.0, roll: float = 0.0) -> Camera:
    """A camera at `eye` that looks at `target`.

    `field`: what the shorter side of the picture takes in, degrees; `roll`: how crooked it is held, degrees.
    """
    ahead = unit(sub(target, eye))
    flat = unit(cross((0.0, 1.0, 0.0), ahead))
    steep = cross(ahead, flat)
    c, s = cos(radians(roll)), sin(radians(roll))
    right = add(mul(flat, c), mul(steep, s))
    up = add(mul(steep, c), mul(flat, -s))
    focal = min(size) / 2 / tan(radians(field) / 2)
    return Camera(eye, right, up, ahead, focal, *size)


class Face(NamedTuple):
    """A parallelogram: `along` is its upper edge from left to right as seen from outside, `down` its left edge."""

    corner: Vec
    along: Vec
    down: Vec

    @property
    def normal(self) -> Vec:
        """The direction that the face looks to, of length 1."""
        return unit(cross(self.along, self.down))

    @property
    def centre(self) -> Vec:
        """The middle of the face."""
        return self.at(0.5, 0.5)

    def at(self, s: float, t: float) -> Vec:
        """The point at fraction `s` of the upper edge and `t` of the left one."""
        return add(self.corner, add(mul(self.along, s), mul(self.down, t)))

    def corners(self) -> tuple[Vec, Vec, Vec, Vec]:
        """The four corners, in the order of a walk around the face."""
        return (self.at(0, 0), self.at(1, 0), self.at(1, 1), self.at(0, 1))


def facing(camera: Camera, face: Face) -> bool:
    """Whether the face turns its outside to the camera."""
    return dot(face.normal, sub(camera.eye, face.corner)) > 0


def outline(camera: Camera, points: tuple[Vec, ...]) -> list[tuple[float, float]]:
    """The polygon in pixels, cut off just in front of the camera; empty if all of it is behind."""
    seen = [camera.turn(sub(point, camera.eye)) for point in points]
    kept: list[Vec] = []
    for here, after in zip(seen, seen[1:] + seen[:1], strict=True):
        if here[2] >= NEAR:
            kept.append(here)
        if (here[2] >= NEAR) != (after[2] >= NEAR):
            part = (NEAR - here[2]) / (after[2] - here[2])
            kept.append(add(here, mul(sub(after, here), part)))
    half = (camera.width / 2, camera.height / 2)
    return [(half[0] + camera.focal * x / z, half[1] - camera.focal * y / z) for x, y, z in kept]


def unproject(camera: Camera, face: Face, texture: tuple[int, int], origin: tuple[int, int]) -> Coefficients | None:
    """Pillow's eight numbers that lead from a pixel (counted from `origin`) back to the face's texture."""
    a = mul(camera.turn(face.along), 1 / texture[0])
    b = mul(camera.turn(face.down), 1 / texture[1])
    c = camera.turn(sub(face.corner, camera.eye))
    left, top, f = camera.width / 2 - origin[0], camera.height / 2 - origin[1], camera.focal
    rows = [tuple(f * v[0] + left * v[2] for v in (a, b, c)), tuple(-f * v[1] + top * v[2] for v in (a, b, c))]
    p, q, r = (rows[0][0], rows[0][1], rows[0][2]), (rows[1][0], rows[1][1], rows[1][2]), (a[2], b[2], c[2])
    first, second, third = cross(q, r), cross(r, p), cross(p, q)  # columns of the inverse, up to one factor
    if abs(third[2]) < 1e-12:
        return None
    k = 1 / third[2]
    return (
        first[0] * k, second[0] * k, third[0] * k,
        first[1] * k, second[1] * k, third[1] * k,
        first[2] * k, second[2] * k,
    )  # fmt: skip


class Box(NamedTuple):
    """A cuboid that stands on `base` (the middle of its underside) and may be turned about the upright axis.

    `lean` tips it sideways about its lower right edge, degrees; `pitch` forward about its lower front edge.
    """

    base: Vec
    width: float
    height: float
    depth: float
    turned: float = 0.0
    lean: float = 0.0
    pitch: float = 0.0

    def place(self, x: float, y: float, z: float) -> Vec:
        """A point of the box (-0.5..0.5 across, 0..1 up, -0.5..0.5 deep) in the world."""
        px, py, pz = x * self.width, y * self.height, z * self.depth
        c, s = cos(radians(self.lean)), sin(radians(self.lean))
        off = px - self.width / 2
        px, py = self.width / 2 + off * c + py * s, py * c - off * s
        c, s = cos(radians(self.pitch)), sin(radians(self.pitch))
        off = pz + self.depth / 2
        py, pz = py * c + off * s, -self.depth / 2 + off * c - py * s
        c, s = cos(radians(self.turned)), sin(radians(self.turned))
        return add(self.base, (px * c + pz * s, py, pz * c - px * s))

    def face(self, name: str) -> Face:
        """One of front, back, left, right, top."""
        start, across, below = _FACES[name]
        corner = self.place(*start)
        return Face(corner, sub(self.place(*across), corner), sub(self.place(*below), corner))

    def corners(self) -> list[Vec]:
        """The eight corners."""
        return [self.place(x, y, z) for y in (0.0, 1.0) for x in (-0.5, 0.5) for z in (-0.5, 0.5)]


_FACES: dict[str, tuple[Vec, Vec, Vec]] = {
    "front": ((-0.5, 1, -0.5), (0.5, 1, -0.5), (-0.5, 0, -0.5)),
    "back": ((0.5, 1, 0.5), (-0.5, 1, 0.5), (0.5, 0, 0.5)),
    "left": ((-0.5, 1, 0.5), (-0.5, 1, -0.5), (-0.5, 0, 0.5)),
    "right": ((0.5, 1, -0.5), (0.5, 1, 0.5), (0.5, 0, -0.5)),
    "top": ((-0.5, 1, 0.5), (0.5, 1, 0.5), (-0.5, 1, -0.5)),
}
