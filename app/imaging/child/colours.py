"""Converts the colours of a file to those of the screen: RGB, or RGBa (premultiplied alpha).

An embedded profile is applied unless it is sRGB; a profile that cannot be read is ignored.
"""

import io
from functools import lru_cache

from PIL import Image, ImageChops, ImageCms

_PROFILE_CAP = 4 * 1024 * 1024
_MODES = {"RGB": "RGB", "CMYK": "CMYK", "L": "L"}


def plain(image: Image.Image) -> Image.Image:
    """One of the modes L, RGB, CMYK (0 is no ink) or RGBa."""
    if image.mode == "CMYK":
        # Adobe's programs store inverted ink and say so; Pillow inverts every CMYK picture alike.
        return image if "adobe" in image.info else ImageChops.invert(image)
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        return _of_sixteen_bits(image)
    if "transparency" in image.info or image.mode in ("RGBA", "LA", "PA", "La"):
        # Premultiplied, because scaling would draw the colours of invisible pixels into the edges otherwise.
        return image.convert("RGBA").convert("RGBa")
    if image.mode in ("1", "L"):
        return image.convert("L")
    return image if image.mode in ("RGB", "RGBa") else image.convert("RGB")


def on_screen(image: Image.Image, profile: object) -> Image.Image:
    """RGB or RGBa, from a mode that `plain` gives; `profile` is the file's own, as bytes, or None."""
    if image.mode == "RGBa":
        return image
    if isinstance(profile, bytes) and len(profile) <= _PROFILE_CAP and image.mode in _MODES:
        transform = _transform(profile, image.mode)
        if transform is not None:
            return ImageCms.applyTransform(image, transform) or image
    return image if image.mode == "RGB" else image.convert("RGB")


@lru_cache(maxsize=4)
def _transform(profile: bytes, mode: str) -> ImageCms.ImageCmsTransform | None:
    try:
        given = ImageCms.getOpenProfile(io.BytesIO(profile))
        if mode == "RGB" and "srgb" in ImageCms.getProfileDescription(given).lower():
            return None
        screen = ImageCms.createProfile("sRGB")
        return ImageCms.buildTransform(given, screen, mode, "RGB", ImageCms.Intent.RELATIVE_COLORIMETRIC)
    except (ImageCms.PyCMSError, OSError, ValueError):
        return None


def _of_sixteen_bits(image: Image.Image) -> Image.Image:
    """The upper eight bits of sixteen: Pillow's own conversion clips every level above 255."""
    if image.mode == "F":
        return image.convert("L")
    # For these modes Pillow takes nothing but `level * scale + offset`.
    return image.point(lambda level: level * (1 / 256) + 0).convert("L")
