"""Files made of audits: reports, tables and photos of the open audit, of the selected ones, or of the whole list.

Invariant: one file is made at a time, and the strip of the page says how far it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.desk.desk import Desk
from app.desk.files.album import Album
from app.desk.files.save_files import unchanged
from app.desk.files.stoppable_work import Progress
from app.store.cache.audits.audit_rows import AuditQuery
from app.store.journal.review_store import Marked
from app.translation import translate
from app.ui.audits import audits_words as words
from app.ui.base.page import Page
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.files.choose_files import CSVS, XLSX, Chosen, FileKind, table_kind
from app.ui.widgets.files.file_strip import FileJob, FileResult, FileStrip
from app.ui.widgets.files.saving import Saver
from app.ui.widgets.text.keys import shown_key

_PDF = (FileKind("pdf", translate("PDF report"), "pdf"),)
_LOOKING = "looking for photos"  # a topic of the bar
_TABLES = (XLSX, *CSVS)
MOST = 300  # audits in one report
REPORT_KEY, EXPORT_KEY, PHOTOS_KEY, CASE_KEY = "Ctrl+P", "Ctrl+Shift+E", "Ctrl+Shift+S", "Ctrl+Shift+P"


@dataclass(frozen=True, slots=True)
class AuditsChosen:
    """The audits a file is made of: the `opened` one, the selected ones, or all that `query` finds.

    `rows` are the selected rows of the list. `numbers` are their audits, empty while some rows are not loaded. `photo`
    is the address of the photo on screen, `drawn` those of the opened audit that were turned or drawn on.
    """

    query: AuditQuery
    marked: Marked
    top: float
    numbers: Sequence[int] = ()
    photo: str = ""
    opened: bool = False
    rows: Sequence[int] = ()
    drawn: frozenset[str] = frozenset()

    @property
    def several(self) -> bool:
        """Whether a person selected a part of the list. One row is only where the keyboard is, and no selection."""
        return len(self.rows) > 1

    @property
    def count(self) -> int:
        """How many audits these are; 0 stands for the whole list."""
        return 1 if self.opened else len(self.rows)


Act = Callable[[AuditsChosen, Sequence[int]], None]


class AuditFiles:
    """Makes the files. `strip` shows the progress; `choose` tells which audits a person means."""

    def __init__(self, page: Page, choose: Callable[[], AuditsChosen]) -> None:
        self._page, self._choose = page, choose
        self.strip = FileStrip(page.services.theme, page.tasks)
        self._buttons: list[QPushButton] = []
        self.saver = Saver(page.tasks, self.strip.bar, "photo")

    def button(self) -> QPushButton:
        """A button with the menu. The list and the open audit have one each."""
        made = button(translate("Save ▾"), self._on_button, tip=translate("A report, a table or the photos"))
        made.setAccessibleName(translate("Save"))
        self._buttons.append(made)
        return with_icon(made, self._page.services.theme, "download")

    def _on_button(self) -> None:
        self._open_menu(next(each for each in self._buttons if each.isVisible()))

    def _open_menu(self, owner: QPushButton) -> None:
        menu = self.menu(owner)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(owner.mapToGlobal(QPoint(0, owner.height())))

    def menu(self, owner: QWidget) -> QMenu:
        """The files that can be made of the chosen audits."""
        chosen, menu = self._choose(), QMenu(owner)
        count = chosen.count
        entries: list[tuple[str, str, Callable[[], object]]] = [(words.report_entry(count), REPORT_KEY, self.report)]
        if not chosen.opened:
            entries.append((words.table_entry(len(chosen.rows)), EXPORT_KEY, self.export))
        entries.append((words.answers_entry(count), EXPORT_KEY if chosen.opened else "", self.export_answers))
        if chosen.photo:
            entries.append((words.SAVE_PHOTO, "", self.save_photo))
            if chosen.photo in chosen.drawn:
                entries.append((words.SAVE_PHOTO_DRAWN, "", self.save_photo_drawn))
        entries.append((words.photos_entry(count), PHOTOS_KEY, self.save_photos))
        if chosen.drawn or not chosen.opened:
            entries.append((words.drawn_photos_entry(count), "", self.save_photos_drawn))
        if chosen.opened:
            entries.append((translate("Case file of the order it names…"), CASE_KEY, self.make_case_file))
        for title, key, act in entries:
            menu.addAction(f"{title}\t{shown_key(key)}" if key else title, act)
        return menu

    # Reports

    def report(self) -> None:
        """Make a PDF of the chosen audits; of several with an index in front."""
        self._with_numbers(self._report)

    def _report(self, chosen: AuditsChosen, numbers: Sequence[int]) -> None:
        album = self._album()
        if album is None:
            return
        name = f"audit-{numbers[0]}" if len(numbers) == 1 else f"audits-{self._page.services.now():%Y-%m-%d}"
        write = partial(self._write_report, self._page.desk, numbers, chosen.top, album)
        self.strip.begin(
            FileJob(translate("Save the report"), name, _PDF, write, partial(_report_progress, len(numbers)))
        )

    async def _write_report(
        self, desk: Desk, numbers: Sequence[int], top: float, album: Album, chosen: Chosen, progress: Progress
    ) -> FileResult:
        from app.ui.audits.audit_report_job import write_report  # deferred: brings the page painter

        return await write_report(
            desk, numbers, top, album.picture_for_file, self._page.services.now(), chosen, progress
        )

    def make_case_file(self) -> None:
        """Make the case file of the order that the open audit names."""
        chosen = self._choose()
        if chosen.opened and not self.strip.busy:
            self._page.tasks.read("case file", self._make_case_file(chosen.numbers[0]))

    async def _make_case_file(self, audit: int) -> None:
        from app.desk.report.case_facts import order_of_audit
        from app.ui.orders.export.case_file_job import case_job

        desk, album = self._page.desk, self._album()
        number = await order_of_audit(desk, audit)
        if number is None or album is None:
            self.strip.bar.say("", words.NO_ORDER)
        else:
            self.strip.begin(case_job(desk, number, album, self._page.services.now()))

    # Tables

    def export(self) -> None:
        """Export the answers of the open audit, or else the list or the selected audits."""
        chosen = self._choose()
        if chosen.opened:
            self.export_answers()
            return
        if chosen.several:
            self._page.tasks.read("which audits", self._all(self._export_some, chosen, None))
        else:
            self._export_list(chosen, chosen.query)

    def _export_some(self, chosen: AuditsChosen, numbers: Sequence[int]) -> None:
        self._export_list(chosen, replace(chosen.query, only=frozenset(numbers), without=frozenset()))

    def _export_list(self, chosen: AuditsChosen, query: AuditQuery) -> None:
        name = f"audits-{self._page.services.now():%Y-%m-%d}"
        write = partial(self._write_list, self._page.desk, query, chosen.marked)
        self.strip.begin(FileJob(translate("Export audits"), name, _TABLES, write, _audits_progress))

    async def _write_list(
        self, desk: Desk, query: AuditQuery, marked: Marked, chosen: Chosen, progress: Progress
    ) -> FileResult:
        from app.desk.report.audit_tables import Target, export_list

        target = Target(chosen.target, table_kind(chosen), chosen.replace)
        count = await export_list(desk, query, marked, target, progress)
        return FileResult(words.audits_written(count, chosen.target.name))

    def export_answers(self) -> None:
        """Export all answers of the chosen audits."""
        self._with_numbers(self._export_answers)

    def _export_answers(self, chosen: AuditsChosen, numbers: Sequence[int]) -> None:
        name = f"audit-{numbers[0]}-answers" if len(numbers) == 1 else f"answers-{self._page.services.now():%Y-%m-%d}"
        write = partial(self._write_answers, self._page.desk, numbers, chosen.top)
        self.strip.begin(FileJob(translate("Export answers"), name, _TABLES, write, _answers_progress))

    async def _write_answers(
        self, desk: Desk, numbers: Sequence[int], top: float, chosen: Chosen, progress: Progress
    ) -> FileResult:
        from app.desk.report.audit_reports import missing_words, read_stories
        from app.desk.report.audit_tables import Target, export_answers

        told = await read_stories(desk, numbers, top, progress)
        count = await export_answers(told, Target(chosen.target, table_kind(chosen), chosen.replace), progress)
        missing = missing_words(told, len(numbers))
        sentences = (words.answers_written(count, chosen.target.name), missing)
        return FileResult(" ".join(each for each in sentences if each), "warn" if missing else "good")

    # Photos

    def save_photo(self) -> None:
        """Save the photo on screen, as the provider has it."""
        self._save(self._choose().photo)

    def save_photo_drawn(self) -> None:
        """Save the photo on screen, turned and drawn on."""
        self._save(self._choose().photo, drawn=True)

    def save_photos(self) -> None:
        """Save all photos of the chosen audits, as the provider has them."""
        self._save("")

    def save_photos_drawn(self) -> None:
        """Save all photos of the chosen audits, those that were turned or drawn on so."""
        self._save("", drawn=True)

    def _save(self, only: str, *, drawn: bool = False) -> None:
        if self._page.tasks.running("save photos"):
            self.strip.bar.say("", words.STILL_SAVING)
            return
        self._with_numbers(partial(self._begin_saving, only, drawn))

    def _begin_saving(self, only: str, drawn: bool, chosen: AuditsChosen, numbers: Sequence[int]) -> None:
        album = self._album()
        if album is not None:
            work = self._save_photos(self._page.desk, numbers, chosen.top, only, album, drawn=drawn)
            self._page.tasks.read("save photos", work)

    async def _save_photos(
        self, desk: Desk, numbers: Sequence[int], top: float, only: str, album: Album, *, drawn: bool
    ) -> None:
        from app.desk.report.audit_reports import photos_to_save, read_stories
        from app.ui.viewer.drawn_photo import fetch_drawn

        self.strip.bar.say("soft", words.LOOKING_FOR_PHOTOS, topic=_LOOKING)
        wanted = photos_to_save(await read_stories(desk, numbers, top, Progress()), only)
        self.strip.bar.withdraw(_LOOKING)
        if wanted:
            changed = sum(each.review.redrawn for each in wanted)
            remark = words.without_drawings(changed) if changed and not drawn else ""
            fetch = fetch_drawn(album) if drawn else unchanged(album.contents)
            await self.saver.save(self._page.window(), wanted, fetch, remark)
        else:
            self.strip.bar.say("", words.NO_PHOTOS)

    # The chosen audits

    def _album(self) -> Album | None:
        pictures = self._page.services.pictures
        return None if pictures is None else pictures().album

    def _with_numbers(self, act: Act) -> None:
        """Act on the chosen audits, or on the whole list; never on more than a report holds."""
        self._page.tasks.read("which audits", self._all(act, self._choose(), MOST))

    async def _all(self, act: Act, chosen: AuditsChosen, most: int | None) -> None:
        from app.desk.audits import audit_sync  # brings the client's models

        numbers = chosen.numbers
        if not numbers:
            found = await audit_sync.numbers(self._page.desk, chosen.query)
            numbers = [found[each] for each in chosen.rows if each < len(found)] if chosen.rows else found
        if not numbers:
            self.strip.bar.say("", words.NO_AUDIT)
        elif most is not None and len(numbers) > most:
            self.strip.bar.say("warn", words.too_many(len(numbers), most))
        else:
            act(chosen, numbers)


def _report_progress(audits: int, progress: Progress) -> str:
    if progress.stage == "pages":
        return words.writing_page(min(progress.done + 1, progress.total), progress.total)
    return words.reading_audit(progress.done + 1, audits)


def _audits_progress(progress: Progress) -> str:
    return words.exporting_audits(progress.done, progress.total)


def _answers_progress(progress: Progress) -> str:
    return words.exporting_answers(progress.done, progress.total)
