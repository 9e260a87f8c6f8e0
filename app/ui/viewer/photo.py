"""A photo to be looked at: where it is, what it shows, and what was said of it."""

from dataclasses import dataclass

from app.desk.audits.audit_reviews import PhotoReview


@dataclass(frozen=True, slots=True)
class Photo:
    """`address` is as the provider wrote it, `place` that of its answer among the audit's."""

    address: str
    place: int
    caption: str
    review: PhotoReview
