"""The requests that are kept under a name, each a file: opened, renamed, removed, taken in from elsewhere."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QMenu, QWidget

from app.desk.console.calls.named_requests import NamedRequest
from app.translation import translate
from app.ui.console import console_page_words as words
from app.ui.console.search_field import search_field
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import QUESTION_WIDTH, SPACE_1, SPACE_2, SPACE_4
from app.ui.widgets.buttons import button, shortcut
from app.ui.widgets.field import Field
from app.ui.widgets.layout import column, row
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import plain_tooltip, text_label, visible

_REQUEST = Qt.ItemDataRole.UserRole


class RequestList(QWidget):
    """`chosen` carries a request to show; the other signals what is to be done with one."""

    chosen = Signal(object)
    renamed = Signal(object)
    removed = Signal(object)
    folder_asked = Signal()
    import_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._all: Sequence[NamedRequest] = ()
        self.search = search_field(words.FIND_REQUEST)
        self.search.textChanged.connect(self._fill)
        self.search.returnPressed.connect(self._take_first)
        self.list = QListWidget()
        self.list.setAccessibleName(words.REQUESTS)
        set_list_rows(self.list)
        self.list.itemActivated.connect(self._take)
        self.list.itemClicked.connect(self._take)
        AccessibleChoice(self.list, self._take_index)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        # In the list only: in the search field Delete takes a letter away.
        for key, act in (("F2", self._rename), ("Delete", self._remove)):
            shortcut(self.list, key, act).setContext(Qt.ShortcutContext.WidgetShortcut)
        self.states = StateView(theme, self.list)
        self.problem = text_label("", "soft", wrap=True)
        self.problem.hide()
        foot = column(
            button(words.OPEN_FOLDER, self.folder_asked.emit, kind="quiet"),
            button(words.IMPORT, self.import_asked.emit, kind="quiet"),
        )
        inside = column(
            self.search, self.states, self.problem, foot, margin=(SPACE_2, SPACE_1, SPACE_2, SPACE_1), gap=SPACE_1
        )
        self.setLayout(inside)
        self.show_requests(())

    def show_requests(self, found: Sequence[NamedRequest]) -> None:
        """Show these, or say that there is none."""
        self._all = found
        self._fill()

    def names(self) -> list[str]:
        """The names that are taken."""
        return [each.name for each in self._all]

    def _fill(self) -> None:
        typed = self.search.text().strip().casefold()
        here = self.list.currentRow()
        self.list.clear()
        for each in self._all:
            if typed in f"{each.name} {each.note}".casefold():
                self.list.addItem(_item(each))
        self.list.setCurrentRow(min(max(here, 0), self.list.count() - 1))
        if self._all:
            self.states.show_content()
        else:
            self.states.show_state("file-text", words.NO_REQUESTS, words.NO_REQUESTS_SENTENCE)

    def _take_first(self) -> None:
        if self.list.count():
            self._take(self.list.item(0))

    def _take(self, item: QListWidgetItem) -> None:
        request = item.data(_REQUEST)
        self.problem.setText(visible(request.trouble))
        self.problem.setVisible(bool(request.trouble))
        if request.draft is not None:
            self.chosen.emit(request)

    def _take_index(self, index: QModelIndex) -> None:
        self._take(self.list.itemFromIndex(index))

    def _current(self) -> NamedRequest | None:
        item = self.list.currentItem()
        found = None if item is None else item.data(_REQUEST)
        return found if isinstance(found, NamedRequest) else None

    def _rename(self) -> None:
        if (request := self._current()) is not None:
            self.renamed.emit(request)

    def _remove(self) -> None:
        if (request := self._current()) is not None:
            self.removed.emit(request)

    def _open_menu(self, at: QPoint) -> None:
        if self.list.itemAt(at) is None:
            return
        menu = QMenu(self.list)
        menu.addAction(f"{words.RENAME}\tF2", self._rename)
        menu.addAction(f"{words.REMOVE}\tDel", self._remove)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.list.viewport().mapToGlobal(at))


def _item(request: NamedRequest) -> QListWidgetItem:
    item = QListWidgetItem(visible(f"! {request.name}" if request.trouble else request.name))
    item.setData(_REQUEST, request)
    lines = (request.name, request.note, request.trouble, request.file.name)
    item.setToolTip(plain_tooltip("\n".join(line for line in lines if line)))
    item.setData(
        Qt.ItemDataRole.AccessibleTextRole, visible(", ".join(part for part in (request.name, request.trouble) if part))
    )
    return item


class RequestNameDialog(QDialog):
    """Asks for the name and the note of a request. `named` carries both, and whether one of that name is replaced."""

    named = Signal(str, str, bool)

    def __init__(
        self, parent: QWidget, title: str, name: str, note: str | None, taken: Sequence[str], *, replaces: bool
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Waybill")
        self.setMinimumWidth(QUESTION_WIDTH)
        self._taken, self._replaces, self._before = [each.casefold() for each in taken], replaces, name
        self.name = Field(words.NAME_OF_REQUEST, required=True)
        self.note = Field(words.NOTE_OF_REQUEST)
        self.note.setVisible(note is not None)
        self.save = button(translate("Save"), self._take, kind="primary")
        self.save.setDefault(True)
        keys = row(None, button(translate("Cancel"), self.reject), self.save, gap=SPACE_2)
        self.setLayout(column(text_label(title, "title"), self.name, self.note, keys, margin=SPACE_4, gap=SPACE_2))
        self.name.changed.connect(self._check)
        self.name.put(name)
        self.note.set_text(note or "")
        self._check()
        self.name.editor.setFocus()

    def _check(self) -> None:
        typed = self.name.text().strip()
        taken = typed.casefold() in self._taken and typed.casefold() != self._before.casefold()
        again = typed.casefold() in self._taken
        self.save.setEnabled(bool(typed) and (self._replaces or not taken))
        self.name.set_note(words.REPLACES if again and self._replaces else "")
        self.name.set_issue(words.NAME_TAKEN if taken and not self._replaces else "")
        self.name.show_issue_now()

    def _take(self) -> None:
        typed = self.name.text().strip()
        if self.save.isEnabled():
            self.named.emit(typed, self.note.text().strip(), typed.casefold() in self._taken)
            self.accept()
