"""`python -m tests.faults.hostile_child FOLDER NUMBER …`: hostile texts, by number, in every place of the window.

A provider of ours and a person's hand put one text into all that is text: orders, audits, problems, tokens, names of
files, drafts, templates, views, notes, the name of the connection. The real window is then led through its pages,
panels, menus, dialogs and files, and all that it holds is read at each stop (tests/support/shown_texts). The first time
round the text is a plain word: where that stands is where the others have to stand, letter for letter.

One line of JSON tells for each text in how many places it stood and what did not hold.
"""

import csv
import functools
import gc
import json
import re
import socket
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import openpyxl
from PySide6.QtCore import QMessageLogContext, QObject, QPoint, QtMsgType, QUrl, Slot, qInstallMessageHandler
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.background.news import News
from app.contract.draft import BarcodeDraft, OrderDraft, ReferenceDraft
from app.desk.audits import audit_reviews
from app.desk.audits.audit_reviews import AuditReview, PhotoReview
from app.desk.connections import profiles
from app.desk.drafts import saved_drafts, templates
from app.desk.printing.print_subject import Subject
from app.desk.sending import outbox
from app.runtime.sink import Sink
from app.store.cache import known_values as kept_memory
from app.store.cache.known_values import Lesson
from app.store.secrets import SecretStore
from app.ui.audits.audits_page import AuditsPage
from app.ui.base.page import Page, PageServices
from app.ui.entry.drafts.template_dialog import TemplateDialog
from app.ui.entry.entry_page import EntryPage
from app.ui.orders.filter.chip_data import CHIPS
from app.ui.orders.table.arrangement import default_arrangement
from app.ui.orders.table.column_list import ALL_COLUMNS
from app.ui.palette.palette_window import Palette
from app.ui.printing.print_panel import PrintPanel
from app.ui.printing.printers.devices import Devices
from app.ui.settings.settings_page import SettingsPage
from app.ui.theme.theme import Theme
from app.ui.widgets.files.choose_files import Chosen, FileKind
from app.ui.widgets.files.file_strip import FileStrip
from app.ui.widgets.name_dialog import NameDialog
from app.ui.widgets.text.labels import visible
from tests.support.desks import order_draft, submission
from tests.support.fault_server import INFORMATION, MANAGEMENT, FaultServer, Seen, start_fault_server
from tests.support.faults import Answer, answered, json_answer
from tests.support.hostile import baited, without_hidden
from tests.support.loop import RunningLoop
from tests.support.opened_files import opened_below
from tests.support.pictures import chart, saved
from tests.support.shown_texts import active_markup, live_widgets, shown_texts
from tests.ui.entry.suggestions_help import RIVERA
from tests.ui.shell_help import Program, keep_profile, open_program

PLAIN = "Qzxmark wvjword"
FIRST, SECOND, ODD = 7, 8, 9  # numbers of orders: all texts; all texts, closed; texts where dates and codes belong
AUDIT = 4
_NOW = datetime.now().replace(microsecond=0)
_ADDRESS = dict.fromkeys(("StreetAddress1", "StreetAddress2", "StreetAddress3", "City", "State", "ZipCode"))
_FORM = ("form", "saving a template", "printing")  # where the form is filled
_LINES = re.compile("[\u2028\u2029]")  # a field of several lines takes these for ends of lines, as Qt has them
_TYPED = (": field", ": text")  # the characters of these are kept: a person goes on typing among them
_PATIENCE_S = 60.0
_TEXTS_KEPT = 20_000  # each text stands in many places, and is looked at again at each of fifty stops


def record(number: int, text: str, **others: object) -> dict[str, object]:
    """An order of the provider, the text in every field that is text."""
    contact = dict.fromkeys(("Id", "Name", "Phone", "Email"), text) | {"Address": dict.fromkeys(_ADDRESS, text)}
    texts = ("CRN", "BOL", "DeliveryType", "ReceivedById", "LoadedById", "DeliveredBy", "Status", "Brand", "Remarks")
    day = _NOW - timedelta(hours=5)
    dates = ("DateImported", "DateEstimatedReceive", "DateReceived", "DateRequestedDelivery", "DateScheduledDelivery")
    return {
        "OrderNumber": number,
        "StatusId": "PLN",
        "PO": [text, f"{text} 2"],
        **dict.fromkeys(("Consignee", "Carrier", "Manufacturer", "Facility"), contact),
        **dict.fromkeys(texts, text),
        **dict.fromkeys(dates, day.isoformat()),
        "Notes": [{"Text": text, "CreatedDate": day.isoformat()}],
        "Commodities": [{"CommodityCode": text, "Description": text, "Count": 2}],
        "ProofOfDelivery": [
            {"Filename": text, "Url": "/papers/photo.jpg", "CreatedDate": day.isoformat(), "Folder": text},
            {"Filename": text, "Url": "/papers/gone.jpg", "CreatedDate": day.isoformat(), "Folder": "POD"},
        ],
        "IsReceived": True,
        "IsDelivered": False,
        **others,
    }


def _odd(text: str) -> dict[str, object]:
    """Texts where codes and moments belong."""
    dates = ("DateEstimatedReceive", "DateReceived", "DateRequestedDelivery", "DateScheduledDelivery", "DateLoaded")
    return record(ODD, text, StatusId=text, **dict.fromkeys(dates, text))


def serve(server: FaultServer, text: str) -> None:
    """The provider: what it says, it says with the text."""
    lists = {
        "/orders/open": [record(FIRST, text), _odd(text)],
        "/orders/completed": [record(SECOND, text, StatusId="CMP")],
    }
    imported = str(lists["/orders/open"][0]["DateImported"])

    def listed(records: list[dict[str, object]]) -> Callable[[Seen], Answer]:
        def answer(seen: Seen) -> Answer:
            return json_answer(records if seen.query["StartDate"] <= imported <= seen.query["EndDate"] else [])

        return answer

    for path, records in lists.items():
        server.serve(INFORMATION + path, listed(records))
        for each in records:
            server.serve(f"{INFORMATION}/orders/{each['OrderNumber']}", json_answer(each))
    photo = Answer(200, saved(chart(size=(640, 480)), "JPEG"), "image/jpeg")
    server.serve("/papers/photo.jpg", photo)
    server.serve(f"{INFORMATION}/download/audit/one.jpg", photo)
    row = dict.fromkeys(("auditFacility", "auditType", "auditVendor"), text)
    server.serve(
        f"{INFORMATION}/audit",
        json_answer([{"auditId": AUDIT, **row, "auditScore": 41.5, "auditDate": int(_NOW.timestamp() * 1000)}]),
    )
    names = ["auditType", "auditorName", "auditorEmail", "orderNumber", "cmpAWCDomicle"]
    names += ["detailName", "detailDescription", "detailValue"]
    answer = {"auditId": AUDIT, "auditDate": _NOW.isoformat(), "auditScore": 41.5, **dict.fromkeys(names, text)}
    server.serve(f"{INFORMATION}/audit/{AUDIT}", json_answer([answer | {"imageUrl": "one.jpg"}, answer]))
    facility = dict.fromkeys(("providerFacilityCode", "name", "streetAddress", "city", "state", "zip", "phone"), text)
    server.serve(f"{MANAGEMENT}/Facilities", json_answer([facility]))
    status = {"orderReferenceNumber": text, "systemNumber": FIRST, "status": text}
    server.serve(f"{MANAGEMENT}/Order/status", json_answer(status))
    problem = {"title": text, "status": 400, "detail": text, "errors": {text: [text], "consignee.city": [text]}}
    server.plan(answered(json_answer(problem, 400)), "/Order/submit", times=None)
    server.plan(answered(json_answer(problem, 400)), "/Order/cancel", times=None)


def full_draft(text: str) -> OrderDraft:
    """A draft with the text in every field that takes one."""
    draft = order_draft(text, text)
    for part in (draft, draft.consignee, draft.barcoding):
        for name, value in vars(part).items() if hasattr(part, "__dict__") else _fields(part):
            if isinstance(value, str) and name not in _NO_TEXT:
                setattr(part, name, text)
    for line in draft.freightDetails:
        line.commodity = text
    draft.barcoding.barcodeItemDetails = [BarcodeDraft(text, text, "1", text, text)]
    draft.otherReferenceNumbers = [ReferenceDraft(text, text)]
    return draft


_NO_TEXT = {"useConsigneeAddressToDetermineFaclityCode"}


def _fields(part: object) -> list[tuple[str, object]]:
    return [(name, getattr(part, name)) for name in part.__slots__]  # type: ignore[attr-defined]


@dataclass(slots=True)
class Told:
    """How often the text stood in each place, and what did not hold."""

    text: str
    places: Counter[str] = field(default_factory=Counter)
    others: dict[str, list[str]] = field(default_factory=dict)  # what else stood where
    found: list[str] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)

    def check(self, holds: bool, otherwise: str, of: str = "") -> None:
        """Note what does not hold; of one place once, however many stops see it."""
        if not holds and (of or otherwise) not in self._known:
            self._known.add(of or otherwise)
            self.found.append(otherwise)


@functools.lru_cache(_TEXTS_KEPT)
def squeezed(text: str) -> str:
    """A text with every run of blanks and line breaks as one blank: a cell and a field of one line write them so."""
    return re.sub(r"[\s\u240a\u240d\u2424\u2409]+", " ", text).strip()


@functools.lru_cache(_TEXTS_KEPT)
def stands_in(text: str, shown: str) -> bool:
    """Whether a text is shown in another: whole, as long as its field may be, or as long as its room is.

    The filter writes a quote twice, the outbox shows the very JSON that is sent.
    """
    whole, there = squeezed(visible(text)), squeezed(visible(shown))
    cuts = (text, *(text[:longest].strip() for longest in (28, 30, 50, 60, 80, 100, 250) if len(text) > longest))
    for each in cuts:
        forms = (each, each.replace('"', '""'), json.dumps(each)[1:-1], json.dumps(each, ensure_ascii=False)[1:-1])
        if any(squeezed(visible(form)) in there for form in forms):
            return True
    cut = [there[: found.start()].rstrip() for found in re.finditer("…", there)]
    return any(kept.endswith(whole[:at]) for kept in cut for at in range(2, len(whole)))


class Visit:
    """One round through the window with one text."""

    def __init__(self, program: Program, server: FaultServer, folder: Path, told: Told) -> None:
        self.program, self.server, self.folder, self.told = program, server, folder, told
        self.loop, self.shell, self.window = program.loop, program.shell, program.window
        self.text = told.text

    def settle(self) -> None:
        """Until nothing is under way, three times in a row."""
        quiet = 0

        def still() -> bool:
            nonlocal quiet
            busy = any(page.tasks.busy for page in self.shell.pages()) or self.shell.busy or self.shell.pictures.busy
            quiet = 0 if busy else quiet + 1
            return quiet >= 3

        self.loop.until(still, self._busy, _PATIENCE_S)

    def _busy(self) -> str:
        return f"{self.told.text!r}: the window to come to rest"

    def look(self, stop: str, once: Callable[[], object] | None = None) -> None:
        """Read all that the window holds at rest; or once this is so: a question keeps its page busy."""
        if once is None:
            self.settle()
        else:
            self.loop.until(once, f"{stop} with {self.text!r}", _PATIENCE_S)
        widgets = list(live_widgets())
        for place, text in shown_texts(widgets):
            if stands_in(self.text, text) or (stop in _FORM and stands_in(_LINES.sub("\n", self.text), text)):
                self.told.places[f"{stop}: {place}"] += 1
                kept = place.endswith(_TYPED) or without_hidden(text)
                self.told.check(kept, f"{stop}: {place}: a hidden character in {text[:200]!r}", place)
            else:
                self.told.others.setdefault(f"{stop}: {place}", []).append(text)
        for each in active_markup(widgets):
            self.told.check(False, f"{stop}: {each.place}: {each.what}", each.place)

    def close_all(self) -> None:
        """Close menus and dialogs."""
        while (menu := QApplication.activePopupWidget()) is not None:
            menu.close()
        for each in QApplication.topLevelWidgets():
            if isinstance(each, QDialog) and each.isVisible():
                each.reject()
        self.settle()

    def go(self, name: str) -> Page:
        self.shell.go(name)
        self.settle()
        return self.shell.page(name)

    def run(self) -> None:
        """Every stop in turn."""
        self.orders()
        self.order()
        self.audits()
        self.entry()
        self.outbox()
        self.settings()
        self.files()

    def orders(self) -> None:
        page = self.shell.orders
        self.go("orders")
        self.loop.until(lambda: page.model.rowCount() == 2, "the orders of the provider", _PATIENCE_S)
        page.tabs["completed"].click()
        self.look("completed orders")
        page.tabs["open"].click()
        page.columns.put(default_arrangement([each.name for each in ALL_COLUMNS]))
        self.look("orders, all columns")
        row = page.model.row_of(FIRST)
        assert row is not None
        page.table.setFocus()
        page.table.selectRow(row)
        page.row_actions.open_menu(page.table.viewport().mapToGlobal(QPoint(260, 60)), "consignee_name")
        self.look("menu of an order")
        self.close_all()
        for chip in (each for each in CHIPS if each.kind == "values"):
            page.chips.open_chip(chip.name)
            self.look(f"chip {chip.name}")
            page.chips.close_panel()
        for beginning in ("facility:", "carrier:", "city:", ""):
            page.filter.setFocus()
            page.filter.setText(beginning + ("" if beginning else self.text))
            self.look(f"filter {beginning}{'' if beginning else ', typed'}")
        page.filter.clear()
        page.views.save_new()
        (dialog,) = page.findChildren(NameDialog)
        dialog.field.setText(self.text)
        self.look("naming a view")
        dialog.accept()
        self.look("view")
        page.views.bar.menu_asked.emit(page.mapToGlobal(QPoint(9, 9)))
        self.look("menu of a view")
        self.close_all()
        page.filter.clear()
        page.table.setFocus()
        self.shell.palette.open()
        palette = cast(Palette, self.shell.palette.palette)
        palette.line.setText(self.text)
        self.look("palette, typed")
        palette.line.setText(str(FIRST))
        self.look("palette")
        palette.line.setText("view")
        self.look("palette of views")
        palette.close_palette()
        page.views.choose("Open")
        self.settle()

    def order(self) -> None:
        page = self.shell.orders
        for number in (ODD, FIRST):
            page.side.show_order(number)
            self.look(f"order {number}")
        pane = page.side.order
        assert pane is not None
        for at in range(2):
            pane.stack.show_document(at)
            self.look(f"document {at}")
        pane.stack.show_order()
        pane.cancel_button.click()
        self.look("asked whether to cancel", QApplication.activeModalWidget)
        self.close_all()
        page.side.close()

    def audits(self) -> None:
        page = self.go("audits")
        assert isinstance(page, AuditsPage)
        desk = self.shell.desk
        assert desk is not None
        self.loop.run(audit_reviews.save_audit_review(desk, AUDIT, AuditReview(flagged=True, note=self.text)))
        self.loop.run(
            audit_reviews.save_photo_review(desk, AUDIT, "one.jpg", PhotoReview(flagged=True, note=self.text))
        )
        page.reload()
        self.look("audits")
        for at in range(page.head.group.count()):
            page.head.group.setCurrentIndex(at)
            self.look(f"audits by {at}")
        for name in ("facility", "vendor", "kind"):
            if name in page.head.chips.buttons:
                page.head.chips.open_chip(name)
                self.look(f"chip of audits {name}")
                self.close_all()
        page.head.filter.setText(self.text)
        self.look("audits found, typed")
        page.head.filter.clear()
        page.show_audit(AUDIT)
        self.look("audit")
        page.view.go_back()
        page._show_lens(self.text)
        self.look("one question of all audits")

    def entry(self) -> None:
        desk = self.shell.desk
        assert desk is not None
        known = dict.fromkeys(RIVERA, self.text) | {"consigneeName": f"Rivera {self.text}"}
        lessons = [Lesson("consignee", "rivera", known, whole=True)]
        self.loop.run(desk.cache.write(kept_memory.learn, desk.profile.id, lessons, sent=True))
        draft = full_draft(self.text)
        self.loop.run(saved_drafts.save(desk, "hostile", draft))
        made = templates.made_of(self.text, draft, ["consignee.city", "poNumber"], ["deliveryInstructions"])
        self.loop.run(templates.save(desk, made, default=False))
        page = self.go("entry")
        assert isinstance(page, EntryPage)
        page.show_draft("hostile", draft)
        page.form.show_all_issues()
        self.look("form")
        page.save_as_template()
        (dialog,) = page.findChildren(TemplateDialog)
        dialog.name.put(self.text)
        self.look("saving a template")
        self.close_all()
        panel = PrintPanel(page, page.services, page.tasks, Devices(names=lambda _told: [self.text]))
        panel.offer(desk, lambda: Subject(draft, self.text, practice=False))
        self.look("printing")
        panel.reject()
        page.start_blank()
        self.settle()
        page.form.go_to("consignee.consigneeName")
        page.form.fields["consignee.consigneeName"].editor.setText("riv")
        self.look("known consignees")
        self.close_all()
        page.templates.show_menu()
        self.look("templates")
        self.close_all()

    def outbox(self) -> None:
        desk = self.shell.desk
        assert desk is not None
        reference = self.text[:30].strip()
        sent = submission(reference, deliveryInstructions=self.text[:250])
        write = self.loop.run(outbox.queue_submission(desk, sent, None))
        self.loop.run(outbox.settle(desk, write, "withdrawn", self.text))
        refused = self.loop.run(outbox.queue_submission(desk, submission(f"R {reference}"[:30].strip()), None))
        self.shell.services.news.queue_changed.emit()
        page = cast(Any, self.go("outbox"))
        self.loop.until(
            lambda: self.loop.run(outbox.story(desk, refused)).row.state in {"rejected", "held"},
            "the provider to refuse an order",
            _PATIENCE_S,
        )
        for each in (write, refused):
            page.show_write(each)
            self.settle()
            self.look(f"outbox {'withdrawn' if each == write else 'refused'}")

    def settings(self) -> None:
        page = self.go("settings")
        assert isinstance(page, SettingsPage)
        page.reload()
        self.look("settings")
        page.begin_connect()
        page.form.name.set_text(self.text)
        for each in page.form.fields.values():
            each.set_text(self.text)
        page.form.check()
        self.look("a connection")
        self.server.plan(
            answered(json_answer({"error": self.text, "error_description": self.text}, 400)),
            "/connect/token",
            times=None,
        )
        self.server.tokens.valid.clear()
        self.shell.connector.connect_desk()
        self.look("no token")

    def files(self) -> None:
        """Files hold the text as it is, or guarded, and nothing that a reader would follow."""
        page = self.shell.orders
        self.go("orders")
        page.views.choose("Open")
        self.settle()
        for name, check in (("csv", self._check_csv), ("xlsx", self._check_workbook), ("pdf", self._check_paper)):
            target = self.folder / f"orders.{name}"
            if self._written(page.export_strip(), target, page.export_all):
                check(target)
            self.look(f"written as {name}")

    def _written(self, strip: FileStrip, target: Path, begin: Callable[[], object]) -> bool:
        async def choose(
            _parent: QWidget, _title: str, _name: str, kinds: Sequence[FileKind], _folder: Path | None
        ) -> Chosen | None:
            kind = next(each for each in kinds if each.ending == target.suffix[1:])
            return Chosen(target, kind, True)

        strip._choose = choose
        begin()
        self.settle()
        self.told.check(target.exists(), f"{target.name} was not written: {strip.bar.text}")
        return target.exists()

    def _check_csv(self, path: Path) -> None:
        with path.open(encoding="utf-8-sig", newline="") as file:
            cells = {cell for row in csv.reader(file) for cell in row}
        wanted = self.text
        held = any(wanted.strip() in cell for cell in cells)
        self.told.check(held, f"csv: the text is not in it: {sorted(cells)[:6]}")
        for cell in cells:
            self.told.check(not cell.startswith(("=", "+", "-", "@", "\t")), f"csv: a cell would run: {cell[:40]!r}")

    def _check_workbook(self, path: Path) -> None:
        book = openpyxl.load_workbook(path)
        for sheet in book.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    self.told.check(cell.data_type != "f", f"xlsx: {cell.coordinate} is a formula")
                    self.told.check(cell.hyperlink is None, f"xlsx: {cell.coordinate} is a link")

    def _check_paper(self, path: Path) -> None:
        written = path.read_bytes()
        for what in (b"/URI", b"/Launch", b"/JavaScript", b"/GoToR", b"/EmbeddedFile"):
            self.told.check(what not in written, f"pdf: it holds {what.decode()}")


class Watch(QObject):
    """What nobody may see: an error, a remark of Qt's, a link that is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def note_failure(self, where: str, report: str) -> None:
        self.told.append(f"{where}: {report}")

    def note_message(self, kind: QtMsgType, _context: QMessageLogContext, words: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not words.startswith("This plugin does not support"):
            self.told.append(f"Qt says {words}")

    @Slot(QUrl)
    def open_link(self, address: QUrl) -> None:
        self.told.append(f"a link was opened: {address.toString()}")


def visit(application: QApplication, theme: Theme, text: str, folder: Path, watch: Watch) -> Told:
    """A window of its own, a provider of its own, and the way through all places."""
    told = Told(text)
    sink = Sink()
    sink.failed.connect(watch.note_failure)
    loop = RunningLoop(application)
    with start_fault_server() as server:
        serve(server, text)
        program = open_program(
            loop, theme, PageServices(theme, sink, News(), datetime.now), folder, SecretStore(seconds=5)
        )
        profile = keep_profile(program, server, name=text)
        loop.run(profiles.remember_used(program.kept.journal, profile.id))
        program.shell.open_desk(profile)
        loop.run(program.shell.begin_work(program.secrets, program.practice), _PATIENCE_S)
        try:
            Visit(program, server, folder, told).run()
        finally:
            program.close()
    told.found += [f"a task was left: {name}" for name in loop.close()]
    del program
    gc.collect()  # here and not on a thread of a database: what is left of the window has timers of its own
    told.found += [f"{each}" for each in watch.told]
    watch.told.clear()
    return told


def main(arguments: Sequence[str]) -> int:
    """The plain word, then each text."""
    folder = Path(arguments[0])
    bait = folder / "waybill-bait"
    bait.mkdir(parents=True)
    for name in ("bait.png", "bait.html", "bait.css", "bait.svg"):
        (bait / name).write_bytes(saved(chart(), "PNG"))
    application = QApplication(sys.argv[:1])
    application.setQuitOnLastWindowClosed(False)
    watch = Watch()
    qInstallMessageHandler(watch.note_message)
    for scheme in ("http", "https", "file", "mailto"):
        QDesktopServices.setUrlHandler(scheme, watch, "open_link")  # type: ignore[arg-type]  # the stub is wrong
    theme = Theme(application, "light")
    with socket.create_server(("127.0.0.1", 0)) as web, opened_below(bait) as opened:
        web.setblocking(False)
        texts = baited(bait.as_uri(), f"http://127.0.0.1:{web.getsockname()[1]}")
        plain = _visited(application, theme, PLAIN, folder / "plain", watch)
        print(json.dumps({"text": -1, "places": len(plain.places), "found": plain.found}), flush=True)
        for number in map(int, arguments[1:]):
            told = _visited(application, theme, texts[number], folder / str(number), watch)
            for place, count in plain.places.items():
                if ", typed: " in place and not place.endswith("field"):
                    continue  # what is found for a word that is typed depends on the word
                stood, others = told.places[place], told.others.get(place, [])[:8]
                told.check(stood >= count, f"{stood} of {count} at {place}: {others}", place.partition(": ")[2])
            told.check(not opened(), "a local file was opened")
            told.check(not _called(web), "the address in the text was called")
            print(json.dumps({"text": number, "places": len(told.places), "found": told.found}), flush=True)
        (bait / "bait.png").read_bytes()
        with socket.create_connection(web.getsockname()):
            seen = bool(opened()) and _called(web)
        print(json.dumps({"text": -2, "places": 0, "found": [] if seen else ["the bait tells nothing"]}), flush=True)
    return 0


def _visited(application: QApplication, theme: Theme, text: str, folder: Path, watch: Watch) -> Told:
    try:
        return visit(application, theme, text, folder, watch)
    except Exception:  # noqa: BLE001  # told to the parent, and the next text is still wanted
        told = Told(text)
        told.found = [*watch.told, traceback.format_exc()[-2500:]]
        watch.told.clear()
        return told


def _called(web: socket.socket) -> bool:
    try:
        web.accept()[0].close()
    except BlockingIOError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
