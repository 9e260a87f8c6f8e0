"""An order's documents: tiles by kind, one in place of the order, and saved into a folder."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from app.contract.codes import FOLDER_TYPE_WORDS
from app.desk.desk import Desk
from app.desk.files.album import NoPicture
from app.desk.sync import order_sync
from app.imaging.pixels import Pixels
from app.store.cache import order_query
from app.store.cache.order_rows import OrderQuery
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.orders.detail.order_detail import DetailPane
from app.ui.orders.documents.document_viewer import DocumentViewer
from app.ui.orders.orders_page import OrdersPage
from tests.support.fault_server import Answer, FaultServer
from tests.support.loop import RunningLoop
from tests.support.pictures import chart, saved
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import idle
from tests.ui.orders.papers_help import open_page, paper, tell_of_papers

PHOTO = saved(chart(size=(400, 300)), "JPEG")


class Bench:
    """An order with documents beside the table."""

    def __init__(self, loop: RunningLoop, page: OrdersPage, gallery: Gallery) -> None:
        self.loop, self.page, self.gallery = loop, page, gallery

    def open(self, number: int = 7) -> DetailPane:
        self.page.side.show_order(number)
        pane = self.page.side.order
        assert pane is not None
        self.loop.until(lambda: idle(self.page))
        return pane

    def view(self, pane: DetailPane, at: int) -> DocumentViewer:
        self.loop.until(lambda: len(pane.documents.tiles) > at)
        pane.documents.tiles[at].click()
        assert pane.stack.viewer is not None
        return pane.stack.viewer

    def settle(self) -> None:
        self.loop.until(lambda: not self.gallery.busy and not self.page.tasks.running("documents"))


@pytest.fixture
def bench(
    loop: RunningLoop,
    services: PageServices,
    show: Show,
    window_desk: Desk,
    fault_server: FaultServer,
    gallery: Gallery,
) -> Bench:
    papers = [
        {**paper(f"/papers/{at}.jpg", ("POD", "DAM", "BOL")[at % 3]), "Filename": f"photo-{at}.jpg"} for at in range(60)
    ]
    for at in range(58):
        fault_server.serve(f"/papers/{at}.jpg", Answer(200, PHOTO, "image/jpeg"))
    fault_server.serve("/papers/58.jpg", Answer(200, b"<html>not a picture</html>", "image/jpeg"))
    tell_of_papers(loop, window_desk, fault_server, papers)
    return Bench(loop, open_page(loop, services, show, window_desk, gallery), gallery)


def test_only_the_thumbnails_on_the_screen_are_fetched(bench: Bench, fault_server: FaultServer) -> None:
    pane = bench.open()
    bench.loop.until(lambda: len(pane.documents.tiles) == 60)
    assert pane.head.documents_button.text() == " 60 documents"
    QTest.keyClick(bench.page, Qt.Key.Key_D, Qt.KeyboardModifier.AltModifier)
    assert pane.documents.tiles[0].hasFocus()
    bench.loop.until(lambda: isinstance(pane.documents.tiles[0]._found, Pixels))
    bench.settle()
    fetched = [at for at in range(60) if fault_server.seen(f"/papers/{at}.jpg")]
    assert 0 < len(fetched) < 40
    last = pane.documents.tiles[-1]
    pane._scroll.ensureWidgetVisible(last)
    bench.loop.until(lambda: last._found is not None)


def test_a_document_is_shown_in_place_and_left_by_keys(bench: Bench) -> None:
    pane = bench.open()
    viewer = bench.view(pane, 0)
    assert viewer.title.text() == "photo-0.jpg"
    bench.loop.until(lambda: viewer.picture.pixels is not None)
    assert viewer.facts.text() == "Proof of delivery (POD) · 1 of 60"
    assert not viewer.before_button.isEnabled()
    QTest.keyClick(viewer.picture, Qt.Key.Key_Right)
    assert viewer.title.text() == "photo-3.jpg"
    QTest.keyClick(viewer.picture, Qt.Key.Key_Left)
    assert viewer.title.text() == "photo-0.jpg"
    width = pane.width()
    QTest.keyClick(viewer.picture, Qt.Key.Key_F11)
    bench.loop.until(lambda: pane.width() > width)
    QTest.keyClick(viewer.picture, Qt.Key.Key_Escape)
    bench.loop.until(pane.documents.tiles[0].hasFocus)
    assert not viewer.isVisible()
    bench.loop.until(lambda: pane.width() == width)


@pytest.mark.parametrize("more_room", [False, True])
def test_the_document_that_was_left_is_in_sight(bench: Bench, more_room: bool) -> None:
    pane = bench.open()
    bench.loop.until(lambda: len(pane.documents.tiles) == 60)
    viewer = bench.view(pane, 0)
    if more_room:
        QTest.keyClick(viewer.picture, Qt.Key.Key_F11)
    for _ in range(45):
        QTest.keyClick(viewer.picture, Qt.Key.Key_D)
    QTest.keyClick(viewer.picture, Qt.Key.Key_Escape)
    left = pane.documents.tiles[45]
    bench.settle()
    assert left.hasFocus()
    assert left.visibleRegion().boundingRect() == left.rect()


def test_a_document_that_is_no_picture_says_so_and_can_be_saved(bench: Bench) -> None:
    pane = bench.open()
    bench.loop.until(lambda: len(pane.documents.tiles) == 60)
    (at,) = [place for place, each in enumerate(pane.documents.documents) if each.name == "photo-58.jpg"]
    viewer = bench.view(pane, at)
    bench.loop.until(lambda: "neither a JPEG" in viewer.picture.state_text)
    assert viewer.save_button.isEnabled()


def test_without_a_connection_a_document_says_that_it_was_not_fetched(bench: Bench, window_desk: Desk) -> None:
    pane = bench.open()
    bench.loop.until(lambda: len(pane.documents.tiles) == 60)
    provider, window_desk.provider = window_desk.provider, None
    viewer = bench.view(pane, 40)
    bench.loop.until(lambda: "Not connected" in viewer.picture.state_text)
    window_desk.provider = provider
    viewer.picture.retry_asked.emit()
    bench.loop.until(lambda: viewer.picture.pixels is not None)


def test_another_order_leaves_the_document(bench: Bench) -> None:
    pane = bench.open()
    viewer = bench.view(pane, 0)
    bench.open(8)
    assert not viewer.isVisible()
    assert pane.documents.documents == ()


def _choose(bench: Bench, folder: Path) -> None:
    bench.loop.until(lambda: bench.page.findChildren(QFileDialog))
    (dialog,) = bench.page.findChildren(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    dialog.setDirectory(str(folder))
    dialog.fileSelected.emit(str(folder))
    dialog.done(QFileDialog.DialogCode.Accepted)
    bench.loop.until(lambda: not bench.page.findChildren(QFileDialog))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Papers").mkdir()
    return tmp_path / "Papers"


def test_all_are_saved_into_the_chosen_folder(bench: Bench, folder: Path) -> None:
    pane = bench.open()
    bench.loop.until(lambda: len(pane.documents.tiles) == 60)
    pane.documents.save_all_button.click()
    _choose(bench, folder)
    bench.loop.until(lambda: pane.bar.text.startswith("59 documents are in Papers."))
    assert "photo-59.jpg was not saved: The provider does not have" in pane.bar.text
    names = sorted(each.name for each in folder.iterdir())
    assert len(names) == 59
    assert "R-00007 POD photo-0.jpg" in names
    assert "R-00007 DAM photo-58.bin" in names or "R-00007 DAM photo-58.jpg" not in names


def test_one_is_saved_from_where_it_is_shown(bench: Bench, folder: Path) -> None:
    pane = bench.open()
    viewer = bench.view(pane, 1)
    QTest.keyClick(viewer.picture, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    _choose(bench, folder)
    bench.loop.until(lambda: viewer.bar.text == "R-00007 POD photo-3.jpg is in Papers.")
    assert (folder / "R-00007 POD photo-3.jpg").read_bytes() == PHOTO


def _look_at_all(bench: Bench, pane: DetailPane) -> set[str]:
    """Open every document of the order; the kinds there are."""
    bench.loop.until(lambda: "Asking" not in pane.documents._nothing.text())
    for at in range(len(pane.documents.documents)):
        viewer = bench.view(pane, at)
        bench.loop.until(lambda: viewer.picture.pixels is not None)  # noqa: B023
        pane.stack.show_order()
    return {each.folder for each in pane.documents.documents}


def test_documents_of_the_practice_service_are_shown(
    loop: RunningLoop, services: PageServices, show: Show, window_practice_desk: Desk, gallery: Gallery
) -> None:
    """Real papers and photos, over real HTTP, decoded in a process of its own."""
    desk = window_practice_desk
    loop.run(order_sync.refresh(desk, "completed", 30))
    lines = loop.run(desk.reader.read(order_query.page_orders, OrderQuery(desk.profile.id, "completed"), 20))
    bench = Bench(loop, open_page(loop, services, show, desk, gallery), gallery)
    kinds: set[str] = set()
    for line in lines[:2]:
        pane = bench.open(line.number)
        kinds |= _look_at_all(bench, pane)
    assert kinds
    assert kinds <= set(FOLDER_TYPE_WORDS)
    assert not any(isinstance(each._found, NoPicture) for each in pane.documents.tiles)
