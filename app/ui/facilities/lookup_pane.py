"""One kind of reference data: its fields and earlier questions at the left, the answer at the right."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QWidget

from app.desk.desk import Desk
from app.desk.files.save_files import safe_stem
from app.desk.known import known_data, reference_lookups
from app.desk.known.reference_lookups import Lookup
from app.desk.records.kept_records import Asked, KeptRecords, Noted
from app.desk.records.record_table import table_of
from app.ui.base.page import Page
from app.ui.facilities import facilities_words as words
from app.ui.theme.tokens import LOADS_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.choosing.suggestions import Completer, Suggestion, SuggestionList
from app.ui.widgets.field import Field
from app.ui.widgets.files.file_strip import FileStrip
from app.ui.widgets.layout import column, holding, row, scrolling
from app.ui.widgets.lists.accessible_choice import AccessibleChoice
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.records.records_view import RecordsView
from app.ui.widgets.text.labels import ElidedLabel, text_label, visible
from app.ui.widgets.text.times import since

_AGE_MS = 60_000
_BEFORE_HEIGHT = 180
_ASKED = Qt.ItemDataRole.UserRole


class LookupPane(QWidget):
    """Asks by what stands in its fields. `told` carries trouble as a sentence, empty when it is over; `drawn` follows
    whatever else is shown."""

    told = Signal(str)
    drawn = Signal()

    def __init__(self, page: Page, lookup: Lookup, shown: SuggestionList, files: FileStrip) -> None:
        super().__init__()
        self._page, self.lookup, self._files = page, lookup, files
        self._desk: Desk | None = None
        self.answer: KeptRecords | None = None
        self._asking = False
        theme = page.services.theme
        self.fields = {each.name: Field(each.title, hint=each.hint) for each in lookup.fields}
        self.ask_button = with_icon(button(words.ASK, self.ask, kind="primary"), theme, "search", "on_accent")
        self.before = QListWidget()
        self.before.setAccessibleName(words.ASKED_BEFORE)
        self.before.setFrameShape(QFrame.Shape.NoFrame)
        set_list_rows(self.before)
        self.before.itemActivated.connect(self._on_before)
        self.before.itemClicked.connect(self._on_before)
        self._choice = AccessibleChoice(self.before, self._on_chosen)
        self.nothing = text_label(words.NOTHING_BEFORE, "soft", wrap=True)
        self.title = text_label("", "title", selectable=True)
        self.age_label = ElidedLabel("soft")
        self.export_button = with_icon(button(words.EXPORT, self.export), theme, "download")
        self.records = RecordsView(theme, lookup.title)
        self._completers = self._complete(shown)
        self._age = QTimer(self)
        self._age.setInterval(_AGE_MS)
        self._age.timeout.connect(self._say_age)
        self._lay_out()
        self._draw()

    def _complete(self, shown: SuggestionList) -> list[Completer]:
        made = []
        for each in self.lookup.fields:
            editor = self.fields[each.name].editor
            assert isinstance(editor, QLineEdit)
            editor.returnPressed.connect(self.ask)
            if each.known is not None:
                completer = Completer(editor, shown)
                completer.wanted.connect(partial(self._on_wanted, completer, each.known))
                completer.taken.connect(partial(self._on_taken, each.name))
                made.append(completer)
        return made

    def _lay_out(self) -> None:
        asking = column(
            text_label(self.lookup.explained, "soft", wrap=True), SPACE_2, *self.fields.values(), self.ask_button,
            SPACE_2, text_label(words.ASKED_BEFORE, "label"), self.before, self.nothing, None, gap=SPACE_1,
        )  # fmt: skip
        self.before.setMinimumHeight(_BEFORE_HEIGHT)
        left = scrolling(holding(asking), "surface")
        left.setFixedWidth(LOADS_WIDTH)
        head = row(self.title, self.age_label, self.export_button, gap=SPACE_2)
        head.setStretch(1, 1)
        right = column(head, self.records, gap=SPACE_2)
        right.setStretch(1, 1)
        whole = row(left, holding(right), gap=SPACE_3)
        whole.setStretch(1, 1)
        self.setLayout(whole)

    def take_desk(self, desk: Desk) -> None:
        """Ask this desk's provider; nothing of another one stays."""
        self._desk, self.answer, self._asking = desk, None, False
        self._show_before(())
        self._page.tasks.cancel(self._task)
        for each in self.fields.values():
            each.set_text("")
        self.records.filter.clear()
        self._draw()

    @property
    def _task(self) -> str:
        return f"look up {self.lookup.name}"

    def enter(self) -> None:
        """The pane is shown."""
        next(iter(self.fields.values())).editor.setFocus()
        self._list_before()

    # Asking

    def typed(self) -> Mapping[str, str]:
        """The texts of the fields."""
        return {name: each.text() for name, each in self.fields.items()}

    def ask_by(self, asked: Asked) -> None:
        """Put these values into the fields and ask by them."""
        for name, each in self.fields.items():
            each.set_text(asked.get(name, ""))
        self.ask()

    def ask(self) -> None:
        """Ask by what stands in the fields, unless something is wrong with it."""
        asked = reference_lookups.wanted(self.lookup, self.typed())
        found = reference_lookups.issues(asked)
        for name, each in self.fields.items():
            each.set_issue(found.get(name, ""))
            each.show_issue_now()
        if not found and self._desk is not None:
            self._page.tasks.read(self._task, self._ask(self._desk, asked))

    async def _ask(self, desk: Desk, asked: Asked) -> None:
        self.answer, self._asking = await reference_lookups.last_answer(desk, self.lookup, asked), True
        self._draw()
        try:
            self.answer = await reference_lookups.ask(desk, self.lookup, asked)
        finally:
            self._asking = False
        self._draw()
        self._list_before()

    def _list_before(self) -> None:
        if self._desk is not None:
            self._page.tasks.read(f"before {self.lookup.name}", self._read_before(self._desk))

    async def _read_before(self, desk: Desk) -> None:
        self._show_before(await reference_lookups.asked_before(desk, self.lookup))

    def _show_before(self, noted: Sequence[Noted]) -> None:
        self.before.clear()
        for each in noted:
            item = QListWidgetItem(visible(words.noted(self.asked_words(each.asked), each.count)))
            item.setData(_ASKED, dict(each.asked))
            self.before.addItem(item)
        self._choice.forget()
        self.before.setVisible(bool(noted))
        self.nothing.setVisible(not noted)

    def _on_before(self, item: QListWidgetItem) -> None:
        self.ask_by(item.data(_ASKED))

    def _on_chosen(self, _index: object) -> None:
        item = self.before.currentItem()
        if item is not None:
            self._on_before(item)

    def asked_words(self, asked: Asked) -> str:
        """The values of the last question, in words."""
        titles = {each.name: each.title for each in self.lookup.fields}
        parts = [words.asked_by(titles.get(name, name), value) for name, value in asked.items()]
        return ", ".join(parts) or words.EVERYTHING

    # Offers while typing

    def _on_wanted(self, completer: Completer, kind: known_data.Kind, text: str) -> None:
        if self._desk is not None:
            self._page.tasks.read("known", self._offer(self._desk, completer, kind, text))

    async def _offer(self, desk: Desk, completer: Completer, kind: known_data.Kind, text: str) -> None:
        found = await known_data.find(desk, kind, text)
        completer.offer(text, [_suggestion(each.body) for each in found.rows])

    def _on_taken(self, name: str, value: str, _by_tab: bool) -> None:
        self.fields[name].set_text(value)

    # What is shown

    def _draw(self) -> None:
        answer = self.answer
        asked = "" if answer is None else self.asked_words(answer.asked)
        self.title.setText(visible(words.title(self.lookup.title, asked)))
        self.ask_button.setEnabled(not self._asking)
        self._draw_records(answer)
        self.export_button.setEnabled(bool(self.records.table.records))
        self._say_age()
        self._age.start()

    def _draw_records(self, answer: KeptRecords | None) -> None:
        trouble = ""
        if answer is None:
            self.records.show_state("warehouse", words.NOT_ASKED, self.lookup.explained)
        elif answer.at is None and self._asking:
            self.records.show_state("clock", words.ASKING)
        elif answer.at is None:
            self.records.show_state("cloud-off", words.NOT_ANSWERED, answer.trouble, words.TRY_AGAIN, self.ask)
        else:
            age = since(answer.at, self._page.services.now())
            trouble = words.shown_as_of(age, answer.trouble) if answer.trouble else ""
            if answer.records:
                self.records.show_table(table_of(answer.records))
            else:
                self.records.show_state("inbox", words.NOTHING_FOUND, words.asked_at(age))
        self.told.emit(trouble)

    def status_text(self) -> str:
        """The text of the status bar about this pane."""
        answer = self.answer
        if answer is None:
            return words.NOT_ASKED
        age = "" if answer.at is None else since(answer.at, self._page.services.now())
        return words.status(self.title.text(), len(self.records.table.records), age, asking=self._asking)

    def _say_age(self) -> None:
        self.drawn.emit()
        answer = self.answer
        if self._asking:
            self.age_label.say(words.ASKING)
        elif answer is None or answer.at is None or not answer.records:
            self.age_label.say("")
        else:
            age = since(answer.at, self._page.services.now())
            self.age_label.say(words.as_of(age, len(self.records.table.records)))

    def export(self) -> None:
        """Write the records that are shown into a file."""
        if self.records.table.records:
            name = safe_stem(self.lookup.title, f"{self._page.services.now():%Y-%m-%d}")
            self._files.begin(self.records.export_job(words.EXPORT, name, self.lookup.title))


def _suggestion(body: Mapping[str, str]) -> Suggestion:
    value = body.get("zip") or body.get("code") or ""
    detail = ", ".join(part for part in (body.get("name"), body.get("city"), body.get("state")) if part)
    return Suggestion(value, detail, value)
