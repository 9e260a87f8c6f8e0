"""`--selftest`: checks what the program needs to run on this computer, prints each finding, and leaves.

Made for the packed program, which has to find its keyring backend, trust store, resources and practice service. Works
without a display and touches none of a person's data: it uses a folder of its own that is removed at the end.
"""

import asyncio
import base64
import gc
import json
import os
import platform
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.runtime.practice_child import practice_command
from app.translation import translate_plural
from app.version import VERSION

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType

Check = Callable[[Path], Awaitable[str]]
_PRACTICE_SECONDS, _PICTURE_SECONDS = 60.0, 120.0
_TWO_PIXELS = (
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR42mP4zwAE/wEHAAH/PX2MSQAAAABJRU5ErkJggg=="  # a PNG
)


class SelftestFailed(Exception):
    """A finding that means the program would not work; its text is the sentence."""


def run_selftest(*, as_json: bool = False) -> int:
    """Run every check; 0 when all passed, 1 otherwise. As JSON it is one object, for programs that install others."""
    if sys.platform.startswith("linux") and not os.environ.get("QT_QPA_PLATFORM"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # elsewhere there is always a display, and no font without it
    from PySide6.QtCore import qInstallMessageHandler

    qInstallMessageHandler(_note)
    with tempfile.TemporaryDirectory(prefix="waybill-selftest-") as folder:
        return asyncio.run(_run_all(Path(folder), as_json))


async def _run_all(folder: Path, as_json: bool) -> int:
    findings = []
    for name, check in CHECKS:
        try:
            good, finding = True, await check(folder)
        except Exception as error:  # noqa: BLE001  # every failure is a finding, and the others are still wanted
            good, finding = False, f"{type(error).__name__}: {error}"
        findings.append({"name": name, "passed": good, "finding": finding})
        if not as_json:
            print(f"{'ok    ' if good else 'FAILED'}  {name}: {finding}", flush=True)  # noqa: T201
    failed = sum(not each["passed"] for each in findings)
    if as_json:
        print(json.dumps({"version": VERSION, "passed": not failed, "checks": findings}, indent=1), flush=True)  # noqa: T201
    else:
        print("selftest passed" if not failed else f"selftest failed: {failed} of {len(CHECKS)}", flush=True)  # noqa: T201
    return 1 if failed else 0


_remarks: list[str] = []
_EXPECTED = (
    "This plugin does not support",  # of a platform without a screen
    "QtWindows::DpiAwareness::PerMonitorVersion2 is not supported",  # of Windows before 10, and of Wine
)


def _note(_kind: "QtMsgType", _context: "QMessageLogContext", words: str) -> None:
    if not words.startswith(_EXPECTED):
        _remarks.append(words)


async def _no_remarks(_folder: Path) -> str:
    """Qt reports some failures in words only: a style sheet dropped, a picture not found, a plugin not loaded."""
    if _remarks:
        raise SelftestFailed(f"Qt remarked: {'; '.join(dict.fromkeys(_remarks))}")
    return "none"


async def _versions(_folder: Path) -> str:
    import apsw
    import httpx2
    import pydantic
    import PySide6

    found = {
        "Python": platform.python_version(),
        "PySide6": PySide6.__version__,
        "httpx2": httpx2.__version__,
        "pydantic": pydantic.__version__,
        "apsw": apsw.apsw_version(),
        "OpenSSL": ssl.OPENSSL_VERSION.split()[1],
    }
    if PySide6.__version_info__[:2] != (6, 11):
        raise SelftestFailed(f"PySide6 {PySide6.__version__} is not the 6.11 that Waybill is made for")
    return ", ".join(f"{name} {version}" for name, version in found.items())


async def _window(_folder: Path) -> str:
    from PySide6.QtCore import qVersion
    from PySide6.QtWidgets import QApplication

    from app.ui.base.main_window import MainWindow
    from app.ui.theme.theme import Theme

    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    window = MainWindow(Theme(application))
    picture = window.grab().toImage()
    colours = {picture.pixel(x, y) for x in range(0, picture.width(), 20) for y in range(0, picture.height(), 20)}
    if len(colours) < 3:
        raise SelftestFailed("the window paints nothing")
    return f"Qt {qVersion()} on {application.platformName()}, window {picture.width()}×{picture.height()} painted"


async def _style(_folder: Path) -> str:
    """Everything that the style sheet paints with a picture, light and dark: each differs from the plain one."""
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QHeaderView, QTableWidget, QWidget

    from app.ui.theme.theme import Theme

    application = QApplication.instance()
    assert isinstance(application, QApplication)
    gc.collect()  # the theme of the check before: as long as it lives it follows the system, whatever is chosen here
    theme = Theme(application)
    for appearance in ("light", "dark"):
        theme.choose(appearance)
        scheme = application.styleHints().colorScheme()
        if application.platformName() == "windows" and (scheme == Qt.ColorScheme.Dark) != (appearance == "dark"):
            raise SelftestFailed(f"Windows was not asked to draw the title bar {appearance}")
        window = QWidget()
        theme.dress(window)
        box, choice, table = QCheckBox(window), QComboBox(window), QTableWidget(1, 1, window)
        header = QHeaderView(Qt.Orientation.Horizontal, table)
        table.setHorizontalHeader(header)
        header.setSortIndicatorShown(True)
        empty = box.grab().toImage()
        box.setChecked(True)
        if box.grab().toImage() == empty:
            raise SelftestFailed(f"a box that is ticked looks like an empty one ({appearance})")
        choice.grab()
        for order in (Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder):
            header.setSortIndicator(0, order)
            table.grab()
    return "light and dark painted"


async def _store(folder: Path) -> str:
    import apsw

    from app.store.cache.schema.cache_schema import CACHE
    from app.store.journal.schema.journal_schema import JOURNAL
    from app.store.sqlite.database import Database

    for name, schema in (("journal", JOURNAL), ("cache", CACHE)):
        database = Database(folder / f"{name}.sqlite3", schema)
        await database.opened()
        await database.close()
    if "ENABLE_FTS5" not in apsw.compile_options:
        raise SelftestFailed("SQLite comes without its text index")
    return f"SQLite {apsw.sqlite_lib_version()}, journal and cache made and closed"


async def _trust(_folder: Path) -> str:
    from app.api.provider import trust_store

    context = trust_store()
    authorities = len(context.get_ca_certs()) if type(context) is ssl.SSLContext else None
    if context.verify_mode is not ssl.CERT_REQUIRED or authorities == 0:
        raise SelftestFailed("no authority is trusted, so no provider could be reached over https")
    return (
        "the operating system's own"
        if authorities is None
        else translate_plural("{count:,} authority", "{count:,} authorities", authorities)
    )


async def _team(folder: Path) -> str:
    """The library that speaks to a team's database is loaded, and goes as far as a port on which nobody listens."""
    from app.store.team.team_place import TeamPlace
    from app.store.team.try_team import try_team

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        place = TeamPlace("127.0.0.1", taken.getsockname()[1])
        found = await asyncio.to_thread(try_team, place, "selftest", "", "Selftest", folder / "authorities.pem")
    if found.trouble is None or found.trouble.leg != "connection":
        raise SelftestFailed("the way to a team's database does not end where nobody listens")
    return "loaded"


async def _updates(_folder: Path) -> str:
    """A signed list of versions is believed, and one that was changed after that is not."""
    from nacl.signing import SigningKey

    from app.desk.updates import version_list

    key = SigningKey.generate()
    text = json.dumps({"number": 1, "expires": f"{date.today()}", "versions": []})
    signature = key.sign(version_list.MARK + text.encode()).signature
    keys = [base64.b64encode(bytes(key.verify_key)).decode()]

    def signed(text: str) -> bytes:
        signatures = [base64.b64encode(signature).decode()]
        return json.dumps({"format": version_list.FORMAT, "list": text, "signatures": signatures}).encode()

    version_list.read_list(signed(text), keys)
    try:
        version_list.read_list(signed(text + " "), keys)
    except version_list.UpdateTrouble:
        return "the signature of a list is checked"
    raise SelftestFailed("a list of versions is believed though it was changed after it was signed")


async def _keyring(_folder: Path) -> str:
    from app.store.secrets import SecretStore

    place = await SecretStore().describe()
    return place.sentence


async def _resources(_folder: Path) -> str:
    from app.ui.theme.resources import resource

    icons = sorted(resource("icons").glob("*.svg"))
    if not resource("style.qss").is_file() or len(icons) < 10:
        raise SelftestFailed(f"resources are missing below {resource()}")
    return f"style sheet and {len(icons)} icons"


async def _exports(folder: Path) -> str:
    """A workbook, as an export writes it."""
    from zipfile import ZipFile

    from app.desk.export.xlsx_file import write_xlsx

    target = folder / "orders.xlsx"
    write_xlsx(target, ["ZIP", "Imported"], [8, 20], [["02134", datetime(2026, 11, 24)]], scratch=folder)
    with ZipFile(target) as book:
        sheet = book.read("xl/worksheets/sheet1.xml")
    if b"02134" not in sheet:
        raise SelftestFailed("a workbook does not hold what was written into it")
    return f"a workbook of {target.stat().st_size:,} bytes"


async def _imports(folder: Path) -> str:
    """Read the workbook with the process that reads files to import."""
    from app.desk.bulk.files.file_tables import ReadOptions
    from app.desk.bulk.files.read_file import read_file
    from app.desk.files.stoppable_work import Progress

    table = await read_file(folder / "orders.xlsx", ReadOptions(), Progress())
    if table.rows != [("02134", "2026-11-24")]:
        raise SelftestFailed("a workbook is not read as it was written")
    return f"{len(table.rows)} row of a workbook"


async def _printing(folder: Path) -> str:
    """A label on paper, read back as a scanner would; and whether the system tells of its printers."""
    import zxingcpp

    from app.contract.draft import BarcodeDraft, OrderDraft
    from app.desk.files.stoppable_work import Progress
    from app.desk.printing import barcode_labels
    from app.desk.printing.print_subject import Subject
    from app.desk.printing.stock import FINENESSES, STOCKS
    from app.ui.printing import printing_words
    from app.ui.printing.painting import page_output
    from app.ui.printing.painting.page_painter import TypeRuler
    from app.ui.printing.printers import devices, qt_printing

    draft = OrderDraft(orderReferenceNumber="SELFTEST")
    draft.barcoding.barcodeItemDetails = [BarcodeDraft("CHAIR", "9912345678", "1")]
    found = barcode_labels.plan(Subject(draft, "", practice=True), "each", STOCKS[0], FINENESSES[0])
    pages = list(found.pages(TypeRuler()))
    read = zxingcpp.read_barcode(page_output.picture(pages[0], FINENESSES[0].dots_per_mm))
    if read is None or read.text != "9912345678":
        raise SelftestFailed("a printed barcode does not read back")
    target = folder / "label.pdf"
    page_output.save_pdf(pages, target, "Selftest", Progress())
    try:
        printers = translate_plural("{count:,} printer", "{count:,} printers", len(devices.printer_names(Progress())))
    except page_output.PrintTrouble as trouble:
        printers = trouble.sentence  # of this computer, not of the program
    try:
        qt_printing.names(Progress())
    except page_output.PrintTrouble as trouble:
        if trouble.sentence != printing_words.PRINTERS_SILENT:
            raise SelftestFailed("the process that prints through Qt does not answer") from trouble
    return f"a barcode reads back, a PDF of {target.stat().st_size:,} bytes, {printers}"


async def _pictures(_folder: Path) -> str:
    """The process that decodes pictures starts, with every decoder, and a picture comes out of it right."""
    from app.imaging.imaging import Imaging
    from app.imaging.pixels import Pixels
    from app.imaging.protocol import Limits

    # Whether it works at all: on a busy computer, or with a virus scanner, the first start of the process takes long.
    imaging = Imaging(workers=1, limits=Limits(seconds=_PICTURE_SECONDS))
    try:
        found = await imaging.decode(base64.b64decode(_TWO_PIXELS))
    finally:
        await imaging.aclose()
    if not isinstance(found, Pixels):
        raise SelftestFailed(found.sentence)
    if bytes(found.data) != b"\x00\x00\xff\xff\xff\x00\x00\xff":
        raise SelftestFailed("a picture of a red and a blue pixel comes out otherwise")
    return "a process of their own decodes JPEG, PNG, WebP and PDF"


async def _one_order(folder: Path) -> str:
    """A whole order through practice: submitted, looked up, cancelled, looked up."""
    from app.api.addresses import Addresses, Credentials
    from app.api.provider import open_provider
    from app.contract.codes import ManagementStatus
    from app.contract.submission import Cancellation, wire_bytes

    reference = f"SELFTEST-{datetime.now():%H%M%S}"
    async with _practice(folder / "practice") as facts:
        addresses = Addresses(facts["base_url"], facts["info_base_url"], facts["auth_url"])
        async with open_provider(addresses, Credentials(facts["client_id"], facts["client_secret"])) as provider:
            await provider.management.submit_order(_order_bytes(reference, facts))
            before = await provider.management.order_status(reference=reference)
            await provider.management.cancel_order(wire_bytes(Cancellation(orderReferenceNumber=reference)))
            after = await provider.management.order_status(reference=reference)
    if not (before.mentions_reference and before.status and after.status is ManagementStatus.CANCELLED):
        raise SelftestFailed(f"the order is {before.status} and after its cancellation {after.status}")
    return f"submitted ({before.status.value}), cancelled ({after.status.value})"


def _order_bytes(reference: str, facts: dict[str, str]) -> bytes:
    from app.contract.check import check_draft
    from app.contract.draft import ConsigneeDraft, FreightDraft, OrderDraft
    from app.contract.submission import OrderSubmission, wire_bytes

    consignee = ConsigneeDraft("Self Test", "1 Main Street", "", "Memphis", "TN", facts["zip"], "901-555-0100")
    draft = OrderDraft(
        orderReferenceNumber=reference,
        providerFacilityCode=facts["facility"],
        requestedDeliveryDate=date.today().isoformat(),
        consignee=consignee,
        freightDetails=[FreightDraft(facts["commodity"], "1", "12.5", "80")],
    )
    checked = check_draft(draft)
    if not isinstance(checked, OrderSubmission):
        raise SelftestFailed("; ".join(f"{issue.path}: {issue.sentence}" for issue in checked))
    return wire_bytes(checked)


@asynccontextmanager
async def _practice(data: Path) -> AsyncIterator[dict[str, str]]:
    process = await asyncio.create_subprocess_exec(
        *practice_command(data), "--orders", "20", "--audits", "2",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_PRACTICE_SECONDS):
            line = await process.stdout.readline()
        if not line:
            raise SelftestFailed("the practice service said nothing and ended")
        yield json.loads(line)
    finally:
        process.stdin.close()
        try:
            async with asyncio.timeout(5):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


CHECKS: tuple[tuple[str, Check], ...] = (
    ("versions", _versions),
    ("window", _window),
    ("style", _style),
    ("store", _store),
    ("trust store", _trust),
    ("team", _team),
    ("updates", _updates),
    ("keyring", _keyring),
    ("resources", _resources),
    ("printing", _printing),
    ("exports", _exports),
    ("imports", _imports),
    ("pictures", _pictures),
    ("practice", _one_order),
    ("remarks of Qt", _no_remarks),
)
