"""Thirty pictures that are small to send and ruinous to decode, and some that are no pictures at all.

Each is made as the kinds of trouble were met in the wild: sizes that lie, compression that unfolds without an end,
records that refer to themselves, and other formats behind a picture's name.
"""

import io
import struct
import zlib
from collections.abc import Callable

from PIL import Image

from tests.support.pictures import chart, saved

Maker = Callable[[], bytes]
_PNG = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, body: bytes) -> bytes:
    """A chunk of a PNG, with its checksum."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, data: bytes, *, depth: int = 8, colours: int = 2, more: bytes = b"") -> bytes:
    """A PNG with a header of any content."""
    head = struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0)
    return _PNG + chunk(b"IHDR", head) + more + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def zeros(length: int) -> bytes:
    """This many zeros, packed to a thousandth, and made without ever being whole."""
    packer = zlib.compressobj(9)
    block = bytes(1 << 20)
    parts = [packer.compress(block) for _ in range(length >> 20)]
    return b"".join([*parts, packer.compress(bytes(length & 0xFFFFF)), packer.flush()])


def jpeg_of(width: int, height: int, *, progressive: bool = False) -> bytes:
    """A small JPEG whose frame says another size."""
    photo = bytearray(saved(chart(), "JPEG", progressive=progressive))
    at = photo.index(b"\xff\xc2" if progressive else b"\xff\xc0")
    photo[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(photo)


def many_scans(scans: int, size: int = 4_000) -> bytes:
    """A progressive JPEG that goes over all of its pixels again and again."""
    photo = saved(Image.new("L", (size, size), 128), "JPEG", progressive=True)
    last = photo.rindex(b"\xff\xda")
    end = photo.rindex(b"\xff\xd9")
    return photo[:last] + photo[last:end] * scans + b"\xff\xd9"


def webp_of(width: int, height: int) -> bytes:
    """A WebP whose canvas says another size."""
    canvas = struct.pack("<I", 0)[:4] + struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    head = b"VP8X" + struct.pack("<I", 10) + canvas
    body = saved(chart(), "WEBP", lossless=True)[12:]
    return b"RIFF" + struct.pack("<I", 4 + len(head) + len(body)) + b"WEBP" + head + body


def frames(count: int, size: int, kind: str) -> bytes:
    """An animation of many large frames."""
    others = [Image.new("L" if kind == "PNG" else "RGB", (size, size), number % 256) for number in range(count)]
    return saved(others[0], kind, save_all=True, append_images=others[1:], duration=1)


def paper(*objects: str, streams: dict[int, tuple[str, bytes]] | None = None) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalogue."""
    parts = [b"%PDF-1.7\n"]
    for number, text in enumerate(objects, 1):
        head, data = (streams or {}).get(number, (text, b""))
        stream = b"stream\n" + data + b"\nendstream " if data else b""
        parts.append(f"{number} 0 obj {head} ".encode() + stream + b"endobj\n")
    return b"".join([*parts, b"trailer<</Root 1 0 R>>\n%%EOF"])


def drawn(contents: bytes, box: str = "0 0 600 800", more: str = "", filters: str = "") -> bytes:
    """A PDF of one page with these contents."""
    stream = f"<</Length {len(contents)}{filters}>>"
    page = f"<</Type/Page/Parent 2 0 R/MediaBox[{box}]/Contents 4 0 R/Resources<<{more}>>>>"
    kids = "<</Type/Pages/Kids[3 0 R]/Count 1>>"
    return paper("<</Type/Catalog/Pages 2 0 R>>", kids, page, "", streams={4: (stream, contents)})


def calls_itself() -> bytes:
    """A form that draws itself, twice."""
    form = "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 5 0 R>>>>/Length 10>>"
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>>>"
    kids, root = "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Catalog/Pages 2 0 R>>"
    return paper(root, kids, page, "", "", streams={4: ("<</Length 5>>", b"/A Do"), 5: (form, b"/A Do/A Do")})


def doubling(depth: int) -> bytes:
    """Forms that each draw the next one twice: a billion strokes from a few lines."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>"]
    objects.append("<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>>>")
    streams = {4: ("<</Length 5>>", b"/A Do")}
    for number in range(5, 5 + depth):
        form = f"<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</A {number + 1} 0 R>>>>/Length 40>>"
        streams[number] = (form, b"/A Do /A Do /A Do /A Do /A Do /A Do     ")
    streams[5 + depth] = ("<</Type/XObject/Subtype/Form/BBox[0 0 99 99]/Length 20>>", b"0 0 90 90 re f      ")
    return paper(*objects, *([""] * (depth + 2)), streams=streams)


BOMBS: dict[str, Maker] = {
    "png of 10 gigapixels": lambda: png(100_000, 100_000, zlib.compress(b"x")),
    "png as large as a number": lambda: png(2**31 - 1, 2**31 - 1, zlib.compress(b"x")),
    "png of 78 megapixels of nothing": lambda: png(8_800, 8_800, zeros(8_800 * (8_800 * 3 + 1))),
    "png of 16 bits, 75 megapixels": lambda: png(8_600, 8_600, zeros(8_600 * (8_600 * 8 + 1)), depth=16, colours=6),
    "png one pixel high": lambda: png(2_000_000, 1, zeros(6_000_001)),
    "png one pixel wide": lambda: png(1, 2_000_000, zeros(8_000_000)),
    "png that goes on behind its end": lambda: png(10, 10, zeros(300_000_000)),
    "png with a text that unfolds": lambda: png(9, 9, zeros(252), more=chunk(b"zTXt", b"k\0\0" + zeros(500_000_000))),
    "png with a profile that unfolds": lambda: png(
        9, 9, zeros(252), more=chunk(b"iCCP", b"p\0\0" + zeros(500_000_000))
    ),
    "png of a million chunks": lambda: png(9, 9, zeros(252), more=chunk(b"tEXt", b"k\0v") * 300_000),
    "png of no size": lambda: png(0, 0, zlib.compress(b"x")),
    "animated png": lambda: frames(60, 1_500, "PNG"),
    "jpeg of 4 gigapixels": lambda: jpeg_of(65_500, 65_500),
    "progressive jpeg of 200 megapixels": lambda: jpeg_of(14_800, 14_800, progressive=True),
    "jpeg of 200 megapixels": lambda: jpeg_of(14_800, 14_800),
    "jpeg of no size": lambda: jpeg_of(0, 0),
    "jpeg of 3,000 scans": lambda: many_scans(3_000),
    "jpeg with an endless record": lambda: saved(chart(), "JPEG")[:20] + b"\xff\xe1\xff\xff" * 200_000,
    "webp of 268 megapixels": lambda: webp_of(16_384, 16_384),
    "webp of 79 megapixels of nothing": lambda: saved(
        Image.new("RGB", (8_900, 8_900)), "WEBP", lossless=True, method=0
    ),
    "animated webp": lambda: frames(40, 1_500, "WEBP"),
    "svg by the name of a png": lambda: (
        b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
    ),
    "tiff": lambda: saved(chart(), "TIFF"),
    "gif": lambda: saved(chart("P"), "GIF"),
    "pdf of an endless page": lambda: drawn(b"0 0 9 9 re f", box="0 0 1e9 1e9"),
    "pdf page that unfolds": lambda: drawn(zeros(800_000_000), filters="/Filter/FlateDecode"),
    "pdf that draws itself": calls_itself,
    "pdf of a billion strokes": lambda: doubling(14),
    "pdf of pages in pages": lambda: paper("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R]/Count 99999>>"),
    "pdf in brackets": lambda: b"%PDF-1.7\n1 0 obj " + b"[" * 300_000 + b" endobj trailer<</Root 1 0 R>>",
}


def some_picture(size: tuple[int, int] = (64, 48)) -> bytes:
    """A good one, to see that all is well afterwards."""
    file = io.BytesIO()
    chart(size=size).save(file, "JPEG")
    return file.getvalue()
