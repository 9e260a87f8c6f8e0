"""The entry page for scenes: on screen, with a draft in it."""

from app.contract.draft import OrderDraft
from app.ui.entry.entry_page import EntryPage
from tests.shots.stage import Stage


def entry_page(stage: Stage) -> EntryPage:
    """The page, in sight."""
    stage.shell.go("entry")
    page = stage.shell.page("entry")
    assert isinstance(page, EntryPage)
    return page


def show_draft(stage: Stage, draft: OrderDraft) -> EntryPage:
    """The page with this draft, from its beginning."""
    page = entry_page(stage)
    page.bar.clear()
    # The stage has a draft of this reference: it is shown, and not a second one, which the verdict would report.
    page.show_draft("draft-1" if draft.orderReferenceNumber == "CRN-20481" else "shown", draft)
    page.scroll_to_top()
    return page
