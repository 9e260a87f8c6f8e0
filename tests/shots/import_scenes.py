"""The Import page in every state: start, reading, a file, its panels, the form, sending, cancelling by a file."""

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path

from PySide6.QtWidgets import QDialog

from app.desk.bulk.outcome.cancel_list import CancelLine
from app.desk.bulk.outcome.import_batch import BatchSummary
from app.desk.bulk.outcome.import_verdicts import ImportVerdict
from app.desk.bulk.outcome.watched_folder import FolderFile
from app.desk.drafts import templates
from app.desk.drafts.templates import Template
from app.desk.sending.payload_differences import Difference
from app.ui.bulk.bulk_page import BulkPage
from tests.shots.data import NOW
from tests.shots.stage import Stage
from tests.ui.bulk.import_help import TITLES, csv_text, line

Scene = Callable[[Stage], Awaitable[None]]
_TOWNS = (("Memphis", "TN", "38103"), ("Boston", "MA", "02144"), ("Reno", "NV", "89501"), ("Asheville", "NC", "28801"))
_NAMES = ("J. Rivera", "Dana Whitfield", "Maria-Antonia de la Cruz y Fernández-Villaverde", "李小龍", "O'Neil & Sons")


def _page(stage: Stage) -> BulkPage:
    stage.shell.go("bulk")
    page = stage.shell.page("bulk")
    assert isinstance(page, BulkPage)
    return page


def _rows(count: int) -> list[list[str]]:
    found = []
    for number in range(count):
        city, state, code = _TOWNS[number % len(_TOWNS)]
        changes = {"Consignee": _NAMES[number % len(_NAMES)], "City": city, "State": state, "ZIP": code}
        if number % 9 == 4:
            changes["ZIP"] = code.lstrip("0")[:4]
        if number % 13 == 6:
            changes |= {"Count": "two", "Phone": ""}
        found.append(line(f"SO-{20_400 + number}", **changes))
    return found


async def _open(stage: Stage, text: str, name: str = "orders-tuesday.csv") -> BulkPage:
    page = _page(stage)
    page.waiting.clear()
    page.close_file()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        page.open_files([path])
        await stage.until(lambda: page.session.sheet is not None or not page.start.open_button.isHidden())
        await stage.settle()
    page.bar.clear()
    return page


def _verdicts(page: BulkPage) -> None:
    """As if the provider had answered about all of them."""
    verdicts = page.session.verdicts
    for place, (key, found) in enumerate(verdicts.found.items()):
        if found.kind == "blocked":
            continue
        kinds: dict[int, ImportVerdict] = {
            0: ImportVerdict("unchanged", "The same was sent before."),
            3: ImportVerdict(
                "update", "This changes what was sent before.",
                (Difference("consignee.phone1", "901-555-0117", "901-555-0142"),
                 Difference("requestedDeliveryDate", "2026-12-01", "2026-12-03")), NOW,
            ),
            5: ImportVerdict("second", "The order is closed: sending it again makes a second order.", (), NOW),
        }  # fmt: skip
        verdicts.found[key] = kinds.get(place % 7, ImportVerdict("create", "The provider does not know it.", (), NOW))
    page._on_changed()


async def import_start(stage: Stage) -> None:
    page = _page(stage)
    page.waiting.clear()
    page.close_file()
    page.start.cards.show_imports(())
    page.start.folder.show_files(())


def _batch(number: int, name: str, state: str, **counts: int) -> BatchSummary:
    counted = {"total": 0, "waiting": 0, "under_way": 0, "needs_person": 0, "accepted": 0, "not_sent": 0} | counts
    at = NOW - timedelta(hours=number)
    return BatchSummary(number, name, "submit", state, "", at, at, **counted)  # type: ignore[arg-type]


async def import_under_way(stage: Stage) -> None:
    page = _page(stage)
    page.close_file()
    await stage.settle()
    page.start.folder.show_files(
        [
            FolderFile(Path("/erp/out/orders-1400.csv"), "waiting", "It waits for you: 3 cells are to be corrected."),
            FolderFile(Path("/erp/out/orders-1200.xlsx"), "trouble", "The workbook cannot be read: it may be damaged."),
            *(
                FolderFile(
                    Path(f"/erp/out/orders-{hour:02}00.csv"), "done", "Done. The receipt is beside it.", written=hour
                )
                for hour in range(12)
            ),
        ],
        "The folder cannot be read. It is not there.",
    )
    page.start.cards.show_imports(
        [
            _batch(1, "orders-tuesday.csv", "running", total=212, waiting=61, under_way=20, accepted=131),
            _batch(2, "a-file-with-a-name-that-somebody-made-far-too-long-for-any-card-of-this-width-2026-11-24.xlsx",
                   "paused", total=10_000, waiting=9_104, accepted=893, needs_person=3),
            _batch(20, "monday.csv", "done", total=48, accepted=45, needs_person=3),
        ]
    )  # fmt: skip


async def import_reading(stage: Stage) -> None:
    page = _page(stage)
    page.close_file()
    page.start.cards.show_imports(())
    page.start.folder.show_files(())
    page.start.show_reading("orders-of-the-year.xlsx")
    page.start.show_progress("31,200 of 100,000 rows", 31_200, 100_000)


async def import_failed(stage: Stage) -> None:
    page = await _open(stage, "", "empty.csv")
    page.start.cards.show_imports(())


async def import_file(stage: Stage) -> None:
    page = await _open(stage, csv_text(*_rows(48)))
    _verdicts(page)
    page.grid.setFocus()


async def import_files_wait(stage: Stage) -> None:
    page = await _open(stage, csv_text(*_rows(48)))
    _verdicts(page)
    page.waiting.put([Path("orders-wednesday.csv"), Path("orders-thursday.csv")])


async def import_wrong_cell(stage: Stage) -> None:
    page = await _open(stage, csv_text(*_rows(48)))
    _verdicts(page)
    await stage.settle()
    page.next_wrong()


async def import_changes(stage: Stage) -> None:
    page = await _open(stage, csv_text(*_rows(48)))
    _verdicts(page)
    page.tabs.choose("update")
    page.grid.setFocus()
    page.grid.stand_on(page.model.index(0, 0))


async def import_find(stage: Stage) -> None:
    page = await _open(stage, csv_text(*_rows(48)))
    _verdicts(page)
    page._open_find(replacing=True)
    page.replace_bar.sought.setText("Memphis")
    page.replace_bar.by.setText("Memphis TN")


async def import_unknown_columns(stage: Stage) -> None:
    titles = [
        "Beleg",
        "Consignee",
        "Street",
        "City",
        "State",
        "Col 6",
        "Phone",
        "Lager",
        "Art",
        "Artikel",
        "Menge",
        "X",
    ]
    page = await _open(stage, csv_text(*_rows(20), titles=titles, separator=";"), "export.csv")
    page.grid.setFocus()


async def import_pick_field(stage: Stage) -> None:
    await import_unknown_columns(stage)
    page = _page(stage)
    page.grid.stand_on(page.model.index(0, 6))
    page._pick_field(5)

    def again() -> None:
        page._pick_field(5)

    stage.again = again


async def import_lines_of_one_order(stage: Stage) -> None:
    rows = []
    for number in range(6):
        rows += [line(f"SO-{number}", Commodity=code, Count=str(at + 1)) for at, code in enumerate(("SOFA", "CHAIR"))]
    page = await _open(stage, csv_text(*rows), "two-lines.csv")
    page.grid.setFocus()


async def import_same_again(stage: Stage) -> None:
    page = await _open(stage, csv_text(*_rows(4)))
    for key in page.session.verdicts.found:
        page.session.verdicts.found[key] = ImportVerdict("unchanged", "The same was sent before.")
    page._on_changed()


async def import_form(stage: Stage) -> None:
    page = await _open(stage, csv_text(*_rows(12)))
    page.open_in_form(6)


async def import_fixed_values(stage: Stage) -> None:
    page = await _open(stage, csv_text(*_rows(4)))
    await templates.save(page.desk, Template("Rivera stores", {"billToCode": "ACME"}), default=False)
    page.mapping.ask_fixed("deliveryType")
    await stage.until(lambda: any(each.isVisible() for each in stage.shell.window.findChildren(QDialog)))
    stage.dialog = next(each for each in stage.shell.window.findChildren(QDialog) if each.isVisible())
    await templates.delete(page.desk, "Rivera stores")


async def import_values(stage: Stage) -> None:
    page = await _open(stage, csv_text(*(line(f"SO-{n}", Delivery_type=t) for n, t in enumerate(("Haus", "Laden")))))
    assert page.session.sheet is not None
    page.mapping._ask_values(page.session.sheet, TITLES.index("Delivery type"))
    stage.dialog = next(each for each in stage.shell.window.findChildren(QDialog) if each.isVisible())


async def import_cancel(stage: Stage) -> None:
    page = await _open(stage, csv_text(*_rows(8)))
    page.cancelling.face.show_file("returns.csv", TITLES, 0)
    kinds: Sequence[CancelLine] = [
        CancelLine(0, "SO-20400", "open", "The order is open.", "J. Rivera", 771_002),
        CancelLine(
            1, "SO-20401", "closed", "The order is complete, so it cannot be cancelled.", "Dana Whitfield", 771_003
        ),
        CancelLine(2, "SO-20400", "twice", "The reference is in row 2 already."),
        CancelLine(3, "", "wrong", "The cell is empty."),
        CancelLine(4, "SO-20404", "not listed", "No list shows it; it is looked up before it is cancelled."),
    ]
    page.stack.setCurrentWidget(page.cancelling.face)
    page.cancelling.face.show_lines(kinds, [2, 3, 4, 5, 6])


async def import_dragged_over(stage: Stage) -> None:
    stage.shell.go("orders")

    def again() -> None:
        stage.shell.drops._show_sign(False)
        stage.shell.drops._show_sign(True)

    stage.again = again
    again()


async def import_in_outbox(stage: Stage) -> None:
    stage.shell.drops._show_sign(False)
    page = _page(stage)
    page.close_file()
    stage.shell.go("outbox")
    outbox = stage.shell.page("outbox")
    await stage.settle()
    model = outbox.model  # type: ignore[attr-defined]
    rows = [_batch(1, "orders-tuesday.csv", "running", total=212, waiting=61, under_way=20, accepted=131), *model.rows]
    model.replace(rows)


IMPORT_SCENES: tuple[Scene, ...] = (
    import_start,
    import_under_way,
    import_reading,
    import_failed,
    import_file,
    import_files_wait,
    import_wrong_cell,
    import_changes,
    import_find,
    import_unknown_columns,
    import_pick_field,
    import_lines_of_one_order,
    import_same_again,
    import_form,
    import_fixed_values,
    import_values,
    import_cancel,
    import_dragged_over,
    import_in_outbox,
)
NARROW_IMPORT_SCENES: tuple[Scene, ...] = (
    import_start,
    import_under_way,
    import_wrong_cell,
    import_unknown_columns,
    import_file,
    import_files_wait,
    import_find,
    import_form,
    import_fixed_values,
    import_values,
    import_in_outbox,
    import_cancel,
)
