"""Shared by the tests of the photo viewer: photos at a provider, and the signals of a viewer."""

from app.desk.audits.audit_reviews import PhotoReview
from app.desk.files.album import Key
from app.ui.viewer.photo import Photo
from app.ui.viewer.photo_viewer import PhotoViewer
from tests.support.fault_server import INFORMATION, FaultServer
from tests.support.faults import Answer
from tests.support.pictures import chart, saved

SIZE = (2_400, 1_800)
PHOTO = saved(chart(size=SIZE), "JPEG", quality=80)
COUNT = 12


def path(number: int) -> str:
    """Where the provider has a photo."""
    return f"{INFORMATION}/download/audit/{number}.jpg"


def serve_pile(server: FaultServer) -> None:
    """Let the provider have them all."""
    for number in range(COUNT):
        server.serve(path(number), Answer(200, PHOTO, "image/jpeg"))


def pile(count: int = COUNT) -> list[Photo]:
    """The photos of an audit, one a question."""
    return [Photo(f"{number}.jpg", number, f"Question {number}", PhotoReview()) for number in range(count)]


class Said:
    """What the viewer tells whoever holds it, who puts it back."""

    def __init__(self, viewer: PhotoViewer) -> None:
        self.reviews: dict[str, PhotoReview] = {}
        self._viewer = viewer
        viewer.review_changed.connect(self._keep)

    def _keep(self, address: str, review: PhotoReview) -> None:
        self.reviews[address] = review
        self._viewer.put_review(address, review)


def shown(viewer: PhotoViewer) -> list[Key]:
    """All that is wanted of what is on the screen."""
    return [key for pane in viewer.panes if pane.isVisible() for key in pane.wanted()]


def sharp(viewer: PhotoViewer) -> bool:
    """Whether all that is on the screen is as sharp as the screen."""
    return all(pane.is_sharp() for pane in viewer.panes if pane.isVisible())
