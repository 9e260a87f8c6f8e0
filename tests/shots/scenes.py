"""Every page in every state worth looking at. A scene puts the window into its state; the stage takes the pictures."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime

from app.contract.draft import OrderDraft
from app.desk.printing.print_subject import Subject
from app.desk.sending.payload_differences import Difference
from app.desk.sending.verdict import Verdict, VerdictKind
from app.desk.sync.order_sync import ListResult
from app.desk.sync.window_plan import LISTED, Gap
from app.ui.entry.entry_page import blank_draft
from app.ui.orders import orders_words
from app.ui.outbox.outbox_words import cancel_answers
from app.ui.printing.print_panel import PrintPanel
from app.ui.printing.print_preview import What
from app.ui.printing.printers.devices import Devices
from app.ui.shell.keys_dialog import KeysDialog
from app.ui.widgets.confirm import confirmed
from tests.shots.audit_scenes import AUDIT_SCENES, NARROW_AUDIT_SCENES
from tests.shots.console_scenes import CONSOLE_SCENES, NARROW_CONSOLE_SCENES
from tests.shots.contrast_scenes import CONTRAST_SCENES
from tests.shots.data import NOW, full_draft, odd_draft, with_barcodes, wrong_draft
from tests.shots.entry_page import entry_page, show_draft
from tests.shots.failure_scenes import FAILURE_SCENES
from tests.shots.fetching_scenes import FETCHING_SCENES
from tests.shots.import_scenes import IMPORT_SCENES, NARROW_IMPORT_SCENES
from tests.shots.insight_scenes import INSIGHT_SCENES, NARROW_INSIGHT_SCENES
from tests.shots.known_pages_scenes import KNOWN_PAGES_SCENES, LARGE_KNOWN_PAGES_SCENES
from tests.shots.known_scenes import KNOWN_SCENES, entry_calendar
from tests.shots.order_scenes import LARGE_ORDER_SCENES, ORDER_SCENES, order_history
from tests.shots.outbox_scenes import OUTBOX_SCENES
from tests.shots.report_scenes import REPORT_SCENES
from tests.shots.settings_scenes import (
    LARGE_SETTINGS_SCENES,
    SETTINGS_SCENES,
    SMALL_SETTINGS_SCENES,
    entry_large_text,
    orders_large_text,
)
from tests.shots.stage import Stage
from tests.shots.table_scenes import (
    TABLE_SCENES,
    palette_order,
    table_filter_not_understood,
    table_filtered_by_chips,
    table_full,
)
from tests.shots.team_scenes import TEAM_SCENES
from tests.shots.today_scenes import NARROW_TODAY_SCENES, TODAY_SCENES
from tests.shots.update_scenes import LARGE_UPDATE_SCENES, UPDATE_SCENES

Scene = Callable[[Stage], Awaitable[None]]


async def orders_open(stage: Stage) -> None:
    stage.shell.go("orders")
    stage.shell.orders.filter.clear()
    stage.shell.window.show_link("good", "✓ Connected, last answer 14:02:10")


async def orders_selected(stage: Stage) -> None:
    page = stage.shell.orders
    page.open_order(771_002)


async def orders_long_names(stage: Stage) -> None:
    stage.shell.orders.open_order(771_003)


async def orders_completed(stage: Stage) -> None:
    page = stage.shell.orders
    page.side.close()
    page.tabs["completed"].click()


async def orders_filtered(stage: Stage) -> None:
    page = stage.shell.orders
    page.tabs["open"].click()
    page.filter.setText("rivera memphis 4")


async def orders_no_match(stage: Stage) -> None:
    stage.shell.orders.filter.setText("nobody of this name")


async def orders_partly_failed(stage: Stage) -> None:
    page = stage.shell.orders
    page.filter.clear()
    why = "The provider answered that it is busy (503)."
    days = datetime(2026, 11, 4), datetime(2026, 11, 10, 23, 59, 59)
    page.refresher.results = {name: ListResult(800, NOW, why, (Gap(name, *days, why),)) for name in LISTED}
    page.refresher.finished.emit()
    stage.shell.window.show_link("warn", "! The provider answered that it is busy (503).")


async def orders_not_all_read(stage: Stage) -> None:
    """One week failed, and of two others not every record could be read."""
    page = stage.shell.orders
    days = (
        (datetime(2026, 11, 23), datetime(2026, 11, 24, 23, 59, 59)),
        (datetime(2026, 11, 11), datetime(2026, 11, 17)),
    )
    failed = page.refresher.results["open"]
    page.refresher.results["open"] = replace(failed, unreadable=14, unreadable_in=days)
    page.refresher.finished.emit()


async def orders_first_start(stage: Stage) -> None:
    page = stage.shell.orders
    page.refresher.results = {}
    page.refresher.finished.emit()
    await stage.use_empty_desk("Starting practice…")
    page.tabs["open"].click()


async def entry_empty(stage: Stage) -> None:
    await stage.use_full_desk()
    entry_page(stage)
    await stage.settle()
    show_draft(stage, blank_draft())


async def entry_half(stage: Stage) -> None:
    draft = full_draft()
    draft.consignee.phone1 = draft.consignee.zip = ""
    draft.freightDetails[1].count = ""
    show_draft(stage, draft)


async def entry_full(stage: Stage) -> None:
    show_draft(stage, with_barcodes(full_draft(), 12)).rail.say_saved("Draft saved 14:02:09")


async def entry_full_below(stage: Stage) -> None:
    entry_page(stage).form.go_to("deliveryInstructions")


async def _verdict(stage: Stage, kind: VerdictKind, sentence: str, differences: tuple[Difference, ...] = ()) -> None:
    page = show_draft(stage, full_draft())
    # The page asks by itself and finds no connection; an answer that is put in its place before that would be replaced.
    await stage.until(lambda: page.lookup.found is not None)
    await stage.settle()
    page.lookup.found = Verdict(kind, sentence, NOW, differences, "sent" if differences else "")
    page.show_verdict()


async def entry_verdict_new(stage: Stage) -> None:
    await _verdict(stage, "new", "The provider has no order with this reference.")


async def entry_verdict_changes(stage: Stage) -> None:
    changed = (
        Difference("consignee.phone1", "901-555-0117", "901-555-0118"),
        Difference("requestedDeliveryDate", "2026-12-01", "2026-12-03"),
        Difference("freightDetails[1].count", "6", "8"),
    )
    await _verdict(
        stage, "changes", "The provider says: Pending Receipt. Sending replaces what the provider has.", changed
    )


async def entry_verdict_closed(stage: Stage) -> None:
    words = "The provider says: Complete. Sending this reference now creates a second order."
    await _verdict(stage, "closed", words)


async def entry_verdict_queue(stage: Stage) -> None:
    words = "The provider says: In Import Queue. What was sent before is not processed yet."
    await _verdict(stage, "import_queue", words)


async def entry_verdict_unknown(stage: Stage) -> None:
    words = "The provider answered about another order, so nothing is known of this reference."
    await _verdict(stage, "unknown", words)


async def entry_wrong(stage: Stage) -> None:
    page = show_draft(stage, wrong_draft())
    page.form.show_all_issues()


async def entry_wrong_below(stage: Stage) -> None:
    entry_page(stage).form.go_to("barcoding.barcodeItemDetails[1].barcode")


async def entry_odd(stage: Stage) -> None:
    page = show_draft(stage, odd_draft())
    page.form.show_all_issues()


async def entry_odd_below(stage: Stage) -> None:
    entry_page(stage).form.go_to("freightDetails[0].commodity")


def _scan(stage: Stage, *codes: str) -> None:
    page = show_draft(stage, with_barcodes(full_draft(), 5))
    page.form.go_to("scan")
    for code in codes:
        page.form.scan.field.scanned.emit([code])
    page.form.went.emit(page.form.sections["Barcodes"])


async def entry_scanned(stage: Stage) -> None:
    _scan(stage, "SOFA", "WB-0001", "CHAIR", "WB-0002")


async def entry_scan_refused(stage: Stage) -> None:
    _scan(stage, "WB-0001", "WB-0001")


async def entry_refused(stage: Stage) -> None:
    page = show_draft(stage, blank_draft())
    page.correct(stage.write_of("CRN-20473"))


async def entry_not_kept(stage: Stage) -> None:
    page = show_draft(stage, full_draft())
    page.rail.say_saved("Draft not saved")
    page.bar.say("bad", "The draft could not be saved, but stays in the form. The disk is full.")


def _print(stage: Stage, draft: OrderDraft, what: What, printers: list[str]) -> None:
    page = show_draft(stage, draft)
    # Which printers there are differs from machine to machine; the pictures must not.
    panel = PrintPanel(page, page.services, page.tasks, Devices(names=lambda _progress: printers))
    panel.choose(what)
    desk = page.desk
    panel.offer(desk, lambda: Subject(draft, "Draft, not sent", practice=desk.profile.kind == "practice"))
    stage.dialog = panel


async def print_labels(stage: Stage) -> None:
    _print(stage, with_barcodes(full_draft(), 12), "each", ["Zebra ZD421", "Office"])


async def print_labels_long(stage: Stage) -> None:
    """Everything that a label says, longer than it has room for at the usual size."""
    draft = with_barcodes(full_draft(), 12)
    draft.consignee.consigneeName = "Riverside Furniture and Household Goods Company of Memphis and Shelby County"
    draft.consignee.streetAddress = "12345 Martin Luther King Junior Boulevard North-East, Building Seventeen"
    draft.consignee.streetAddress2 = "Suite 1400, ask for the receiving clerk at the second dock"
    _print(stage, draft, "each", ["Zebra ZD421"])
    panel = stage.dialog
    assert isinstance(panel, PrintPanel)
    await stage.settle()
    panel.stock.editor.setCurrentIndex(panel.stock.editor.findData("4x2in"))


async def print_labels_refused(stage: Stage) -> None:
    draft = with_barcodes(full_draft(), 12)
    draft.barcoding.barcodeItemDetails[2].barcode = "W" * 50
    draft.barcoding.barcodeItemDetails[4].barcode = "naïve-77"
    _print(stage, draft, "each", [])
    panel = stage.dialog
    assert isinstance(panel, PrintPanel)
    await stage.settle()
    panel.stock.editor.setCurrentIndex(panel.stock.editor.findData("letter10"))


async def print_nothing(stage: Stage) -> None:
    _print(stage, full_draft(), "group", [])


async def print_sheet(stage: Stage) -> None:
    _print(stage, with_barcodes(full_draft(), 60), "sheet", ["Office"])


async def orders_left_the_list(stage: Stage) -> None:
    """The order beside the list is not in it any more: nothing can be done with it from there."""
    await stage.use_full_desk()
    stage.shell.go("orders")
    page = stage.shell.orders
    page.tabs["open"].click()
    page.line.set_text("")
    await stage.settle()
    page.table.selectRow(9)
    await stage.settle()
    page.line.set_text("nashville")


async def keys(stage: Stage) -> None:
    stage.shell.orders.line.set_text("")
    stage.shell.go("orders")
    dialog = KeysDialog(stage.shell.window)
    dialog.open()
    stage.dialog = dialog


async def confirm(stage: Stage) -> None:
    stage.ask(
        confirmed(
            stage.shell.window,
            "Cancel order CRN-21002 for J. Rivera?",
            orders_words.CANCEL_CONSEQUENCE,
            *cancel_answers(1),
        )
    )


SCENES: tuple[Scene, ...] = (
    orders_open,
    orders_selected,
    orders_long_names,
    orders_completed,
    orders_filtered,
    orders_no_match,
    orders_partly_failed,
    orders_not_all_read,
    orders_first_start,
    *FETCHING_SCENES,
    *TABLE_SCENES,
    entry_empty,
    entry_half,
    entry_full,
    entry_full_below,
    entry_verdict_new,
    entry_verdict_changes,
    entry_verdict_closed,
    entry_verdict_queue,
    entry_verdict_unknown,
    entry_wrong,
    entry_wrong_below,
    entry_odd,
    entry_odd_below,
    entry_scanned,
    entry_scan_refused,
    entry_refused,
    entry_not_kept,
    *KNOWN_SCENES,
    print_labels,
    print_labels_long,
    print_labels_refused,
    print_nothing,
    print_sheet,
    *OUTBOX_SCENES,
    *ORDER_SCENES,
    *AUDIT_SCENES,
    *KNOWN_PAGES_SCENES,
    *REPORT_SCENES,
    *CONSOLE_SCENES,
    *SETTINGS_SCENES,
    *UPDATE_SCENES,
    *FAILURE_SCENES,
    *TEAM_SCENES,
    *IMPORT_SCENES,
    *TODAY_SCENES,
    *INSIGHT_SCENES,
    *CONTRAST_SCENES,
    orders_left_the_list,
    keys,
    confirm,
)

# What is looked at in a window of 1024×700 too.
IN_SMALL_WINDOW: tuple[Scene, ...] = (
    *TODAY_SCENES,
    *INSIGHT_SCENES,
    *AUDIT_SCENES,
    *SMALL_SETTINGS_SCENES,
    order_history,
    orders_large_text,
    entry_large_text,
)

# What is looked at with text at 200 % too.
AT_200_PERCENT: tuple[Scene, ...] = (
    orders_open,
    orders_selected,
    table_full,
    table_filtered_by_chips,
    table_filter_not_understood,
    palette_order,
    entry_empty,
    entry_half,
    entry_full,
    entry_full_below,
    entry_verdict_changes,
    entry_wrong,
    entry_wrong_below,
    entry_odd,
    entry_odd_below,
    entry_scanned,
    entry_refused,
    entry_calendar,
    *LARGE_ORDER_SCENES,
    *LARGE_KNOWN_PAGES_SCENES,
    *NARROW_AUDIT_SCENES,
    *NARROW_CONSOLE_SCENES,
    *LARGE_SETTINGS_SCENES,
    *LARGE_UPDATE_SCENES,
    *NARROW_IMPORT_SCENES,
    *NARROW_TODAY_SCENES,
    *NARROW_INSIGHT_SCENES,
)
