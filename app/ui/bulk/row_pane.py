"""One order of the file beside the grid: what sending it would do and why, what is wrong, and what a person decides.

Invariant: every issue of the order is a sentence here, also one that no cell holds. A decision for one order can be
made for all that stand alike.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.desk.bulk.outcome.import_verdicts import ImportVerdicts
from app.desk.bulk.rows.cell_issues import CellIssue
from app.desk.bulk.rows.import_sheet import FileOrder, ImportSheet
from app.ui.bulk import bulk_page_words as words
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.layout import column, drop_items, holding, row, rule, scrolling
from app.ui.widgets.text.labels import set_tip, set_tone, text_label, visible

PANE_WIDTH, PANE_LEAST = 300, 252
_MOST_SHOWN = 40


class RowPane(QFrame):
    """`go_asked` carries an issue to go to, `mend_asked` one to mend with all alike.

    `decided` carries a decision, and whether it is for all alike.
    """

    go_asked = Signal(object)
    mend_asked = Signal(object)
    decided = Signal(str, bool)
    form_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("detail")
        self.setMinimumWidth(PANE_LEAST)
        self.setAccessibleName(words.PANE_NAME)
        self._shown: tuple[object, ...] = ()
        self.title = text_label("", "title", wrap=True, selectable=True)
        self.where = text_label("", "label", wrap=True)
        self.verdict = text_label("", "strong", wrap=True)
        self.sentence = text_label("", wrap=True, selectable=True)
        self.differences = text_label("", "soft", wrap=True, selectable=True)
        self._issues = column(gap=SPACE_2)
        self.form_button = with_icon(
            button(words.OPEN_IN_FORM, self.form_asked.emit, key="Ctrl+E"), theme, "square-pen"
        )
        self.send_button = button(words.SEND_ANYWAY, partial(self.decided.emit, "send", False))
        self.send_all_button = button("", partial(self.decided.emit, "send", True))
        self.leave_button = button(words.LEAVE_OUT, partial(self.decided.emit, "leave", False))
        self.leave_all_button = button("", partial(self.decided.emit, "leave", True))
        self.back_button = button(words.AS_BEFORE, partial(self.decided.emit, "", False))
        self._choices = (
            self.send_button, self.send_all_button, self.leave_button, self.leave_all_button, self.back_button,
        )  # fmt: skip
        lines = column(
            self.title, self.where, self.verdict, self.sentence, self.differences, self._issues, rule(),
            *(row(each, None) for each in (self.form_button, *self._choices)), None,
            margin=(SPACE_4, SPACE_3, SPACE_3, SPACE_3), gap=SPACE_2,
        )  # fmt: skip
        area = scrolling(holding(lines, "surfaceInner"), "surface")
        self.setLayout(column(area))
        self.show_nothing()

    def show_nothing(self) -> None:
        """No order is current."""
        self._shown = ()
        self.title.setText(words.NO_ORDER_HERE)
        for label in (self.where, self.verdict, self.sentence, self.differences):
            label.setText("")
        self._fill_issues(())
        for key in (self.form_button, *self._choices):
            key.hide()

    def show_order(self, sheet: ImportSheet, verdicts: ImportVerdicts, order: FileOrder, *, alike: int) -> None:
        """Show an order; `alike` is how many stand as it does, itself among them."""
        found, decided = verdicts.found.get(order.key), verdicts.decided.get(order.key, "")
        now = (order, found, decided, alike)
        if now == self._shown:
            return  # so that a button keeps the keyboard
        self._shown = now
        look = words.verdict_look(verdicts, order.key)
        self.title.setText(visible(order.reference or words.NO_REFERENCE))
        self.where.setText(words.in_rows([sheet.table.numbers[each] for each in order.rows]))
        self.verdict.setText(f"{look.glyph} {look.word}")
        set_tone(self.verdict, look.tone)
        self.sentence.setText(visible("" if found is None else words.verdict_sentence(found)))
        changes = () if found is None else found.differences
        self.differences.setText(visible("\n".join(map(words.difference, changes[:_MOST_SHOWN]))))
        self.differences.setVisible(bool(changes))
        self.sentence.setVisible(bool(self.sentence.text()))
        self._fill_issues(order.issues)
        self._offer(verdicts, order, alike)
        spoken = [self.verdict.text(), self.sentence.text(), *(each.sentence for each in order.issues)]
        self.setAccessibleDescription(visible(" ".join(each for each in spoken if each)))

    def _offer(self, verdicts: ImportVerdicts, order: FileOrder, alike: int) -> None:
        found, decided = verdicts.found.get(order.key), verdicts.decided.get(order.key, "")
        may, sent = found is not None and found.may_send, verdicts.is_sent(order.key)
        self.form_button.show()
        self.send_button.setVisible(may and not sent)
        self.send_all_button.setVisible(may and not sent and alike > 1)
        self.leave_button.setVisible(may and sent)
        self.leave_all_button.setVisible(may and sent and alike > 1)
        self.back_button.setVisible(bool(decided))
        _name(self.send_all_button, words.send_alike(alike))
        _name(self.leave_all_button, words.leave_alike(alike))

    def _fill_issues(self, issues: Sequence[CellIssue]) -> None:
        drop_items(self._issues)
        for each in issues[:_MOST_SHOWN]:
            self._issues.addWidget(self._issue(each))
        if len(issues) > _MOST_SHOWN:
            self._issues.addWidget(text_label(words.more_issues(len(issues) - _MOST_SHOWN), "soft", wrap=True))

    def _issue(self, issue: CellIssue) -> QWidget:
        """An issue: its field, its sentence, the way to its cell, and the text that would mend it."""
        sign = "!" if issue.grade == "wrong" else "?"
        heading = text_label(visible(words.issue_heading(sign, issue.path)), "strong", wrap=True)
        set_tone(heading, "bad" if issue.grade == "wrong" else "warn")
        parts: list[QWidget] = [heading, text_label(visible(issue.sentence), wrap=True)]
        keys: list[QPushButton] = []
        if issue.column >= 0:
            keys.append(button(words.GO_TO_CELL, partial(self.go_asked.emit, issue), kind="quiet"))
        if issue.proposal:
            mend = button(words.put(issue.proposal), partial(self.mend_asked.emit, issue), kind="quiet")
            set_tip(mend, words.MEND_TIP)
            keys.append(mend)
        return holding(column(*parts, row(*keys, None, gap=SPACE_1), gap=0))


def _name(made: QPushButton, title: str) -> None:
    made.setText(visible(title))
    made.setAccessibleName(visible(title))
