"""The Import page: a file becomes rows to look at, to correct and to send.

The page is the controller of its faces: the start with the imports, the grid of a file, one order in the form, and
cancelling by a file. `import_session` holds the file itself. Invariant: nothing is sent but by the primary button, and
the button says what it sends.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.contract.draft import OrderDraft
from app.desk.bulk.files import read_file as file_reading
from app.desk.bulk.files.file_tables import FileTrouble, ReadOptions, Table
from app.desk.bulk.mapping import kept_mappings, sample_file
from app.desk.bulk.mapping.column_mapping import ColumnMapping
from app.desk.bulk.outcome import import_batch, watched_folder
from app.desk.bulk.outcome.import_verdicts import Decision
from app.desk.bulk.outcome.watched_folder import FolderFile
from app.desk.bulk.rows.cell_issues import CellIssue
from app.desk.bulk.rows.import_sheet import Edit, FileOrder, ImportSheet, Place
from app.desk.bulk.rows.open_file import OpenFile
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, Stopped, in_thread
from app.store.store_errors import StoreError
from app.ui.base.page import Page, PageServices
from app.ui.bulk import bulk_page_words as words
from app.ui.bulk.file_keeper import FileKeeper
from app.ui.bulk.file_queue import FileQueue
from app.ui.bulk.form_face import FormFace
from app.ui.bulk.found_line import FoundLine, facts_of
from app.ui.bulk.import_foot import ImportFoot
from app.ui.bulk.import_session import ImportSession, Read
from app.ui.bulk.imports_watch import ImportsWatch
from app.ui.bulk.mapping.mapping_tools import MappingTools
from app.ui.bulk.mapping.missing_line import MissingLine
from app.ui.bulk.replace_bar import ReplaceBar
from app.ui.bulk.row_pane import PANE_WIDTH, RowPane
from app.ui.bulk.sending.cancel_by_file import CancelByFile
from app.ui.bulk.sheet import sheet_search
from app.ui.bulk.sheet.sheet_model import SheetModel
from app.ui.bulk.sheet.sheet_view import SheetView
from app.ui.bulk.start_face import StartFace
from app.ui.bulk.verdict_tabs import ALL, VerdictTabs
from app.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, shortcut, with_icon
from app.ui.widgets.confirm import confirmed
from app.ui.widgets.files.choose_files import CSVS, XLSX, FileKind, chosen_file, file_to_read
from app.ui.widgets.files.file_strip import FileStrip
from app.ui.widgets.files.made_file import say_made
from app.ui.widgets.layout import Splitter, column, holding, row
from app.ui.widgets.text.labels import ElidedLabel

FILES = tuple(FileKind(each, words.TABLE_FILES[each], each.removeprefix(".")) for each in file_reading.SUFFIXES)
TABLES = FileKind("tables", words.ALL_TABLES, " *.".join(each.ending for each in FILES))
_POLL_MS = 100
_REFRESH_MS = 400  # while verdicts come in, the rows of a tab are looked for so often
# Topics of the bar.
_EDIT, _SEND, _FILE, _KEPT, _BACK = "edit", "send", "file", "not kept", "put back"


class BulkPage(Page):
    """Faces: `start`, `grid`, `form` and `cancel`. `open_files` begins, wherever the files come from.

    `folder_file_settled`: a file of the watched folder was sent or put aside, so the folder is another.
    """

    folder_file_settled = Signal()

    def __init__(self, services: PageServices) -> None:
        super().__init__(services, "import")
        self.session = ImportSession(self.tasks, self)
        self.start = StartFace(services.theme)
        self.model = SheetModel(self)
        self.model.title_of = self._title_of
        self.grid = SheetView(services.theme, self.model)
        self.found = FoundLine()
        self.missing = MissingLine()
        self.tabs = VerdictTabs()
        self.replace_bar = ReplaceBar(services.theme)
        self.pane = RowPane(services.theme)
        self.foot = ImportFoot(services.theme)
        self.form = FormFace(services.theme, self.tasks)
        self.cancelling = CancelByFile(self)
        self.mapping = MappingTools(self, services.theme, self.tasks, self.bar)
        self.strip = FileStrip(services.theme, self.tasks, name=words.STRIP_NAME)
        self.watch = ImportsWatch(self, self.start, self.strip)
        self.keeper = FileKeeper(self.tasks, self.session, self)
        self.waiting = FileQueue()
        self._in_form: FileOrder | None = None
        self._from_folder: Path | None = None  # the file is of the watched folder
        self._sending = Progress()
        self._is_sending = False
        self._plan = ""  # what sending the open file would do
        self._build()
        self._connect()

    # Building

    def _build(self) -> None:
        self.title = ElidedLabel("title")
        self.close_button = with_icon(
            button(words.CLOSE_FILE, self._ask_close, kind="quiet", key="Ctrl+W"), self.services.theme, "x"
        )
        self.cancel_button = button(words.CANCEL_INSTEAD, self._cancel_instead, tip=words.CANCEL_INSTEAD_TIP)
        head = row(self.title, self.cancel_button, self.mapping.button, self.close_button, gap=SPACE_2)
        head.setStretch(0, 1)
        top = column(
            head, self.found, self.missing, self.tabs, margin=(SPACE_3, SPACE_2, SPACE_3, SPACE_1), gap=SPACE_1
        )
        splitter = Splitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.grid)
        splitter.addWidget(self.pane)
        splitter.setStretchFactor(0, 1)
        splitter.setSizes([3 * PANE_WIDTH, PANE_WIDTH])
        whole = column(holding(top), self.replace_bar, splitter, self.foot)
        whole.setStretch(2, 1)
        self._grid_face = holding(whole)
        self.stack = QStackedWidget()
        for each in (self.start, self._grid_face, self.form, self.cancelling.face):
            self.stack.addWidget(each)
        whole_page = column(self.waiting, self.stack)
        whole_page.setStretch(1, 1)
        self.setLayout(whole_page)
        self.bar.float_over(self, self.stack, self._foot_height)
        self.strip.float_over(self, self.stack, self._foot_height)
        self._clock = QTimer(self)
        self._clock.setInterval(_POLL_MS)
        self._clock.timeout.connect(self._show_work)
        self._refresh = QTimer(self)
        self._refresh.setSingleShot(True)
        self._refresh.setInterval(_REFRESH_MS)
        self._refresh.timeout.connect(self._add_rows)

    def _foot_height(self) -> int:
        """How high the buttons at the foot of the face are, which no message covers."""
        face = self.stack.currentWidget()
        if face is self._grid_face:
            return self.foot.sizeHint().height()
        return self.cancelling.face.foot.sizeHint().height() if face is self.cancelling.face else 0

    def _connect(self) -> None:
        session, start, grid = self.session, self.start, self.grid
        session.began.connect(self._on_began)
        session.failed.connect(self._on_failed)
        session.stopped.connect(self._on_stopped)
        session.opened.connect(self._on_opened)
        session.put_back.connect(self._on_put_back)
        session.locked.connect(self._on_locked)
        session.mapped.connect(self._on_mapped)
        session.changed.connect(self._on_changed)
        session.edited.connect(self._on_edited)
        session.trouble.connect(self._on_trouble)
        self.services.news.wrote.connect(self._on_wrote)
        self.keeper.offered.connect(start.show_kept)
        self.keeper.failed.connect(self._on_not_kept)
        self.waiting.next_asked.connect(self._open_next)
        start.again_asked.connect(self._open_again)
        start.forget_asked.connect(self._forget_kept)
        start.open_asked.connect(self.ask_file)
        start.paste_asked.connect(self.paste_table)
        start.sample_asked.connect(self._save_sample)
        start.stop_asked.connect(session.stop)
        start.folder_file_asked.connect(self._open_folder_file)
        start.aside_asked.connect(self._put_folder_file_aside)
        start.cards.outbox_asked.connect(self._show_in_outbox)
        grid.edit_asked.connect(self._edit)
        grid.clear_asked.connect(self._clear)
        grid.fill_asked.connect(self._fill)
        grid.undo_asked.connect(session.undo)
        grid.redo_asked.connect(session.redo)
        grid.refused.connect(partial(self.bar.say, "", topic=_EDIT))
        grid.opened.connect(self.open_in_form)
        grid.column_asked.connect(self._pick_field)
        grid.selectionModel().currentChanged.connect(self._show_order)
        self.found.asked.connect(self._correct_reading)
        self.missing.asked.connect(self._pick_column)
        self.mapping.asked.connect(session.map)
        self.tabs.chosen.connect(self._on_tab)
        self.replace_bar.next_asked.connect(self.find_next)
        self.replace_bar.all_asked.connect(self._replace_all)
        self.replace_bar.closed.connect(grid.setFocus)
        self.pane.go_asked.connect(self._go_to_issue)
        self.pane.mend_asked.connect(self._mend)
        self.pane.decided.connect(self._decide)
        self.pane.form_asked.connect(self._open_current)
        self.foot.send_pressed.connect(self.send)
        self.foot.stop_pressed.connect(self._stop_work)
        self.foot.go_pressed.connect(self.next_wrong)
        self.form.taken.connect(self._take_draft)
        self.form.left.connect(self._leave_form)
        self.cancelling.face.back_pressed.connect(self._ask_close)
        self.cancelling.queued.connect(self._on_cancelled)
        for key, act in self._keys():
            shortcut(self._grid_face, key, act)

    def _keys(self) -> tuple[tuple[str, Callable[[], object]], ...]:
        return (
            ("Ctrl+O", self.ask_file),  # without a file its button has the key
            ("Ctrl+F", partial(self._open_find, False)),
            ("Ctrl+H", partial(self._open_find, True)),
            ("F3", self.find_next),
            ("Shift+F3", partial(self.find_next, False)),
            ("F4", self.next_wrong),
            ("Shift+F4", partial(self.next_wrong, False)),
            ("Ctrl+PgDown", partial(self.tabs.step, 1)),
            ("Ctrl+PgUp", partial(self.tabs.step, -1)),
        )

    # The desk

    def take_desk(self, desk: Desk) -> None:
        super().take_desk(desk)
        self.session.take_desk(desk)
        self.keeper.take_desk(desk)
        self.mapping.take_desk(desk)
        self.form.take_desk(desk)
        self.waiting.clear()
        self.close_file()
        self.watch.reload()

    def enter(self) -> None:
        if self._desk is not None:
            self.watch.reload()
        face = self.stack.currentWidget()
        self.session.look_at_facilities()
        self.form.look_at_facility()
        if face is self._grid_face:
            self.grid.setFocus()
        elif face is self.start:
            (self.start.stop_button if self.start.open_button.isHidden() else self.start.open_button).setFocus()

    def connected(self) -> None:
        self.session.ask()

    @property
    def has_unsaved(self) -> bool:
        return self.keeper.is_behind

    async def flush(self) -> str:
        self.grid.commit()
        return await self.keeper.flush()

    # A file comes

    def open_files(self, paths: Sequence[Path]) -> None:
        """Read the first of these files, and the others after it, each once the one before is sent or closed."""
        if paths:
            self._replace_file(partial(self._open_first, paths))

    def _open_first(self, paths: Sequence[Path]) -> None:
        self._open(paths[0])
        # Before those that waited already: they were dropped last, and the person looks for them.
        self.waiting.put([*paths[1:], *self.waiting.paths])

    def _open_next(self) -> None:
        path = self.waiting.take()
        if path is not None:
            self._open(path)

    def _open(self, path: Path, *, from_folder: bool = False) -> None:
        self._begin(partial(file_reading.read_file, path), path.name)
        # After `_begin`, which forgets it.
        self._from_folder = path if from_folder else None
        self.keeper.begin(path)

    def _begin(self, read: Read, name: str) -> None:
        self.bar.withdraw(_FILE)
        self._from_folder = None
        self.session.open(read, name)

    def _open_again(self, kept: OpenFile) -> None:
        """Open the file that an earlier start left, as it stood."""
        self.bar.withdraw(_FILE)
        self.start.show_kept(None)
        read: Read = partial(_read_again, kept)
        self._from_folder = None
        self.keeper.begin(kept.path, kept.text)
        self.session.open(read, kept.name, kept.options, kept)

    def _forget_kept(self, kept: OpenFile) -> None:
        self.start.show_kept(None)
        self.keeper.forget(kept.digest)

    def _on_not_kept(self, sentence: str) -> None:
        if sentence:
            self.bar.say("bad", words.corrections_not_kept(sentence), topic=_KEPT)
        else:
            self.bar.withdraw(_KEPT)

    def _replace_file(self, begin: Callable[[], object]) -> None:
        """Begin another file; what a person decided about the one before is lost only after a yes."""
        self.tasks.read("replace file", self._replace(begin))

    async def _replace(self, begin: Callable[[], object]) -> None:
        if await self._may_lose():
            # Only after the yes: until then the file must outlive a crash as it stands.
            if self.session.sheet is not None:
                self.keeper.forget()
                # The same file may be opened again: what was just given up must not be found and put back.
                await self.keeper.flush()
            begin()

    async def _may_lose(self) -> bool:
        await self.tasks.ended("edit")  # a large change under way would be lost as well
        corrections, left_out = self.session.corrections, len(self.session.left_out())
        if not corrections and not left_out:
            return True
        lost = words.lose_consequence(corrections, left_out)
        question = words.lose_question(self.session.name)
        return await confirmed(self.window(), question, lost, words.LOSE, words.KEEP)

    def ask_file(self) -> None:
        """Ask for a file."""
        self.tasks.read("choose file", self._ask_file())

    async def _ask_file(self) -> None:
        path = await file_to_read(self.window(), words.OPEN_TITLE, (TABLES, *FILES))
        if path is not None:
            self.open_files([path])

    def paste_table(self) -> None:
        """Read the table that is in the clipboard."""
        text = QGuiApplication.clipboard().text()
        if text.strip():
            read: Read = partial(file_reading.read_pasted, text)
            self._replace_file(partial(self._begin_pasted, read, text))
        else:
            self.bar.say("", words.NOTHING_TO_PASTE, topic=_FILE)

    def _begin_pasted(self, read: Read, text: str) -> None:
        self._begin(read, words.PASTED)
        self.keeper.begin(text=text)

    def _open_folder_file(self, file: FolderFile) -> None:
        self._replace_file(partial(self._open, file.path, from_folder=True))

    def show_folder(self, files: Sequence[FolderFile], trouble: str) -> None:
        """Show the files of the watched folder, and why it cannot be read."""
        self.start.folder.show_files(files, trouble)

    def _put_folder_file_aside(self, file: FolderFile) -> None:
        self.tasks.write("folder file", self._note_folder_file(self.desk, file.path, None))

    def _save_sample(self) -> None:
        self.tasks.write("sample", self._write_sample())

    async def _write_sample(self) -> None:
        chosen = await chosen_file(self.window(), words.SAMPLE_TITLE, words.SAMPLE_NAME, (XLSX, CSVS[0]))
        if chosen is not None:
            write = partial(sample_file.write_sample, chosen.target, replace=chosen.replace)
            await in_thread(write, Progress())
            say_made(self.bar, words.sample_written(chosen.target.name), chosen.target, topic=_FILE)

    def _ask_close(self) -> None:
        self._replace_file(self._put_away)

    def _put_away(self) -> None:
        self.close_file()
        self.keeper.forget()
        self._open_next()

    def close_file(self) -> None:
        """Put the file away and show the start."""
        self._drop_sheet()
        self.start.show_start()
        self._show_face(self.start)

    def _drop_sheet(self) -> None:
        self.session.close()
        for topic in (_EDIT, _BACK):  # its cells cannot be changed back any more
            self.bar.withdraw(topic)
        self._clock.stop()
        self.model.show_sheet(None, self.session.verdicts)
        self.mapping.show_sheet(None, ())

    def status_text(self) -> str:
        """How far the file is read; then its name, its rows and orders, and what sending it would do."""
        sheet = self.session.sheet
        if self.tasks.running("file"):
            return words.reading_progress(self.session.progress)
        if sheet is None:
            return words.NO_FILE_OPEN
        return words.status(words.file_title(self.session.name, len(sheet), len(sheet.orders)), self._plan)

    def _show_face(self, face: QWidget) -> None:
        """Show a face, with the keyboard in it."""
        self.stack.setCurrentWidget(face)
        self.tell_status()
        if self.isVisible():
            self.enter()

    # Reading

    def _on_began(self, name: str) -> None:
        self.bar.withdraw(_BACK)
        self.start.show_reading(name)
        self._show_face(self.start)
        self._clock.start()

    def _on_failed(self, name: str, sentence: str) -> None:
        self._drop_sheet()  # nothing is said or asked any more about the file in whose place this one was to come
        self.start.show_failed(name, sentence)
        self._show_face(self.start)
        self.waiting.wait_for_a_word()

    def _on_stopped(self) -> None:
        self.close_file()
        self.bar.say("", words.READING_STOPPED, topic=_FILE)
        self.waiting.wait_for_a_word()

    def _on_opened(self) -> None:
        session = self.session
        assert session.sheet is not None
        assert session.table is not None
        self.title.say(words.file_title(session.name, len(session.sheet), len(session.sheet.orders)))
        self.model.locked = False
        self.replace_bar.hide()
        self.model.show_sheet(session.sheet, session.verdicts)
        self.tabs.choose(ALL)
        self._show_mapping()
        self.grid.fit_columns()
        self._show_face(self._grid_face)
        self.grid.stand_on(self.model.index(0, 0))
        self._on_changed()

    def _on_put_back(self, corrections: int, left_out: int) -> None:
        # Until the file is closed: it stands there in another state than the person has opened it in.
        self.bar.say("", words.put_back(corrections, left_out), topic=_BACK, stays=True)

    def _show_mapping(self) -> None:
        session = self.session
        if session.sheet is None or session.matched is None:
            return
        table = session.sheet.table
        findings = (*table.findings, *session.matched.findings)
        self.found.show_facts(facts_of(table, session.sheet.mapping, findings))
        self.missing.show_missing(session.matched.missing)
        self.mapping.show_sheet(session.sheet, session.matched.missing)

    def _title_of(self, column: int) -> str:
        """A column as a screen reader says it: its field, and its title in the file."""
        sheet = self.session.sheet
        return "" if sheet is None else words.column_spoken(sheet, column)

    def _correct_reading(self, change: ReadOptions | ColumnMapping) -> None:
        if isinstance(change, ColumnMapping):
            self.session.map(change)
        else:
            self._replace_file(partial(self.session.read_anew, change))

    def _on_mapped(self) -> None:
        """Columns have other fields, or there are more of them, or fewer."""
        if self.model.columnCount() != self.grid.horizontalHeader().count():
            here = self.grid.here
            self.model.change_columns()
            if here is not None:
                self.grid.go_to(*here)
        self._show_mapping()
        self.grid.fit_columns()
        self.grid.header.viewport().update()

    def _on_locked(self, on: bool) -> None:
        self.model.locked = on
        if on:
            self._clock.start()
        elif self.session.sheet is not None:
            self.title.say(words.file_title(self.session.name, len(self.session.sheet), len(self.session.sheet.orders)))

    # Rows

    def _on_tab(self, name: str) -> None:
        sheet = self.session.sheet
        if sheet is not None:
            self.grid.show_rows(range(len(sheet)) if name == ALL else self._rows_of(self._keys_of(name)))

    def _keys_of(self, name: str) -> list[int]:
        """The orders of a tab."""
        session = self.session
        found, decided = session.verdicts.found, session.verdicts.decided
        orders = () if session.sheet is None else session.sheet.orders
        if name == words.REMARKS:
            return [key for key in orders if key in session.remarks]
        if name == words.LEFT_OUT:
            return [key for key in orders if decided.get(key) == "leave"]
        return [key for key in orders if (verdict := found.get(key)) is not None and verdict.kind == name]

    def _rows_of(self, keys: Iterable[int]) -> list[int]:
        sheet = self.session.sheet
        return [] if sheet is None else sorted(each for key in keys for each in sheet.orders[key].rows)

    def _add_rows(self) -> None:
        """Show the rows that have come to the chosen tab; those that have left it stay until a tab is chosen."""
        if self.grid.is_editing:
            self._refresh.start()  # other rows would close the cell, with what is typed there
        elif self.tabs.shown != ALL and self.session.sheet is not None:
            shown = {*self.model.rows, *self._rows_of(self._keys_of(self.tabs.shown))}
            self.grid.show_rows(sorted(shown))

    def _on_changed(self) -> None:
        self.model.verdicts = self.session.verdicts
        self.model.redraw()
        self._show_order()
        self._show_plan()
        self._show_work()
        # Not started anew while it runs: verdicts come faster than the interval, and the rows would never be looked
        # for.
        if not self._refresh.isActive():
            self._refresh.start()

    def _show_order(self, *_changed: object) -> None:
        order = self._current_order()
        sheet = self.session.sheet
        if order is None or sheet is None:
            self.pane.show_nothing()
        else:
            verdicts = self.session.verdicts
            alike = self.session.alike_count(order.key)
            self.pane.show_order(sheet, verdicts, order, alike=alike)

    def _current_order(self) -> FileOrder | None:
        here, sheet = self.grid.here, self.session.sheet
        return None if here is None or sheet is None else sheet.order_of(here[0])

    def _show_plan(self) -> None:
        """The counts of the tabs, and what the primary button would do."""
        session = self.session
        sheet = session.sheet
        if sheet is None:
            return
        verdicts = session.verdicts
        counts: dict[str, int] = {}
        counts.update(verdicts.counts().items())
        left = sum(each == "leave" for each in verdicts.decided.values())
        shown = {**counts, ALL: len(sheet.orders), words.REMARKS: len(session.remarks), words.LEFT_OUT: left}
        self.tabs.show_counts(shown)
        sends = words.sends_of(verdicts, counts)
        plan = words.plan(sends, counts, len(sheet.orders), left=left, known=len(verdicts.found))
        may = bool(sends.total) and not (self._is_sending or self.model.locked or session.is_looking)
        wrong = bool(counts.get("blocked")) or bool(self.missing.buttons)
        self._plan = plan.summary
        self.tell_status()
        self.foot.show_plan(plan.title, plan.summary, plan.rest, may_send=may, wrong=wrong, tone=plan.tone)

    def _show_work(self) -> None:
        """The work under way: reading, checking, asking, sending."""
        session = self.session
        progress = session.progress
        if self.stack.currentWidget() is self.start and self.tasks.running("file"):
            self.start.show_progress(words.reading_progress(progress), progress.done, progress.total)
            return
        if self._is_sending:
            done, total = self._sending.done, self._sending.total
            self.foot.show_work(words.STORING, done, total, stops=True)
        elif self.tasks.running("check"):
            self.foot.show_work(words.CHECKING, progress.done, progress.total, stops=False)
        elif session.is_asking:
            asking = session.asking
            self.foot.show_work(words.asking(asking), asking.done, asking.total, stops=True)
        else:
            self.foot.show_work("", 0, 0, stops=False)
            self._clock.stop()
            return
        self._clock.start()

    def _stop_work(self) -> None:
        if self._is_sending:
            self._sending.stop = True
        else:
            self.session.stop_asking()
        self._on_changed()

    def _on_wrote(self) -> None:
        if not self._is_sending:
            self.session.look_at_outbox()

    def _on_trouble(self, sentence: str) -> None:
        if sentence:
            again = (words.ASK_AGAIN, self.session.ask)
            self.bar.say("warn", words.not_all_asked(sentence), *again, topic="verdicts")
        else:
            self.bar.withdraw("verdicts")

    # Corrections

    def _edit(self, texts: dict[Place, str]) -> None:
        self.session.change(partial(_set_cells, texts), len(texts))

    def _clear(self, places: Sequence[Place]) -> None:
        self._edit(dict.fromkeys(places, ""))

    def _fill(self, places: Sequence[Place]) -> None:
        self.session.change(partial(_fill_down, places), len(places))

    def _mend(self, issue: CellIssue) -> None:
        sheet = self.session.sheet
        if sheet is not None:
            self.grid.setFocus()  # the button goes with its issue, and the keyboard would leave the page
            self.session.change(partial(_mend_alike, issue), len(sheet))

    def _on_edited(self, edit: Edit) -> None:
        count = len(edit.after) or len(edit.before)
        if count > 1:
            self.bar.say("", words.cells_changed(count), topic=_EDIT)
        else:
            self.bar.withdraw(_EDIT)

    def _open_find(self, replacing: bool) -> None:
        here, sheet = self.grid.here, self.session.sheet
        text = sheet.cell(*here) if here is not None and sheet is not None and here[1] >= 0 else ""
        self.replace_bar.open_for(text, replacing=replacing)

    def _columns_to_find_in(self) -> Sequence[int]:
        here, sheet = self.grid.here, self.session.sheet
        if self.replace_bar.column.isChecked() and here is not None and here[1] >= 0:
            return (here[1],)
        return range(0 if sheet is None else len(sheet.titles))

    def find_next(self, forward: bool = True) -> None:
        """Go to the next cell that holds what is looked for."""
        if not self.replace_bar.sought.text():
            self._open_find(replacing=False)
        elif self.session.sheet is not None:
            self.tasks.read("find", self._find_next(self.session.sheet, self.replace_bar.sought.text(), forward))

    async def _find_next(self, sheet: ImportSheet, text: str, forward: bool) -> None:
        look = partial(
            sheet_search.next_with, sheet, text, self.model.rows, self._columns_to_find_in(), self.grid.here,
            whole=self.replace_bar.whole.isChecked(), forward=forward,
        )  # fmt: skip
        found = await in_thread(look, Progress())
        if found is None:
            self.replace_bar.say(words.NOT_FOUND)
        else:
            self.replace_bar.say("")
            # Somebody who types what to look for goes on typing: going to a cell takes the keyboard.
            typing = self.replace_bar.isVisible() and self.replace_bar.sought.hasFocus()
            self.grid.go_to(*found)
            if typing:
                self.replace_bar.sought.setFocus()

    def _replace_all(self) -> None:
        if self.session.sheet is not None and self.replace_bar.sought.text():
            self.tasks.read(
                "find",
                self._replace_found(self.session.sheet, self.replace_bar.sought.text(), self.replace_bar.by.text()),
            )

    async def _replace_found(self, sheet: ImportSheet, text: str, by: str) -> None:
        rows, columns, whole = self.model.rows, self._columns_to_find_in(), self.replace_bar.whole.isChecked()

        def look() -> list[Place]:
            return list(sheet_search.places_with(sheet, text, rows, columns, whole=whole))

        places = await in_thread(look, Progress())
        self.replace_bar.say(words.replaced(len(places)))
        if places:
            self.session.change(partial(_replace, places, text, by, whole), len(places))

    def next_wrong(self, forward: bool = True) -> None:
        """Go to the next cell that keeps an order from being sent; without one, to the primary button.

        A required field without a column comes before all cells: no order of the file can be sent without it.
        """
        session = self.session
        if session.sheet is None:
            return
        if self.missing.buttons:
            self._pick_column(next(iter(self.missing.buttons)))
            return
        wrong = session.wrong_rows()
        found = sheet_search.next_wrong(session.sheet, wrong, self.model.rows, self.grid.here, forward=forward)
        if found is None and wrong:
            self.tabs.choose(ALL)
            found = sheet_search.next_wrong(session.sheet, wrong, self.model.rows, self.grid.here, forward=forward)
        if found is None:
            self.foot.send_button.setFocus()
        else:
            self._go_to_issue(found)

    def _go_to_issue(self, issue: CellIssue) -> None:
        if not self.grid.go_to(issue.row, issue.column):
            self.tabs.choose(ALL)
            self.grid.go_to(issue.row, issue.column)

    def _pick_field(self, column: int) -> None:
        header = self.grid.header
        at = QPoint(header.sectionViewportPosition(column + 1), header.height())
        self.mapping.pick_field(column, header.mapTo(self.window(), at))

    def _pick_column(self, path: str) -> None:
        made = self.missing.buttons[path]
        self.mapping.pick_column(path, made.mapTo(self.window(), QPoint(0, made.height())))

    # One order in the form

    def _open_current(self) -> None:
        order = self._current_order()
        if order is not None:
            self.open_in_form(order.key)

    def open_in_form(self, row: int) -> None:
        """Open the order of a row in the form."""
        sheet = self.session.sheet
        order = None if sheet is None else sheet.order_of(row)
        if sheet is None or order is None or self.model.locked:
            return
        self._in_form = order
        wrong = next((each.path for each in order.issues if each.grade == "wrong" and each.path), "")
        numbers = [sheet.table.numbers[each] for each in order.rows]
        self.stack.setCurrentWidget(self.form)
        self.form.show_order(sheet.draft(order.key), words.form_title(order.reference, numbers), wrong)

    def _take_draft(self, draft: OrderDraft) -> None:
        order = self._in_form
        if order is None or self.session.sheet is None:
            return
        unsaid = self.session.put_draft(order.key, draft)
        self._back_to_grid()
        if unsaid:
            self.bar.say("warn", words.not_taken(unsaid), topic=_EDIT, stays=True)

    def _leave_form(self) -> None:
        self.tasks.read("leave form", self._ask_leave_form())

    async def _ask_leave_form(self) -> None:
        lost = self.form.is_changed
        if not lost or await confirmed(
            self.window(), words.LEAVE_FORM, words.LEAVE_FORM_CONSEQUENCE, words.LEAVE, words.KEEP_TYPING
        ):
            self._back_to_grid()

    def _back_to_grid(self) -> None:
        order, self._in_form = self._in_form, None
        self.stack.setCurrentWidget(self._grid_face)
        self.grid.setFocus()
        if order is not None and (here := self.grid.here) is not None and here[0] not in order.rows:
            self.grid.go_to(order.key, here[1])

    def _decide(self, decision: Decision, alike: bool) -> None:
        order = self._current_order()
        if order is not None:
            # The button goes with the decision, and the keyboard would come to the one that sends.
            self.grid.setFocus()
            keys = self.session.verdicts.alike(order.key) if alike else (order.key,)
            self.session.decide(keys, decision)

    # Sending

    def send(self) -> None:
        """Send what the button says. From an open cell nothing is sent: its text may change what the button says."""
        if self.grid.commit() or not self._may_send():
            return
        if days := self.session.doubtful_days():
            self.tasks.read("ask about days", self._ask_about_days(days))
        else:
            self._send_now()

    async def _ask_about_days(self, days: list[CellIssue]) -> None:
        """Ask before orders leave for days that are over, and that may have been read the wrong way round."""
        question, why = words.send_days(len(days)), words.SEND_DAYS_CONSEQUENCE
        if not await confirmed(self.window(), question, why, words.SEND_DAYS, words.LOOK_AT_DAYS):
            self.tabs.choose(words.REMARKS)
            self._go_to_issue(days[0])
        elif self._may_send():  # a look at the provider may have begun during the question
            self._send_now()

    def _may_send(self) -> bool:
        return not (self.session.sheet is None or self._is_sending or self.session.is_looking)

    def _send_now(self) -> None:
        if self.session.sheet is not None:
            self.tasks.write("send", self._send(self.session.sheet))

    async def _send(self, sheet: ImportSheet) -> None:
        # Nothing is changed while the orders are stored: neither cells nor verdicts.
        self._is_sending, self._sending, self.model.locked = True, Progress(), True
        self.session.stop_asking()
        self.session.ignore_outbox()
        self.tasks.cancel("ask")
        self._show_plan()
        self._show_work()
        desk, session = self.desk, self.session
        try:
            # An edit under way changes orders that are about to be frozen.
            await self.tasks.ended("edit")
            # Kept at sending and not before: only now has the person shown that the mapping is right.
            await kept_mappings.remember(desk, sheet.table, sheet.mapping)
            # Read before the freezing, as the page is locked: it is what the button said.
            sent = [key for key in sheet.orders if session.verdicts.is_sent(key)]
            import_id = await import_batch.freeze(desk, sheet, session.verdicts, self._sending)
        except StoreError as error:
            self.bar.say("bad", words.not_stored(error.sentence), words.TRY_AGAIN, self.send, topic=_SEND)
            return
        except Stopped:
            self.bar.say("", words.SENDING_STOPPED, topic=_SEND)
            return
        finally:
            # Whatever came of it: a sheet that stays locked could not be corrected.
            self._is_sending = self.model.locked = False
            self._on_changed()
            self.session.look_at_outbox()
        if import_id is not None:
            self._after_sending(desk, import_id, sent)

    def _after_sending(self, desk: Desk, import_id: int, sent: Sequence[int]) -> None:
        """The import runs by itself now. The file stays open as long as something of it is left to decide."""
        self.bar.withdraw(_SEND)
        if self._from_folder is not None:
            self.tasks.write("folder file", self._note_folder_file(desk, self._from_folder, import_id))
        left = self.session.note_sent(sent)
        self.services.news.queue_changed.emit()
        if left:
            self.bar.say("good", words.rest_stays(len(sent), left), words.SHOW_IMPORTS, self._ask_close, topic=_SEND)
            self.tabs.choose("blocked" if self._keys_of("blocked") else ALL)
            self.grid.setFocus()
        else:
            self._put_away()
        self.watch.reload()

    async def _note_folder_file(self, desk: Desk, path: Path, import_id: int | None) -> None:
        """Mark a file of the watched folder as sent, or as put aside (None).

        The receipt of one that was sent is written beside it once its import has ended.
        """
        chosen = await watched_folder.choice(desk)
        # Another folder may be watched since the file was opened.
        if chosen.folder == path.parent:
            try:
                await watched_folder.FolderWatch(desk, chosen).note_sent(path, import_id)
            except FileTrouble as error:
                self.bar.say("warn", error.sentence, topic=_FILE)
            self.folder_file_settled.emit()

    def _show_in_outbox(self, shown: import_batch.BatchSummary) -> None:
        self.services.news.show_import.emit(shown.id)

    # Cancelling by a file

    def _cancel_instead(self) -> None:
        if self.session.table is not None:
            self.session.stop_asking()
            self.stack.setCurrentWidget(self.cancelling.face)
            self.cancelling.begin(self.session.table)

    def _on_cancelled(self, references: dict[int, str]) -> None:
        self._put_away()
        self.services.news.queue_changed.emit()
        self.services.news.cancelling_many.emit(references)
        self.watch.reload()

    # Keys and commands

    def event(self, event: QEvent) -> bool:
        # Ctrl+V outside of every field and grid: a table in the clipboard is a file to import.
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._is_paste(event):
            self.paste_table()
            return True
        return super().event(event)

    def _is_paste(self, event: QKeyEvent) -> bool:
        return event.matches(QKeySequence.StandardKey.Paste) and self.stack.currentWidget() is self.start

    def page_commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        found: list[tuple[str, str, Callable[[], object]]] = [
            (words.OPEN_FILE, "Ctrl+O", self.ask_file),
            (words.PASTE_TABLE, "", self.paste_table),
            (words.SAVE_SAMPLE, "", self._save_sample),
        ]
        if self.waiting.paths:
            found += [
                (words.LEAVE_WAITING, "", self.waiting.clear),
                (words.open_called(self.waiting.paths[0].name), "", partial(self._replace_file, self._open_next)),
            ]
        if self.session.sheet is not None:
            found += [
                (words.NEXT_WRONG, "F4", self.next_wrong),
                (words.FIND_NAME, "Ctrl+H", partial(self._open_find, True)),
                (words.OPEN_IN_FORM, "Ctrl+E", self._open_current),
                (words.FIXED_VALUES_MENU, "", self.mapping.ask_fixed),
                (words.CANCEL_INSTEAD, "", self._cancel_instead),
                (words.CLOSE_FILE, "Ctrl+W", self._ask_close),
                *(
                    (words.show_tab(title), "", partial(self.tabs.choose, name))
                    for name, title in words.TAB_TITLES.items()
                ),
            ]
        return found


async def _read_again(kept: OpenFile, options: ReadOptions, progress: Progress) -> Table:
    """Read the file of an earlier start, or the text that was pasted then."""
    if kept.path is not None:
        return await file_reading.read_file(kept.path, options, progress)
    return await file_reading.read_pasted(kept.text, options, progress)


def _set_cells(texts: dict[Place, str], sheet: ImportSheet) -> Edit:
    return sheet.set_cells(texts)


def _fill_down(places: Sequence[Place], sheet: ImportSheet) -> Edit:
    return sheet.fill_down(places)


def _mend_alike(issue: CellIssue, sheet: ImportSheet) -> Edit:
    return sheet.mend_alike(issue)


def _replace(places: Sequence[Place], find: str, by: str, whole: bool, sheet: ImportSheet) -> Edit:
    return sheet.replace(places, find, by, whole=whole)
