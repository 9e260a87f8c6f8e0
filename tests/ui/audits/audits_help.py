"""Shared by the tests of the audits page."""

from app.runtime.tasks import Tasks
from app.ui.audits.lens.question_lens import QuestionLens
from app.ui.audits.opened.review_edits import ReviewEdits
from app.ui.base.page import PageServices
from app.ui.widgets.bars.message_bar import MessageBar


def lens_of(services: PageServices) -> QuestionLens:
    """The question lens alone, as the page makes it."""
    tasks, bar = Tasks(services.sink, "test"), MessageBar(services.theme)
    return QuestionLens(services, tasks, bar, ReviewEdits(bar, tasks, bar))
