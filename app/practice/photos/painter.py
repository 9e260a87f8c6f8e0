"""Photos that look like photos of freight, made from a seed: what the practice world's documents and audits show.

Invariant: the same arguments give the same bytes, and no two seeds look alike.
"""

from collections.abc import Callable
from datetime import datetime
from math import sqrt
from random import Random

from PIL import Image

from app.practice.photos.drawing.camera_finish import Look, developed, jpeg, stamp, through_lens
from app.practice.photos.drawing.canvas import Canvas
from app.practice.photos.drawing.noise import Size
from app.practice.photos.scenes import clipboard, damage, doorstep, trailer, warehouse

Scene = Callable[[Random, Size], tuple[Canvas, Look]]

SCENES: dict[str, Scene] = {
    "doorstep": lambda rng, size: doorstep.doorstep(rng, size, rng.choice((1, 1, 2, 3))),
    "nobody": lambda rng, size: doorstep.doorstep(rng, size, 0),
    "dock": warehouse.dock,
    "pallet": warehouse.pallet,
    "leaning": lambda rng, size: warehouse.pallet(rng, size, leaning=True),
    "trailer": trailer.trailer,
    "shifted": lambda rng, size: trailer.trailer(rng, size, shifted=True),
    "defect": lambda rng, size: trailer.trailer(rng, size, defect=True),
    "van": trailer.van,
    "crushed": lambda rng, size: damage.damage(rng, size, "crushed"),
    "torn": lambda rng, size: damage.damage(rng, size, "torn"),
    "stained": lambda rng, size: damage.damage(rng, size, "stained"),
    "clipboard": clipboard.signed,
}
KINDS = tuple(SCENES)
RENDERED = 1_500_000
EPOCH = datetime(2026, 1, 5, 8, 0)


def photo_jpeg(
    seed: int,
    *,
    kind: str | None = None,
    megapixels: float = 12.0,
    orientation: int = 1,
    taken_at: datetime | None = None,
) -> bytes:
    """A phone photo as JPEG bytes.

    `kind`: one of KINDS, or None for one that follows from the seed. `orientation`: the EXIF value 1..8; for 5 to 8
    the upright picture is a portrait. Raises ValueError for an unknown kind or orientation.
    """
    rng = Random(f"photo {seed}")
    chosen = kind or rng.choice(KINDS)
    if chosen not in SCENES:
        raise ValueError(f"no scene is called {chosen!r}")
    return photo_of(SCENES[chosen], rng.random(), megapixels=megapixels, orientation=orientation, taken_at=taken_at)


def photo_of(
    scene: Scene, seed: float, *, megapixels: float = 12.0, orientation: int = 1, taken_at: datetime | None = None
) -> bytes:
    """A phone photo of a given scene, such as one certain paper on a clipboard; arguments as in `photo_jpeg`."""
    if not 1 <= orientation <= 8:
        raise ValueError(f"EXIF orientation {orientation} is not one of 1 to 8")
    image = upright(scene, seed, megapixels=megapixels, portrait=orientation > 4, stamped=taken_at)
    return jpeg(image, orientation, taken_at or EPOCH)


def upright(
    scene: Scene, seed: float, *, megapixels: float, portrait: bool = False, stamped: datetime | None = None
) -> Image.Image:
    """The finished upright picture, before it is turned and compressed; mode YCbCr."""
    rng = Random(f"scene {seed}")
    size = pixel_size(megapixels, portrait=portrait)
    part = min(1.0, sqrt(min(RENDERED, 340_000 + 95_000 * megapixels) / (size[0] * size[1])))
    canvas, look = scene(rng, (round(size[0] * part), round(size[1] * part)))
    image = through_lens(canvas.image, look, rng)
    if stamped is not None and rng.random() < 0.4:
        stamp(image, stamped)
    return developed(image, size, look, rng)


def pixel_size(megapixels: float, *, portrait: bool) -> Size:
    """Width and height in the 4:3 of telephones; both are multiples of 8."""
    shorter = max(96, round(sqrt(megapixels * 1e6 * 3 / 4) / 8) * 8)
    longer = max(128, round(shorter * 4 / 3 / 8) * 8)
    return (shorter, longer) if portrait else (longer, shorter)
