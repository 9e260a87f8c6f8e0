"""The picture being made: faces are laid on it from far to near, each with its texture, light and shadow.

Invariant: a texture is brought to about the size it is seen at before it is bent, so nothing glitters and no
time goes into pixels nobody sees.
"""

from collections.abc import Callable, Sequence
from math import hypot
from random import Random

from PIL import Image, ImageChops, ImageDraw

from app.practice.photos.drawing.light import Lighting, cast, contact, light_map
from app.practice.photos.drawing.noise import Size, blurred, grey
from app.practice.photos.drawing.space import Box, Camera, Face, dot, facing, length, outline, sub, unproject

Skin = Callable[[str, Size], Image.Image]
MARGIN = 2


class Canvas:
    """An RGB picture with the camera that sees it, its light and its own randomness."""

    def __init__(self, camera: Camera, lighting: Lighting, rng: Random, backdrop: tuple[int, int, int]) -> None:
        self.camera = camera
        self.lighting = lighting
        self.rng = rng
        self.image = Image.new("RGB", (camera.width, camera.height), backdrop)

    def seen_size(self, face: Face, most: int = 1400) -> Size:
        """How many texture pixels a face deserves, across and down."""
        spots = [self.camera.see(point) for point in face.corners()]
        # So near the camera, or behind it, the size on the picture has no bound.
        if any(spot[2] < 0.3 for spot in spots):
            longer = max(length(face.along), length(face.down))
            return (max(8, int(500 * length(face.along) / longer)), max(8, int(500 * length(face.down) / longer)))
        sides = [
            hypot(spots[a][0] - spots[b][0], spots[a][1] - spots[b][1]) for a, b in ((0, 1), (3, 2), (0, 3), (1, 2))
        ]
        return (_within(max(sides[:2]), most), _within(max(sides[2:]), most))

    def plane(
        self,
        face: Face,
        texture: Image.Image,
        boxes: Sequence[Box] = (),
        *,
        cells: int = 8,
        samples: int = 10,
        reach: float = 0.12,
        strength: float = 0.8,
        mask: Image.Image | None = None,
    ) -> None:
        """A floor or wall, with the shadows the boxes throw on it and, where they stand on it, the dark seam."""
        size = texture.size
        lit = ImageChops.multiply(texture, light_map(self.lighting, face, size, cells=cells))
        self._shadow(face, texture, lit, boxes, cells=cells, samples=samples)
        if boxes and strength:
            seam = contact(face, boxes, (min(size[0], 700), min(size[1], 700)), reach, strength)
            lit = ImageChops.multiply(lit, grey(seam.resize(size, Image.Resampling.BILINEAR)))
        self.lay(face, lit, mask)

    def box(self, box: Box, skin: Skin, *, others: Sequence[Box] = (), floor: float = 0.5) -> None:
        """A cuboid; `skin(name, size)` gives each visible face its texture, `others` throw shadows on it."""
        # From far to near: there is no depth buffer, a later face covers an earlier one.
        for name in ("back", "left", "right", "top", "front"):
            face = box.face(name)
            if not facing(self.camera, face) or self._area(outline(self.camera, face.corners())) is None:
                continue
            texture = skin(name, self.seen_size(face))
            cells = 4 if max(texture.size) > 90 else 2
            lit = ImageChops.multiply(texture, light_map(self.lighting, face, texture.size, cells=cells, floor=floor))
            if others or self.lighting.dapple is not None:
                self._shadow(face, texture, lit, others, cells=4, samples=6)
            if name == "top" and others:
                standing = [other for other in others if abs(other.base[1] - box.base[1] - box.height) < 0.02]
                lit = ImageChops.multiply(lit, grey(contact(face, standing, texture.size, 0.05, 0.8)))
            self.lay(face, lit)

    def _shadow(
        self, face: Face, texture: Image.Image, lit: Image.Image, boxes: Sequence[Box], *, cells: int, samples: int
    ) -> None:
        """Take the first lamp's light away, in place, where boxes or leaves hide it."""
        lighting, size = self.lighting, texture.size
        if not lighting.lamps or dot(sub(lighting.lamps[0].place, face.corner), face.normal) <= 0:
            return
        # A shadow has soft edges: finer would cost time that nobody sees.
        coarse = (min(size[0], 700), min(size[1], 700))
        hidden = cast(lighting.lamps[0], face, boxes, coarse, samples, self.rng)
        if lighting.dapple is not None:
            hidden = ImageChops.lighter(hidden, self._leaves(face).resize(coarse))
        unlit = light_map(lighting, face, size, first_lamp=False, cells=cells)
        mask = hidden.resize(size, Image.Resampling.BILINEAR)
        lit.paste(ImageChops.multiply(texture, unlit), (0, 0), mask)

    def _leaves(self, face: Face) -> Image.Image:
        """A piece of the dapple as large as the face is: 4 m of leaves to the sheet."""
        assert self.lighting.dapple is not None
        sheet = self.lighting.dapple
        wide = min(1.0, length(face.along) / 4) * sheet.width
        tall = min(1.0, length(face.down) / 4) * sheet.height
        left, top = self.rng.uniform(0, sheet.width - wide), self.rng.uniform(0, sheet.height - tall)
        return sheet.crop((int(left), int(top), int(left + wide) + 1, int(top + tall) + 1))

    def lit(self, face: Face, texture: Image.Image, *, floor: float = 0.0, mask: Image.Image | None = None) -> None:
        """A face in the scene's light, without shadows thrown on it."""
        self.lay(face, ImageChops.multiply(texture, light_map(self.lighting, face, texture.size, floor=floor)), mask)

    def lay(self, face: Face, texture: Image.Image, mask: Image.Image | None = None, *, half: bool = False) -> None:
        """A face exactly as its texture is (already lit, or shining by itself); `mask` makes it see-through.

        `half`: only the triangle at its corner, a hair larger, so that a mesh of them shows no seams.
        """
        polygon = outline(self.camera, face.corners())
        if half and len(polygon) == 4:
            polygon = _grown([polygon[0], polygon[1], polygon[3]])
        area = self._area(polygon)
        if area is None:
            return
        left, top, right, bottom = area
        size = (right - left, bottom - top)
        numbers = unproject(self.camera, face, texture.size, (left, top))
        if numbers is None:
            return
        kind, smooth = Image.Transform.PERSPECTIVE, Image.Resampling.BILINEAR
        rim, shifted = _rimmed(texture), _shifted(numbers)
        patch = rim.transform(size, kind, shifted, smooth)
        cover = _polygon_mask(size, [(x - left, y - top) for x, y in polygon])
        if mask is not None:
            fitted = mask if mask.size == texture.size else mask.resize(texture.size)
            cover = ImageChops.multiply(cover, _rimmed(fitted).transform(size, kind, shifted, smooth))
        self.image.paste(patch, (left, top), cover)

    def shine(self, face: Face, texture: Image.Image) -> None:
        """Add light on top of the picture: gloss of foil, a reflection, a sunbeam."""
        layer = Canvas(self.camera, self.lighting, self.rng, (0, 0, 0))
        layer.lay(face, texture)
        self.image = ImageChops.screen(self.image, layer.image)

    def blur(self, radius: float) -> None:
        """Everything drawn so far goes out of focus; `radius` in thousandths of the picture's shorter side."""
        self.image = blurred(self.image, radius * min(self.image.size) / 1000)

    def _area(self, polygon: list[tuple[float, float]]) -> tuple[int, int, int, int] | None:
        if len(polygon) < 3:
            return None
        xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
        left, top = max(0, int(min(xs)) - 1), max(0, int(min(ys)) - 1)
        right, bottom = min(self.image.width, int(max(xs)) + 2), min(self.image.height, int(max(ys)) + 2)
        return (left, top, right, bottom) if right - left > 1 and bottom - top > 1 else None


def _rimmed(texture: Image.Image) -> Image.Image:
    """The texture with its outermost pixels repeated, so that bending it never draws in black from outside."""
    width, height = texture.size
    rim = texture.resize((width + 2 * MARGIN, height + 2 * MARGIN), Image.Resampling.NEAREST)
    rim.paste(texture, (MARGIN, MARGIN))
    return rim


def _shifted(numbers: tuple[float, ...]) -> tuple[float, ...]:
    """The mapping for a texture that has grown a rim on each side."""
    a, b, c, d, e, f, g, h = numbers
    return (a + MARGIN * g, b + MARGIN * h, c + MARGIN, d + MARGIN * g, e + MARGIN * h, f + MARGIN, g, h)


def _polygon_mask(size: Size, polygon: list[tuple[float, float]], finer: int = 3) -> Image.Image:
    """The polygon in white on black, with smooth edges."""
    if size[0] * size[1] > 250_000:
        finer = 2
    # Drawn larger and reduced, as Pillow draws polygons with hard edges.
    large = Image.new("L", (size[0] * finer, size[1] * finer), 0)
    ImageDraw.Draw(large).polygon([(x * finer, y * finer) for x, y in polygon], fill=255)
    return large.reduce(finer)


def _grown(triangle: list[tuple[float, float]], by: float = 0.7) -> list[tuple[float, float]]:
    """The triangle with its corners `by` pixels further from its middle."""
    middle = (sum(p[0] for p in triangle) / 3, sum(p[1] for p in triangle) / 3)
    grown = []
    for x, y in triangle:
        way = hypot(x - middle[0], y - middle[1]) or 1.0
        grown.append((x + (x - middle[0]) / way * by, y + (y - middle[1]) / way * by))
    return grown


def _within(value: float, most: int) -> int:
    return max(8, min(most, int(value * 1.15) + 1))
