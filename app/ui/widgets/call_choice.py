"""Calling a phone number: by this computer's phone program if a person chose that, else the number is copied.

Invariant: nothing says that a number is called before this computer took it, and the number is copied in either case.
"""

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication

from app.desk.text.contact_links import phone_link
from app.store.journal import setting_store
from app.store.sqlite.database import Database
from app.ui.widgets import widget_words as words

_KEY = "call by program"


class CallChoice(QObject):
    """`by_program`: the phone program of this computer is asked to call. Many computers have none, so at first not."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.by_program = False

    async def read(self, journal: Database) -> None:
        """Take what is kept. Raises `StoreError`."""
        self._take(await journal.read(setting_store.read_setting, _KEY, False) is True)

    async def keep(self, journal: Database, *, by_program: bool) -> None:
        """Choose whether the phone program calls. Raises `StoreError`."""
        await journal.write(setting_store.write_setting, _KEY, by_program)
        self._take(by_program)

    def _take(self, by_program: bool) -> None:
        if by_program != self.by_program:
            self.by_program = by_program
            self.changed.emit()

    def calls(self, phone: str) -> bool:
        """Whether this number is given to the phone program; a text that is no number is only copied."""
        return self.by_program and bool(phone_link(phone))

    def reach(self, phone: str, name: str = "") -> str:
        """Copy the number, and let the phone program call it if that was chosen; the sentence says what happened."""
        QApplication.clipboard().setText(phone)
        if not self.calls(phone):
            return words.phone_copied(phone, name)
        taken = open_address(phone_link(phone))
        return words.phone_handed_over(phone, name) if taken else words.phone_not_taken(phone, name)


def open_address(address: str) -> bool:
    """Hand an address to the program that the system has for it; whether the system took it."""
    return QDesktopServices.openUrl(QUrl(address, QUrl.ParsingMode.StrictMode))


CALL_CHOICE = CallChoice()
