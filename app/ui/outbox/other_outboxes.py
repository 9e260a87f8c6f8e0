"""What waits in the outboxes of other connections: nothing of that is sent until its connection is in use again."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from app.store.journal.profile_store import UnfinishedConnection
from app.ui.theme.tokens import SPACE_1, SPACE_2
from app.ui.widgets.buttons import button
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.text.labels import text_label, visible


class Elsewhere(QWidget):
    """A line for each such connection, with the way to its outbox; hidden while there is none. `ask` takes its id."""

    def __init__(self, ask: Callable[[str], object]) -> None:
        super().__init__()
        self._ask = ask
        self._shown: Sequence[UnfinishedConnection] = ()
        self._lines = column(gap=SPACE_1)
        self.setLayout(self._lines)
        self.hide()

    def show_waiting(self, waiting: Sequence[UnfinishedConnection]) -> None:
        """Show these; the same ones again change nothing, so that a button keeps the keyboard."""
        if waiting == self._shown:
            return
        self._shown = waiting
        while (item := self._lines.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for each in waiting:
            self._lines.addWidget(self._line(each))
        self.setVisible(bool(waiting))

    def _line(self, each: UnfinishedConnection) -> QWidget:
        words = f"{wait_words(each)}. Nothing of that is sent until you use that connection."
        label = text_label(visible(words), "soft", wrap=True)
        key = button("Show its outbox", lambda: self._ask(each.id), kind="quiet")
        key.setAccessibleName(visible(f"Show the outbox of {each.name}"))
        line = row(label, key, gap=SPACE_2)
        line.setStretch(0, 1)
        return holding(line)


def wait_words(each: UnfinishedConnection, longest: int = 1_000) -> str:
    """`2 wait in the outbox of Acme Freight`; of a name at most so many characters."""
    name = each.name if len(each.name) <= longest else f"{each.name[: longest - 1]}…"
    return f"{each.count:,} wait{'s' if each.count == 1 else ''} in the outbox of {name}"
