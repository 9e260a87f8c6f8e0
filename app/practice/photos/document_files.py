"""The documents of the practice world: for each folder type a paper (PDF) or a photo (JPEG), made from a seed.

Invariant: the same folder, facts and seed give the same bytes, and every folder type of the contract has one.
"""

from datetime import timedelta
from io import BytesIO
from random import Random

from PIL import Image, ImageChops, ImageFilter

from app.practice.photos.drawing.noise import Size, bell, clouds, levels, shade, slope
from app.practice.photos.painter import Scene, photo_jpeg, photo_of
from app.practice.photos.scenes.clipboard import clipboard
from app.practice.photos.scenes.paper import DocumentFacts, Form, draw_page

__all__ = ["PAPERS", "PHOTOS", "DocumentFacts", "document_bytes"]

_TERMS = (
    "Received in apparent good order, except as noted. Count and condition are subject to inspection within five days. "
    "Carrier is liable only as the law of carriage provides; see tariff for limits."
)
_FEEDBACK = (
    "Load arrived in delivery order",
    "Freight secured and blocked",
    "Heavy freight at the bottom",
    "Labels face the door",
    "Trailer clean and dry",
)
_ONE = ("Pieces",)
PAPERS: dict[str, Form] = {
    "BOL": Form("BILL OF LADING", "Form BL-2", ("Pieces", "Loaded"), _TERMS),
    "DOC": Form("SHIPMENT DOCUMENT", "Form SD-1", _ONE, "Kept with the order.", False, (), "see attached"),
    "INB": Form("INBOUND REPORT", "Form IN-4", ("Expected", "Counted"), "Counted at the dock before put-away."),
    "LFF": Form("LOAD FEEDBACK FORM", "Form LF-7", _ONE, "Tell the shipper within one day.", True, _FEEDBACK),
    "MAN": Form("MANIFEST", "Form MF-3", ("Pieces", "On board"), "Every piece is scanned on to the trailer."),
    "POD": Form("PROOF OF DELIVERY", "Form PD-1", ("Pieces", "Received"), _TERMS),
    "PS": Form("PACKING SLIP", "Form PS-1", ("Packed", "Checked"), "Keep this slip with the goods.", False),
    "RLD": Form("RECEIVING LOAD SHEET", "Form RL-2", ("Expected", "Received"), "Shortages are noted on form SI-1."),
    "SOI": Form(
        "SHORT ON INBOUND",
        "Form SI-1",
        ("Expected", "Found"),
        "Search the dock before this form is sent.",
        remark="1 pc short, not on trailer",
    ),
    "UNS": Form("MANUAL SCAN SHEET", "Form MS-1", ("Pieces", "Keyed"), "Used when the scanner is down."),
}
PHOTOS: dict[str, tuple[str, ...]] = {
    "AT": ("nobody",),
    "DAM": ("crushed", "torn", "stained"),
    "DMB": ("crushed", "leaning", "torn"),
    "DML": ("crushed", "torn"),
    "DMR": ("torn", "stained", "crushed"),
    "LD": ("trailer",),
    "LS": ("shifted",),
    "OOS": ("trailer", "dock"),
    "ORD": ("van", "doorstep"),
    "OVR": ("pallet", "dock"),
    "RF": ("refused",),
    "SV": ("leaning",),
    "TD": ("defect",),
    "UN": ("doorstep",),
}
_SCANNED = ("LFF", "POD", "PS", "UNS")
_REFUSED = Form(
    "DELIVERY RECEIPT", "Form DR-1", ("Pieces",), _TERMS, remark="REFUSED - wrong color, customer sent it back"
)


def document_bytes(folder: str, facts: DocumentFacts, seed: int) -> tuple[bytes, str, str]:
    """A document of the folder type: its bytes, media type and file extension without the dot.

    Raises ValueError for a folder type the contract does not know.
    """
    rng = Random(f"document {folder} {seed} {facts.order_number}")
    if folder in PAPERS:
        page = draw_page(PAPERS[folder], facts, rng)
        return _pdf(_scanned(page, rng) if folder in _SCANNED else page, facts), "application/pdf", "pdf"
    if folder in PHOTOS:
        return _photo(rng.choice(PHOTOS[folder]), facts, rng), "image/jpeg", "jpg"
    raise ValueError(f"no folder type is called {folder!r}")


def _photo(kind: str, facts: DocumentFacts, rng: Random) -> bytes:
    """Taken a little before the document was filed, with whatever telephone was at hand."""
    number, megapixels = rng.randrange(1 << 40), rng.choice((2.0, 2.0, 3.0, 5.0, 8.0, 12.0))
    orientation = rng.choice((1, 1, 1, 3, 6, 6, 6, 8))
    taken = facts.when - timedelta(minutes=rng.randrange(3, 40))
    if kind == "refused":
        scene = on_clipboard(draw_page(_REFUSED, facts, rng))
        return photo_of(scene, number, megapixels=megapixels, orientation=orientation, taken_at=taken)
    return photo_jpeg(number, kind=kind, megapixels=megapixels, orientation=orientation, taken_at=taken)


def on_clipboard(page: Image.Image) -> Scene:
    """The scene of this page on a clipboard."""
    return lambda rng, size: clipboard(rng, size, page)


def _pdf(page: Image.Image, facts: DocumentFacts) -> bytes:
    out = BytesIO()
    # Without moments Pillow writes the present one, and the same seed would give other bytes.
    moment = facts.when.timetuple()
    title = f"{facts.order_number}"
    page.save(out, "PDF", resolution=150.0, quality=82, title=title, creationDate=moment, modDate=moment)
    return out.getvalue()


def _scanned(page: Image.Image, rng: Random) -> Image.Image:
    """The page as an office scanner saw it: a little crooked, folded once, grey at an edge."""
    size: Size = page.size
    page = page.rotate(rng.uniform(-1.1, 1.1), Image.Resampling.BICUBIC, fillcolor=(246, 246, 244))
    page = shade(page, levels(clouds(rng, size, 3, 3), 226, 252))
    edge = slope((60, size[1]), 150, 255, along_x=True)
    mask = Image.new("L", size, 255)
    mask.paste(edge, (0, 0))
    fold = int(size[1] * rng.uniform(0.45, 0.55))
    mask.paste(214, (0, fold, size[0], fold + 4))
    page = shade(page, mask.filter(ImageFilter.GaussianBlur(2)))
    noise = bell(rng, size, 5.0)
    return ImageChops.add(page, Image.merge("RGB", (noise, noise, noise)), 1, -128)
