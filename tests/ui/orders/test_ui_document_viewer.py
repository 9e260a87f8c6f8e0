"""A document beside its order is zoomed, moved and turned by the keys and the mouse of the photo viewer."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.desk.desk import Desk
from app.imaging.pixels import Pixels, Size
from app.ui.base.gallery import Gallery
from app.ui.base.page import PageServices
from app.ui.orders.detail.order_detail import DetailPane
from app.ui.orders.documents.document_viewer import DocumentViewer
from app.ui.viewer.look import scale_of
from tests.support.fault_server import Answer, FaultServer
from tests.support.loop import RunningLoop
from tests.support.pictures import chart, pdf, saved
from tests.ui.conftest import Show
from tests.ui.orders.orders_help import idle
from tests.ui.orders.papers_help import NUMBER, open_page, paper, tell_of_papers

SIZE = (1_600, 1_200)
PHOTO = saved(chart(size=SIZE), "JPEG")


class Viewed:
    """The viewer of an order with a photo, a PDF of two pages, and a further photo."""

    def __init__(self, loop: RunningLoop, pane: DetailPane, gallery: Gallery) -> None:
        self.loop, self.pane, self.gallery = loop, pane, gallery
        loop.until(lambda: len(pane.documents.tiles) == 3)

    def open(self, name: str) -> DocumentViewer:
        documents = self.pane.documents.documents
        (at,) = [place for place, each in enumerate(documents) if each.name == name]
        self.pane.documents.tiles[at].click()
        viewer = self.pane.stack.viewer
        assert viewer is not None
        self.loop.until(lambda: viewer.picture.pixels is not None)
        self.settle(viewer)
        return viewer

    def settle(self, viewer: DocumentViewer) -> None:
        self.loop.until(lambda: viewer.picture.pane.is_sharp() and not self.gallery.busy)

    def press(
        self, viewer: DocumentViewer, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        QTest.keyClick(viewer.picture, key, held)
        self.settle(viewer)


@pytest.fixture
def viewed(
    loop: RunningLoop,
    services: PageServices,
    show: Show,
    window_desk: Desk,
    fault_server: FaultServer,
    gallery: Gallery,
) -> Viewed:
    fault_server.serve("/papers/a.jpg", Answer(200, PHOTO, "image/jpeg"))
    fault_server.serve("/papers/b.pdf", Answer(200, pdf(2), "application/pdf"))
    fault_server.serve("/papers/c.jpg", Answer(200, PHOTO, "image/jpeg"))
    papers = [paper("/papers/a.jpg", "POD"), paper("/papers/b.pdf", "POD"), paper("/papers/c.jpg", "POD")]
    tell_of_papers(loop, window_desk, fault_server, papers)
    page = open_page(loop, services, show, window_desk, gallery)
    page.side.show_order(NUMBER)
    pane = page.side.order
    assert pane is not None
    loop.until(lambda: idle(page))
    return Viewed(loop, pane, gallery)


def _scale(viewer: DocumentViewer) -> float:
    pane = viewer.picture.pane
    return scale_of(pane.look, pane.size_now(), pane.room())


def test_the_keys_of_the_photo_viewer_zoom_a_document(viewed: Viewed) -> None:
    viewer = viewed.open("a.jpg")
    fitted = _scale(viewer)
    assert fitted < 0.9
    viewed.press(viewer, Qt.Key.Key_2)
    assert _scale(viewer) == 1.0
    viewed.press(viewer, Qt.Key.Key_3)
    assert _scale(viewer) == 2.0
    viewed.press(viewer, Qt.Key.Key_Minus)
    assert _scale(viewer) == pytest.approx(1.6)
    viewed.press(viewer, Qt.Key.Key_Plus, Qt.KeyboardModifier.ShiftModifier)
    assert _scale(viewer) == pytest.approx(2.0)
    viewed.press(viewer, Qt.Key.Key_1)
    assert _scale(viewer) == fitted
    viewed.press(viewer, Qt.Key.Key_Space)
    assert _scale(viewer) == 1.0


def test_the_buttons_do_what_the_keys_do(viewed: Viewed) -> None:
    viewer = viewed.open("a.jpg")
    fitted = _scale(viewer)
    fit, whole, double = viewer.zoom_buttons
    double.click()
    assert _scale(viewer) == 2.0
    whole.click()
    assert _scale(viewer) == 1.0
    fit.click()
    assert _scale(viewer) == fitted
    viewer.right_button.click()
    assert viewer.picture.pane.review.turned == 90
    viewer.left_button.click()
    assert viewer.picture.pane.review.turned == 0
    viewed.settle(viewer)


def test_a_document_stays_turned_while_others_are_looked_at(viewed: Viewed) -> None:
    viewer = viewed.open("a.jpg")
    pane = viewer.picture.pane
    upright = pane.size_now()
    viewed.press(viewer, Qt.Key.Key_R)
    assert (pane.review.turned, pane.size_now()) == (90, (upright.height, upright.width))
    viewed.press(viewer, Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    viewed.press(viewer, Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    assert pane.review.turned == 270
    viewed.press(viewer, Qt.Key.Key_D)
    assert (viewer.title.text(), pane.review.turned) == ("b.pdf", 0)
    viewed.press(viewer, Qt.Key.Key_A)
    assert (viewer.title.text(), pane.review.turned) == ("a.jpg", 270)


def test_arrow_keys_go_to_neighbours_of_a_whole_document_and_move_one_that_is_seen_in_part(viewed: Viewed) -> None:
    viewer = viewed.open("a.jpg")
    pane = viewer.picture.pane
    viewed.press(viewer, Qt.Key.Key_2)
    before = pane.look
    viewed.press(viewer, Qt.Key.Key_Right)
    assert viewer.title.text() == "a.jpg"
    assert pane.look.x > before.x
    viewed.press(viewer, Qt.Key.Key_1)
    viewed.press(viewer, Qt.Key.Key_Right)
    assert viewer.title.text() == "b.pdf"
    viewed.press(viewer, Qt.Key.Key_2)
    viewed.press(viewer, Qt.Key.Key_D)
    assert viewer.title.text() == "c.jpg"
    assert pane.look.zoom is None, "another document is fitted"


def test_the_wheel_zooms_at_the_pointer_and_the_hand_moves(viewed: Viewed) -> None:
    viewer = viewed.open("a.jpg")
    pane = viewer.picture.pane
    fitted = _scale(viewer)
    middle = QPointF(pane.rect().center())
    for _ in range(4):
        QApplication.sendEvent(
            pane,
            QWheelEvent(
                middle, pane.mapToGlobal(middle), QPoint(), QPoint(0, 480), Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
            ),
        )  # fmt: skip
    assert _scale(viewer) > 2 * fitted
    viewed.settle(viewer)
    before = pane.look
    start = pane.rect().center()
    QTest.mousePress(pane, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(pane, start + QPoint(-40, -30))
    QTest.mouseRelease(pane, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start + QPoint(-40, -30))
    assert pane.look.x > before.x
    assert pane.look.y > before.y
    assert viewer.picture.hasFocus(), "a click leaves the keys where they were"


def test_a_page_of_a_pdf_is_drawn_anew_at_every_scale(viewed: Viewed) -> None:
    viewer = viewed.open("b.pdf")
    pane = viewer.picture.pane
    found = pane.pixels
    assert isinstance(found, Pixels)
    full = found.facts.full
    fitted = _scale(viewer)
    assert fitted > 1.0, "a small page is drawn as large as there is room"
    assert found.width == pytest.approx(full.width * fitted, abs=2)
    for _ in range(6):
        viewed.press(viewer, Qt.Key.Key_Plus)
    key = pane.region_key()
    assert key is not None
    have = viewed.gallery.look(key)
    assert isinstance(have, Pixels)
    wide = full.width if key.region is None else key.region.width
    assert have.width >= wide * min(_scale(viewer), 8) - 2


def test_the_zoom_holds_from_page_to_page_of_a_document(viewed: Viewed) -> None:
    viewer = viewed.open("b.pdf")
    pane = viewer.picture.pane
    assert viewer.page_down_button.isVisible()
    for _ in range(4):
        viewed.press(viewer, Qt.Key.Key_Plus)
    viewed.press(viewer, Qt.Key.Key_R)
    scale = _scale(viewer)
    viewed.press(viewer, Qt.Key.Key_PageDown)
    assert pane.photo is not None
    assert pane.photo.page == 1
    assert (pane.fit_key().page, _scale(viewer), pane.review.turned) == (1, scale, 90)
    assert viewer.facts.text().endswith("page 2 of 2")
    region = pane.region_key()
    assert region is not None
    assert region.page == 1


def test_a_document_can_be_fetched_again_by_its_key(viewed: Viewed, fault_server: FaultServer) -> None:
    viewer = viewed.open("a.jpg")
    before = len(fault_server.seen("/papers/a.jpg"))
    viewed.press(viewer, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    viewed.loop.until(lambda: len(fault_server.seen("/papers/a.jpg")) > before)
    viewed.settle(viewer)


def test_a_screen_reader_is_told_name_and_facts(viewed: Viewed) -> None:
    viewer = viewed.open("a.jpg")
    assert viewer.picture.accessibleName() == "a.jpg"
    assert viewer.picture.accessibleDescription() == "Proof of delivery (POD) · 1 of 3"
    for each in (*viewer.zoom_buttons, viewer.left_button, viewer.right_button):
        assert each.accessibleName()
        assert each.toolTip()
    assert viewer.picture.pane.pixels is not None
    assert viewer.picture.pane.pixels.facts.full == Size(*SIZE)
