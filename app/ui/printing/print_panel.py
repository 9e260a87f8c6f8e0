"""The panel for printing an order: labels or a sheet, their size, and then a PDF or a printer.

The panel is not modal: the form can change while it is open. So it reads the order anew whenever it becomes the active
window, and once more before it prints.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPixmap
from PySide6.QtWidgets import QDialog, QFrame, QListView, QListWidget, QWidget

from app.desk.desk import Desk
from app.desk.files.stoppable_work import Progress, Stopped, in_thread
from app.desk.printing import print_choices
from app.desk.printing.paper_words import order_title
from app.desk.printing.print_choices import Choices
from app.desk.printing.print_subject import Subject
from app.desk.printing.stock import FINENESSES, PAPERS, STOCKS
from app.runtime.tasks import Tasks
from app.store.store_errors import StoreError
from app.translation import translate
from app.ui.base.page import PageServices
from app.ui.printing import printing_words as words
from app.ui.printing.painting import page_output
from app.ui.printing.painting.page_output import PrintTrouble
from app.ui.printing.print_preview import Prepared, What, prepare, refusal_words
from app.ui.printing.printers.devices import Devices
from app.ui.theme.tokens import (
    FRAME_AWAY,
    PRINT_CONTROLS_WIDTH,
    PRINT_PREVIEW_SIZE,
    PRINT_REFUSALS_HEIGHT,
    SPACE_2,
    SPACE_3,
    SPACE_4,
)
from app.ui.widgets.bars.message_bar import MessageBar, progress_bar
from app.ui.widgets.buttons import button, tab, with_icon
from app.ui.widgets.field import ChoiceField
from app.ui.widgets.files.made_file import say_made
from app.ui.widgets.layout import column, holding, row, scrolling
from app.ui.widgets.lists.list_rows import set_list_rows
from app.ui.widgets.text.labels import text_label, visible

_LOOK_EVERY_MS = 100
_TABS: tuple[tuple[What, str], ...] = (
    ("each", translate("Barcode labels")), ("group", translate("Group labels")), ("sheet", translate("Order sheet")),
)  # fmt: skip


Source = Callable[[], Subject | Sequence[Subject]]
Result = str | tuple[str, Path]  # what is said of it, and the file that was made


def _all_of(source: Source) -> tuple[Subject, ...]:
    found = source()
    return (found,) if isinstance(found, Subject) else tuple(found)


class PrintPanel(QDialog):
    """`offer` shows the panel for an order. The page that opened it owns its work."""

    def __init__(self, parent: QWidget, services: PageServices, tasks: Tasks, devices: Devices | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(translate("Print"))
        self.setAccessibleName(translate("Print"))
        self._services, self._tasks, self._devices = services, tasks, devices or Devices()
        self._desk: Desk | None = None
        self._source: Source | None = None
        self._prepared: Prepared | None = None
        self._progress = Progress()
        self._choices = Choices()
        self._busy = False
        self._watch = QTimer(self)
        self._watch.setInterval(_LOOK_EVERY_MS)
        self._watch.timeout.connect(self._show_progress)
        self._make_controls()
        self._lay_out()

    def _make_controls(self) -> None:
        theme = self._services.theme
        self.bar = MessageBar(theme)
        self.title = text_label("", "title")
        self.standing = text_label("", "soft", wrap=True)
        self.tabs = {name: tab(title, name) for name, title in _TABS}
        self.tabs["each"].setChecked(True)
        self.stock = ChoiceField(translate("Label size"), [(each.key, each.name) for each in STOCKS])
        self.begin = ChoiceField(translate("Begin at label"), [])
        self.fineness = ChoiceField(translate("Printed by"), [(each.key, each.name) for each in FINENESSES])
        self.paper = ChoiceField(translate("Paper"), [(key, name) for key, (name, _) in PAPERS.items()])
        self.printer = ChoiceField(translate("Printer"), [])
        self.no_printer = text_label(words.NO_PRINTER, "soft", wrap=True)
        self.summary = text_label("", "strong", wrap=True)
        self.refusals = QListWidget()
        self.refusals.setAccessibleName(translate("Barcodes that cannot be printed"))
        set_list_rows(self.refusals)
        self.refusals.setFrameShape(QFrame.Shape.NoFrame)
        self.refusals.setWordWrap(True)
        self.refusals.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.refusals.setResizeMode(QListView.ResizeMode.Adjust)
        self.refusals.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.refusals.setFixedHeight(PRINT_REFUSALS_HEIGHT)
        self.advice = text_label(words.ACTUAL_SIZE, "soft", wrap=True)
        self.save_button = with_icon(
            button(translate("Save PDF…"), self.save, kind="primary", key="Ctrl+S"), theme, "download", "on_accent"
        )
        self.print_button = with_icon(button(translate("Print"), self.print_it, key="Ctrl+P"), theme, "printer")
        self.close_button = button(translate("Close"), self.reject)
        self.progress = progress_bar(translate("Pages done"))
        self.progress_label = text_label("", "soft")
        self.stop_button = button(translate("Stop"), self.stop)
        self.preview = text_label("", "soft")
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setFixedSize(*PRINT_PREVIEW_SIZE)
        self.caption = text_label("", "label")
        for each in self.tabs.values():
            each.toggled.connect(self._on_tab)
        self.stock.changed.connect(self._offer_label_places)
        for field in (self.stock, self.begin, self.fineness, self.paper):
            field.changed.connect(self.look_again)
        self._offer_label_places()

    def _lay_out(self) -> None:
        self.working = holding(
            column(self.progress, row(self.progress_label, None, self.stop_button, gap=SPACE_2), gap=SPACE_2)
        )
        self._controls = holding(
            column(
                self.stock,
                self.begin,
                self.fineness,
                self.paper,
                self.summary,
                self.refusals,
                self.advice,
                None,
                self.printer,
                self.no_printer,
                gap=SPACE_2,
            )
        )
        self._controls.setFixedWidth(PRINT_CONTROLS_WIDTH)
        shown = column(self.preview, self.caption, None, gap=SPACE_2)
        shown.setAlignment(self.caption, Qt.AlignmentFlag.AlignHCenter)
        self._body = holding(row(self._controls, shown, gap=SPACE_4))
        # In a low window, or with large letters, this area scrolls: the buttons that print and close stay in sight.
        self.area = scrolling(self._body)
        self.setLayout(
            column(
                self.title,
                self.standing,
                row(*self.tabs.values(), None, gap=SPACE_2),
                self.area,
                self.working,
                row(self.save_button, self.print_button, None, self.close_button, gap=SPACE_2),
                margin=SPACE_4,
                gap=SPACE_3,
            )
        )
        self.working.hide()
        self.bar.float_over(self, self.area)

    def offer(self, desk: Desk, source: Source) -> None:
        """Show the panel for the order that `source` gives, or the orders, as they are at that moment."""
        if self._busy:
            self.bar.say("", words.STILL_PRINTING)
        else:
            self._desk, self._source = desk, source
            self._offer_tabs(_all_of(source))
            self.bar.clear()
            self._clear_preview()
            self._tasks.read("print look", self._begin())
            self._tasks.read("print printers", self._ask_printers())
        self.show()
        self.raise_()
        self.activateWindow()

    def _offer_tabs(self, subjects: Sequence[Subject]) -> None:
        """Offer sheets alone for several orders; begin with a sheet where the barcodes of an order are unknown."""
        several = len(subjects) > 1
        for name, each in self.tabs.items():
            each.setVisible(name == "sheet" or not several)
        if several or subjects[0].listed:
            self.choose("sheet")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # The form may have changed while another window was in front.
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow() and self._prepared is not None:
            self.look_again()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stop()

    @property
    def what(self) -> What:
        """Which of barcode labels, group labels and order sheet is chosen."""
        return next(name for name, each in self.tabs.items() if each.isChecked())

    def choose(self, what: What) -> None:
        """Choose barcode labels, group labels or the order sheet."""
        self.tabs[what].setChecked(True)

    def look_again(self) -> None:
        """Read the order anew and plan its pages."""
        if self._source is not None and not self._busy:
            self._tasks.read("print look", self._look())

    def stop(self) -> None:
        """Stop printing or saving."""
        self._progress.stop = True

    def save(self) -> None:
        """Ask for a file and write the PDF."""
        if self._can_print():
            self._tasks.read("print", self._run(self._save))

    def print_it(self) -> None:
        """Print on the chosen printer."""
        if self._can_print() and self.printer.text():
            self._tasks.read("print", self._run(self._print))

    def _can_print(self) -> bool:
        found = self._prepared
        return found is not None and found.page_count > 0 and not self._busy

    async def _begin(self) -> None:
        assert self._desk is not None
        self._choices = found = await print_choices.last(self._desk.journal)
        for field, kept in ((self.stock, found.stock), (self.fineness, found.fineness), (self.paper, found.paper)):
            # A newer version may have kept a size that this one does not know.
            if field.editor.findData(kept) >= 0:
                field.set_text(kept)
        self._offer_label_places()
        await self._look()

    async def _ask_printers(self) -> None:
        """Offer the printers. This runs apart from the preview: a print system that hangs holds up nothing else."""
        assert self._desk is not None
        self.printer.editor.clear()
        self.no_printer.setText(words.ASKING_PRINTERS)
        self._arrange()
        progress = Progress()
        try:
            names, none = await in_thread(lambda: self._devices.names(progress), progress), words.NO_PRINTER
        except PrintTrouble as trouble:
            names, none = [], trouble.sentence
        kept = (await print_choices.last(self._desk.journal)).printer
        self.no_printer.setText(none)
        for name in names:
            self.printer.editor.addItem(visible(name), name)
        if kept in names:
            self.printer.set_text(kept)
        self._arrange()

    async def _look(self) -> None:
        progress = Progress()
        self._show(await in_thread(self._preparing(progress), progress))

    def _preparing(self, progress: Progress) -> Callable[[], Prepared]:
        assert self._source is not None
        subjects = _all_of(self._source)
        several = len(subjects) > 1
        title = words.orders_title(len(subjects)) if several else order_title(subjects[0].reference)
        self.title.setText(visible(title))
        self.standing.setText("" if several else visible(subjects[0].standing))
        room = QSize(*PRINT_PREVIEW_SIZE) * self.devicePixelRatioF()
        what, chosen, begin, now = self.what, self._chosen(), int(self.begin.text() or 0), self._services.now()
        return lambda: prepare(subjects, what, chosen, begin, now, room, progress)

    def _chosen(self) -> Choices:
        return replace(
            self._choices, stock=self.stock.text(), fineness=self.fineness.text(), paper=self.paper.text(),
            printer=self.printer.text() or self._choices.printer,
        )  # fmt: skip

    def _offer_label_places(self) -> None:
        """Offer the places of a sheet of labels: one that was begun before goes on at its next label."""
        stock = next(each for each in STOCKS if each.key == self.stock.text())
        self.begin.editor.blockSignals(True)  # else the pages would be planned anew for each place that is added
        self.begin.editor.clear()
        for place in range(stock.per_page):
            self.begin.editor.addItem(words.place_of_sheet(place + 1), str(place))
        self.begin.editor.blockSignals(False)

    def _clear_preview(self) -> None:
        self._prepared = None
        self.summary.setText(words.LOOKING)
        self.caption.setText("")
        self.preview.setPixmap(QPixmap())
        self._arrange()

    def _show(self, found: Prepared) -> None:
        self._prepared = found
        self.summary.setText(found.summary)
        self.refusals.clear()
        self.refusals.addItems([visible(line) for line in refusal_words(found.refusals)])
        if found.preview is None:
            self.preview.setText(words.NOTHING_TO_PRINT)
        else:
            picture = QPixmap.fromImage(found.preview)
            picture.setDevicePixelRatio(self.devicePixelRatioF())
            self.preview.setPixmap(picture)
        self.preview.setAccessibleName(found.caption or words.NOTHING_TO_PRINT)
        self.caption.setText(found.caption)
        self._arrange()

    def _arrange(self) -> None:
        """Show the fields of the choice, and enable the buttons that can do something."""
        labels = self.what != "sheet"
        for field in (self.stock, self.fineness):
            field.setVisible(labels)
        self.begin.setVisible(labels and self.begin.editor.count() > 1)
        self.paper.setVisible(not labels)
        found = self._prepared
        self.refusals.setVisible(found is not None and bool(found.refusals))
        self.advice.setVisible(labels and found is not None and found.page_count > 0)
        printers = self.printer.editor.count() > 0
        self.printer.setVisible(printers)
        self.no_printer.setVisible(not printers)
        self.save_button.setEnabled(self._can_print())
        self.print_button.setEnabled(self._can_print() and printers)
        for each in (*self.tabs.values(), self.stock, self.begin, self.fineness, self.paper, self.printer):
            each.setEnabled(not self._busy)
        # A wrapped label grows with its text, but a layout inside a widget does not pass the new height on by itself.
        needed = self._controls.layout()
        assert needed is not None
        self._controls.setMinimumHeight(needed.minimumHeightForWidth(PRINT_CONTROLS_WIDTH))
        self._fit()

    def _fit(self) -> None:
        """Grow to the size of the controls, within the screen."""
        wanted = self._body.sizeHint()
        self.area.setMinimumWidth(wanted.width() + self.area.verticalScrollBar().sizeHint().width())
        around = self.sizeHint().height() - self.area.sizeHint().height()
        most = self.screen().availableGeometry().height() - FRAME_AWAY
        height = min(max(self.height(), wanted.height() + around), most)
        if height != self.height():
            self.resize(self.width(), height)

    def _on_tab(self, chosen: bool) -> None:
        if chosen:
            self.look_again()

    async def _run(self, work: Callable[[Prepared], Awaitable[Result | None]]) -> None:
        """Print the order as it is now, and say how that ended."""
        assert self._desk is not None
        self.bar.clear()
        self._progress = progress = Progress()
        self._busy = True
        self._arrange()
        try:
            found = await in_thread(self._preparing(progress), progress)
            self._show(found)
            progress.total = found.page_count
            result = await work(found)
            if result is not None:
                await print_choices.remember(self._desk.journal, self._chosen())
                if isinstance(result, str):
                    self.bar.say("good", result)
                else:
                    say_made(self.bar, *result)
        except Stopped:
            self.bar.say("", words.STOPPED)
        except (PrintTrouble, StoreError) as error:
            self.bar.say("bad", error.sentence)
        finally:
            self._watch.stop()
            self.working.hide()
            self._busy = False
            self._arrange()

    async def _save(self, found: Prepared) -> Result | None:
        target = await self._devices.choose(self, found.file_name)
        if target is None:
            return None
        await self._work(lambda progress: page_output.save_pdf(found.pages(), target, found.title, progress))
        return words.saved(found.counted, target), target

    async def _print(self, found: Prepared) -> str:
        name, send = self.printer.text(), self._devices.send
        await self._work(lambda progress: send(found.pages(), name, found.title, progress))
        return words.sent(found.counted, name)

    async def _work(self, job: Callable[[Progress], None]) -> None:
        progress = self._progress
        self._show_progress()
        self.working.show()
        self._watch.start()
        with self._tasks.ask_about(self._unfinished):
            await in_thread(lambda: job(progress), progress)

    def _unfinished(self) -> str:
        """The work that closing the window would stop; empty once a printer has the pages: they are waited for."""
        progress = self._progress
        if progress.handed_over:
            return ""
        return words.would_be_broken_off(self.title.text(), words.pages_done(progress.done, progress.total))

    def _show_progress(self) -> None:
        progress = self._progress
        self.progress.setMaximum(max(progress.total, 1))
        self.progress.setValue(progress.done)
        shown = words.handing_over if progress.handed_over else words.pages_done
        self.progress_label.setText(shown(progress.done, progress.total))
        self.stop_button.setEnabled(not progress.handed_over)
