"""Hostile texts through whole pages: tables, tooltips, details, lists, menus, titles; each shown letter for letter."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QLabel, QListWidget, QMessageBox, QWidget

from app.desk.desk import Desk
from app.desk.drafts import saved_drafts
from app.desk.sending import outbox
from app.store.journal.profile_store import Profile
from app.store.journal.recovery.journal_file import Journal
from app.store.paths import DataDir
from app.store.secrets import SecretStore
from app.store.store_errors import StoreError
from app.ui.base.main_window import MainWindow
from app.ui.base.page import PageServices
from app.ui.entry.drafts.template_dialog import TemplateDialog
from app.ui.entry.entry_page import EntryPage
from app.ui.orders.orders_page import OrdersPage
from app.ui.outbox.outbox_page import OutboxPage
from app.ui.settings.connection_line import ConnectionLine
from app.ui.settings.settings_page import Keeping, SettingsPage
from app.ui.theme.theme import Theme
from app.ui.widgets.grid.grid_model import shown_in_cell
from app.ui.widgets.text.labels import visible
from tests.support.desks import order_draft, submission
from tests.support.hostile import HOSTILE, without_hidden
from tests.support.loop import RunningLoop
from tests.support.shown_texts import tooltip_words
from tests.ui.conftest import Show
from tests.ui.entry.suggestions_help import RIVERA, offered, press, teach, type_in
from tests.ui.orders.orders_help import NOW, fill, idle, order

# All of them go through the factories of labels; here every other one, a picture, an entity and a mark among them.
SOME = (*HOSTILE[::2], "x\u202ey\x07z", "[*]")
every_text = pytest.mark.parametrize("text", SOME, ids=range(len(SOME)))


def cells(model: QAbstractItemModel) -> set[str]:
    """What the first row shows."""
    return {str(model.index(0, column).data()) for column in range(model.columnCount())}


def tips(model: QAbstractItemModel) -> set[str]:
    """What its tooltips show."""
    role = Qt.ItemDataRole.ToolTipRole
    return {tooltip_words(str(model.index(0, column).data(role))) for column in range(model.columnCount())}


def plain_labels(widget: QWidget) -> set[str]:
    """Everything that labels show; fails where one would guess at markup, or hides something."""
    labels = [each for each in widget.findChildren(QLabel) if each.text()]
    assert all(each.textFormat() == Qt.TextFormat.PlainText for each in labels)
    assert all(without_hidden(each.text()) for each in labels)
    return {each.text() for each in labels}


@every_text
def test_an_order_of_the_provider(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk, text: str
) -> None:
    record = {
        "CRN": text,
        "Status": text,
        "StatusId": "STD",
        "Remarks": text,
        "PO": [text],
        "Consignee": {"Name": text, "Phone": text, "Address": {"StreetAddress1": text}},
        "Notes": [{"Text": text, "CreatedDate": NOW.isoformat()}],
        "ProofOfDelivery": [{"Filename": text, "Folder": text}],
        "Commodities": [{"CommodityCode": text, "Description": text, "Count": 1}],
    }
    columns = {"crn": text, "status": text, "consignee_name": text, "city": text, "facility_name": text}
    fill(loop, offline_desk, [order(7, extra=record, **columns)])
    page = OrdersPage(services)
    show(page)
    page.take_desk(offline_desk)
    loop.until(lambda: idle(page))
    assert visible(text) in cells(page.model)
    assert visible(text) in tips(page.model)
    page.side.show_order(7)
    loop.until(lambda: idle(page))
    assert page.side.order is not None
    shown = plain_labels(page.side.order)
    assert page.side.order.title.text() == visible(text)
    assert visible(text) in shown
    assert f"1 × {visible(text)}" in shown
    page.side.order.cancel_button.click()
    loop.until(lambda: page.findChildren(QMessageBox))
    (box,) = page.findChildren(QMessageBox)
    assert box.text() == visible(f"Cancel order {text} for {text}?")
    plain_labels(box)
    box.reject()
    loop.until(lambda: not page.findChildren(QMessageBox))


@every_text
def test_an_order_of_this_desk(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk, text: str
) -> None:
    name = text[:100].strip()
    loop.run(saved_drafts.save(offline_desk, "d", order_draft(name, name)))
    entry = EntryPage(services)
    show(entry)
    entry.take_desk(offline_desk)
    loop.until(lambda: entry.form.draft().orderReferenceNumber != "" or not entry.tasks.running("reopen"))
    loop.until(lambda: entry.form.draft() == order_draft(name, name))
    shown = entry.tabs.tabText(0).replace("&&", "\0")
    assert "&" not in shown
    assert shown.replace("\0", "&") == visible(name)
    entry.form.show_provider_words({"consignee.city": text})
    entry.bar.say("bad", text)
    listed = entry.rail.findChild(QListWidget)
    assert isinstance(listed, QListWidget)
    plain_labels(entry)


@every_text
def test_what_is_known(loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk, text: str) -> None:
    known = dict.fromkeys(RIVERA, text) | {"consigneeName": f"Rivera {text}"}
    teach(loop, offline_desk, "consignee", known)
    entry = EntryPage(services)
    show(entry)
    entry.take_desk(offline_desk)
    loop.until(lambda: not entry.tasks.running("reopen"))
    type_in(entry, "consignee.consigneeName", "riv")
    (read,) = offered(loop, entry)
    assert without_hidden(read)
    item = entry.suggestions.list.item(0)
    assert item.text() == shown_in_cell(f"Rivera {text}")
    assert tooltip_words(item.toolTip()).startswith(visible(f"Rivera {text}"))
    press(Qt.Key.Key_Down, Qt.Key.Key_Return)
    if not any(each in text for each in "\n\r\u2028\u2029\0"):  # a field of one line turns these into blanks
        assert entry.form.draft().consignee.consigneeName == f"Rivera {text}"
    entry.save_as_template()
    (dialog,) = entry.findChildren(TemplateDialog)
    assert all(without_hidden(dialog.fields.item(at).text()) for at in range(dialog.fields.count()))
    plain_labels(entry)


@every_text
def test_a_write_and_its_reply(
    loop: RunningLoop, services: PageServices, show: Show, offline_desk: Desk, text: str
) -> None:
    reference = text[:30].strip()
    write = loop.run(
        outbox.queue_submission(offline_desk, submission(reference, deliveryInstructions=text[:250]), None)
    )
    loop.run(outbox.settle(offline_desk, write, "withdrawn", text))
    page = OutboxPage(services)
    show(page)
    page.take_desk(offline_desk)
    page.show_write(write)
    loop.until(lambda: page.story.shown_id == write and page.model.rowCount() == 1)
    assert {visible(reference), visible(text)} <= cells(page.model)
    assert {visible(reference), visible(text)} <= tips(page.model)
    assert page.story.title.text() == visible(reference)
    plain_labels(page)
    said = page.story.text.toPlainText()
    assert without_hidden(said)
    sent = json.loads(loop.run(outbox.story(offline_desk, write)).payload)
    assert sent["orderReferenceNumber"] == reference, "what is sent is what was typed, hidden characters and all"


@every_text
def test_a_connection(
    loop: RunningLoop,
    services: PageServices,
    show: Show,
    theme: Theme,
    offline_desk: Desk,
    profile: Profile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    hostile = replace(profile, name=text, base_url=text, client_id=text)
    window = MainWindow(theme)
    window.show_profiles([hostile], hostile)
    assert window.profile_choice.currentText() == f"{visible(text)} · test system"
    assert window.windowTitle().replace("[*][*]", "[*]").startswith(f"Waybill · {visible(text)}")
    window.show_link("warn", text)
    assert window.link_label.whole == visible(text)
    assert window.link_label.text() in plain_labels(window)
    window.deleteLater()
    assert isinstance(offline_desk.journal, Journal)
    page = SettingsPage(services, Keeping(offline_desk.journal, SecretStore(), DataDir(tmp_path)))
    show(page)
    page._profiles = [hostile]
    page.take_desk(replace(offline_desk, profile=hostile))
    page.form.say_trouble(StoreError(text).sentence)
    loop.until(lambda: not page.tasks.running("connections"))
    line = ConnectionLine(services.theme, hostile, in_use=True)
    page._list.addWidget(line)
    assert f"{visible(text)} · in use" in plain_labels(line)
    assert f"Test system · {visible(text)} · client {visible(text)}" in plain_labels(page)
