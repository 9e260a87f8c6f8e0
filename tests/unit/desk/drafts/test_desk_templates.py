"""Templates: fixed fields are filled, asked fields are empty, and any stored content can be read."""

from datetime import datetime
from functools import partial

import pytest

from app.contract.draft import FALSE, TRUE, FreightDraft, OrderDraft
from app.desk.desk import Desk
from app.desk.drafts import saved_drafts, templates
from app.desk.drafts.templates import Template
from app.store.journal import setting_store
from app.store.journal import template_store as kept
from tests.support.desks import order_draft


def sent() -> OrderDraft:
    draft = order_draft("R-1", billToCode="ACME", poNumber="PO-7")
    draft.barcoding.receivingLoadNumber = "TRL-1"
    return draft


STORE = templates.made_of(
    "Rivera stores",
    sent(),
    ["billToCode", "freightDetails", "consignee.city", "useConsigneeAddressToDetermineFaclityCode"],
    ["poNumber", "orderReferenceNumber", "consignee.consigneeName", "billToCode"],
)


def test_what_is_fixed_is_kept_and_what_is_asked_is_in_the_form_s_order() -> None:
    assert STORE.fixed["billToCode"] == "ACME"
    assert STORE.asked == ("orderReferenceNumber", "poNumber", "consignee.consigneeName"), "what is fixed is not asked"


def test_an_order_begun_from_it_holds_what_is_fixed_and_nothing_else() -> None:
    wanted = OrderDraft(
        billToCode="ACME",
        useConsigneeAddressToDetermineFaclityCode=TRUE,
        freightDetails=[FreightDraft("CHAIR", "2", "12.5")],
    )
    wanted.consignee.city = "Memphis"
    assert templates.begin(STORE) == wanted


def test_without_a_template_an_order_is_blank_with_a_line_of_freight() -> None:
    assert templates.begin(None) == OrderDraft(freightDetails=[FreightDraft()])
    assert templates.next_after(None, sent()) == templates.begin(None)
    assert templates.begin(None).useConsigneeAddressToDetermineFaclityCode == FALSE


def test_the_next_order_keeps_what_stood_in_the_fixed_fields() -> None:
    after = sent()
    after.billToCode, after.freightDetails = "OTHER", [FreightDraft("SOFA", "1", "3")]
    found = templates.next_after(STORE, after)
    assert (found.billToCode, found.freightDetails) == ("OTHER", [FreightDraft("SOFA", "1", "3")])
    assert (found.poNumber, found.orderReferenceNumber, found.consignee.consigneeName) == ("", "", "")
    found.freightDetails[0].count = "9"
    assert after.freightDetails[0].count == "1", "they are two orders"


def test_what_can_be_fixed_is_what_holds_something_and_is_not_the_order_s_own() -> None:
    found = templates.filled(sent())
    assert {"billToCode", "poNumber", "consignee.zip", "freightDetails", "barcoding.receivingLoadNumber"} <= set(found)
    assert not {"orderReferenceNumber", "consignee.email", "otherReferenceNumbers"} & set(found)
    assert "freightDetails" not in templates.filled(templates.begin(None)), "a blank line is nothing"


@pytest.mark.asyncio
async def test_templates_are_kept_by_profile_with_the_one_that_new_orders_begin_with(desk: Desk) -> None:
    assert await templates.load(desk) == templates.Templates()
    await templates.save(desk, STORE, default=False)
    await templates.save(desk, Template("Second", {"poNumber": "P"}), default=True)
    found = await templates.load(desk)
    assert [each.name for each in found.all] == ["Rivera stores", "Second"]
    assert found.named("Rivera stores") == STORE
    assert found.default is not None
    assert found.default.name == "Second"
    await templates.save(desk, Template("Second", {"poNumber": "Q"}), default=False)
    found = await templates.load(desk)
    assert (found.default, found.all[1].fixed) == (None, {"poNumber": "Q"})
    await templates.save(desk, STORE, default=True)
    await templates.delete(desk, STORE.name)
    assert (await templates.load(desk)) == templates.Templates((found.all[1],), None)
    assert (await desk.journal.read(kept.read_templates, "another"))["templates"] == {}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "odd", [7, {"templates": 7}, {"templates": {"a": None, "b": {"fixed": [], "asked": 5}, "c": {"fixed": {"x": 1}}}}]
)
async def test_whatever_is_kept_is_read(desk: Desk, odd: object) -> None:
    await desk.journal.write(setting_store.write_setting, f"templates.{desk.profile.id}", odd)
    for each in (await templates.load(desk)).all:
        assert (dict(each.fixed), each.asked) == ({}, ())
        assert templates.begin(each) == templates.begin(None)


@pytest.mark.asyncio
async def test_the_draft_that_was_put_away_last_is_opened_again(desk: Desk) -> None:
    assert await saved_drafts.reopen_last_closed(desk) is None
    for name in ("A", "B", "C"):
        await saved_drafts.save(desk, name, order_draft(f"R-{name}"))
    for at, name in enumerate("BA"):
        desk.now = partial(datetime, 2026, 11, 20, 14, at)
        await saved_drafts.discard(desk, name)
    for wanted in ("A", "B"):
        found = await saved_drafts.reopen_last_closed(desk)
        assert found is not None
        assert found.id == wanted
    assert await saved_drafts.reopen_last_closed(desk) is None
    assert {each.id for each in await saved_drafts.all_open(desk)} == {"A", "B", "C"}


@pytest.mark.asyncio
async def test_a_draft_s_template_is_remembered_while_the_draft_is_open(desk: Desk) -> None:
    for name in ("A", "B"):
        await saved_drafts.save(desk, name, order_draft(f"R-{name}"))
        await templates.note_begun(desk, name, STORE.name)
    assert (await templates.load(desk)).begun == {"A": STORE.name, "B": STORE.name}
    await saved_drafts.discard(desk, "A")
    await templates.note_begun(desk, "B", "Second")
    assert (await templates.load(desk)).begun == {"B": "Second"}
    await desk.journal.write(setting_store.write_setting, f"templates.begun.{desk.profile.id}", [7])
    assert (await templates.load(desk)).begun == {}
