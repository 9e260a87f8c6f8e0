"""A photo of the viewer: its address, its answer, its caption and its review."""

from dataclasses import dataclass

from app.desk.audits.audit_reviews import PhotoReview


@dataclass(frozen=True, slots=True)
class Photo:
    """`address` is as the provider wrote it; `place` is that of its answer in the audit."""

    address: str
    place: int
    caption: str
    review: PhotoReview
    poor: bool = False  # its answer is low or failed
    page: int = 0  # of a document
