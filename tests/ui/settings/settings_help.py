"""Helpers of the tests of the settings: typing a connection into the form, and reading the page."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from app.desk.connections import profiles
from app.store.sqlite.database import Database
from app.ui.settings.settings_page import SettingsPage
from tests.support.fault_server import INFORMATION, MANAGEMENT, Answer, FaultServer
from tests.support.faults import json_answer
from tests.support.loop import RunningLoop

SECRET = "canary-secret-8842"


class Heard:
    """What the page asked for."""

    def __init__(self, page: SettingsPage) -> None:
        self.used: list[str] = []
        self.changed: list[int] = []
        page.use_asked.connect(self.used.append)
        page.changed.connect(lambda: self.changed.append(1))


def idle(page: SettingsPage) -> bool:
    return not any(page.tasks.running(name) for name in ("connections", "test", "save connection"))


def type_connection(page: SettingsPage, addresses: dict[str, str], client: str, secret: str) -> None:
    page.connect_button.click()
    QTest.keyClicks(page.form.name.editor, "Acme & Sons")
    for name, address in addresses.items():
        QTest.keyClicks(page.form.fields[name].editor, address)
    QTest.keyClicks(page.form.fields["client_id"].editor, client)
    QTest.keyClicks(page.form.fields["client_secret"].editor, secret)


def type_fault_server(page: SettingsPage, server: FaultServer, secret: str = SECRET) -> None:
    server.tokens.client_secret = SECRET
    for path in ("/Order/test", "/Quote/test"):
        server.serve(f"{MANAGEMENT}{path}", Answer())
    server.serve(f"{MANAGEMENT}/Integration/crossReference", json_answer([]))
    server.serve(f"{INFORMATION}/audit", json_answer([]))
    type_connection(page, server.addresses, server.tokens.client_id, secret)


def said(widget: QWidget) -> str:
    """Everything that is shown below a widget."""
    labels = [each.text() for each in widget.findChildren(QLabel) if each.isVisible()]
    fields = [each.displayText() for each in widget.findChildren(QLineEdit) if each.isVisible()]
    buttons = [each.text() for each in widget.findChildren(QPushButton) if each.isVisible()]
    return "\n".join([*labels, *fields, *buttons])


def kept(loop: RunningLoop, journal: Database) -> list[str]:
    return [each.name for each in loop.run(profiles.all_profiles(journal)) if each.kind != "practice"]


def button(page: SettingsPage, name: str) -> QPushButton:
    (found,) = buttons(page, name)
    return found


def buttons(page: SettingsPage, name: str) -> list[QPushButton]:
    return [each for each in page.findChildren(QPushButton) if each.accessibleName() == name and each.isVisible()]


def saved(loop: RunningLoop, page: SettingsPage, heard: Heard, server: FaultServer) -> None:
    type_fault_server(page, server)
    page.form.save_button.click()
    loop.until(lambda: heard.used)
    page.reload()
    loop.until(lambda: idle(page) and buttons(page, "Test Acme & Sons"))  # a line is seen a turn after it is made
