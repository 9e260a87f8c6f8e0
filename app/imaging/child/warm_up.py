"""Uses each decoder once on a picture made here, so that all code is loaded before the child may open no more files."""

import io

from PIL import Image, ImageCms

from app.imaging.child.decoding import decode
from app.imaging.pixels import Size, Trouble
from app.imaging.protocol import Limits, Request

_PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 40 30]/Contents 4 0 R/Resources<</Font<</F<</Type/Font"
    b"/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
    b"4 0 obj<</Length 28>>stream\nBT/F 9 Tf 2 9 Td(Page)Tj ET\nendstream endobj\ntrailer<</Root 1 0 R>>\n"
)


def use_each_once(limits: Limits) -> None:
    """Decode one sample of each kind. Raises RuntimeError if a decoder does not work."""
    out = memoryview(bytearray(64 * 64 * 4))
    for sample in (*_samples(), _PDF):
        found = decode(memoryview(sample), Request(len(sample), Size(30, 20)), limits, out)
        if isinstance(found, Trouble):
            raise RuntimeError(f"a picture made here cannot be decoded: {found.kind}")
    # A broken picture loads the code that handles errors.
    decode(memoryview(b"\xff\xd8\xff\xe0 no picture"), Request(14, None), limits, out)


def _samples() -> list[bytes]:
    exif = Image.Exif()
    exif.update({0x0112: 6, 0x0110: "Camera"})
    exif.get_ifd(0x8769).update({0x9003: "2026:01:05 08:00:00"})
    # A profile other than sRGB loads the code that applies profiles.
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ")).tobytes()
    photo, cut, clear = Image.new("RGB", (64, 48)), Image.new("CMYK", (64, 48)), Image.new("RGBA", (64, 48))
    return [
        _saved(photo, "JPEG", exif=exif, icc_profile=profile),
        _saved(cut, "JPEG"),
        _saved(Image.new("L", (64, 48)), "JPEG")[:-40],
        _saved(clear, "PNG", exif=exif),
        _saved(Image.new("I;16", (64, 48)), "PNG"),
        _saved(Image.new("P", (64, 48)), "PNG"),
        _saved(clear, "WEBP", lossless=True),
    ]


def _saved(image: Image.Image, kind: str, **how: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **how)
    return file.getvalue()
