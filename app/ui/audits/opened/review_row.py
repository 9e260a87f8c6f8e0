"""The row of the review: reviewed, flags, and notes of the audit and of the photo on screen.

A note saves itself a moment after its last letter, and belongs to the photo it was typed at.
"""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from app.translation import translate
from app.ui.audits import audits_words as words
from app.ui.audits.opened.review_edits import ReviewEdits
from app.ui.theme.tokens import SPACE_2
from app.ui.widgets.buttons import button, set_kind
from app.ui.widgets.layout import row

_SAVE_AFTER_MS = 600


class ReviewRow(QWidget):
    """`reviewed_now` follows the mark as reviewed, `done` an Enter that ends a note."""

    reviewed_now = Signal()
    done = Signal()

    def __init__(self, edits: ReviewEdits) -> None:
        super().__init__()
        self._edits = edits
        self._photo = ""  # the address of the photo that is shown, and that the note beside it is about
        self.reviewed = _toggle(
            words.MARK_REVIEWED, self.toggle_reviewed, translate("Mark as reviewed and open the next  (E)")
        )
        self.flag = _toggle(translate("Flag audit"), self.toggle_flag, "(Shift+F)")
        self.flag_photo = _toggle(translate("Flag photo"), self.toggle_photo_flag, "(F)")
        self.note = _line(translate("Note about this audit"), "Q")
        self.photo_note = _line(translate("Note about this photo"), "Shift+Q")
        self._saving = QTimer(self)
        self._saving.setSingleShot(True)
        self._saving.setInterval(_SAVE_AFTER_MS)
        self._saving.timeout.connect(self.save_notes)
        for each in (self.note, self.photo_note):
            each.editingFinished.connect(self.save_notes)
            each.returnPressed.connect(self.done)
            each.textChanged.connect(self._saving.start)
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
        """Show the review of the audit. Without `notes` a note that is being typed stays."""
        review = self._edits.audit
        self.reviewed.setChecked(review.reviewed)
        set_kind(self.reviewed, "normal" if review.reviewed else "primary")
        _write(self.reviewed, words.REVIEWED if review.reviewed else words.MARK_REVIEWED)
        self.flag.setChecked(review.flagged)
        _write(self.flag, translate("⚑ Audit flagged") if review.flagged else translate("Flag audit"))
        if notes and not self.note.hasFocus():
            _show(self.note, review.note)

    def show_photo(self, address: str, *, notes: bool = True) -> None:
        """Show the review of the photo with this address, which is empty where there is no photo."""
        # Before the line shows another note: what is typed belongs to the photo before.
        if address != self._photo:
            self.save_notes()
        review = self._edits.photo(address)
        for each in (self.flag_photo, self.photo_note):
            each.setEnabled(bool(address))
        self.flag_photo.setChecked(review.flagged)
        _write(self.flag_photo, translate("⚑ Photo flagged") if review.flagged else translate("Flag photo"))
        if address != self._photo or (notes and not self.photo_note.hasFocus()):
            self._photo = address
            _show(self.photo_note, review.note)

    def toggle_reviewed(self) -> None:
        """Mark the audit as reviewed, or take the mark back."""
        self._edits.once_read(self._toggle_reviewed)

    def _toggle_reviewed(self) -> None:
        review = self._edits.audit
        if self._edits.set_audit(replace(review, reviewed=not review.reviewed)) and not review.reviewed:
            self.reviewed_now.emit()

    def toggle_flag(self) -> None:
        """Flag the audit, or take the flag back."""
        self._edits.once_read(self._toggle_flag)

    def _toggle_flag(self) -> None:
        review = self._edits.audit
        self._edits.set_audit(replace(review, flagged=not review.flagged))

    def toggle_photo_flag(self) -> None:
        """Flag the photo on screen, or take the flag back."""
        if self._photo:
            review = self._edits.photo(self._photo)
            self._edits.set_photo(self._photo, replace(review, flagged=not review.flagged))

    def save_notes(self) -> None:
        """Save the notes as they are typed, whether or not the keyboard has left them."""
        audit, note = self._edits.audit, self.note.text()
        if note != audit.note:
            self._edits.set_audit(replace(audit, note=note))
        photo, note = self._edits.photo(self._photo), self.photo_note.text()
        if self._photo and note != photo.note:
            self._edits.set_photo(self._photo, replace(photo, note=note))

    def typed(self) -> list[tuple[str, str]]:
        """The notes as they are typed, each after the word for the thing it is about."""
        return [
            (kind, text)
            for kind, text in ((translate("Audit"), self.note.text()), (translate("Photo"), self.photo_note.text()))
            if text
        ]


def _toggle(title: str, act: Callable[[], object], tip: str) -> QPushButton:
    made = button(title, act, tip=tip)
    made.setCheckable(True)
    return made


def _line(name: str, key: str) -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(f"{name}  ({key})")
    return made


def _show(line: QLineEdit, note: str) -> None:
    """Show a note from its beginning, however narrow the line is."""
    line.setText(note)
    line.setCursorPosition(0)


def _write(made: QPushButton, title: str) -> None:
    """Write on a button; a screen reader is spared the glyph."""
    made.setText(title)
    made.setAccessibleName(title.lstrip("✓⚑ "))
