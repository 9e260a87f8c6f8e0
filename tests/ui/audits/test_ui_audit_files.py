"""The files made of audits, against the practice service, and read back with other programs."""

import csv
import io
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from openpyxl import load_workbook
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.desk.audits import audit_reviews
from app.desk.audits.audit_reviews import AuditReview, Mark, PhotoReview
from app.desk.desk import Desk
from app.desk.files.album import NoPicture
from app.ui.audits.audits_page import AuditsPage
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.theme.tokens import LIGHT
from app.ui.widgets.files.choose_files import Chosen, FileKind
from tests.support.loop import RunningLoop
from tests.ui.conftest import Show

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Choosing:
    """Answers as a person would: the kind wanted, under the name that is offered, in this folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.kind, self.replace = folder, 0, False
        self.asked: list[str] = []
        self.revealed: list[Path] = []

    async def file(
        self, _parent: QWidget, title: str, name: str, kinds: Sequence[FileKind], _folder: Path | None
    ) -> Chosen | None:
        self.asked.append(title)
        kind = kinds[min(self.kind, len(kinds) - 1)]
        return Chosen(self.folder / f"{name}.{kind.ending}", kind, self.replace)

    async def place(self, _parent: QWidget, title: str, _folder: Path | None) -> Path | None:
        self.asked.append(title)
        return self.folder

    def show(self, target: Path) -> bool:
        self.revealed.append(target)
        return True


@pytest.fixture
def choosing(tmp_path: Path) -> Choosing:
    folder = tmp_path / "out"
    folder.mkdir()
    return Choosing(folder)


@pytest.fixture
def page(
    gallery: Gallery,
    services: PageServices,
    show: Show,
    loop: RunningLoop,
    window_practice_desk: Desk,
    choosing: Choosing,
) -> AuditsPage:
    gallery.take_desk(window_practice_desk)
    made = AuditsPage(replace(services, pictures=lambda: gallery))
    made.files.strip._choose, made.files.strip._show = choosing.file, choosing.show
    made.files.saver._choose, made.files.saver._show = choosing.place, choosing.show
    show(made)
    made.take_desk(window_practice_desk)
    loop.until(lambda: made.refresher.result is not None and made.model.rowCount() > 5)
    loop.until(lambda: not made.tasks.running("rows"))
    return made


def open_with_photos(page: AuditsPage, loop: RunningLoop) -> int:
    """Open the first audit that has photos."""
    for at in range(page.model.rowCount()):
        line = page.model.line(at)
        assert line is not None
        page.show_audit(line.number)
        loop.until(lambda: not page.tasks.running("audit") and not page.tasks.running("order"))
        if page.view.viewer.photos:
            return line.number
    raise AssertionError("no audit with photos")


def fetch_photos(page: AuditsPage, loop: RunningLoop, gallery: Gallery) -> None:
    """Have all photos of the open audit at hand: practice draws them when they are asked for, which may take long."""
    for each in page.view.viewer.photos:
        while isinstance(found := loop.run(gallery.contents(each.address), 120), NoPicture):
            assert "in time" in found.sentence


def finished(page: AuditsPage, loop: RunningLoop) -> str:
    """Wait for the file, and give what is said of it."""
    strip = page.files.strip
    loop.until(
        lambda: not strip.busy and not page.tasks.running("which audits") and bool(strip.bar.text), strip.label.text, 60
    )
    return strip.bar.text


def text_of(document: pypdfium2.PdfDocument) -> list[str]:
    return [page.get_textpage().get_text_range() for page in document]


def pictures_of(page: pypdfium2.PdfPage) -> list[pypdfium2.PdfImage]:
    return [each for each in page.get_objects() if isinstance(each, pypdfium2.PdfImage)]


def test_one_key_makes_the_report_of_the_open_audit_and_all_of_it_is_read_back(
    page: AuditsPage, loop: RunningLoop, choosing: Choosing, window_practice_desk: Desk, gallery: Gallery
) -> None:
    number = open_with_photos(page, loop)
    fetch_photos(page, loop, gallery)
    told, photos = page.view._detail, page.view.viewer.photos
    assert told is not None
    address = photos[0].address
    mark = Mark("text", 0.2, 0.2, 0.2, 0.2, "dented here")
    said = PhotoReview(flagged=True, note="Look at the corner", turned=90, marks=(mark,))
    loop.run(audit_reviews.save_photo_review(window_practice_desk, number, address, said))
    loop.run(audit_reviews.save_audit_review(window_practice_desk, number, AuditReview(True, True, "Ask the vendor")))
    QTest.keyClick(page.view.questions, Qt.Key.Key_P, CTRL)
    words = finished(page, loop)
    target = choosing.folder / f"audit-{number}.pdf"
    assert words.startswith(f"The report is in {target.name},")
    with pypdfium2.PdfDocument(target) as document:
        pages = text_of(document)
        whole = "\n".join(pages)
        for at, each in enumerate(pages, 1):
            assert f"Page {at} of {len(pages)}" in each
            assert "Practice: made up by Waybill" in each
        for wanted in (f"Audit {number}", "Ask the vendor", "Reviewed · Flagged", "Look at the corner", "dented here"):
            assert wanted in whole
        flat = " ".join(whole.split())
        for answer in told.answers:
            assert not answer.question or answer.question in flat
            assert not answer.answer or " ".join(answer.answer.split()) in flat
        assert sum(len(pictures_of(each)) for each in document) == len(photos)
    page.files.strip.bar.act()
    assert choosing.revealed == [target]
    assert [each.name for each in choosing.folder.iterdir()] == [target.name]


def test_several_selected_audits_are_one_report_with_an_index_that_names_the_right_pages(
    page: AuditsPage, loop: RunningLoop, choosing: Choosing
) -> None:
    page.table.clearSelection()
    for at in range(3):
        page.table.selectionModel().select(
            page.model.index(at, 0),
            page.table.selectionModel().SelectionFlag.Select | page.table.selectionModel().SelectionFlag.Rows,
        )
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_P, CTRL)
    finished(page, loop)
    (target,) = choosing.folder.iterdir()
    numbers = [line.number for at in range(3) if (line := page.model.line(at)) is not None]
    with pypdfium2.PdfDocument(target) as document:
        pages = text_of(document)
    assert "Index" in pages[0]
    for number in numbers:
        begins = next(at for at, text in enumerate(pages[1:], 2) if f"\nAudit {number}\r\n" in text)
        (row,) = [line for line in pages[0].splitlines() if line.startswith(f"{number} ")]
        assert row.endswith(f" {begins}")


def test_a_report_never_replaces_a_file_made_meanwhile_and_a_stop_leaves_no_file(
    page: AuditsPage, loop: RunningLoop, choosing: Choosing
) -> None:
    number = open_with_photos(page, loop)
    target = choosing.folder / f"audit-{number}.pdf"
    target.write_bytes(b"mine")
    page.files.report()
    assert "was left as it is" in finished(page, loop)
    assert target.read_bytes() == b"mine"
    page.files.strip.bar.clear()
    page.files.report()
    loop.until(page.files.strip.stop_button.isVisible)
    page.files.strip.stop()
    assert finished(page, loop) == "Stopped; nothing was written."
    assert [each.name for each in choosing.folder.iterdir()] == [target.name]


@pytest.mark.parametrize("kind", [0, 1])
def test_the_list_is_exported_as_it_is_shown(
    page: AuditsPage, loop: RunningLoop, choosing: Choosing, kind: int
) -> None:
    choosing.kind = kind
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_E, CTRL | SHIFT)
    assert finished(page, loop).startswith(f"{page.model.rowCount():,} audits are in")
    (target,) = choosing.folder.iterdir()
    lines = [line for at in range(20) if (line := page.model.line(at)) is not None]
    if kind == 0:
        found = [list(row) for row in load_workbook(target).active.iter_rows(values_only=True)]
        assert [row[0] for row in found[1 : len(lines) + 1]] == [each.number for each in lines]
        assert [row[5] for row in found[1 : len(lines) + 1]] == [each.score for each in lines]
    else:
        found = list(csv.reader(io.StringIO(target.read_text("utf-8-sig"))))
        assert [row[0] for row in found[1 : len(lines) + 1]] == [str(each.number) for each in lines]
    assert len(found) == page.model.rowCount() + 1
    assert list(found[0])[:6] == ["Audit", "Date", "Type", "Facility", "Vendor", "Score"]


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_reviews_are_in_the_exported_list_and_no_note_runs_as_a_formula(
    page: AuditsPage, loop: RunningLoop, choosing: Choosing, window_practice_desk: Desk, kind: int
) -> None:
    number = open_with_photos(page, loop)
    formula, plain = '=HYPERLINK("http://x.example")', "Ask Denise, then\ncall"
    photos = [each.address for each in page.view.viewer.photos][:1]
    loop.run(audit_reviews.save_audit_review(window_practice_desk, number, AuditReview(True, False, formula)))
    loop.run(
        audit_reviews.save_photo_review(window_practice_desk, number, photos[0], PhotoReview(flagged=True, note=plain))
    )
    page.view.go_back()
    page.reload()
    loop.until(lambda: number in page.files._choose().marked.reviewed)
    choosing.kind = kind
    page.table.clearSelection()
    page.files.export()
    finished(page, loop)
    (target,) = choosing.folder.iterdir()
    if kind == 0:
        cells = list(load_workbook(target).active.iter_rows())
        (row,) = [each for each in cells if each[0].value == number]
        assert row[9].data_type == "s"
        found, titles = [each.value for each in row], [each.value for each in cells[0]]
    else:
        lines = list(csv.reader(io.StringIO(target.read_text("utf-8-sig"), newline="")))
        (found,) = [each for each in lines if each[0] == str(number)]
        titles = lines[0]
    assert titles[7:] == ["Reviewed", "Flagged", "Note", "Photo notes"]
    kept = f"'{formula}" if kind == 1 else formula
    assert [found[7], found[8], found[9]] == ["Yes", "Yes", kept]
    assert "Ask Denise" in str(found[10])


def test_the_answers_of_the_open_audit_are_exported(page: AuditsPage, loop: RunningLoop, choosing: Choosing) -> None:
    number = open_with_photos(page, loop)
    told = page.view._detail
    assert told is not None
    loop.run(audit_reviews.save_audit_review(page.desk, number, AuditReview(True, False, "Ask Denise")))
    QTest.keyClick(page.view.questions, Qt.Key.Key_E, CTRL | SHIFT)
    finished(page, loop)
    rows = list(load_workbook(choosing.folder / f"audit-{number}-answers.xlsx").active.iter_rows(values_only=True))
    column = rows[0].index
    assert [row[column("Question")] for row in rows[1:]] == [each.question for each in told.answers]
    assert [row[column("Answer")] for row in rows[1:]] == [each.answer for each in told.answers]
    said = [tuple(row[column(each)] for each in ("Reviewed", "Flagged", "Note")) for row in rows[1:]]
    assert said == [("Yes", None, "Ask Denise")] * len(told.answers)


def test_all_photos_of_the_open_audit_are_saved_under_names_of_our_own(
    page: AuditsPage, loop: RunningLoop, choosing: Choosing
) -> None:
    number = open_with_photos(page, loop)
    addresses = {each.address for each in page.view.viewer.photos}
    QTest.keyClick(page.view.questions, Qt.Key.Key_S, CTRL | SHIFT)
    loop.until(lambda: bool(choosing.asked) and not page.tasks.running("save photos"), "saving", 60)
    saved = sorted(choosing.folder.iterdir())
    words = page.files.strip.bar.text
    assert saved
    assert all(each.name.startswith(f"audit {number} ") for each in saved)
    assert len(saved) + words.count("was not saved") >= min(len(addresses), 4)
    for each in saved:
        if each.suffix == ".jpg":
            with Image.open(each) as image:
                assert image.format == "JPEG"


def draw_on_the_first(page: AuditsPage, loop: RunningLoop) -> str:
    """Turn the first photo of the open audit and draw on it; gives its address."""
    address, number = page.view.viewer.photos[0].address, page.view.number
    assert number is not None
    said = PhotoReview(turned=90, marks=(Mark("box", 0.25, 0.25, 0.75, 0.75),))
    loop.run(audit_reviews.save_photo_review(page.desk, number, address, said))
    page.show_audit(number)
    loop.until(lambda: not page.tasks.running("audit") and not page.tasks.running("order"))
    return address


def entries(page: AuditsPage) -> dict[str, QAction]:
    return {each.text().split("\t")[0]: each for each in page.files.menu(page).actions()}


def saving_ended(page: AuditsPage, loop: RunningLoop, choosing: Choosing) -> str:
    loop.until(lambda: bool(choosing.asked) and not page.tasks.running("save photos"), "saving", 60)
    return page.files.strip.bar.text


def test_a_photo_that_was_drawn_on_is_saved_with_or_without_it(
    page: AuditsPage, loop: RunningLoop, choosing: Choosing, gallery: Gallery
) -> None:
    open_with_photos(page, loop)
    fetch_photos(page, loop, gallery)
    assert "Save this photo, turned and with drawings…" not in entries(page), "nothing was drawn on it"
    address = draw_on_the_first(page, loop)
    before = loop.run(gallery.contents(address))
    assert isinstance(before, bytes)
    entries(page)["Save this photo…"].trigger()
    said = saving_ended(page, loop, choosing)
    (plain,) = choosing.folder.iterdir()
    assert plain.read_bytes() == before
    assert said.endswith("You turned or drew on 1 of them: the menu Save can also save that.")
    choosing.asked.clear()
    entries(page)["Save this photo, turned and with drawings…"].trigger()
    said = saving_ended(page, loop, choosing)
    (drawn,) = set(choosing.folder.iterdir()) - {plain}
    assert "turned or drew" not in said
    with Image.open(plain) as upright, Image.open(drawn) as found:
        assert found.size == upright.size[::-1], "it is turned, and as large"
        width, height = found.size
        turned = upright.convert("RGB").transpose(Image.Transpose.ROTATE_270)
        edge, inside = (width // 4, height // 2), (width // 2, height // 2)
        colour = QColor(LIGHT.bad)
        assert _apart(found.getpixel(edge), (colour.red(), colour.green(), colour.blue())) < 60
        assert _apart(found.getpixel(inside), turned.getpixel(inside)) < 60


def _apart(one: object, other: object) -> int:
    assert isinstance(one, tuple)
    assert isinstance(other, tuple)
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def test_with_drawings_an_untouched_photo_is_saved_as_the_provider_has_it(
    page: AuditsPage, loop: RunningLoop, choosing: Choosing, gallery: Gallery
) -> None:
    open_with_photos(page, loop)
    fetch_photos(page, loop, gallery)
    drawn = draw_on_the_first(page, loop)
    entries(page)["Save the photos of this audit, turned and with drawings…"].trigger()
    saving_ended(page, loop, choosing)
    others = {each.address for each in page.view.viewer.photos} - {drawn}
    known = {loop.run(gallery.contents(each)) for each in others}
    saved = [each.read_bytes() for each in choosing.folder.iterdir()]
    assert len(saved) == len(others) + 1
    assert sum(each in known for each in saved) == len(others)


def test_the_menu_names_what_it_is_done_with(page: AuditsPage, loop: RunningLoop) -> None:
    page.table.clearSelection()
    words = [each.text().split("\t")[0] for each in page.files.menu(page).actions()]
    assert words == [
        "PDF report of the list…", "The list as a table…", "Answers of the list as a table…",
        "Save the photos of the list…", "Save the photos of the list, turned and with drawings…",
    ]  # fmt: skip
    open_with_photos(page, loop)
    words = [each.text().split("\t")[0] for each in page.files.menu(page).actions()]
    assert words[0] == "PDF report of this audit…"
    assert "Save this photo…" in words


@pytest.mark.parametrize("kind", [0, 1])
def test_the_case_file_of_an_order_holds_its_facts_documents_and_the_audit_that_names_it(
    page: AuditsPage, loop: RunningLoop, choosing: Choosing, kind: int
) -> None:
    for at in range(page.model.rowCount()):
        line = page.model.line(at)
        assert line is not None
        page.show_audit(line.number)
        loop.until(lambda: not page.tasks.running("audit") and not page.tasks.running("order"))
        told = page.view._detail
        if told is not None and told.head.order_number:
            break
    else:
        raise AssertionError("no audit names an order")
    name, number = told.head.order_number, told.line.number
    choosing.kind = kind
    QTest.keyClick(page.view.questions, Qt.Key.Key_P, CTRL | SHIFT)
    loop.until(lambda: not page.tasks.running("case file"))
    words = finished(page, loop)
    (target,) = choosing.folder.iterdir()
    assert words.startswith(f"The case file is in case-{name}.")
    if kind:
        with zipfile.ZipFile(target) as packed:
            assert packed.testzip() is None
            names = packed.namelist()
            (report,) = [each for each in names if each.startswith("case order")]
            data = packed.read(report)
            assert all("/" not in each and "\\" not in each for each in names)
            pictures = [each for each in names if each.startswith(f"audit {number} ")]
        assert len(pictures) + words.count("is not in it") + words.count("more files") >= 1
    else:
        data = target.read_bytes()
    with pypdfium2.PdfDocument(data) as document:
        pages = text_of(document)
        assert sum(len(pictures_of(each)) for each in document) > 0
    whole = "\n".join(pages)
    for wanted in ("Case file of order", str(name), "Milestones", "Imported", "Consignee", "Documents", "Overage"):
        assert wanted in whole
    assert f"Audit {number}" in whole
    assert f"Page {len(pages)} of {len(pages)}" in pages[-1]
