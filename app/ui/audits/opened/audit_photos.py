"""The photos of an audit in the order of its questions."""

from app.desk.audits.reviewing import PhotoReview, Reviews
from app.store.cache.audits.audit_rows import AuditDetailRow
from app.ui.viewer.photo import Photo


def photos_of(told: AuditDetailRow, reviews: Reviews) -> tuple[Photo, ...]:
    """One photo an answer that names one; the same photo under two questions is shown under both."""
    return tuple(
        Photo(
            each.photo,
            place,
            "  ".join(part for part in (each.question, each.text, each.answer) if part) or "Photo without a question",
            reviews.photos.get(each.photo, PhotoReview()),
        )
        for place, each in enumerate(told.answers)
        if each.photo
    )
