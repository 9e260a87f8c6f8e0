"""A person's changes of the mapping: another field for a column, a column for a field, values, names, files.

Invariants: nothing here knows the page. Every choice ends in `asked` with a whole mapping, which the page puts in
force; a mapping is asked for only while the file is open for which it was chosen.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QMenu, QPushButton, QWidget

from app.desk.bulk.files.file_tables import FileTrouble, Table
from app.desk.bulk.mapping import kept_mappings, template_values
from app.desk.bulk.mapping.column_mapping import ColumnMapping, ColumnUse
from app.desk.bulk.mapping.match_columns import match_columns
from app.desk.bulk.order_fields import title_of
from app.desk.bulk.rows.import_sheet import ImportSheet
from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, in_thread
from app.desk.files.whole_file import ExportTrouble
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.ui.bulk import bulk_page_words as words
from app.ui.bulk.mapping import field_lines
from app.ui.bulk.mapping.fixed_values import FixedValues
from app.ui.bulk.mapping.pick_panel import PickPanel
from app.ui.bulk.mapping.translations import TranslationsDialog, values_of
from app.ui.theme.theme import Theme
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.files.choose_files import FileKind, chosen_file, file_to_read
from app.ui.widgets.files.made_file import say_made
from app.ui.widgets.lists.line_list import Line
from app.ui.widgets.name_dialog import NameDialog
from app.ui.widgets.text.labels import ampersands

MAPPING_FILE = FileKind("mapping", words.MAPPING_FILE, "waybill-mapping")
_TOPIC = "mapping"
_LONGEST_NAME = 60


class MappingTools(QObject):
    """The menu of mappings, and the panels of columns and fields. `asked` carries a `ColumnMapping`."""

    asked = Signal(object)

    def __init__(self, page: QWidget, theme: Theme, tasks: Tasks, bar: MessageBar) -> None:
        super().__init__(page)
        self._page, self._theme, self._tasks, self._bar = page, theme, tasks, bar
        self._desk: Desk | None = None
        self._sheet: ImportSheet | None = None
        self._missing: tuple[str, ...] = ()
        self._names: tuple[str, ...] = ()
        self.panel: PickPanel | None = None
        self._menu = QMenu(page)
        self._use_menu = QMenu(words.USE_MAPPING, self._menu)
        self._delete_menu = QMenu(words.DELETE_MAPPING, self._menu)
        self._menu.setAccessibleName(words.MAPPING)
        self.button: QPushButton = with_icon(
            button(words.MAPPING, self.show_menu, key="Alt+M", tip=words.MAPPING_TIP), theme, "columns-2"
        )

    def take_desk(self, desk: Desk) -> None:
        """Read the names of the mappings that this desk keeps."""
        self._desk = desk
        self._tasks.read("mapping names", self._load_names(desk))

    async def _load_names(self, desk: Desk) -> None:
        names = await kept_mappings.names(desk)
        if desk is self._desk:  # another connection may have been chosen meanwhile
            self._names = names

    def show_sheet(self, sheet: ImportSheet | None, missing: tuple[str, ...]) -> None:
        """Work for this file; `missing` are the required fields that no column holds."""
        self._sheet, self._missing = sheet, missing
        if self.panel is not None:
            self.panel.close_now()

    # A column, a field

    def pick_field(self, column: int, place: QPoint) -> None:
        """Ask which field a column is; `place` is a place of the window."""
        sheet = self._sheet
        if sheet is None:
            return
        title = sheet.titles[column].strip() or words.untitled(column + 1)
        note = words.samples(field_lines.samples(sheet, column))
        lines = field_lines.field_lines(sheet, column, self._missing)
        self._open(words.which_field(title), note, lines, place).taken.connect(partial(self._take_field, sheet, column))

    def _take_field(self, sheet: ImportSheet, column: int, taken: object) -> None:
        if taken == field_lines.VALUES:
            self._ask_values(sheet, column)
        elif isinstance(taken, ColumnUse):
            self._ask(sheet, field_lines.mapped(sheet.mapping, column, taken, len(sheet.titles)))

    def pick_column(self, path: str, place: QPoint) -> None:
        """Ask which column a field is taken from, or for one value for every order."""
        sheet = self._sheet
        if sheet is not None:
            panel = self._open(words.which_column(title_of(path)), "", field_lines.column_lines(sheet), place)
            panel.taken.connect(partial(self._take_column, sheet, path))

    def _take_column(self, sheet: ImportSheet, path: str, taken: object) -> None:
        if taken == field_lines.FIXED:
            self.ask_fixed(path)
        elif isinstance(taken, int):
            self._ask(sheet, field_lines.mapped(sheet.mapping, taken, ColumnUse(path), len(sheet.titles)))

    def _ask(self, sheet: ImportSheet, mapping: ColumnMapping) -> bool:
        """Ask for this mapping of the columns of `sheet`; not if another file has come meanwhile, which is said."""
        if sheet is not self._sheet:
            self._bar.say("", words.MAPPING_OF_CLOSED_FILE, topic=_TOPIC)
            return False
        self.asked.emit(mapping)
        return True

    def _open(self, title: str, note: str, lines: list[Line], place: QPoint) -> PickPanel:
        if self.panel is not None:
            self.panel.close_now()
        self.panel = PickPanel(self._theme, self._page.window(), title, note, lines)
        self.panel.over.connect(self._forget_panel)
        self.panel.open_at(place)
        return self.panel

    def _forget_panel(self) -> None:
        self.panel = None

    # Values

    def ask_fixed(self, path: str = "") -> None:
        """Ask for values that every order gets, with the keyboard in the field at `path`."""
        if self._sheet is not None and self._desk is not None:
            self._tasks.read("fixed values", self._ask_fixed(self._desk, self._sheet, path))

    async def _ask_fixed(self, desk: Desk, sheet: ImportSheet, path: str) -> None:
        templates = await template_values.load(desk)
        # Another file may have come while the templates were read.
        if sheet is self._sheet:
            window, constants = self._page.window(), sheet.mapping.constants
            dialog = FixedValues(window, constants, self._missing, path, templates)
            dialog.chosen.connect(partial(self._take_fixed, sheet))
            _show(dialog)

    def _take_fixed(self, sheet: ImportSheet, values: Mapping[str, str]) -> None:
        if dict(values) != dict(sheet.mapping.constants):
            self._ask(sheet, replace(sheet.mapping, constants=dict(values)))

    def _ask_values(self, sheet: ImportSheet, column: int) -> None:
        path = sheet.mapping.columns[column].path
        known = sheet.mapping.translations.get(path, {})
        title = words.values_of(title_of(path))
        dialog = TranslationsDialog(self._page.window(), self._theme, title, values_of(sheet, column), known)
        dialog.chosen.connect(partial(self._take_values, sheet, path))
        _show(dialog)

    def _take_values(self, sheet: ImportSheet, path: str, table: Mapping[str, str]) -> None:
        translations = {name: each for name, each in sheet.mapping.translations.items() if name != path}
        if table:
            translations[path] = table
        self._ask(sheet, replace(sheet.mapping, translations=translations))

    # The menu

    def show_menu(self) -> None:
        """Open the menu below its button; nothing waits for it."""
        menu = self.menu()
        menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height())))
        menu.setActiveAction(menu.actions()[0])

    def menu(self) -> QMenu:
        """The menu as it is now; it is filled anew each time."""
        menu = self._menu
        for each in (menu, self._use_menu, self._delete_menu):
            each.clear()
        if self._sheet is not None:
            _add(menu, words.FIXED_VALUES_MENU, self.ask_fixed)
            _add(menu, words.MATCH_ANEW, self._match_anew)
            menu.addSeparator()
            _add(menu, words.KEEP_MAPPING, self._ask_name)
            if self._names:
                menu.addMenu(self._use_menu)
            _add(menu, words.EXPORT_MAPPING, self._start(self._export))
            _add(menu, words.IMPORT_MAPPING, self._start(self._import))
        if self._names:
            menu.addMenu(self._delete_menu)
        for name in self._names:
            _add(self._use_menu, ampersands(name), self._start(self._use, name))
            _add(self._delete_menu, ampersands(name), self._start(self._delete, name))
        if menu.isEmpty():
            _add(menu, words.NO_MAPPING_YET, _nothing)
        return menu

    def _start(self, work: Callable[..., object], *given: object) -> Callable[..., None]:
        def start(*_checked: bool) -> None:
            assert self._desk is not None
            self._tasks.write("mapping", self._reporting(work, self._desk, *given))

        return start

    async def _reporting(self, work: Callable[..., object], *given: object) -> None:
        try:
            await work(*given)  # type: ignore[misc]
        except (StoreError, FileTrouble, ExportTrouble) as error:
            self._bar.say("bad", error.sentence, topic=_TOPIC)

    def _match_anew(self, *_checked: bool) -> None:
        if self._sheet is not None:
            self.asked.emit(match_columns(self._sheet.table).mapping)

    # Names and files

    def _ask_name(self, *_checked: bool) -> None:
        if self._sheet is not None:
            dialog = NameDialog(
                self._page.window(), words.NAME_MAPPING, words.NAME_OF_MAPPING, self._sheet.mapping.name, _name_trouble
            )
            dialog.named.connect(self._on_named)
            dialog.show()

    def _on_named(self, name: str) -> None:
        self._start(self._keep, name)()

    async def _keep(self, desk: Desk, name: str) -> None:
        sheet = self._sheet
        if sheet is None:
            return
        replaced = name in self._names
        await kept_mappings.keep(desk, sheet.table, sheet.mapping, name)
        sheet.mapping = replace(sheet.mapping, name=name)
        await self._load_names(desk)
        self._bar.say("good", words.mapping_kept(name, replaced=replaced), topic=_TOPIC)

    async def _use(self, desk: Desk, name: str) -> None:
        sheet = self._sheet
        if sheet is not None and self._ask(sheet, await kept_mappings.load(desk, sheet.table, name)):
            self._bar.say("good", words.mapping_used(name), topic=_TOPIC)

    async def _delete(self, desk: Desk, name: str) -> None:
        await kept_mappings.delete(desk, name)
        await self._load_names(desk)
        self._bar.say("good", words.mapping_deleted(name), topic=_TOPIC)

    async def _export(self, _desk: Desk) -> None:
        sheet = self._sheet
        if sheet is None:
            return
        name = sheet.mapping.name or Path(sheet.table.name).stem
        chosen = await chosen_file(self._page.window(), words.EXPORT_MAPPING_TITLE, name, (MAPPING_FILE,))
        if chosen is not None:
            write = partial(_write, chosen.target, sheet.table, sheet.mapping, chosen.replace)
            await in_thread(write, Progress())
            say_made(self._bar, words.mapping_written(chosen.target.name), chosen.target, topic=_TOPIC)

    async def _import(self, _desk: Desk) -> None:
        sheet = self._sheet
        path = None
        if sheet is not None:
            path = await file_to_read(self._page.window(), words.IMPORT_MAPPING_TITLE, (MAPPING_FILE,))
        if sheet is None or path is None:
            return
        mapping = await in_thread(partial(kept_mappings.read_mapping_file, path, sheet.table), Progress())
        if self._ask(sheet, mapping):
            self._bar.say("good", words.mapping_used(path.stem), topic=_TOPIC)


def _write(target: Path, table: Table, mapping: ColumnMapping, replace_it: bool) -> None:
    kept_mappings.write_mapping_file(target, table, mapping, replace=replace_it)


def _add(menu: QMenu, title: str, act: Callable[..., object]) -> None:
    action = QAction(title, menu)
    action.triggered.connect(partial(_call, act))
    menu.addAction(action)


def _call(act: Callable[..., object], *_checked: bool) -> None:
    act()


def _nothing() -> None:
    """The line of a menu that only says something."""


def _name_trouble(name: str) -> str:
    if not name:
        return words.NAME_EMPTY
    return words.name_too_long(_LONGEST_NAME) if len(name) > _LONGEST_NAME else ""


def _show(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
