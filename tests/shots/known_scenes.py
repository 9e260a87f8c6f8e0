"""The form as it helps: what is known, facilities, drafts side by side, an order to be changed, a template."""

from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QLineEdit, QPushButton

from app.contract.draft import BarcodeDraft, BarcodingDraft
from app.desk.known import known_data
from app.ui.entry.drafts.template_dialog import TemplateDialog
from app.ui.entry.entry_page import EntryPage, blank_draft
from app.ui.widgets.choosing.floating_calendar import FloatingCalendar
from app.ui.widgets.choosing.suggestions import Suggestion
from tests.shots.data import full_draft
from tests.shots.entry_page import entry_page, show_draft
from tests.shots.stage import Stage


def _type(page: EntryPage, path: str, text: str) -> None:
    """Put a text into a field as if it was typed, so that what is known is offered."""
    page.form.go_to(path)
    page.form.fields[path].editor.setText(text)


async def entry_known(stage: Stage) -> None:
    page = show_draft(stage, blank_draft())
    while await known_data.learn_some(page.desk):
        pass
    _type(page, "consignee.consigneeName", "riv 901")
    await stage.until(lambda: page.suggestions.shown_texts)
    page.suggestions.step(1)


async def entry_known_taken(stage: Stage) -> None:
    page = show_draft(stage, blank_draft())
    _type(page, "consignee.consigneeName", "riv 901")
    await stage.until(lambda: page.suggestions.shown_texts)
    page.suggestions.step(1)
    chosen = page.suggestions.chosen
    assert chosen is not None
    page.field_suggestions.completers["consignee.consigneeName"].take(chosen)


async def entry_known_zip(stage: Stage) -> None:
    _type(show_draft(stage, blank_draft()), "consignee.zip", "381")


async def entry_known_freight(stage: Stage) -> None:
    page = show_draft(stage, blank_draft())
    freight = page.form.lists["freightDetails"]
    page.form.go_to("freightDetails[0].commodity")
    cell = freight.model.index(0, 0)
    freight.grid.edit(cell)
    editor = freight.grid.indexWidget(cell)
    assert isinstance(editor, QLineEdit)
    editor.setFocus()
    editor.setText("s")


async def entry_calendar(stage: Stage) -> None:
    page = show_draft(stage, full_draft())
    page.form.go_to("requestedDeliveryDate")

    def open_it() -> None:
        if not any(each.isVisible() for each in stage.shell.window.findChildren(FloatingCalendar)):
            (button,) = [
                each
                for each in page.form.findChildren(QPushButton)
                if each.accessibleName() == "Calendar for Requested delivery"
            ]
            button.click()

    stage.again = open_it


async def entry_facilities(stage: Stage) -> None:
    page = show_draft(stage, full_draft())
    page.form.go_to("providerFacilityCode")
    rows = (("MEM01", "Memphis South, Memphis TN"), ("BNA02", "Nashville Gateway, Nashville TN"))
    page.field_suggestions.completers["providerFacilityCode"].show(
        [Suggestion(code, detail, {}) for code, detail in rows],
        "Facilities for ZIP 38103 and bill-to ACME, asked at 14:02:10. Down chooses, Enter or Tab takes it.",
    )


async def entry_facilities_none(stage: Stage) -> None:
    show_draft(stage, full_draft()).facility.look_up()


async def entry_drafts(stage: Stage) -> None:
    await stage.use_full_desk()
    page = entry_page(stage)
    await stage.settle()
    page.start_blank()
    await stage.settle()
    _type(page, "orderReferenceNumber", "CRN-20482")
    page.autosave.save()


async def entry_change(stage: Stage) -> None:
    stage.shell.services.news.change_order.emit(771_002)


async def entry_template(stage: Stage) -> None:
    page = show_draft(stage, full_draft())
    page.save_as_template()
    dialog = page.findChild(TemplateDialog)
    assert dialog is not None
    dialog.name.put("Rivera stores")
    stage.dialog = dialog


async def entry_filled_in(stage: Stage) -> None:
    draft = full_draft()
    draft.filled, draft.freightDetails[0].filled = "consignee.email", "volume weight"
    show_draft(stage, draft).form.go_to("freightDetails[0].count")


async def entry_scans_apart(stage: Stage) -> None:
    draft = full_draft()
    code = draft.freightDetails[0].commodity
    items = [BarcodeDraft(code, f"WB-{at:04}", "1") for at in range(5)]
    draft.barcoding = BarcodingDraft("TRL-55812", items)
    show_draft(stage, draft).form.go_to("scan")


KNOWN_SCENES: tuple[Callable[[Stage], Awaitable[None]], ...] = (
    entry_known,
    entry_known_taken,
    entry_known_zip,
    entry_known_freight,
    entry_calendar,
    entry_facilities,
    entry_facilities_none,
    entry_drafts,
    entry_change,
    entry_template,
    entry_filled_in,
    entry_scans_apart,
)
