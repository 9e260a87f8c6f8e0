"""Reviews of audits and photos by a person: reviewed, flagged, a note, marks on a photo, the turn of a photo.

Reviews are precious: the provider does not have them, so the journal holds them. Each save returns the review before
it, for undo. In a team each person's review stands beside the others': nobody's is replaced by another's. Invariant:
content written by a newer program is skipped, and never makes reading fail.
"""

import json
import math
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from app.desk.desk import Desk
from app.store.journal import review_store
from app.store.journal.review_store import Marked
from app.translation import translate

MarkKind = Literal["arrow", "box", "text"]
_TURNS = (0, 90, 180, 270)


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark drawn on a photo. Places are fractions of the upright, unturned picture, from its upper left corner.

    An arrow points from the first place to the second, a box lies between them, a text begins at the first.
    """

    kind: MarkKind
    x: float
    y: float
    to_x: float
    to_y: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class AuditReview:
    """The review of an audit itself."""

    reviewed: bool = False
    flagged: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class PhotoReview:
    """The review of a photo; `turned` are the degrees it is shown turned to the right."""

    flagged: bool = False
    note: str = ""
    turned: int = 0
    marks: tuple[Mark, ...] = ()

    @property
    def redrawn(self) -> bool:
        """Whether a person turned the photo or drew on it."""
        return bool(self.turned or self.marks)


@dataclass(frozen=True, slots=True)
class Reviews:
    """The reviews of one audit: of itself, and of its photos by address."""

    audit: AuditReview
    photos: dict[str, PhotoReview]


async def reviews_of(desk: Desk, audit: int) -> Reviews:
    """The reviews of an audit. Raises `StoreError`."""
    told = await desk.journal.read(review_store.reviews_of, desk.profile.id, audit)
    photos = {address: _photo(body) for address, body in told.items() if address}
    return Reviews(_audit(told.get("", "{}")), photos)


async def marked(desk: Desk) -> Marked:
    """Which audits are reviewed, flagged or noted, by this desk or by others of its team. Raises `StoreError`."""
    own = await desk.journal.read(review_store.marked_audits, desk.profile.id)
    if desk.team is None:
        return own
    theirs = await desk.team.marked_audits()
    by = {audit: person for audit, person in theirs.reviewed.items() if audit not in own.reviewed}
    return Marked(own.reviewed | by.keys(), own.flagged | theirs.flagged, own.noted | theirs.noted, by)


@dataclass(frozen=True, slots=True)
class OthersSaid:
    """Another person's review of an audit (`photo` is empty) or of a photo, and when the team knew of it."""

    person: str
    photo: str
    at: datetime
    reviewed: bool
    flagged: bool
    note: str


async def others_said(desk: Desk, audit: int) -> list[OthersSaid]:
    """The reviews of an audit by others of the team, the latest first. Raises `StoreError`."""
    if desk.team is None:
        return []
    found = []
    for each in await desk.team.reviews_of(audit):
        told = _audit(each.body)
        if told != AuditReview():  # a photo that was only turned tells nobody anything
            found.append(OthersSaid(each.person, each.photo, each.at, told.reviewed, told.flagged, told.note))
    return found


@dataclass(slots=True)
class Notes:
    """The notes of one audit, and of its photos in the order in which they were first reviewed."""

    audit: str = ""
    photos: list[str] = field(default_factory=list)


async def notes(desk: Desk) -> dict[int, Notes]:
    """The notes of each audit that has any; in a team also the other desks' notes, each with its person's name. Raises
    `StoreError`."""
    found: dict[int, Notes] = {}
    team = desk.team
    for audit, photo, words in await desk.journal.read(review_store.noted_audits, desk.profile.id):
        _add(found, audit, photo, words if team is None else note_by(team.person, words))
    for audit, photo, person, words in () if team is None else await team.noted():
        _add(found, audit, photo, note_by(person, words))
    return found


def note_by(person: str, note: str) -> str:
    """A note with the name of who wrote it."""
    return translate("{person}: {note}", person=person, note=note)


def _add(found: dict[int, Notes], audit: int, photo: str, words: str) -> None:
    told = found.setdefault(audit, Notes())
    if photo:
        told.photos.append(words)
    else:
        told.audit = "; ".join(filter(None, (told.audit, words)))


async def save_audit_review(desk: Desk, audit: int, review: AuditReview) -> AuditReview:
    """Save the review of an audit. Returns the one before. Raises `StoreError`: then nothing changed."""
    body = _body(reviewed=review.reviewed, flagged=review.flagged, note=review.note)
    before = await desk.journal.write(review_store.put_review, desk.profile.id, audit, "", body, desk.now())
    return _audit(before or "{}")


async def save_photo_review(desk: Desk, audit: int, address: str, review: PhotoReview) -> PhotoReview:
    """Save the review of a photo. Returns the one before. Raises `StoreError`: then nothing changed."""
    if not address:
        raise ValueError("a photo without an address")
    marks = [[each.kind, each.x, each.y, each.to_x, each.to_y, each.text] for each in review.marks]
    body = _body(flagged=review.flagged, note=review.note, turned=review.turned, marks=marks)
    before = await desk.journal.write(review_store.put_review, desk.profile.id, audit, address, body, desk.now())
    return _photo(before or "{}")


def _body(*, note: str, **fields: object) -> str | None:
    """The JSON of a row; None for an empty review. `noted` serves the list, which does not read notes."""
    told = {name: value for name, value in fields.items() if value} | ({"note": note, "noted": True} if note else {})
    return json.dumps(told, ensure_ascii=False) if told else None


def _read(body: str) -> dict[str, Any]:
    told = json.loads(body)
    return told if isinstance(told, dict) else {}


def _audit(body: str) -> AuditReview:
    told = _read(body)
    return AuditReview(told.get("reviewed") is True, told.get("flagged") is True, _text(told.get("note")))


def _photo(body: str) -> PhotoReview:
    told = _read(body)
    turned, drawn = told.get("turned"), told.get("marks")
    marks = [_mark(each) for each in drawn] if isinstance(drawn, list) else []
    return PhotoReview(
        told.get("flagged") is True,
        _text(told.get("note")),
        turned if turned in _TURNS else 0,
        tuple(each for each in marks if each is not None),
    )


def _mark(told: object) -> Mark | None:
    match told:
        case [
            ("arrow" | "box" | "text") as kind,
            (int() | float()) as x,
            (int() | float()) as y,
            (int() | float()) as to_x,
            (int() | float()) as to_y,
            str(text),
            # JSON of other programs may hold NaN and Infinity, which no painter survives.
        ] if all(map(math.isfinite, (x, y, to_x, to_y))):
            return Mark(kind, x, y, to_x, to_y, text)
    return None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
