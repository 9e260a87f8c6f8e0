"""Drafts and templates of quotes and trucks belong to one connection and one operation, and keep their text."""

from dataclasses import replace

import pytest

from app.desk.desk import Desk
from app.desk.requests import request_drafts
from app.desk.requests.request_drafts import MOST_TEMPLATES, TemplateRefused

BODY = '{"weight": 12.50, "note": "Nuñez"}'


@pytest.mark.asyncio
async def test_a_draft_is_kept_letter_for_letter_for_its_operation_and_connection(offline_desk: Desk) -> None:
    await request_drafts.keep_draft(offline_desk, "quote_submit", BODY)
    assert await request_drafts.read_draft(offline_desk, "quote_submit") == BODY
    assert await request_drafts.read_draft(offline_desk, "truck_submit") == ""
    other = replace(offline_desk, profile=replace(offline_desk.profile, id="other"))
    assert await request_drafts.read_draft(other, "quote_submit") == ""


@pytest.mark.asyncio
async def test_templates_are_sorted_by_name_and_one_replaces_its_like(offline_desk: Desk) -> None:
    for name, body in (("memphis run", "1"), ("Atlanta", "2"), (" Memphis  Run ", "3")):
        await request_drafts.keep_template(offline_desk, "truck_submit", name, body)
    assert dict(await request_drafts.read_templates(offline_desk, "truck_submit")) == {
        "Atlanta": "2",
        "Memphis Run": "3",
    }
    assert list(await request_drafts.read_templates(offline_desk, "truck_submit")) == ["Atlanta", "Memphis Run"]
    assert await request_drafts.delete_template(offline_desk, "truck_submit", "Atlanta") == "2"
    assert await request_drafts.delete_template(offline_desk, "truck_submit", "Atlanta") == ""
    assert await request_drafts.read_templates(offline_desk, "quote_submit") == {}


@pytest.mark.asyncio
async def test_a_template_without_a_name_or_with_too_long_a_one_is_refused(offline_desk: Desk) -> None:
    for name in ("", "  ", "x" * 61):
        with pytest.raises(TemplateRefused):
            await request_drafts.keep_template(offline_desk, "quote_submit", name, BODY)
    for at in range(MOST_TEMPLATES):
        await request_drafts.keep_template(offline_desk, "quote_submit", f"t{at}", BODY)
    with pytest.raises(TemplateRefused):
        await request_drafts.keep_template(offline_desk, "quote_submit", "one more", BODY)
    await request_drafts.keep_template(offline_desk, "quote_submit", "T7", "{}")
    assert (await request_drafts.read_templates(offline_desk, "quote_submit"))["T7"] == "{}"
