"""The subject of a print: the order that this desk sent, the name of its file, and the last choices."""

import pytest

from app.desk.desk import Desk
from app.desk.printing import print_choices
from app.desk.printing.print_choices import Choices
from app.desk.printing.print_subject import Subject, last_sent, pdf_name, sent_order
from app.desk.sending import outbox
from app.store.journal import setting_store
from tests.support.desks import order_draft, submission


@pytest.mark.asyncio
async def test_the_last_order_that_was_not_refused_or_undone_is_what_is_printed(offline_desk: Desk) -> None:
    desk = offline_desk
    assert await last_sent(desk, "R-1") is None
    first = await outbox.queue_submission(desk, submission("R-1", "First"), None)
    second = await outbox.queue_submission(desk, submission("R-1", "Second"), None)
    await outbox.queue_cancellation(desk, "R-1")
    found = await last_sent(desk, "R-1")
    assert found is not None
    assert (found[0].id, found[1].consignee.consigneeName) == (second, "Second")
    await outbox.settle(desk, second, "withdrawn", "Withdrawn.")
    found = await last_sent(desk, "R-1")
    assert found is not None
    assert found[0].id == first


@pytest.mark.asyncio
async def test_a_write_is_printed_as_it_was_sent(offline_desk: Desk) -> None:
    sent = order_draft("R-1", poNumber="PO-1")
    write = await outbox.queue_submission(offline_desk, submission("R-1", poNumber="PO-1"), None)
    row, draft = await sent_order(offline_desk, write)
    assert (row.reference, draft) == ("R-1", sent)


def test_a_subject_goes_by_its_reference_as_it_would_be_sent() -> None:
    assert Subject(order_draft(" R-1 "), "", practice=False).reference == "R-1"


@pytest.mark.asyncio
async def test_choices_are_remembered(offline_desk: Desk) -> None:
    journal = offline_desk.journal
    assert await print_choices.last(journal) == Choices()
    chosen = Choices("a4x8", "600", "a4", "Zebra ZD421")
    await print_choices.remember(journal, chosen)
    assert await print_choices.last(journal) == chosen
    await journal.write(setting_store.write_setting, "printing", {"stock": "4x2in", "gone": 1})
    assert await print_choices.last(journal) == Choices(stock="4x2in")
    await journal.write(setting_store.write_setting, "printing", "nonsense")
    assert await print_choices.last(journal) == Choices()


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("CRN-20481", "order-CRN-20481-labels.pdf"),
        ("../../etc/passwd", "order-etc_passwd-labels.pdf"),
        ("C:\\CON", "order-C_CON-labels.pdf"),
        ("\u202e", "order-labels.pdf"),
        ("", "order-labels.pdf"),
        ("x" * 500, f"order-{'x' * 60}-labels.pdf"),
    ],
)
def test_a_file_name_is_one_on_every_system(reference: str, name: str) -> None:
    assert pdf_name(reference, "labels") == name


def test_a_sheet_is_named_by_its_order_alone() -> None:
    assert pdf_name("R-1", "") == "order-R-1.pdf"
