"""The strip that says the task of the tour: below the pages, so it covers nothing; it takes no keyboard."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton

from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.tour import tour_words as words
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, row
from app.ui.widgets.text.labels import announce, text_label, visible


class TourPanel(QFrame):
    """Its signals say which button was pressed."""

    begin_pressed = Signal()
    later_pressed = Signal()
    show_pressed = Signal()
    skip_pressed = Signal()
    leave_pressed = Signal()
    connect_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("tour")
        self.setAccessibleName(words.NAME)
        self.heading = text_label("", "strong", wrap=True)
        self.sentence = text_label("", "soft", wrap=True)
        self.begin_button = button(words.BEGIN, self.begin_pressed.emit)
        self.later_button = button(words.NOT_NOW, self.later_pressed.emit)
        self.show_button = button(words.SHOW_PAGE, self.show_pressed.emit)
        self.skip_button = button(words.SKIP, self.skip_pressed.emit, kind="quiet")
        self.leave_button = button(words.LEAVE, self.leave_pressed.emit, kind="quiet")
        self.connect_button = button(words.CONNECT, self.connect_pressed.emit)
        line = row(
            column(self.heading, self.sentence, gap=SPACE_1), *self._buttons,
            margin=(SPACE_3, SPACE_2, SPACE_3, SPACE_2), gap=SPACE_2,
        )  # fmt: skip
        line.setStretch(0, 1)
        self.setLayout(line)
        self.hide()

    @property
    def _buttons(self) -> tuple[QPushButton, ...]:
        return (
            self.begin_button, self.later_button, self.connect_button, self.show_button, self.skip_button,
            self.leave_button,
        )  # fmt: skip

    def show_offer(self) -> None:
        """Offer the tour."""
        self._say(words.NAME, words.OFFER, self.begin_button, self.later_button)

    def show_task(self, number: int, of: int, name: str, before: str) -> None:
        """Say a task; `before` is the name of the one that has just been done, or empty."""
        title, how = words.TASKS[name]
        said = f"{words.done(words.TASKS[before][0])} {how}" if before else how
        self._say(words.step(number, of, title), said, self.show_button, self.skip_button, self.leave_button)
        self._name_leave(words.LEAVE)

    def show_end(self, before: str) -> None:
        """Say that the tour is over."""
        said = words.ALL_DONE_SENTENCE
        done = f"{words.done(words.TASKS[before][0])} {said}" if before else said
        self._say(words.ALL_DONE, done, self.connect_button, self.leave_button)
        self._name_leave(words.END)

    def focus(self) -> None:
        """Give the keyboard to the first button."""
        next(each for each in self._buttons if not each.isHidden()).setFocus()

    def _name_leave(self, name: str) -> None:
        self.leave_button.setText(name)
        self.leave_button.setAccessibleName(name)

    def _say(self, heading: str, sentence: str, *buttons: QPushButton) -> None:
        self.heading.setText(visible(heading))
        self.sentence.setText(visible(sentence))
        had = any(each.hasFocus() for each in self._buttons)
        for each in self._buttons:
            each.setVisible(each in buttons)
        self.show()
        if had and not any(each.hasFocus() for each in buttons):
            self.focus()  # the button that had the keyboard has gone
        announce(self, f"{heading}. {sentence}")
