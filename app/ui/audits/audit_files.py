"""What goes out of the audits page into files: reports, spreadsheets, photos; of the audit that is open, of those that
are selected, or of the whole list.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.desk.desk import Desk
from app.desk.files.album import Album
from app.desk.files.stoppable_work import Progress
from app.store.cache.audits.audit_rows import AuditQuery
from app.store.journal.review_store import Marked
from app.ui.base.page import Page
from app.ui.widgets.buttons import button, with_icon
from app.ui.widgets.files.choose_files import CSVS, XLSX, Chosen, FileKind, table_kind
from app.ui.widgets.files.file_strip import FileJob, FileResult, FileStrip
from app.ui.widgets.files.saving import Saver
from app.ui.widgets.text.keys import shown_key

_PDF = (FileKind("pdf", "PDF report", "pdf"),)
_LOOKING = "looking for photos"  # a topic of the bar
_TABLES = (XLSX, *CSVS)
MOST = 300  # audits in one report
REPORT_KEY, EXPORT_KEY, PHOTOS_KEY, CASE_KEY = "Ctrl+P", "Ctrl+Shift+E", "Ctrl+Shift+S", "Ctrl+Shift+P"


@dataclass(frozen=True, slots=True)
class AuditsChosen:
    """Which audits: the one that is `opened`, or those that are selected. `rows` are the places of these in the list,
    `numbers` are known if all of them are at hand. `photo` is the address of the one that is looked at.
    """

    query: AuditQuery
    marked: Marked
    top: float
    numbers: Sequence[int] = ()
    photo: str = ""
    opened: bool = False
    rows: Sequence[int] = ()

    @property
    def several(self) -> bool:
        """Whether a part of the list was selected: the row that one stands on alone is none."""
        return len(self.rows) > 1

    @property
    def words(self) -> str:
        """`this audit`, `3 audits`, `the list`."""
        if self.opened or len(self.rows) == 1:
            return "this audit"
        return f"{len(self.rows):,} selected audits" if self.rows else "the list"


Act = Callable[[AuditsChosen, Sequence[int]], None]


class AuditFiles:
    """`place` is the strip that tells how far it is. `which` says what it is done with."""

    def __init__(self, page: Page, which: Callable[[], AuditsChosen]) -> None:
        self._page, self._which = page, which
        self.place = FileStrip(page.room.theme, page.tasks)
        self._buttons: list[QPushButton] = []
        self.saver = Saver(page.tasks, self.place.bar, "photo")

    def button(self) -> QPushButton:
        """A button that offers all of it."""
        made = button("Save ▾", self._on_button, tip="A report, a table or the photos")
        made.setAccessibleName("Save")
        self._buttons.append(made)
        return with_icon(made, self._page.room.theme, "download")

    def _on_button(self) -> None:
        """Below the one that is in sight: the list and the audit that is open have one each."""
        self._open_menu(next(each for each in self._buttons if each.isVisible()))

    def _open_menu(self, owner: QPushButton) -> None:
        menu = self.menu(owner)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(owner.mapToGlobal(QPoint(0, owner.height())))

    def menu(self, owner: QWidget) -> QMenu:
        """What can be made of what is chosen."""
        chosen, menu = self._which(), QMenu(owner)
        of = chosen.words
        entries: list[tuple[str, str, Callable[[], object]]] = [(f"PDF report of {of}…", REPORT_KEY, self.report)]
        if not chosen.opened:
            table = "The selected audits" if chosen.several else "The list"
            entries.append((f"{table} as a table…", EXPORT_KEY, self.export))
        entries.append((f"Answers of {of} as a table…", EXPORT_KEY if chosen.opened else "", self.export_answers))
        if chosen.photo:
            entries.append(("Save this photo…", "", self.save_photo))
        entries.append((f"Save the photos of {of}…", PHOTOS_KEY, self.save_photos))
        if chosen.opened:
            entries.append(("Case file of the order it names…", CASE_KEY, self.make_case_file))
        for words, key, act in entries:
            menu.addAction(f"{words}\t{shown_key(key)}" if key else words, act)
        return menu

    # Reports

    def report(self) -> None:
        """A PDF of the audit that is open, or of those selected with an index."""
        self._with_numbers(self._report)

    def _report(self, chosen: AuditsChosen, numbers: Sequence[int]) -> None:
        album = self._album()
        if album is None:
            return
        name = f"audit-{numbers[0]}" if len(numbers) == 1 else f"audits-{self._page.room.now():%Y-%m-%d}"
        write = partial(self._write_report, self._page.desk, numbers, chosen.top, album)
        self.place.begin(FileJob("Save the report", name, _PDF, write, partial(_report_words, len(numbers))))

    async def _write_report(
        self, desk: Desk, numbers: Sequence[int], top: float, album: Album, chosen: Chosen, progress: Progress
    ) -> FileResult:
        from app.ui.audits.audit_report_job import write_report  # brings the painter, which nobody needs before

        return await write_report(desk, numbers, top, album.picture_for_file, self._page.room.now(), chosen, progress)

    def make_case_file(self) -> None:
        """Of the order that the opened audit names."""
        chosen = self._which()
        if chosen.opened and not self.place.busy:
            self._page.tasks.read("case file", self._make_case_file(chosen.numbers[0]))

    async def _make_case_file(self, audit: int) -> None:
        from app.desk.report.case_facts import order_of_audit
        from app.ui.orders.export.case_file_job import case_job

        desk, album = self._page.desk, self._album()
        number = await order_of_audit(desk, audit)
        if number is None or album is None:
            self.place.bar.say("", "This audit names no order.")
        else:
            self.place.begin(case_job(desk, number, album, self._page.room.now()))

    # Tables

    def export(self) -> None:
        """The answers of the audit that is open; else the list, or what is selected of it."""
        chosen = self._which()
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
        name = f"audits-{self._page.room.now():%Y-%m-%d}"
        write = partial(self._write_list, self._page.desk, query, chosen.marked)
        self.place.begin(FileJob("Export audits", name, _TABLES, write, partial(_table_words, "audit")))

    async def _write_list(
        self, desk: Desk, query: AuditQuery, marked: Marked, chosen: Chosen, progress: Progress
    ) -> FileResult:
        from app.desk.report.audit_tables import Target, export_list

        target = Target(chosen.target, table_kind(chosen), chosen.replace)
        count = await export_list(desk, query, marked, target, progress)
        return FileResult(f"{_many(count, 'audit')} {'is' if count == 1 else 'are'} in {chosen.target.name}.")

    def export_answers(self) -> None:
        """All answers of what is chosen as a table."""
        self._with_numbers(self._export_answers)

    def _export_answers(self, chosen: AuditsChosen, numbers: Sequence[int]) -> None:
        name = f"audit-{numbers[0]}-answers" if len(numbers) == 1 else f"answers-{self._page.room.now():%Y-%m-%d}"
        write = partial(self._write_answers, self._page.desk, numbers, chosen.top)
        self.place.begin(FileJob("Export answers", name, _TABLES, write, partial(_table_words, "answer")))

    async def _write_answers(
        self, desk: Desk, numbers: Sequence[int], top: float, chosen: Chosen, progress: Progress
    ) -> FileResult:
        from app.desk.report.audit_reports import missing_words, read_stories
        from app.desk.report.audit_tables import Target, export_answers

        told = await read_stories(desk, numbers, top, progress)
        count = await export_answers(told, Target(chosen.target, table_kind(chosen), chosen.replace), progress)
        words = f"{_many(count, 'answer')} {'is' if count == 1 else 'are'} in {chosen.target.name}."
        missing = missing_words(told, len(numbers))
        return FileResult(f"{words} {missing}".strip(), "warn" if missing else "good")

    # Photos

    def save_photo(self) -> None:
        """The photo that is looked at."""
        self._save(self._which().photo)

    def save_photos(self) -> None:
        """All photos of what is chosen."""
        self._save("")

    def _save(self, only: str) -> None:
        if self._page.tasks.running("save photos"):
            self.place.bar.say("", "Photos are still being saved. Wait for it, or stop it.")
            return
        self._with_numbers(partial(self._begin_saving, only))

    def _begin_saving(self, only: str, chosen: AuditsChosen, numbers: Sequence[int]) -> None:
        album = self._album()
        if album is not None:
            work = self._save_photos(self._page.desk, numbers, chosen.top, only, album)
            self._page.tasks.read("save photos", work)

    async def _save_photos(self, desk: Desk, numbers: Sequence[int], top: float, only: str, album: Album) -> None:
        from app.desk.report.audit_reports import photos_to_save, read_stories

        self.place.bar.say("soft", "Looking which photos there are…", topic=_LOOKING)
        wanted = photos_to_save(await read_stories(desk, numbers, top, Progress()), only)
        self.place.bar.withdraw(_LOOKING)
        if wanted:
            await self.saver.save(self._page.window(), wanted, album.contents)
        else:
            self.place.bar.say("", "There are no photos to save.")

    # Which

    def _album(self) -> Album | None:
        pictures = self._page.room.pictures
        return None if pictures is None else pictures().album

    def _with_numbers(self, act: Act) -> None:
        """Act on the audits that are chosen, on all of the list where none is; not on more than a report holds."""
        self._page.tasks.read("which audits", self._all(act, self._which(), MOST))

    async def _all(self, act: Act, chosen: AuditsChosen, most: int | None) -> None:
        from app.desk.audits import audit_sync  # brings the client's models

        numbers = chosen.numbers
        if not numbers:
            found = await audit_sync.numbers(self._page.desk, chosen.query)
            numbers = [found[each] for each in chosen.rows if each < len(found)] if chosen.rows else found
        if not numbers:
            self.place.bar.say("", "There is no audit in the list.")
        elif most is not None and len(numbers) > most:
            words = f"These are {len(numbers):,} audits. This can be done with {most:,} at a time: select some."
            self.place.bar.say("warn", words)
        else:
            act(chosen, numbers)


def _report_words(audits: int, progress: Progress) -> str:
    if progress.stage == "pages":
        return f"Writing page {min(progress.done + 1, progress.total):,} of {progress.total:,}…"
    return "Reading the audit…" if audits == 1 else f"Reading audit {progress.done + 1:,} of {audits:,}…"


def _table_words(what: str, progress: Progress) -> str:
    if not progress.total:
        return f"Looking which {what}s to export…"
    return f"Exporting {what} {progress.done:,} of {progress.total:,}…"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
