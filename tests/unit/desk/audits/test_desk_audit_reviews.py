"""Reviews are saved, can be undone, and are read whatever the row holds."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desk.audits import audit_reviews
from app.desk.audits.audit_reviews import AuditReview, Mark, PhotoReview, Reviews
from app.desk.desk import Desk
from app.store.journal.review_store import Marked

PHOTO = "/download/audit/audit-1-2.jpg"
SAID = PhotoReview(True, "Corner crushed", 90, (Mark("arrow", 0.1, 0.2, 0.5, 0.75), Mark("text", 0, 1, 0, 1, "here")))


@pytest.mark.asyncio
async def test_reviews_are_read_back_and_belong_to_one_profile(offline_desk: Desk) -> None:
    assert (
        await audit_reviews.save_audit_review(offline_desk, 1, AuditReview(True, False, "Ask Denise")) == AuditReview()
    )
    assert await audit_reviews.save_photo_review(offline_desk, 1, PHOTO, SAID) == PhotoReview()
    assert await audit_reviews.reviews_of(offline_desk, 1) == Reviews(
        AuditReview(True, False, "Ask Denise"), {PHOTO: SAID}
    )
    assert await audit_reviews.reviews_of(offline_desk, 2) == Reviews(AuditReview(), {})
    other = replace(offline_desk, profile=replace(offline_desk.profile, id="other"))
    assert await audit_reviews.reviews_of(other, 1) == Reviews(AuditReview(), {})


@pytest.mark.asyncio
async def test_each_change_gives_back_what_was_there_so_that_it_can_be_undone(offline_desk: Desk) -> None:
    await audit_reviews.save_photo_review(offline_desk, 1, PHOTO, SAID)
    before = await audit_reviews.save_photo_review(offline_desk, 1, PHOTO, PhotoReview())
    assert before == SAID
    assert (await audit_reviews.reviews_of(offline_desk, 1)).photos == {}
    assert await audit_reviews.save_photo_review(offline_desk, 1, PHOTO, before) == PhotoReview()
    assert (await audit_reviews.reviews_of(offline_desk, 1)).photos == {PHOTO: SAID}


@pytest.mark.asyncio
async def test_the_list_knows_what_is_reviewed_flagged_and_noted(offline_desk: Desk) -> None:
    assert await audit_reviews.marked(offline_desk) == Marked(frozenset(), frozenset(), frozenset())
    await audit_reviews.save_audit_review(offline_desk, 1, AuditReview(reviewed=True))
    await audit_reviews.save_audit_review(offline_desk, 2, AuditReview(flagged=True, note="again"))
    await audit_reviews.save_photo_review(offline_desk, 3, PHOTO, PhotoReview(flagged=True))
    await audit_reviews.save_photo_review(offline_desk, 4, PHOTO, PhotoReview(note="see here"))
    await audit_reviews.save_photo_review(offline_desk, 5, PHOTO, PhotoReview(turned=180))
    told = await audit_reviews.marked(offline_desk)
    assert told == Marked(frozenset({1}), frozenset({2, 3}), frozenset({2, 4}))


@pytest.mark.asyncio
async def test_a_photo_without_an_address_is_refused(offline_desk: Desk) -> None:
    with pytest.raises(ValueError, match="without an address"):
        await audit_reviews.save_photo_review(offline_desk, 1, "", SAID)


@pytest.mark.asyncio
async def test_half_characters_are_kept_as_what_they_are(offline_desk: Desk) -> None:
    await audit_reviews.save_photo_review(offline_desk, 1, "\udc80.jpg", PhotoReview(note="x"))
    assert (await audit_reviews.marked(offline_desk)).noted == {1}


ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["arrow", "box"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("reviewed", "flagged", "note", "turned", "marks", "newer"), ANYTHING)
    )
    | ANYTHING
)
def test_whatever_another_program_wrote_is_read_without_failing(body: Any) -> None:
    text = json.dumps(body)
    assert isinstance(audit_reviews._audit(text), AuditReview)
    read = audit_reviews._photo(text)
    assert read.turned in (0, 90, 180, 270)
    assert all(0 <= 0 * each.x == 0 for each in read.marks)
