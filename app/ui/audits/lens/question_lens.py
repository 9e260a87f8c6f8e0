"""The question lens: one question's answers and photos across the audits of the list.

The provider tells questions only with each audit, so an audit answers here once it was opened. The lens counts the
audits that were never opened, and fetches them when a person asks for it.
"""

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from app.desk.audits import audit_reviews
from app.desk.audits.audit_reviews import PhotoReview
from app.desk.desk import Desk
from app.runtime.tasks import Tasks
from app.store.cache.audits.audit_rows import AuditQuery, LensRow
from app.translation import translate
from app.ui.audits import audits_words as words
from app.ui.audits.lens.lens_model import COLUMNS, LensDelegate, LensModel, LensTable
from app.ui.audits.opened.review_edits import ReviewEdits
from app.ui.base.page import PageServices
from app.ui.theme.tokens import QUESTIONS_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.viewer.photo import Photo
from app.ui.viewer.photo_viewer import PhotoViewer
from app.ui.widgets.bars.message_bar import MessageBar, progress_bar
from app.ui.widgets.buttons import button, shortcut, with_icon
from app.ui.widgets.field import Choice
from app.ui.widgets.layout import Panes, column, holding, row
from app.ui.widgets.lists.row_table import set_up_rows
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import text_label, visible
from app.ui.widgets.text.times import day

_MOST_ASKED = 5_000  # audits whose questions are fetched at one go
_NOT_FETCHED = "questions of the lens"  # a topic of the bar


class QuestionLens(QWidget):
    """Shows the answers to one question across audits. `edits` are the review edits of the page.

    `back_asked` asks for the list, `opened` for the audit of a row; `answered` follows each change of the question and
    its answers.
    """

    back_asked = Signal()
    opened = Signal(int)
    answered = Signal()

    def __init__(self, services: PageServices, tasks: Tasks, bar: MessageBar, edits: ReviewEdits) -> None:
        super().__init__()
        self._edits = edits
        edits.applied.connect(self._on_applied)
        edits.refused.connect(self._on_refused)
        self._services, self._tasks, self._bar = services, tasks, bar
        self._desk: Desk | None = None
        self._query: AuditQuery | None = None
        self._sort, self._descending = "date", True
        self._missing: list[int] = []
        self._reviews: dict[tuple[int, str], PhotoReview] = {}
        self.model = LensModel(self)
        self.table = LensTable()
        self.states = StateView(services.theme, self.table)
        self.viewer = PhotoViewer(services, "lens")
        self._build()
        for key, act in (
            ("Escape", self.go_back),
            ("W", self._row_before),
            ("S", self._row_after),
            ("A", self.viewer.photo_before),
            ("D", self.viewer.photo_after),
        ):
            shortcut(self, key, act)

    def _build(self) -> None:
        theme = self._services.theme
        back = with_icon(button(translate("List"), self.go_back, tip="(Esc)"), theme, "chevron-left")
        self.question = Choice(translate("Question"))
        self.question.currentIndexChanged.connect(self._on_question)
        self.summary = text_label("", "soft", wrap=True)
        self.missing = button("", self._fetch_missing)
        self.stop = button(translate("Stop"), self._stop, kind="quiet")
        self.progress = progress_bar(translate("Questions being fetched"))
        for each in (self.missing, self.stop, self.progress):
            each.hide()
        top = row(back, self.question, gap=SPACE_2)
        top.setStretch(1, 1)
        below = row(self.summary, self.missing, self.stop, gap=SPACE_2)
        below.setStretch(0, 1)
        head = column(top, below, self.progress, margin=(SPACE_3, SPACE_2, SPACE_3, SPACE_1), gap=SPACE_1)
        self._build_table()
        splitter = Panes([QUESTIONS_WIDTH, QUESTIONS_WIDTH])
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(1)
        splitter.addWidget(self.states)
        splitter.addWidget(self.viewer)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        self.heading = holding(head, "surface")
        whole = column(self.heading, splitter)
        whole.setStretch(1, 1)
        self.setLayout(whole)
        self.viewer.moved.connect(self._on_photo)
        self.viewer.review_changed.connect(self._on_review)
        self.viewer.full_asked.connect(self._toggle_full)

    def _build_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        set_up_rows(table, self._services.theme, translate("Answers"), LensDelegate, [width for _, width, _ in COLUMNS])
        header = table.horizontalHeader()
        header.setStretchLastSection(False)  # the answers take the room
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._on_header)
        table.selectionModel().currentRowChanged.connect(self._on_row)
        table.activated.connect(self._on_activated)

    def take_desk(self, desk: Desk) -> None:
        """Work for this desk from now on."""
        self._desk = desk
        self.viewer.take_desk()
        self._show((), {})

    def show_question(self, query: AuditQuery, question: str = "") -> None:
        """Show this question, or the first one there is, across the audits of a query."""
        self._query = query
        self._sort, self._descending = query.sort, query.descending
        self.states.show_state("clock", words.LOADING)
        self._tasks.read("questions", self._load_questions(question))

    def go_back(self) -> None:
        """Out of full screen first, then to the list."""
        if self._full:
            self._show_full(False)
        else:
            self.back_asked.emit()

    @property
    def _full(self) -> bool:
        return self.heading.isHidden()

    def _toggle_full(self) -> None:
        self._show_full(not self._full)

    def _show_full(self, full: bool) -> None:
        """Let the photos fill the screen, or give it back."""
        if full:
            self.viewer.panes[0].setFocus()
        self.heading.setVisible(not full)
        self.states.setVisible(not full)
        self._services.news.full_screen.emit(full)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._full and not event.spontaneous():
            self._show_full(False)  # another page needs the bars around it

    def close_lens(self) -> None:
        """Show no question, and stop fetching."""
        self._stop()
        self._bar.withdraw(_NOT_FETCHED)
        self._show((), {})

    async def _load_questions(self, question: str) -> None:
        from app.desk.audits import audit_sync  # brings the client's models

        assert self._desk is not None
        asked = await audit_sync.questions(self._desk)
        # Filling the choice chooses its first entry, which would load the answers to that question too.
        self.question.blockSignals(True)
        self.question.clear()
        for name, text, count in asked:
            self.question.addItem(visible(f"{name}  {text}  ({count:,})"), name)
        place = max(self.question.findData(question), 0)
        self.question.setCurrentIndex(place)
        self.question.blockSignals(False)
        await self._load()

    async def _load(self) -> None:
        from app.desk.audits import audit_sync

        desk, query, question = self._desk, self._query, self.question.currentData()
        assert desk is not None
        assert query is not None
        query = query.sorted_by(self._sort, descending=self._descending)
        rows = await audit_sync.lens(desk, query, str(question)) if question else []
        self._missing = await audit_sync.never_opened(desk, query, _MOST_ASKED)
        reviews: dict[tuple[int, str], PhotoReview] = {}
        for number in {each.audit.number for each in rows if each.photo}:
            told = await audit_reviews.reviews_of(desk, number)
            reviews.update({(number, address): review for address, review in told.photos.items()})
        self._show(rows, reviews)
        self._show_sort()

    def _show(self, rows: Sequence[LensRow], reviews: dict[tuple[int, str], PhotoReview]) -> None:
        here = self._place_among(rows)
        self._reviews = reviews
        self.model.show(rows)
        self.viewer.show_photos(
            [
                Photo(each.photo, place, _caption(each), reviews.get((each.audit.number, each.photo), PhotoReview()))
                for place, each in enumerate(rows)
                if each.photo
            ]
        )
        self._say(rows)
        if rows:
            self.states.show_content()
            self._stand_on(here)

    def _place_among(self, rows: Sequence[LensRow]) -> int:
        """Where the current answer stands among other rows, or another answer of its audit, or the first photo."""
        here, found = self.table.currentIndex().row(), list(enumerate(rows))
        told = self.model.rows[here] if 0 <= here < len(self.model.rows) else None
        same = [at for at, each in found if told is not None and each.audit.number == told.audit.number]
        exact = [at for at in same if told is not None and rows[at].place == told.place]
        return next(iter([*exact, *same, *(at for at, each in found if each.photo), 0]))

    def _say(self, rows: Sequence[LensRow]) -> None:
        poor = sum(each in ("low", "failed") for each in self.model.judged)
        self.summary.setText(words.answers_words(len(rows), poor) if rows else "")
        count = len(self._missing)
        self.missing.setText(words.fetch_more_questions(count))
        self.missing.setAccessibleName(self.missing.text())
        self.missing.setVisible(count > 0 and self.stop.isHidden())
        if not rows:
            self.states.show_state(
                "search",
                words.NO_ANSWERS,
                words.COME_WITH_AUDIT if count else words.NOBODY_ASKS,
                words.fetch_questions(count) if count else "",
                self._fetch_missing,
            )
        self.answered.emit()

    def _fetch_missing(self) -> None:
        if self._missing and self._desk is not None:
            self._tasks.read("fetch questions", self._fetch(self._desk, list(self._missing)))

    def _stop(self) -> None:
        self._tasks.cancel("fetch questions")
        self.stop.hide()
        self.progress.hide()

    async def _fetch(self, desk: Desk, numbers: list[int]) -> None:
        from app.desk.audits import audit_sync

        self._bar.withdraw(_NOT_FETCHED)
        self.progress.setRange(0, len(numbers))
        self.progress.setValue(0)
        for each in (self.stop, self.progress):
            each.show()
        self.missing.hide()
        failed: dict[int, str] = {}
        try:
            failed = await audit_sync.refresh_many(desk, numbers, self.progress.setValue)
        finally:
            self.stop.hide()
            self.progress.hide()
        if failed:
            why = next(iter(failed.values()))
            self._bar.say("warn", words.questions_not_fetched(len(failed), why), topic=_NOT_FETCHED)
        await self._load_questions(str(self.question.currentData() or ""))

    def _on_question(self) -> None:
        self._tasks.read("questions", self._load())

    def _on_header(self, place: int) -> None:
        name = COLUMNS[place][2]
        if name:
            self._descending = not self._descending if name == self._sort else name in ("date", "number")
            self._sort = name
            self._tasks.read("questions", self._load())

    def _show_sort(self) -> None:
        place = next((at for at, (_, _, name) in enumerate(COLUMNS) if name == self._sort), -1)
        order = Qt.SortOrder.DescendingOrder if self._descending else Qt.SortOrder.AscendingOrder
        self.table.horizontalHeader().setSortIndicatorShown(place >= 0)
        self.table.horizontalHeader().setSortIndicator(place, order)

    def _on_row(self, current: QModelIndex) -> None:
        if current.isValid():
            self.viewer.go_to_place(current.row())

    def _on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(self.model.rows[index.row()].audit.number)

    def _on_photo(self, photo: Photo | None) -> None:
        if photo is not None:
            self._stand_on(photo.place)

    def _row_before(self) -> None:
        self._stand_on(self.table.currentIndex().row() - 1)

    def _row_after(self) -> None:
        self._stand_on(self.table.currentIndex().row() + 1)

    def _stand_on(self, at: int) -> None:
        if 0 <= at < len(self.model.rows) and at != self.table.currentIndex().row():
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.table.selectionModel().setCurrentIndex(self.model.index(at, 0), flags)

    def _on_review(self, address: str, review: PhotoReview) -> None:
        photo = self.viewer.photo
        if photo is None:
            return
        number = self.model.rows[photo.place].audit.number
        self._edits.set_photo_of(number, address, self._reviews.get((number, address), PhotoReview()), review)

    def _on_applied(self, number: int, address: str, review: object) -> None:
        if isinstance(review, PhotoReview) and self._row_of(number, address) is not None:
            self._reviews[number, address] = review
            self.viewer.put_review(address, review)

    def _on_refused(self, number: int) -> None:
        """A change was not saved: show what is saved."""
        if any(each.audit.number == number for each in self.model.rows):
            self._tasks.read("questions", self._load())

    def _row_of(self, number: int, address: str) -> int | None:
        rows = enumerate(self.model.rows)
        return next((at for at, each in rows if (each.audit.number, each.photo) == (number, address)), None)

    def show_photo(self, number: int, address: str) -> bool:
        """Go to a photo of an audit; whether it is among these."""
        at = self._row_of(number, address) if address else None
        if at is not None:
            self._stand_on(at)
        return at is not None


def _caption(row: LensRow) -> str:
    audit = row.audit
    score = translate("score {score}", score=words.score_text(audit.score))
    facts = (audit.facility, audit.vendor, day(audit.date), score, row.answer)
    return " · ".join(each for each in facts if each)
