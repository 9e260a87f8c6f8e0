"""The subjects of the world's photos and documents. Drawing takes a second or so; callers keep the bytes.

The drawing modules are loaded with the first picture, so that a service which shows none starts without them.
"""

import re
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from app.practice.world.dice import pick, roll, text_number
from app.practice.world.made_audits import Audit
from app.practice.world.papers import paper_seed
from app.practice.world.record import Known
from app.practice.world.seconds import moment_of

_PHOTO = b"photo"
MEGAPIXELS = (12.0, 12.0, 8.0, 5.0, 3.0, 2.0)
_FEW = 6  # of different photos where they must come quickly
ORIENTATIONS = (1, 1, 1, 6, 6, 3, 8, 1, 5, 2)  # phones give 1, 3, 6 and 8; the mirrored ones occur
SCENES: dict[str, tuple[str, ...]] = {
    "Loading": ("trailer", "shifted", "dock", "leaning", "torn"),
    "Receiving": ("dock", "pallet", "leaning", "crushed", "stained"),
    "Delivery": ("doorstep", "van", "crushed", "clipboard"),
    "Warehouse safety": ("pallet", "leaning", "dock", "defect"),
}


class Shot(NamedTuple):
    """How a photo was taken: its scene, its size, and how the camera was held (an EXIF orientation)."""

    scene: str
    megapixels: float
    orientation: int


def audit_shot(seed: int, kind: str, filename: str) -> Shot:
    """How the photo of a question was taken, for an audit of a kind."""
    thrown = roll(seed, _PHOTO, text_number(filename))
    return Shot(pick(SCENES[kind], thrown[0]), pick(MEGAPIXELS, thrown[1]), pick(ORIENTATIONS, thrown[2]))


def audit_photo(seed: int, audit: Audit, filename: str) -> bytes:
    """The photo of a question as JPEG."""
    from app.practice.photos.painter import photo_jpeg

    shot = audit_shot(seed, audit.kind, filename)
    return photo_jpeg(
        seed * 1_000_003 + text_number(filename) % 10**9,
        kind=shot.scene,
        megapixels=shot.megapixels,
        orientation=shot.orientation,
        taken_at=moment_of(audit.at),
    )


def quick_photo(audit: Audit, filename: str) -> bytes:
    """A photo of 12 megapixels at once, for piles of thousands: one of a few that are drawn once, with a camera time
    and a comment of its own."""
    number = text_number(filename)
    taken = moment_of(audit.at) + timedelta(seconds=number % 3600)
    return with_facts(_drawn_once(number % _FEW), taken, filename)


@cache
def _drawn_once(number: int) -> bytes:
    from app.practice.photos.painter import photo_jpeg

    return photo_jpeg(number, orientation=ORIENTATIONS[number])


def with_facts(photo: bytes, taken: datetime, comment: str) -> bytes:
    """The photo with another camera time and a comment; its pixels stay."""
    old = re.search(rb"\d{4}:\d\d:\d\d \d\d:\d\d:\d\d", photo)
    if old is None:
        raise ValueError("the photo tells no camera time")
    head, rest = photo[:4096], photo[4096:]
    head = head.replace(old[0], taken.strftime("%Y:%m:%d %H:%M:%S").encode())
    words = comment.encode()
    return head[:2] + b"\xff\xfe" + (len(words) + 2).to_bytes(2, "big") + words + head[2:] + rest


def paper_bytes(order: Known, folder: str, filed: int) -> bytes:
    """A document of an order: a photo or a page, as its folder has it."""
    from app.practice.photos.document_files import DocumentFacts, document_bytes

    facts = order.facts
    address = facts.consignee["Address"]
    town = f"{address['City']}, {address['State']} {address['ZipCode']}"
    lines = (address["StreetAddress1"], address.get("StreetAddress2", ""), town)
    shown = DocumentFacts(
        order_number=str(order.number),
        crn=order.reference,
        consignee_name=facts.consignee["Name"],
        address_lines=tuple(line for line in lines if line),
        facility=str(facts.facility.get("Name", facts.facility["Id"])) if facts.facility else "",
        carrier=facts.carrier["Name"],
        items=tuple(
            (each["CommodityCode"], each.get("Description", ""), int(each["Count"])) for each in facts.commodities
        ),
        when=moment_of(filed),
    )
    return document_bytes(folder, shown, paper_seed(order.number, folder))[0]
