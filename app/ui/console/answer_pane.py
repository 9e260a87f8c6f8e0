"""The answer of a call: its status, the phases of its time, and its body as a tree, a table, a text, or changes.

The pane knows no desk and calls nobody. `ShownAnswer` is worked out beside the window (`shown_answer`), so that a body
of megabytes stalls nothing.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path as File

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QFrame, QMenu, QStackedWidget, QTreeView, QWidget

from app.api.raw_call import RawAnswer
from app.desk.console.answers.answer_body import AnswerBody, read_body
from app.desk.console.answers.answer_differences import Difference
from app.desk.console.answers.answer_table import Table, export_table, tables
from app.desk.console.answers.answer_tree import find
from app.desk.console.forms.exact_json import ABSENT, Path, path_text
from app.desk.console.forms.typed_value import text_shown
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import put_in_place
from app.runtime.tasks import Tasks
from app.ui.console import console_page_words as words
from app.ui.console.answer_models import AnswerTableModel, AnswerTreeModel, TextRowsDelegate, TextRowsModel
from app.ui.theme.theme import Theme
from app.ui.theme.tokens import ANSWER_NAME_WIDTH, ANSWER_VALUE_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import icon_button, shortcut, tab
from app.ui.widgets.code.code_view import LONGEST_LINE, CodeView, TextLines, text_lines
from app.ui.widgets.code.code_words import cut_off, lines_broken
from app.ui.widgets.code.find_bar import FindBar
from app.ui.widgets.field import Choice
from app.ui.widgets.files.choose_files import CSVS, XLSX, Chosen, FileKind, table_kind
from app.ui.widgets.files.file_strip import FileJob, FileResult, FileStrip
from app.ui.widgets.layout import column, holding, row
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.lists.row_table import RowTable, set_up_rows
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import ElidedLabel, Tone, set_tone, text_label, visible

_TABS = ("table", "tree", "text", "headers", "changes")
_TITLES = {
    "table": words.TABLE,
    "tree": words.TREE,
    "text": words.TEXT,
    "headers": words.HEADERS,
    "changes": words.CHANGES,
}
_GLYPHS: dict[str, str] = {"good": "✓", "warn": "!", "bad": "✕", "soft": "…"}
_GOOD, _WRONG = 200, 400
_MOST_FOUND = 1_000
_TABLE_LETTERS = 60
_MOST_COLUMN = 320  # pixels


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer and what is in it, worked out once."""

    answer: RawAnswer
    body: AnswerBody
    tables: tuple[Table, ...]
    lines: TextLines


def shown_answer(answer: RawAnswer) -> ShownAnswer:
    """Work out the contents of an answer. For a thread."""
    body = read_body(answer.body, answer.content_type)
    return ShownAnswer(answer, body, tuple(tables(body.value)) if body.has_value else (), text_lines(body.text))


class AnswerPane(QWidget):
    """`earlier_asked` carries the id of the call that this answer is to be compared with."""

    earlier_asked = Signal(int)
    outbox_asked = Signal(int)

    def __init__(self, theme: Theme, tasks: Tasks) -> None:
        super().__init__()
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(words.ANSWER)
        self._theme = theme
        self._shown: ShownAnswer | None = None
        self._write_id: int | None = None
        self._name = "answer"
        self._found: list[Path] = []
        self._found_cells: list[tuple[int, int]] = []
        self._chosen_tab = ""
        self._differences: Sequence[Difference] = ()
        self.strip = FileStrip(theme, tasks, name=words.ANSWER)
        self._make_head()
        self._make_views()
        self._lay_out()
        shortcut(self, "Ctrl+S", self.save).setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    # Making

    def _make_head(self) -> None:
        self.status = text_label("", "strong")
        self.facts = ElidedLabel("soft")
        self.sentence = text_label("", "body", wrap=True, selectable=True)
        self.tabs = {name: tab(_TITLES[name], name) for name in _TABS}
        for each in self.tabs.values():
            each.toggled.connect(self._on_tab)
        self.find_button = icon_button(self._theme, "search", words.FIND, self.open_find, key="Ctrl+F")
        self.export_button = icon_button(self._theme, "grid-2x2", words.EXPORT, self.export, key="Ctrl+Shift+E")
        self.save_button = icon_button(self._theme, "download", words.SAVE_TIP, self.save)
        self.lists = Choice(words.WHICH_LIST)
        self.lists.activated.connect(self._on_list)
        self.earlier = Choice(words.COMPARED_WITH)
        self.earlier.activated.connect(self._on_earlier)
        for choice in (self.lists, self.earlier):
            choice.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)

    def _make_views(self) -> None:
        theme = self._theme
        self.tree_model, self.table_model = AnswerTreeModel(self), AnswerTableModel(self)
        self.tree = QTreeView()
        self.tree.setModel(self.tree_model)
        self.tree.setAccessibleName(words.TREE)
        self.tree.setUniformRowHeights(True)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setColumnWidth(0, ANSWER_NAME_WIDTH)
        self.tree.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._open_menu)
        set_list_rows(self.tree)
        shortcut(self.tree, "Ctrl+C", self.copy_value).setContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut(self.tree, "Ctrl+Shift+C", self.copy_expression).setContext(Qt.ShortcutContext.WidgetShortcut)
        self.table = RowTable()
        self.table.setModel(self.table_model)
        set_up_rows(self.table, theme, words.TABLE, TextRowsDelegate, (), several=True)
        # Not before the first click: sorted by its first column, a list would not stand as it came.
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.table.setSortingEnabled(True)
        shortcut(self.table, "Ctrl+C", self.copy_rows).setContext(Qt.ShortcutContext.WidgetShortcut)
        self.text = CodeView(theme, words.TEXT, read_only=True)
        self.text.filled.connect(self._on_filled)
        self.headers_model = TextRowsModel(words.HEADER_COLUMNS, self)
        self.headers = self._rows(self.headers_model, words.HEADERS, (ANSWER_NAME_WIDTH,))
        self.changes_model = TextRowsModel(words.CHANGE_COLUMNS, self)
        self.changes = self._rows(self.changes_model, words.CHANGES, (ANSWER_NAME_WIDTH, ANSWER_VALUE_WIDTH))
        self.states = {
            name: StateView(theme, view)
            for name, view in (
                ("table", self.table),
                ("tree", self.tree),
                ("text", self.text),
                ("headers", self.headers),
                ("changes", self.changes),
            )
        }
        self.find_bar = FindBar(theme)
        self.find_bar.closed.connect(self.focus_body)

    def _rows(self, model: TextRowsModel, name: str, widths: Sequence[int]) -> RowTable:
        made = RowTable()
        made.setModel(model)
        set_up_rows(made, self._theme, name, TextRowsDelegate, widths, several=True)
        return made

    def _lay_out(self) -> None:
        self.note = text_label("", "soft", wrap=True)
        self.note.hide()
        first = row(self.status, self.facts, gap=SPACE_2)
        first.setStretch(1, 1)
        self._second = holding(
            row(
                *self.tabs.values(), SPACE_2, self.lists, self.earlier, None, self.find_button, self.export_button,
                self.save_button,
                gap=SPACE_1,
            )
        )  # fmt: skip
        self._stack = QStackedWidget()
        for name in _TABS:
            self._stack.addWidget(self.states[name])
        margin = (SPACE_3, SPACE_1, SPACE_3, 0)
        self._head = holding(column(first, self.sentence, margin=margin, gap=SPACE_1))
        inside = column(self._head, self._second, self.find_bar, self._stack, self.note)
        inside.setStretch(3, 1)
        whole = StateView(self._theme, holding(inside, "surface"))
        self.whole = whole
        self.setLayout(column(whole))
        self.strip.float_over(self, self._stack)
        self.clear()

    # Showing

    def clear(self) -> None:
        """Show that nothing was asked yet."""
        self._shown, self._write_id = None, None
        self.whole.show_state("inbox", words.NO_ANSWER_YET, words.NO_ANSWER_YET_SENTENCE)

    def show_waiting(self, sentence: str = words.ASKING) -> None:
        """An answer is on its way."""
        self.whole.show_state("clock", sentence)

    def show_sentence(self, icon: str, heading: str, sentence: str = "") -> None:
        """Say something in place of an answer."""
        self._shown, self._write_id = None, None
        self.whole.show_state(icon, heading, sentence)

    def show_write(self, write_id: int, said: str) -> None:
        """The order went to the outbox; `said` is how its row stands."""
        self._shown, self._write_id = None, write_id
        show = partial(self.outbox_asked.emit, write_id)
        self.whole.show_state("send", said or words.IN_OUTBOX, words.IN_OUTBOX_SENTENCE, words.SHOW_IN_OUTBOX, show)

    @property
    def write_id(self) -> int | None:
        """The write that is shown; None while an answer, or nothing, is."""
        return self._write_id

    @property
    def shown(self) -> ShownAnswer | None:
        """The answer that is shown."""
        return self._shown

    def show_answer(self, shown: ShownAnswer, name: str) -> None:
        """Show an answer; `name` is that of the operation, for file names and expressions."""
        self._shown, self._write_id, self._name = shown, None, name
        self.whole.show_content()
        self._show_head(shown)
        self._show_body(shown)
        self.headers_model.show_rows(shown.answer.headers)
        self.states["headers"].show_content()
        self.show_earlier([])
        chosen = self._chosen_tab
        self.tabs[self._best_tab(shown)].setChecked(True)
        self._chosen_tab = chosen  # that was no choice of a person's
        self._show_tab()

    def _show_head(self, shown: ShownAnswer) -> None:
        answer = shown.answer
        tone: Tone = "good" if _GOOD <= answer.status < _WRONG else "bad"
        status = words.status_line(answer.status, answer.reason) if answer.status else words.NO_ANSWER_CAME
        self.status.setText(visible(f"{_GLYPHS[tone]} {status}"))
        set_tone(self.status, tone)
        duration, size = words.milliseconds(answer.seconds), words.size_of(answer.size)
        phases = ", ".join(words.phase(each.name, words.milliseconds(each.seconds)) for each in answer.phases)
        parts = (words.took(duration, size), phases, answer.content_type)
        self.facts.say(" · ".join(part for part in parts if part))
        said = [
            answer.sentence,
            words.CUT if answer.cut else "",
            shown.body.trouble,
            words.hidden_places(answer.hidden) if answer.hidden else "",
        ]
        self.sentence.setText(visible(" ".join(part for part in said if part)))
        self.sentence.setVisible(any(said))

    def _show_body(self, shown: ShownAnswer) -> None:
        body = shown.body
        record = body.has_value and isinstance(body.value, dict | list)
        if record:
            self.tree_model.show_value(body.value)
            self.states["tree"].show_content()
        else:
            self.tree_model.clear()
            self.states["tree"].show_state("inbox", words.NO_TREE if body.kind != "empty" else words.EMPTY_BODY)
        self.text.show_lines(shown.lines)
        self._say_of_text(body)
        self.lists.clear()
        for each in shown.tables:
            self.lists.addItem(visible(f"{each.title} · {len(each.rows):,}"))
        self._show_table(0)

    def _say_of_text(self, body: AnswerBody) -> None:
        if body.kind == "empty":
            self.states["text"].show_state("inbox", words.EMPTY_BODY)
        elif body.kind in ("picture", "bytes"):
            heading = words.A_PICTURE if body.kind == "picture" else words.SOME_BYTES
            self.states["text"].show_state("image", heading, words.SAVE_FILE_SENTENCE, words.SAVE, self.save)
        else:
            self.states["text"].show_content()

    def _best_tab(self, shown: ShownAnswer) -> str:
        """The way in which most is seen: what a person chose last, if there is anything to see that way."""
        possible = {
            "table": bool(shown.tables),
            "tree": shown.body.has_value and isinstance(shown.body.value, dict | list),
            "text": True,
            "headers": True,
        }
        if possible.get(self._chosen_tab):
            return self._chosen_tab
        if isinstance(shown.body.value, list) and shown.body.has_value and shown.tables:
            return "table"
        return "tree" if possible["tree"] else "text"

    def _show_table(self, at: int) -> None:
        found = self._shown.tables if self._shown is not None else ()
        if at < len(found):
            self.table_model.show_table(found[at])
            self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            self._size_columns(found[at])
            self.states["table"].show_content()
        else:
            self.table_model.show_table(None)
            self.states["table"].show_state("inbox", words.NO_TABLE)

    def _size_columns(self, table: Table) -> None:
        """Give each column the width of its title and its first rows."""
        metrics = self.table.fontMetrics()
        for place, title in enumerate(table.columns):
            # Qt's own sizing would measure every row.
            texts = [title, *(row[place][:_TABLE_LETTERS] for row in table.rows[:40])]
            wanted = max(metrics.horizontalAdvance(each) for each in texts) + 2 * SPACE_3
            self.table.setColumnWidth(place, min(wanted, _MOST_COLUMN))

    # Earlier answers

    def show_earlier(self, calls: Sequence[tuple[int, str]]) -> None:
        """Offer earlier calls to compare with, as id and title; the newest first."""
        self.earlier.clear()
        for number, title in calls:
            self.earlier.addItem(visible(title), number)
        self._differences = ()
        self.changes_model.show_rows(())
        if calls:
            self.states["changes"].show_state("clock", words.READING_ANSWER)
        else:
            self.states["changes"].show_state("inbox", words.NOTHING_BEFORE, words.NOTHING_BEFORE_SENTENCE)
        if calls and self._tab == "changes":
            self._on_earlier()

    def show_differences(self, found: Sequence[Difference]) -> None:
        """Show what differs from the earlier answer that was chosen."""
        self._differences = found
        self.changes_model.show_rows([_difference_row(each) for each in found])
        if found:
            self.states["changes"].show_content()
            self._say_note()
        else:
            self.states["changes"].show_state("circle-check", words.NO_CHANGES)

    def compare(self) -> None:
        """Show what has changed since the call before."""
        self.tabs["changes"].setChecked(True)
        self._show_tab()

    def _on_earlier(self, _at: int = 0) -> None:
        chosen = self.earlier.currentData()
        if chosen is not None:
            self.earlier_asked.emit(int(chosen))

    # Tabs and search

    @property
    def _tab(self) -> str:
        return next((name for name, each in self.tabs.items() if each.isChecked()), "text")

    def _on_tab(self, on: bool) -> None:
        if on and self._shown is not None:
            # The changes are looked at once: the next answer opens as before.
            self._chosen_tab = self._tab if self._tab != "changes" else self._chosen_tab
            self._show_tab()
            if self._tab == "changes" and not self._differences:
                self._on_earlier()

    def _show_tab(self) -> None:
        name = self._tab
        self._stack.setCurrentWidget(self.states[name])
        self.lists.setVisible(name == "table" and self.lists.count() > 1)
        self.earlier.setVisible(name == "changes" and self.earlier.count() > 0)
        self.export_button.setVisible(name == "table" and self.table_model.table is not None)
        self.find_button.setVisible(name in ("table", "tree", "text"))
        self.find_bar.search_in(self)
        self._say_note()

    def _say_note(self) -> None:
        said, table, lines = "", self.table_model.table, self.text.lines
        if self._tab == "text":
            cut = cut_off(words.letters(lines.shown), words.letters(lines.whole)) if lines.shown < lines.whole else ""
            broken = lines_broken(lines.broken, LONGEST_LINE) if lines.broken else ""
            said = " ".join(part for part in (cut, broken) if part)
        elif self._tab == "table" and table is not None:
            said = words.rows_shown(len(table.rows), len(table.columns))
            said += f". {words.columns_left_out(table.left_out)}" if table.left_out else ""
        elif self._tab == "changes" and self._differences:
            said = words.changes_found(len(self._differences))
        self.note.setText(said)
        self.note.setVisible(bool(said))

    def _on_filled(self) -> None:
        if self._tab == "text":
            self.find_bar.look_again()

    def _on_list(self, at: int) -> None:
        self._show_table(at)
        self._show_tab()

    def focus_body(self) -> None:
        """Put the keyboard into the answer."""
        current = self.states[self._tab]
        content = current.widget(0)
        if self._shown is not None and content is not None:
            content.setFocus()

    def open_find(self) -> None:
        """Search the answer, in the way it is shown; headers and changes are searched as the text."""
        if self._shown is None:
            return
        if self._tab not in ("table", "tree", "text"):
            self.tabs["text"].setChecked(True)
        self.find_bar.search_in(self)
        self.find_bar.open_bar()

    def find_all(self, text: str) -> int:
        """See `find_bar.Searched`."""
        if self._shown is None or self._tab == "text":
            return self.text.find_all(text)
        if self._tab == "table":
            self._found_cells = self.table_model.places(text) if text else []
            return len(self._found_cells)
        value = self._shown.body.value
        self._found = find(value, text, _MOST_FOUND) if text and self._shown.body.has_value else []
        return len(self._found)

    def show_place(self, place: int) -> None:
        """See `find_bar.Searched`."""
        if self._tab == "text":
            self.text.show_place(place)
        elif self._tab == "table" and place < len(self._found_cells):
            here = self.table_model.index(*self._found_cells[place])
            self.table.setCurrentIndex(here)
            self.table.scrollTo(here)
        elif self._tab == "tree" and place < len(self._found):
            self.go_to_path(self._found[place])

    def go_to_path(self, path: Path) -> None:
        """Show a place of the body in the tree."""
        index = self.tree_model.place_of(path)
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    # Copying

    def _open_menu(self, at: QPoint) -> None:
        menu = QMenu(self.tree)
        menu.addAction(f"{words.COPY_VALUE}\tCtrl+C", self.copy_value)
        menu.addAction(words.COPY_PATH, self.copy_path)
        menu.addAction(f"{words.COPY_EXPRESSION}\tCtrl+Shift+C", self.copy_expression)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.tree.viewport().mapToGlobal(at))

    def _path(self) -> Path | None:
        node = self.tree_model.node(self.tree.currentIndex()) if self.tree.currentIndex().isValid() else None
        return None if node is None else node.row.path

    def copy_value(self) -> None:
        """Copy the value of the current line, a record or list as JSON."""
        index = self.tree.currentIndex()
        node = self.tree_model.node(index) if index.isValid() else None
        if node is not None:
            value = node.row.value
            QGuiApplication.clipboard().setText(value if isinstance(value, str) else text_shown(value))

    def copy_path(self) -> None:
        """Copy where the current line stands."""
        if (path := self._path()) is not None:
            QGuiApplication.clipboard().setText(path_text(path))

    def copy_expression(self) -> None:
        """Copy the current line as a value for a next request."""
        if (path := self._path()) is not None:
            QGuiApplication.clipboard().setText(expression(self._name, path))

    def copy_rows(self) -> None:
        """Copy the selected rows as a table that pastes into a spreadsheet and runs nothing there."""
        from app.desk.export.spreadsheet_cells import guarded
        from app.desk.text.pasted_cells import write_block

        rows = sorted({each.row() for each in self.table.selectionModel().selectedIndexes()})
        table, cells = self.table_model.table, self.table_model.cells
        if rows and table is not None:
            numeric = table.numeric
            block = [[cell if at in numeric else guarded(cell) for at, cell in enumerate(cells(row))] for row in rows]
            QGuiApplication.clipboard().setText(write_block(block))

    # Files

    def save(self) -> None:
        """Save the body as a file, exactly as it came."""
        if self._shown is None or not self._shown.answer.body:
            return
        suffix = self._shown.body.suffix.lstrip(".") or "txt"
        kinds = (FileKind("body", suffix.upper(), suffix),)
        write = partial(_write_body, self._shown.answer)
        self.strip.begin(FileJob(words.SAVE_ANSWER, self._name, kinds, write, _writing))

    def export(self) -> None:
        """Export the list that is shown, as it is sorted."""
        table = self.table_model.table
        if table is not None and not self.export_button.isHidden():
            write = partial(_write_table, table, tuple(self.table_model.order))
            self.strip.begin(FileJob(words.EXPORT_TABLE, self._name, (XLSX, *CSVS), write, _writing))


def expression(name: str, path: Path) -> str:
    """A place of an answer as a value of a next request."""
    inner = path_text(path)
    joint = "" if not inner or inner.startswith("[") else "."
    return f"{{{{{name}.body{joint}{inner}}}}}"


def _difference_row(each: Difference) -> tuple[str, str, str]:
    sides = (words.ABSENT_FIELD if side is ABSENT else text_shown(side) or "null" for side in (each.before, each.now))
    return (path_text(each.path), *sides)  # type: ignore[return-value]


def _writing(_progress: Progress) -> str:
    return words.WRITING_FILE


async def _write_body(answer: RawAnswer, chosen: Chosen, progress: Progress) -> FileResult:
    def write(target: File) -> int:
        return target.write_bytes(answer.body)

    size = await in_thread(lambda: put_in_place(chosen.target, write, replace=chosen.replace), progress)
    if answer.cut:
        return FileResult(words.saved_cut(chosen.target.name), "warn")
    return FileResult(words.saved(chosen.target.name, words.size_of(size)))


async def _write_table(table: Table, order: Sequence[int], chosen: Chosen, progress: Progress) -> FileResult:
    kind, replace = table_kind(chosen), chosen.replace
    rows = await export_table(table, order, kind, chosen.target, progress, replace=replace)
    return FileResult(words.exported(rows, chosen.target.name))


async def worked_out(answer: RawAnswer) -> ShownAnswer:
    """The contents of an answer, worked out on another thread."""
    return await asyncio.get_running_loop().run_in_executor(None, shown_answer, answer)
