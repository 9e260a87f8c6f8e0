"""A labelled field: label above, editor, and a line below with its place reserved for what is wrong.

Nothing typed is ever cut off: a text over its limit stays whole and the line says by how much.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QFocusEvent, QShowEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPlainTextEdit, QSizePolicy, QStyledItemDelegate, QWidget

from app.ui.theme.tokens import FIELD_MIN_WIDTH, SPACE_1
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import restyle, set_tone, text_label, visible

# A counter appears when this much of the limit is used.
_NEAR = 0.8
# Nobody needs to be told that two letters are two of two.
_COUNTED = 10
_TEXT_LINES = 4
_CHOICE_LETTERS = 8
# Qt cuts what is pasted into a line after 32,767 letters, and says nothing.
NO_LIMIT = 2**31 - 1
# More than any value has. Two million letters on one line would be laid out for minutes, at every key.
MOST_LETTERS = 50_000
TOO_MUCH = f"Nothing was put in: a field takes at most {MOST_LETTERS:,} characters at once."


class AlignedLabels(QObject):
    """Keeps the editors of fields that stand side by side in one line: where one label takes two lines of text, all are
    given as much room, and stand at its bottom."""

    def __init__(self, labels: Sequence[QLabel], parent: QObject) -> None:
        super().__init__(parent)
        self._labels = labels
        for each in labels:
            each.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
            each.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # How high a label has to be depends on its width alone, so this comes to rest.
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            highest = max(each.heightForWidth(each.width()) for each in self._labels)
            for each in self._labels:
                if each.minimumHeight() != highest:
                    each.setMinimumHeight(highest)
        return False


class LengthLimit(QValidator):
    """Takes a text of up to `most` letters, whatever it says; a longer one is refused as a whole, never cut."""

    def __init__(self, parent: QObject, most: int = MOST_LETTERS) -> None:
        super().__init__(parent)
        self._most = most

    def validate(self, text: str, at: int) -> tuple[QValidator.State, str, int]:
        fits = len(text) <= self._most
        return QValidator.State.Acceptable if fits else QValidator.State.Invalid, text, at


class PlainText(QPlainTextEdit):
    """A text of several lines; Tab goes on to the next field. `inputRejected`: far too much was pasted."""

    left = Signal()
    inputRejected = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * _TEXT_LINES + 2 * SPACE_1 + 8)

    def typed(self) -> str:
        """The text as typed, lines parted by line feeds. (Qt's own plain text turns hard blanks into soft ones.)"""
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
    """One value of a form. `changed` fires at every keystroke; an issue shows once the field was left."""

    changed = Signal()

    def __init__(
        self, label: str, *, required: bool = False, limit: int | None = None, hint: str = "", lines: bool = False,
        secret: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self._name = label
        self._limit = limit
        self._need = "Required." if required else ""  # as it is spoken; the label shows it
        self._issue = self._said = self._note = self._filled = ""
        self._touched = self._passing = False
        self.editor: QLineEdit | PlainText = PlainText() if lines else QLineEdit()
        if isinstance(self.editor, QLineEdit):
            self.editor.setMaxLength(NO_LIMIT)
            self.editor.setValidator(LengthLimit(self.editor))
        self.label = text_label(f"{label} · required" if required else label, "label", wrap=True)
        self._count = text_label("", "label")
        self._count.setAlignment(Qt.AlignmentFlag.AlignBottom)
        self._below = text_label("", "error", wrap=True)
        self._below.setMinimumHeight(self._below.fontMetrics().lineSpacing())
        self._dress(hint, secret=secret)
        self._connect()
        self.line = row(self.editor, gap=SPACE_1 // 2)
        head = row(self.label, self._count)
        head.setStretch(0, 1)  # in a narrow window the label takes two lines
        self.setLayout(column(head, self.line, self._below, gap=SPACE_1 // 2))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def _dress(self, hint: str, *, secret: bool) -> None:
        self.label.setBuddy(self.editor)
        self.editor.setAccessibleName(self._name)
        self.editor.setAccessibleDescription(self._need)
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
        """What stands in the field, exactly."""
        return self.editor.text() if isinstance(self.editor, QLineEdit) else self.editor.typed()

    def set_text(self, text: str) -> None:
        """Fill the field without calling it typed."""
        if self.text() != text:
            self.editor.blockSignals(True)
            if isinstance(self.editor, QLineEdit):
                self.editor.setText(text)
            else:
                self.editor.setPlainText(text)
            self.editor.blockSignals(False)
        self._touched, self._said = False, ""
        self._passing = self.editor.hasFocus()  # the keyboard is here from what stood here before
        self._show()

    def put(self, text: str) -> None:
        """Fill the field as if it was typed: it is checked and kept, and the field's own undo takes it back."""
        if self.text() == text:
            return
        if isinstance(self.editor, QLineEdit):
            self.editor.selectAll()
            self.editor.insert(text)
        else:
            self.editor.selectAll()
            self.editor.insertPlainText(text)

    def set_note(self, sentence: str) -> None:
        """What helps with this field; shown below it while nothing is wrong."""
        self._note = sentence
        self._show()

    def set_filled(self, sentence: str) -> None:
        """Why the program filled this field in; empty once a person has typed or accepted what stands there."""
        if sentence != self._filled:
            self._filled = sentence
            self.editor.setProperty("filled", bool(sentence))
            restyle(self.editor)
            self._show()

    def set_issue(self, sentence: str) -> None:
        """What is wrong with the value now; shown once the field was left, or when all is asked for."""
        if sentence != self._issue:
            self._issue = sentence
            self._show()

    def set_notice(self, sentence: str) -> None:
        """What the provider said about this field, or the field itself; shown until it changes."""
        self._said = sentence
        self._show()

    def show_issue_now(self) -> None:
        """Show the issue even if the field was never visited."""
        self._touched = True
        self._show()

    @property
    def shown(self) -> str:
        """The sentence below the field."""
        return self._below.text()

    def _on_changed(self) -> None:
        self._said, self._passing = "", False
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
        self._count.setText(f"{length:,} of {self._limit:,}" if near else "")
        # A text over its limit is said at once, other issues only when the field was left: nobody is
        # told off for a word half typed.
        sentence = self._said or (self._issue if self._touched or over else "")
        help_ = " ".join(part for part in (self._filled, self._note) if part)
        self._below.setText(visible(sentence or help_))
        set_tone(self._below, "" if sentence else "soft")
        self.editor.setAccessibleDescription(sentence or f"{self._need} {help_}".strip())
        if self.editor.property("wrong") != bool(sentence):
            self.editor.setProperty("wrong", bool(sentence))
            restyle(self.editor)


class Choice(QComboBox):
    """A combo box that the wheel passes by: it scrolls the form and changes no value on the way.

    What is selected in its list through the accessibility tree is chosen: Qt itself leaves it at that.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._read_aloud = self._was_open = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._choose_selected)
        self.setItemDelegate(QStyledItemDelegate(self))  # Qt's own for combo boxes knows no style sheet
        self.setAccessibleName(name)
        # On Linux Qt names a combo box by what is chosen in it; what it is for has to be said beside that.
        self.setAccessibleDescription(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # As wide as its place, not as its longest choice.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_CHOICE_LETTERS)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if QAccessible.isActive() and not self._read_aloud:  # the list is made only for those who need it
            self._read_aloud = True
            self.view().selectionModel().selectionChanged.connect(self._on_selection)

    def _on_selection(self) -> None:
        self._was_open = self.view().isVisible()
        self._later.start()

    def _choose_selected(self) -> None:
        """By keys and mouse the current line of the open list is the selected one; through the tree it is another."""
        chosen = [each.row() for each in self.view().selectionModel().selectedIndexes()]
        here = self.view().currentIndex().row() if self._was_open else self.currentIndex()
        if len(chosen) == 1 and chosen[0] != here:
            self.hidePopup()
            self.setCurrentIndex(chosen[0])
            self.activated.emit(chosen[0])


class ChoiceField(QWidget):
    """A choice from a few, with the empty choice where it is optional."""

    changed = Signal()

    def __init__(self, label: str, choices: list[tuple[str, str]]) -> None:
        super().__init__()
        self._name = label
        self._issue = self._said = self._note = ""
        self.editor = Choice(label)
        for value, words in choices:
            self.editor.addItem(words, value)
        self.editor.currentIndexChanged.connect(self._on_changed)
        self.label = text_label(label, "label", wrap=True)
        self.label.setBuddy(self.editor)
        self._below = text_label("", "error", wrap=True)
        self._below.setMinimumHeight(self._below.fontMetrics().lineSpacing())
        self.setLayout(column(self.label, self.editor, self._below, gap=SPACE_1 // 2))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def show_whole(self) -> None:
        """Be as wide as the longest choice and the label, where nothing else gives the field a width."""
        self.label.setWordWrap(False)
        self.editor.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def text(self) -> str:
        """The chosen value."""
        return str(self.editor.currentData() or "")

    def set_text(self, text: str) -> None:
        """Choose without calling it chosen by hand. A value that is not offered is offered, so that it is kept."""
        self.editor.blockSignals(True)
        place = self.editor.findData(text)
        if place < 0:
            self.editor.addItem(visible(text), text)
            place = self.editor.count() - 1
        self.editor.setCurrentIndex(place)
        self.editor.blockSignals(False)
        self._said = ""
        self._show()

    def put(self, text: str) -> None:
        """Choose as if by hand: it is checked and kept."""
        place = self.editor.findData(text)
        if place >= 0:
            self.editor.setCurrentIndex(place)

    def set_note(self, sentence: str) -> None:
        """What the choice means; shown below it while nothing is wrong."""
        self._note = sentence
        self._show()

    def set_issue(self, sentence: str) -> None:
        """What is wrong with the choice."""
        self._issue = sentence
        self._show()

    def set_notice(self, sentence: str) -> None:
        """What the provider said about this choice; shown until another is made."""
        self._said = sentence
        self._show()

    def show_issue_now(self) -> None:
        """A choice's issue always shows."""

    @property
    def shown(self) -> str:
        """The sentence below the field."""
        return self._below.text()

    def _on_changed(self) -> None:
        self._said = ""
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        wrong = self._said or self._issue
        sentence = wrong or self._note
        self._below.setText(visible(sentence))
        set_tone(self._below, "" if wrong else "soft")
        # What the choice means is read below it; here stands what it is for, since Qt names it by the choice.
        self.editor.setAccessibleDescription(f"{self._name}. {wrong}" if wrong else self._name)
