"""The order beside the table in every state: with documents, with one of them shown, with very much, with nothing."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from app.desk.export.export_file import Exported
from app.practice.photos.document_files import DocumentFacts, document_bytes
from app.store.cache import order_store
from app.store.cache.order_rows import OrderLine
from app.store.picture_files import PictureFiles
from app.ui.orders.detail.detail_body import SectionView
from app.ui.orders.detail.order_detail import DetailPane
from app.ui.orders.export.order_export import export_result, progress_words
from app.ui.orders.orders_words import HISTORY
from app.ui.widgets.files.file_strip import FileStrip
from tests.shots.data import NOW, PRACTICE, facts_of_number, order_record
from tests.shots.file_strips import under_way
from tests.shots.stage import Stage

_KINDS = ("POD", "POD", "BOL", "DMR", "DMR", "ORD", "PS")
_FACTS = DocumentFacts(
    order_number="771004",
    crn="CRN-21004",
    consignee_name="Renée O'Brien",
    address_lines=("84 Beale Street", "New Orleans LA 70112"),
    facility="Memphis",
    carrier="Blue Ridge Carriers",
    items=(("SOFA", "Sofa, three seats", 2), ("CHAIR", "Dining chair", 6)),
    when=datetime(2026, 11, 20, 9, 12),
)
_LONG = (
    "Ring twice; the bell is behind the hedge, the dog is friendly, and the freight goes up the back stairs only. " * 6
)


async def _told(stage: Stage, number: int, **changes: Any) -> None:
    """Let the provider have told this of an order."""
    record = order_record(number, completed=False) | changes
    told = replace(facts_of_number(number, completed=False), raw=json.dumps(record, ensure_ascii=False))
    await stage.cache.write(order_store.store_orders, PRACTICE, "open", [told], NOW + timedelta(seconds=number % 1_000))


def _papers(stage: Stage, count: int, *, kept: bool = True) -> list[dict[str, str]]:
    """Documents, fetched before."""
    files, listed = PictureFiles(stage.shell.pictures.folder), []
    for at in range(count):
        kind = _KINDS[at % len(_KINDS)]
        made, _, ending = document_bytes(kind, _FACTS, at % len(_KINDS))
        address = f"made-up/{number_of(at)}.{ending}"
        if kept:
            files.keep(PRACTICE, address, made)
        created = (NOW - timedelta(hours=3 * at)).isoformat(timespec="seconds")
        name = f"{kind.lower()}-{number_of(at)}.{ending}"
        listed.append({"Filename": name, "Url": address, "CreatedDate": created, "Folder": kind})
    return listed


def number_of(at: int) -> str:
    """As documents are numbered."""
    return f"{at + 1:03}"


async def _open(stage: Stage, number: int) -> DetailPane:
    page = stage.shell.orders
    stage.shell.go("orders")
    page.filter.clear()
    page.side.show_order(number)
    await stage.settle()
    pane = page.side.order
    assert pane is not None
    return pane


async def order_documents(stage: Stage) -> None:
    await stage.use_full_desk()
    papers = _papers(stage, 7)
    papers.append({"Filename": "not-fetched.jpg", "Url": "made-up/none.jpg", "Folder": "UNS"})
    await _told(stage, 771_004, ProofOfDelivery=papers, DateScheduledDelivery="2026-11-20T00:00:00")
    await _open(stage, 771_004)


async def order_documents_below(stage: Stage) -> None:
    pane = await _open(stage, 771_004)
    pane.go_to_documents()
    bar = pane._scroll.verticalScrollBar()
    bar.setValue(pane.documents.pos().y())


async def order_document_shown(stage: Stage) -> None:
    pane = await _open(stage, 771_004)
    await _shown(stage, pane, next(at for at, each in enumerate(pane.documents.documents) if each.folder == "DMR"))


async def order_document_wide(stage: Stage) -> None:
    pane = await _open(stage, 771_004)
    await _shown(stage, pane, next(at for at, each in enumerate(pane.documents.documents) if each.folder == "BOL"))
    assert pane.stack.viewer is not None
    pane.stack.viewer.wide_button.click()


async def _shown(stage: Stage, pane: DetailPane, at: int) -> None:
    pane.stack.show_document(at)
    await stage.settle()


async def order_document_not_fetched(stage: Stage) -> None:
    pane = await _open(stage, 771_004)
    pane.stack.show_order()
    await _shown(stage, pane, next(at for at, each in enumerate(pane.documents.documents) if each.folder == "UNS"))


async def order_many_documents(stage: Stage) -> None:
    await _told(stage, 771_005, ProofOfDelivery=_papers(stage, 60))
    pane = await _open(stage, 771_005)
    pane.stack.show_order()
    pane.go_to_documents()


async def order_right_to_left(stage: Stage) -> None:
    place = {
        "StreetAddress1": "شارع الملك فهد ٤٢، الطابق الثالث",
        "City": "Dearborn",
        "State": "MI",
        "ZipCode": "48126",
    }
    consignee = {"Name": "محمد عبد الرحمن العبد الله وأولاده للأثاث", "Phone": "313-555-0144", "Address": place}
    note = {"Text": "اتصل قبل التسليم بساعة. Gate code 4711. \u202eabc", "CreatedDate": NOW.isoformat()}
    await _told(stage, 771_012, Consignee=consignee, Notes=[note], ProofOfDelivery=[], Remarks="יש להתקשר לפני המשלוח")
    await _open(stage, 771_012)


async def order_very_long(stage: Stage) -> None:
    await _told(
        stage,
        771_011,
        CRN="CRN-AN-EXTREMELY-LONG-REFERENCE-30",
        PO=[f"PO-{number:06}" for number in range(40)],
        Remarks=_LONG,
        Notes=[{"Text": _LONG, "CreatedDate": (NOW - timedelta(days=day)).isoformat()} for day in range(12)],
        Commodities=[
            {"CommodityCode": f"C{at:03}", "Description": "Bookcase, oak veneer " * 3, "Count": at} for at in range(25)
        ],
    )
    await _open(stage, 771_011)


async def order_bare(stage: Stage) -> None:
    bare = dict.fromkeys(order_record(771_013, completed=False))
    await _told(stage, 771_013, **(bare | {"OrderNumber": 771_013, "Notes": [], "Commodities": [], "PO": []}))
    await _open(stage, 771_013)


async def order_history(stage: Stage) -> None:
    for at, (state, day) in enumerate((("AVL", "2026-12-03"), ("PLN", "2026-12-03"), ("DSO", "2026-12-07"))):
        record = order_record(771_016, completed=False) | {
            "StatusId": state,
            "DateScheduledDelivery": f"{day}T00:00:00",
        }
        facts = facts_of_number(771_016, completed=False)
        told = replace(
            facts, raw=json.dumps(record), state=state, scheduled_delivery=datetime.fromisoformat(f"{day}T00:00:00")
        )
        asked = NOW + timedelta(hours=at + 1)
        await stage.cache.write(order_store.store_orders, PRACTICE, "open", [told], asked)
    pane = await _open(stage, 771_016)
    view = next(each for each in pane.findChildren(SectionView) if each.section.heading == HISTORY)
    pane._scroll.verticalScrollBar().setValue(view.pos().y())


async def order_unknown(stage: Stage) -> None:
    await _open(stage, 990_001)


def _strip(stage: Stage) -> FileStrip:
    stage.shell.go("orders")
    page = stage.shell.orders
    page.side.close()
    return page.export_strip()


async def order_being_read(stage: Stage) -> None:
    """The store is busy: the row says what it knows, and the rest is being read."""
    await stage.use_full_desk()
    pane = await _open(stage, 771_004)
    page = stage.shell.orders
    row = next(each for _, each in page.model.loaded_rows() if isinstance(each, OrderLine) and each.number != 771_004)
    stage.shell.orders.tasks.cancel("detail")
    pane.show_order(row.number, row)
    stage.shell.orders.tasks.cancel("detail")
    pane._say_reading()


async def export_under_way(stage: Stage) -> None:
    under_way(_strip(stage), progress_words, 345_678, 1_000_000)


async def export_done(stage: Stage) -> None:
    strip = _strip(stage)
    strip._end()
    done = Exported(Path("orders-open-2026-11-24.xlsx"), 1_204)
    strip._show_result(export_result(done), done.target)


async def export_left_out(stage: Stage) -> None:
    found = Exported(Path("orders-open-2026-11-24.pdf"), 1_203, gone=1)
    _strip(stage)._show_result(export_result(found, ("Brand", "Remarks", "Loaded by")), found.target)


async def export_failed(stage: Stage) -> None:
    _strip(stage).bar.say(
        "bad", "orders-open-2026-11-24.csv could not be written into Documents: the disk is full.", "Try again"
    )


Scene = Callable[[Stage], Awaitable[None]]
ORDER_SCENES: tuple[Scene, ...] = (
    order_documents,
    order_documents_below,
    order_document_shown,
    order_document_wide,
    order_document_not_fetched,
    order_many_documents,
    order_right_to_left,
    order_very_long,
    order_bare,
    order_history,
    order_unknown,
    order_being_read,
    export_under_way,
    export_done,
    export_left_out,
    export_failed,
)

# What is looked at with text at 200 % too.
LARGE_ORDER_SCENES: tuple[Scene, ...] = (
    order_documents,
    order_document_shown,
    order_document_wide,
    order_being_read,
)
