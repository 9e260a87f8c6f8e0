"""One audit, opened: its facts, its questions and answers, its photos, and the review of a person.

By keys on one hand: W and S go through the questions, A and D through the photos, Shift+W and Shift+S to the audit
before and after; E marks it as reviewed and opens the next one that is not, F flags the photo on screen and Shift+F the
audit, Q begins a note. Each edit is saved at once; the page undoes it.
"""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.desk.audits import audit_reviews
from app.desk.audits.answer_grades import judged
from app.desk.audits.audit_reviews import OthersSaid, PhotoReview, Reviews
from app.desk.audits.scores import Scale
from app.desk.desk import Desk
from app.desk.report.report_words import NO_QUESTION, audit_title
from app.desk.team_side import REVIEWING
from app.runtime.tasks import Tasks
from app.store.cache.audits.audit_rows import AuditDetailRow
from app.translation import translate
from app.ui.audits import audits_words as words
from app.ui.audits.opened.questions import QuestionsList
from app.ui.audits.opened.review_edits import ReviewEdits
from app.ui.audits.opened.review_row import ReviewRow
from app.ui.base.at_work import AtWork
from app.ui.base.page import PageServices
from app.ui.theme.tokens import QUESTIONS_WIDTH, SEARCH_LEAST_WIDTH, SPACE_1, SPACE_2, SPACE_3
from app.ui.viewer.photo import Photo
from app.ui.viewer.photo_viewer import PhotoViewer
from app.ui.widgets.bars.message_bar import MessageBar
from app.ui.widgets.buttons import button, icon_button, shortcut, with_icon
from app.ui.widgets.layout import SideBySide, Splitter, column, holding, row
from app.ui.widgets.states import StateView
from app.ui.widgets.text.labels import ElidedLabel, Tone, ampersands, set_tone, text_label, visible
from app.ui.widgets.text.times import moment

_OTHERS_SHOWN = 4
_STALE = "audit as last seen"  # a topic of the bar


_TONES: dict[str, Tone] = {"good": "good", "warn": "warn", "bad": "bad"}


def _usual_scale() -> Scale:
    """The scale of scores, as long as no list says otherwise."""
    return Scale()


class AuditView(QWidget):
    """`back_asked` asks for the list, `stepped` for the audit so many places on in it, `next_unreviewed_asked` for the
    next audit that is not reviewed. `review_saved` follows each saved edit."""

    back_asked = Signal()
    stepped = Signal(int)
    next_unreviewed_asked = Signal()
    review_saved = Signal()
    order_asked = Signal(str)
    report_asked = Signal()
    lens_asked = Signal(str)  # the current question, to be compared across the audits of the list

    def __init__(self, services: PageServices, tasks: Tasks, bar: MessageBar) -> None:
        super().__init__()
        self._services, self._tasks, self._bar = services, tasks, bar
        self._desk: Desk | None = None
        self.number: int | None = None
        self._detail: AuditDetailRow | None = None
        self._wanted = ""  # the address of a photo to be shown once the photos are known
        self.edits = ReviewEdits(self, tasks, bar)
        self.edits.changed.connect(self._on_changed)
        self.edits.reverted.connect(self._on_reverted)
        self.edits.saved.connect(self.review_saved)
        self.at_work = AtWork(self._subject, REVIEWING, self)
        self.at_work.changed.connect(self._show_team)
        self._others: list[OthersSaid] = []
        self.scale: Callable[[], Scale] = _usual_scale
        services.news.presence.connect(self.at_work.look)
        services.news.others_reviewed.connect(self.read_others)
        self._make_head()
        self._make_questions()
        self._lay_out()
        self._keys()

    def _make_head(self) -> None:
        theme = self._services.theme
        self.back = with_icon(button(translate("List"), self.go_back, tip="(Esc)"), theme, "chevron-left")
        self.title = text_label("", "title", selectable=True)
        self.score = text_label("", "title", selectable=True)
        self.score.hide()
        self.facts = text_label("", "soft", wrap=True, selectable=True)
        self.progress = ElidedLabel("soft")  # the status bar says it too
        self.order = button("", self._ask_order, kind="quiet", tip=translate("Open the order of this audit  (O)"))
        self.report = with_icon(
            button(translate("PDF report"), self.report_asked.emit, tip="(Ctrl+P)"), theme, "file-text"
        )
        self._before = icon_button(theme, "chevron-left", translate("Audit before  (Shift+W)"), self.ask_before)
        self._after = icon_button(theme, "chevron-right", translate("Audit after  (Shift+S)"), self.ask_after)
        self.review_row = ReviewRow(self.edits)
        self.review_row.reviewed_now.connect(self.next_unreviewed_asked)
        self.review_row.done.connect(self.back_to_questions)
        self.team_label = text_label("", "soft", wrap=True, selectable=True)
        self.team_label.hide()

    def _make_questions(self) -> None:
        theme = self._services.theme
        self.search = QLineEdit()
        self.search.setAccessibleName(translate("Search questions and answers"))
        self.search.setPlaceholderText(translate("Search  (Ctrl+F)"))
        self.search.textChanged.connect(self._narrow)
        self.poor = button(
            translate("Low and failed"), self._narrow, tip=translate("Only answers that are low or failed  (X)")
        )
        self.poor.setCheckable(True)
        self.lens = button(
            translate("Across audits"), self.ask_lens, tip=translate("This question across the audits of the list  (Z)")
        )
        self.questions = QuestionsList(theme)
        self.questions.chosen.connect(self._on_question)
        self.states = StateView(theme, self.questions)
        self.viewer = PhotoViewer(self._services)
        self.viewer.moved.connect(self._on_photo)
        self.viewer.review_changed.connect(self._on_review)
        self.viewer.full_asked.connect(self._toggle_full)

    def _lay_out(self) -> None:
        named = row(self.back, SPACE_2, self.title, SPACE_3, self.score, None, gap=SPACE_1)
        self.top = row(None, self.progress, self.report, self._before, self._after, gap=SPACE_1)
        # Below one another where there is no room: of a score that is cut off, another number is read.
        top = SideBySide(holding(named), holding(self.top), growing=1, gap=SPACE_3)
        middle = row(self.facts, self.order, gap=SPACE_2)
        middle.setStretch(0, 1)
        self.heading = holding(column(top, middle, gap=SPACE_1))
        head = column(
            self.heading, self.review_row, self.team_label, margin=(SPACE_3, SPACE_2, SPACE_3, SPACE_2), gap=SPACE_1
        )
        self.search.setMinimumWidth(SEARCH_LEAST_WIDTH)
        narrow = holding(row(self.poor, self.lens, None, gap=SPACE_1))
        search = SideBySide(self.search, narrow, growing=0, gap=SPACE_1, margin=(SPACE_2, 0, SPACE_2, SPACE_1))
        left = column(search, self.states)
        left.setStretch(1, 1)
        self.splitter = Splitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self.left_side = holding(left, "surface")
        self.splitter.addWidget(self.left_side)
        self.splitter.addWidget(self.viewer)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 2)
        self.splitter.setSizes([QUESTIONS_WIDTH, 2 * QUESTIONS_WIDTH])
        whole = column(holding(head, "surface"), self.splitter)
        whole.setStretch(1, 1)
        self.setLayout(whole)

    def _keys(self) -> None:
        for key, act in (
            ("Escape", self.go_back),
            ("W", self._question_before),
            ("S", self._question_after),
            ("A", self.viewer.photo_before),
            ("D", self.viewer.photo_after),
            ("Shift+W", self.ask_before),
            ("Shift+S", self.ask_after),
            ("E", self.review_row.toggle_reviewed),
            ("F", self.review_row.toggle_photo_flag),
            ("Shift+F", self.review_row.toggle_flag),
            ("Q", self.review_row.note.setFocus),
            ("Shift+Q", self.review_row.photo_note.setFocus),
            ("X", self.poor.click),
            ("Z", self.ask_lens),
            ("O", self._ask_order),
            ("Ctrl+F", self.search.setFocus),
        ):
            shortcut(self, key, act)

    # What is shown

    def take_desk(self, desk: Desk) -> None:
        """Work for this desk from now on."""
        self.close_audit()
        self._desk = desk
        self.edits.take_desk(desk)
        self.at_work.take_desk(desk)
        self.viewer.take_desk()

    def close_audit(self) -> None:
        """Show no audit. Notes that are being typed are saved first."""
        self.review_row.save_notes()
        self._bar.withdraw(_STALE)
        self.number, self._detail, self._wanted = None, None, ""
        self.edits.close_audit()
        self.at_work.end()
        self._others = []
        self._show_team()
        self.review_row.clear()
        self.viewer.show_photos((), known=False)
        self.questions.questions.show(())

    def show_audit(self, number: int) -> None:
        """Show an audit: first what the cache holds, then what the provider says now."""
        self.close_audit()
        self.number = number
        self.edits.begin_audit(number)
        self.title.setText(audit_title(number))
        self.facts.setText("")
        self.states.show_state("clock", words.LOADING)
        self._tasks.read("audit", self._load(number))
        self.at_work.go_on()
        self.read_others()

    def show_photo(self, address: str) -> None:
        """Show a photo of the audit and the answer it belongs to, as soon as its photos are known."""
        self._wanted = address
        at = next((at for at, each in enumerate(self.viewer.photos) if each.address == address), None)
        if at is not None:
            self._wanted = ""
            self.viewer.go(at)
            self.questions.stand_on(self.viewer.photos[at].place)

    def _subject(self) -> str:
        return str(self.number) if self.number is not None and self.isVisible() else ""

    def read_others(self) -> None:
        """Read what the others of the team made of the audit; a desk that works alone has none."""
        if self.number is not None and self._desk is not None and self._desk.team is not None:
            self._tasks.read("others on audit", self._read_others(self._desk, self.number))

    async def _read_others(self, desk: Desk, number: int) -> None:
        found = await audit_reviews.others_said(desk, number)
        if number == self.number:
            self._others = found
            self._show_team()

    def _show_team(self) -> None:
        """Who else has the audit open, and what they made of it, the latest first."""
        lines = [words.looked_at_by(self.at_work.people)] if self.at_work.people else []
        photos = [] if self._detail is None else [each.address for each in photos_of(self._detail, self.edits.reviews)]
        for each in self._others[:_OTHERS_SHOWN]:
            place = ""
            if each.photo:
                known = each.photo in photos
                place = words.photo_number(photos.index(each.photo) + 1) if known else words.PHOTO
            lines.append(words.others_line(each, place))
        if len(self._others) > _OTHERS_SHOWN:
            lines.append(words.more_of_others(len(self._others) - _OTHERS_SHOWN))
        self.team_label.setText(visible("\n".join(lines)))
        self.team_label.setVisible(bool(lines))

    def say_progress(self, progress: str) -> None:
        """Show how many audits of the list are still to be reviewed."""
        self.progress.say(progress)

    async def _load(self, number: int) -> None:
        from app.desk.audits import audit_sync  # brings the client's models

        desk = self._desk
        assert desk is not None
        self._bar.withdraw(_STALE)
        await self.edits.open_audit(number)
        self._show(await audit_sync.detail(desk, number))
        trouble = await audit_sync.refresh_audit(desk, number)
        told = await audit_sync.detail(desk, number)
        if told != self._detail or (trouble and not self._answers):
            self._show(told, trouble)
        if trouble and self._answers:
            self._bar.say("warn", words.shown_as_last_seen(trouble), topic=_STALE)

    @property
    def _answers(self) -> int:
        return 0 if self._detail is None else len(self._detail.answers)

    def _show(self, told: AuditDetailRow | None, trouble: str = "") -> None:
        """Show the questions; the place among them and among the photos stays."""
        self._detail = told
        self._show_facts()
        self._show_team()
        self.review_row.show_audit()
        self._show_photo()
        if told is None or not told.answers:
            self._show_none(told, trouble)
            return
        here = self.questions.place()
        self.questions.questions.show(told.answers)
        self._show_narrowed()
        self.viewer.show_photos(photos_of(told, self.edits.reviews))
        self.questions.stand_on(self._first_place() if here is None else here)
        self._show_photo_of_question()
        if self._wanted:
            self.show_photo(self._wanted)
        self._mark_photos()

    def _first_place(self) -> int:
        """Where an audit opens: at the first answer with a photo, or at the first one that a filter leaves."""
        shown = [line.place for line in self.questions.questions.lines if line.place is not None]
        if not shown or len(shown) < self._answers:
            return shown[0] if shown else 0
        return self.viewer.photos[0].place if self.viewer.photos else shown[0]

    def _show_none(self, told: AuditDetailRow | None, trouble: str) -> None:
        self.viewer.show_photos((), known=not trouble and told is not None and told.whole_at is not None)
        if trouble:
            self.states.show_state("cloud-off", words.QUESTIONS_NOT_FETCHED, trouble, words.TRY_AGAIN, self._again)
        elif told is not None and told.whole_at is not None:
            self.states.show_state("inbox", words.NO_QUESTIONS, words.PROVIDER_HAS_NO_QUESTIONS)
        else:
            self.states.show_state("clock", words.ASKING)

    def _again(self) -> None:
        if self.number is not None:
            self._tasks.read("audit", self._load(self.number))

    def _show_facts(self) -> None:
        told = self._detail
        if told is None:
            return
        line, head = told.line, told.head
        self.score.setVisible(line.score is not None)
        if line.score is not None:
            self.score.setText(translate("Score {score}", score=words.score_text(line.score)))
            set_tone(self.score, _TONES[self.scale().tone(line.score)])
        parts = (moment(line.date), line.kind, line.facility, line.vendor, head.auditor, head.email)
        self.facts.setText(visible(" · ".join(part for part in parts if part)))
        order = translate("Order {number}", number=head.order_number) if head.order_number else ""
        self.order.setText(ampersands(order))
        self.order.setVisible(bool(head.order_number))

    def _ask_order(self) -> None:
        if self._detail is not None and self._detail.head.order_number:
            self.order_asked.emit(self._detail.head.order_number)

    # Moving through it

    def _toggle_full(self) -> None:
        self._show_full(not self._full)

    @property
    def _full(self) -> bool:
        return self.heading.isHidden()

    def _show_full(self, full: bool) -> None:
        """Let the photos and the row of the review fill the screen, or give it back."""
        if full:
            self.viewer.panes[0].setFocus()  # or Qt would give the keyboard to a note
        self.heading.setVisible(not full)
        self.left_side.setVisible(not full)
        self._services.news.full_screen.emit(full)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.at_work.go_on()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.at_work.end()
        if self._full and not event.spontaneous():
            self._show_full(False)  # another page needs the bars around it

    def go_back(self) -> None:
        """Out of full screen first, then to the list."""
        if self._full:
            self._show_full(False)
        else:
            self.back_asked.emit()

    def ask_before(self) -> None:
        """The audit before this one in the list."""
        self.stepped.emit(-1)

    def ask_after(self) -> None:
        """The audit after this one in the list."""
        self.stepped.emit(1)

    def _question_before(self) -> None:
        self.questions.step(-1)

    def _question_after(self) -> None:
        self.questions.step(1)

    def _narrow(self) -> None:
        here = self.questions.place()
        self.questions.questions.narrow(self.search.text(), poor=self.poor.isChecked())
        self._show_narrowed()
        lines = self.questions.questions.lines
        hits = [line.place for line in lines if line.place is not None]
        if hits and here not in hits:  # what is looked for is shown at once
            self.questions.stand_on(hits[0])
        elif here is not None:
            self.questions.stand_on(here)
        self._show_photo_of_question()

    def _show_narrowed(self) -> None:
        """Say why no question is shown although the audit has some."""
        if not self._answers:
            return
        if self.questions.questions.lines:
            self.states.show_content()
        elif self.search.text().strip():
            self.states.show_state("search", words.NO_QUESTION_MATCHES, "", words.SHOW_ALL, self._show_all)
        else:
            self.states.show_state("check", words.NO_POOR_ANSWER, "", words.SHOW_ALL, self._show_all)

    def _show_all(self) -> None:
        self.search.clear()
        self.poor.setChecked(False)
        self._narrow()
        self.questions.setFocus()

    def _show_photo_of_question(self) -> None:
        """Show the photo of the current question, also while others are filtered out."""
        photo, place = self.viewer.photo, self.questions.place()
        if place is not None and (photo is None or photo.place != place):
            self.viewer.go_to_place(place)

    def _on_question(self, place: int) -> None:
        self.viewer.go_to_place(place)

    def _on_photo(self, photo: Photo | None) -> None:
        if photo is not None:
            self.questions.stand_on(photo.place)
        self._show_photo()

    def ask_lens(self) -> None:
        """Compare the current question across the audits of the list."""
        place = self.questions.place()
        told = None if self._detail is None or place is None else self._detail.answers[place].question
        if told:
            self.lens_asked.emit(told)

    # The review

    def _on_review(self, address: str, review: PhotoReview) -> None:
        """A photo was turned or drawn on."""
        self.edits.set_photo(address, review)

    def _on_changed(self, address: str) -> None:
        """The review of the photo with this address changed; of the audit where it is empty."""
        self._show_review(address, notes=True)

    def _on_reverted(self, address: str) -> None:
        """A change was not saved. A typed note stays in its field, and is saved with the next try."""
        self._show_review(address, notes=False)

    def _show_review(self, address: str, *, notes: bool) -> None:
        if address:
            self.viewer.put_review(address, self.edits.photo(address))
            self._mark_photos(notes=notes)
        else:
            self.review_row.show_audit(notes=notes)

    def back_to_questions(self) -> None:
        """Enter ends a note: the keyboard goes back to the questions."""
        (self.viewer.panes[0] if self._full else self.questions).setFocus()

    def notes(self) -> str:
        """The notes as they are typed, to be copied elsewhere when they cannot be saved."""
        return "\n".join(
            translate("{kind} {number}: {note}", kind=kind, number=self.number, note=note)
            for kind, note in self.review_row.typed()
        )

    def drawn_photos(self) -> frozenset[str]:
        """The addresses of photos that were turned or drawn on."""
        photos = self.edits.reviews.photos
        return frozenset(address for address, review in photos.items() if review.redrawn)

    def _mark_photos(self, *, notes: bool = True) -> None:
        flagged = {address for address, review in self.edits.reviews.photos.items() if review.flagged}
        photos = self.viewer.photos
        self.questions.questions.mark(frozenset(each.place for each in photos if each.address in flagged))
        self._show_photo(notes=notes)

    def _show_photo(self, *, notes: bool = True) -> None:
        photo = self.viewer.photo
        self.review_row.show_photo("" if photo is None else photo.address, notes=notes)


def photos_of(detail: AuditDetailRow, reviews: Reviews) -> tuple[Photo, ...]:
    """A photo for each answer that names one. A photo that two answers name is shown under both."""
    return tuple(
        Photo(
            each.photo,
            place,
            "  ".join(part for part in (each.question, each.text, each.answer) if part) or NO_QUESTION,
            reviews.photos.get(each.photo, PhotoReview()),
            grade in ("low", "failed"),
        )
        for place, (each, grade) in enumerate(zip(detail.answers, judged(detail.answers), strict=True))
        if each.photo
    )
