"""The row in which an auditor says something: reviewed, flags, and notes of the audit and of the photo that is shown.

A note keeps itself a moment after its last letter, and is kept for the photo that it was typed at.
"""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from app.ui.audits.opened.review_edits import ReviewEdits
from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import row

_KEPT_AFTER_MS = 600


class ReviewRow(QWidget):
    """`reviewed_now` tells that the audit was said to be reviewed just now, `done` that a note was ended by Enter."""

    reviewed_now = Signal()
    done = Signal()

    def __init__(self, edits: ReviewEdits) -> None:
        super().__init__()
        self._edits = edits
        self._photo = ""  # the address of the photo that is shown, and that the note beside it is about
        self.reviewed = _toggle("Reviewed", self.toggle_reviewed, "Says so and goes on  (E)")
        self.flag = _toggle("Flag audit", self.toggle_flag, "(Shift+F)")
        self.flag_photo = _toggle("Flag photo", self.toggle_photo_flag, "(F)")
        self.note = _line("Note about this audit", "Q")
        self.photo_note = _line("Note about this photo", "Shift+Q")
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_KEPT_AFTER_MS)
        self._later.timeout.connect(self.keep_notes)
        for each in (self.note, self.photo_note):
            each.editingFinished.connect(self.keep_notes)
            each.returnPressed.connect(self.done)
            each.textChanged.connect(self._later.start)
        line = row(self.reviewed, self.flag, self.note, self.flag_photo, self.photo_note, gap=SPACE_2)
        line.setStretch(2, 1)
        line.setStretch(4, 1)
        self.setLayout(line)

    def clear(self) -> None:
        """No audit is shown."""
        self._photo = ""
        for each in (self.note, self.photo_note):
            each.clear()

    def show_audit(self, *, notes: bool = True) -> None:
        """Show what was said of the audit; without `notes` what is typed stays."""
        review = self._edits.audit
        self.reviewed.setChecked(review.reviewed)
        _write(self.reviewed, "✓ Reviewed" if review.reviewed else "Reviewed")
        self.flag.setChecked(review.flagged)
        _write(self.flag, "⚑ Audit flagged" if review.flagged else "Flag audit")
        if notes and not self.note.hasFocus():
            _show(self.note, review.note)

    def show_photo(self, address: str, *, notes: bool = True) -> None:
        """Show what was said of the photo with this address; empty where none is shown."""
        if address != self._photo:
            self.keep_notes()
        review = self._edits.photo(address)
        for each in (self.flag_photo, self.photo_note):
            each.setEnabled(bool(address))
        self.flag_photo.setChecked(review.flagged)
        _write(self.flag_photo, "⚑ Photo flagged" if review.flagged else "Flag photo")
        if address != self._photo or (notes and not self.photo_note.hasFocus()):
            self._photo = address
            _show(self.photo_note, review.note)

    def toggle_reviewed(self) -> None:
        """Say that the audit is reviewed, or take that back."""
        review = self._edits.audit
        if self._edits.set_audit(replace(review, reviewed=not review.reviewed)) and not review.reviewed:
            self.reviewed_now.emit()

    def toggle_flag(self) -> None:
        """Flag the audit, or no longer."""
        review = self._edits.audit
        self._edits.set_audit(replace(review, flagged=not review.flagged))

    def toggle_photo_flag(self) -> None:
        """Flag the photo that is shown, or no longer."""
        if self._photo:
            review = self._edits.photo(self._photo)
            self._edits.set_photo(self._photo, replace(review, flagged=not review.flagged))

    def keep_notes(self) -> None:
        """Keep what is typed as a note, wherever the keyboard is."""
        audit, note = self._edits.audit, self.note.text()
        if note != audit.note:
            self._edits.set_audit(replace(audit, note=note))
        photo, note = self._edits.photo(self._photo), self.photo_note.text()
        if self._photo and note != photo.note:
            self._edits.set_photo(self._photo, replace(photo, note=note))

    def typed(self) -> list[tuple[str, str]]:
        """The notes as they are typed: of what, and its words."""
        return [(what, text) for what, text in (("Audit", self.note.text()), ("Photo", self.photo_note.text())) if text]


def _toggle(words: str, act: Callable[[], object], tip: str) -> QPushButton:
    made = button(words, act, tip=tip)
    made.setCheckable(True)
    return made


def _line(name: str, key: str) -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(f"{name}  ({key})")
    return made


def _show(line: QLineEdit, words: str) -> None:
    """Show a note from its beginning, however narrow the line is."""
    line.setText(words)
    line.setCursorPosition(0)


def _write(made: QPushButton, words: str) -> None:
    """Write on a button; a screen reader is spared the glyph."""
    made.setText(words)
    made.setAccessibleName(words.lstrip("✓⚑ "))
