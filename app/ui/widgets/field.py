"""A labelled field: label above, editor, and a reserved line below for an issue or a note.

Invariant: typed text is never cut. A text over its limit stays whole, and the counter says by how much it is over.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QFocusEvent, QShowEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPlainTextEdit, QSizePolicy, QStyledItemDelegate, QWidget

from app.ui.theme.tokens import FIELD_MIN_WIDTH, SPACE_1
from app.ui.widgets import widget_words as words
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import restyle, set_tone, text_label, visible

_NEAR = 0.8  # a counter appears when this share of the limit is used
_COUNTED = 10  # a shorter limit needs no counter
_TEXT_LINES = 4
_TALL = 10_000  # pixels, more than a label has
_CHOICE_LETTERS = 8
# By default Qt cuts a pasted line after 32,767 letters without a word.
NO_LIMIT = 2**31 - 1
# Longer than any value. Qt would lay out two million letters on one line for minutes, at every key.
MOST_LETTERS = 50_000
TOO_MUCH = words.too_much_pasted(MOST_LETTERS)


class AlignedLabels(QObject):
    """Gives the labels of neighbouring fields the same height, so that their editors stand on one line."""

    def __init__(self, labels: Sequence[QLabel], parent: QObject) -> None:
        super().__init__(parent)
        self._labels = labels
        self._heights: dict[QLabel, tuple[int, str, int]] = {}  # width and text that were measured, and their height
        for each in labels:
            each.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
            each.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The height of a label depends on its width alone, so setting heights ends after one round.
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            if event.type() != QEvent.Type.Resize and isinstance(watched, QLabel):
                self._heights.pop(watched, None)
            highest = max(self._height(each) for each in self._labels)
            for each in self._labels:
                if each.minimumHeight() != highest:
                    each.setMinimumHeight(highest)
        return False

    def _height(self, label: QLabel) -> int:
        """The height that its text needs. Each label is resized by itself, and all are asked each time. So a text is
        laid out anew only where it, its width or its font is another."""
        width, text = label.width(), label.text()
        known = self._heights.get(label)
        if known is None or known[:2] != (width, text):
            known = self._heights[label] = (width, text, _wrapped_height(label))
        return known[2]


def _wrapped_height(label: QLabel) -> int:
    """The height of a label's text at the label's width. (`heightForWidth` is never below the minimum height.)"""
    box = label.fontMetrics().boundingRect(0, 0, label.width(), _TALL, Qt.TextFlag.TextWordWrap, label.text())
    around = label.contentsMargins()
    return box.height() + around.top() + around.bottom() + 2 * label.margin()


class LengthLimit(QValidator):
    """Accepts a text of up to `most` letters; refuses a longer one as a whole instead of cutting it."""

    def __init__(self, parent: QObject, most: int = MOST_LETTERS) -> None:
        super().__init__(parent)
        self._most = most

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        fits = len(text) <= self._most
        return QValidator.State.Acceptable if fits else QValidator.State.Invalid, text, at


class PlainText(QPlainTextEdit):
    """An editor of several lines. Tab goes to the next field; `inputRejected` says that too much was pasted."""

    left = Signal()
    inputRejected = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * _TEXT_LINES + 2 * SPACE_1 + 8)

    def typed(self) -> str:
        """The text as typed, with line feeds. (Qt's `toPlainText` turns non-breaking spaces into plain ones.)"""
        return self.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")

    def insertFromMimeData(self, source: QMimeData) -> None:
        if len(source.text()) > MOST_LETTERS:
            self.inputRejected.emit()
        else:
            super().insertFromMimeData(source)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class Field(QWidget):
    """One value of a form. `changed` fires at every key; an issue shows once the keyboard has left the field."""

    changed = Signal()

    def __init__(
        self, label: str, *, required: bool = False, limit: int | None = None, hint: str = "", lines: bool = False,
        secret: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self._name = label
        self._limit = limit
        self._need = ""  # for screen readers; the label shows it
        self._issue = self._notice = self._note = self._filled = ""
        self._touched = self._passing = self._doubtful = False
        self.editor: QLineEdit | PlainText = PlainText() if lines else QLineEdit()
        if isinstance(self.editor, QLineEdit):
            self.editor.setMaxLength(NO_LIMIT)
            self.editor.setValidator(LengthLimit(self.editor))
        self.label = text_label(label, "label", wrap=True)
        self._count = text_label("", "label")
        self._count.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._below = text_label("", "error", wrap=True)
        self._below.setMinimumHeight(self._below.fontMetrics().lineSpacing())
        self._dress(hint, secret=secret)
        self.set_required(required=required)
        self._connect()
        self.line = row(self.editor, gap=SPACE_1 // 2)
        # The counter stands below, where no label has to give way to it: the field is as wide with it as without.
        foot = row(self._below, self._count)
        foot.setStretch(0, 1)
        self.setLayout(column(self.label, self.line, foot, gap=SPACE_1 // 2))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def _dress(self, hint: str, *, secret: bool) -> None:
        self.label.setBuddy(self.editor)
        self.editor.setAccessibleName(self._name)
        self.editor.setPlaceholderText(hint)
        self.editor.setMinimumWidth(FIELD_MIN_WIDTH)
        if secret and isinstance(self.editor, QLineEdit):
            self.editor.setEchoMode(QLineEdit.EchoMode.Password)

    def _connect(self) -> None:
        self.editor.inputRejected.connect(partial(self.set_notice, TOO_MUCH))
        if isinstance(self.editor, QLineEdit):
            self.editor.textChanged.connect(self._on_changed)
            self.editor.editingFinished.connect(self._on_left)
        else:
            self.editor.textChanged.connect(self._on_changed)
            self.editor.left.connect(self._on_left)

    def text(self) -> str:
        """The text of the field, exactly as typed."""
        return self.editor.text() if isinstance(self.editor, QLineEdit) else self.editor.typed()

    def set_text(self, text: str) -> None:
        """Set the text without counting it as typed."""
        if self.text() != text:
            # `textChanged` would count as typing.
            self.editor.blockSignals(True)
            if isinstance(self.editor, QLineEdit):
                self.editor.setText(text)
            else:
                self.editor.setPlainText(text)
            self.editor.blockSignals(False)
        self._touched, self._notice = False, ""
        self._passing = self.editor.hasFocus()  # the keyboard stays from the former value: leaving shows no issue
        self._show()

    def put(self, text: str) -> None:
        """Set the text as if it was typed: it is checked and kept, and the field's undo reverts it."""
        if self.text() == text:
            return
        if isinstance(self.editor, QLineEdit):
            self.editor.selectAll()
            self.editor.insert(text)
        else:
            self.editor.selectAll()
            self.editor.insertPlainText(text)

    def set_required(self, *, required: bool) -> None:
        """Show, and tell a screen reader, whether it has to be filled in."""
        self.label.setText(visible(words.required_label(self._name) if required else self._name))
        self._need = words.REQUIRED if required else ""
        self.editor.setAccessibleDescription(self._need)

    def set_note(self, sentence: str, *, doubtful: bool = False) -> None:
        """Set the help below the field, or what a person should look at once more; an issue takes its place."""
        self._note, self._doubtful = sentence, doubtful
        self._show()

    def set_filled(self, sentence: str) -> None:
        """Say why the program filled in this field; empty once a person has typed or accepted the value."""
        if sentence != self._filled:
            self._filled = sentence
            self.editor.setProperty("filled", bool(sentence))
            restyle(self.editor)
            self._show()

    def set_issue(self, sentence: str) -> None:
        """Set the issue of the value; it shows once the keyboard has left the field, or by `show_issue_now`."""
        if sentence != self._issue:
            self._issue = sentence
            self._show()

    def set_notice(self, sentence: str) -> None:
        """Show a sentence at once, and until the text changes: an answer of the provider, or a refused paste."""
        self._notice = sentence
        self._show()

    def show_issue_now(self) -> None:
        """Show the issue, also of a field that the keyboard never reached."""
        self._touched = True
        self._show()

    @property
    def shown(self) -> str:
        """The sentence below the field."""
        return self._below.text()

    @property
    def trouble(self) -> str:
        """The sentence below the field, where it says that something is wrong."""
        return self._below.text() if self.editor.property("wrong") else ""

    def _on_changed(self) -> None:
        self._notice, self._passing = "", False
        self._show()
        self.changed.emit()

    def _on_left(self) -> None:
        self._touched = self._touched or not self._passing
        self._passing = False
        self._show()

    def _show(self) -> None:
        length = len(self.text().strip())
        over = self._limit is not None and length > self._limit
        near = self._limit is not None and (over or (self._limit >= _COUNTED and length >= self._limit * _NEAR))
        self._count.setText(words.used_of_limit(length, self._limit) if near and self._limit is not None else "")
        # A text over its limit is reported at once, other issues once the field is left: a word may be half typed.
        sentence = self._notice or (self._issue if self._touched or over else "")
        help_ = " ".join(part for part in (self._filled, self._note) if part)
        self._below.setText(visible(sentence or help_))
        set_tone(self._below, "" if sentence else "warn" if self._doubtful else "soft")
        self.editor.setAccessibleDescription(sentence or f"{self._need} {help_}".strip())
        if self.editor.property("wrong") != bool(sentence):
            self.editor.setProperty("wrong", bool(sentence))
            restyle(self.editor)


class Choice(QComboBox):
    """A combo box that ignores the wheel, so that scrolling a form changes no value.

    A line selected through the accessibility tree is chosen. (Qt only selects it.)
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._read_aloud = self._was_open = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._choose_selected)
        self.setItemDelegate(QStyledItemDelegate(self))  # Qt's delegate for combo boxes ignores the style sheet
        self.setAccessibleName(name)
        # On Linux, Qt reports the chosen text as the name, so the purpose goes into the description.
        self.setAccessibleDescription(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # As wide as the layout allows, not as the longest choice.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_CHOICE_LETTERS)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if QAccessible.isActive() and not self._read_aloud:  # `view()` makes the list, which others never need
            self._read_aloud = True
            self.view().selectionModel().selectionChanged.connect(self._on_selection)

    def _on_selection(self) -> None:
        self._was_open = self.view().isVisible()
        self._later.start()

    def _choose_selected(self) -> None:
        """Choose the selected line if it is not the current one: keys and mouse always move both together."""
        chosen = [each.row() for each in self.view().selectionModel().selectedIndexes()]
        here = self.view().currentIndex().row() if self._was_open else self.currentIndex()
        if len(chosen) == 1 and chosen[0] != here:
            self.hidePopup()
            self.setCurrentIndex(chosen[0])
            self.activated.emit(chosen[0])


class ChoiceField(QWidget):
    """A labelled choice, with an issue or a note below. An optional choice has an empty line."""

    changed = Signal()

    def __init__(self, label: str, choices: list[tuple[str, str]]) -> None:
        super().__init__()
        self._name = label
        self._issue = self._notice = self._note = ""
        self.editor = Choice(label)
        for value, title in choices:
            self.editor.addItem(title, value)
        self.editor.currentIndexChanged.connect(self._on_changed)
        self.label = text_label(label, "label", wrap=True)
        self.label.setBuddy(self.editor)
        self._below = text_label("", "error", wrap=True)
        self._below.setMinimumHeight(self._below.fontMetrics().lineSpacing())
        self.setLayout(column(self.label, self.editor, self._below, gap=SPACE_1 // 2))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def show_whole(self) -> None:
        """Be as wide as the longest choice and the label."""
        self.label.setWordWrap(False)
        self.editor.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def text(self) -> str:
        """The chosen value."""
        return str(self.editor.currentData() or "")

    def set_text(self, text: str) -> None:
        """Choose without counting it as a person's choice. A value that is not offered is added to the list."""
        # The signal would count as a person's choice.
        self.editor.blockSignals(True)
        place = self.editor.findData(text)
        if place < 0:
            self.editor.addItem(visible(text), text)
            place = self.editor.count() - 1
        self.editor.setCurrentIndex(place)
        self.editor.blockSignals(False)
        self._notice = ""
        self._show()

    def put(self, text: str) -> None:
        """Choose as if a person did: the value is checked and kept."""
        place = self.editor.findData(text)
        if place >= 0:
            self.editor.setCurrentIndex(place)

    def set_note(self, sentence: str) -> None:
        """Set the explanation below the choice; an issue takes its place."""
        self._note = sentence
        self._show()

    def set_issue(self, sentence: str) -> None:
        """Set the issue of the choice."""
        self._issue = sentence
        self._show()

    def set_notice(self, sentence: str) -> None:
        """Show a sentence until another value is chosen."""
        self._notice = sentence
        self._show()

    def show_issue_now(self) -> None:
        """Do nothing: the issue of a choice always shows."""

    @property
    def shown(self) -> str:
        """The sentence below the field."""
        return self._below.text()

    def _on_changed(self) -> None:
        self._notice = ""
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        wrong = self._notice or self._issue
        sentence = wrong or self._note
        self._below.setText(visible(sentence))
        set_tone(self._below, "" if wrong else "soft")
        # Qt reports the chosen text as the name, so the description repeats the label.
        self.editor.setAccessibleDescription(f"{self._name}. {wrong}" if wrong else self._name)
