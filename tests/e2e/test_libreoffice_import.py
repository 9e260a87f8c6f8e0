"""Workbooks that LibreOffice wrote, in each of its formats, read for the import.

Needs LibreOffice's soffice on the path and is skipped without it: tests/unit/desk/bulk reads what openpyxl wrote.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

from app.desk.bulk.files.file_tables import ReadOptions
from app.desk.bulk.files.read_file import read_file_now
from app.desk.files.stoppable_work import Progress
from tests.support.import_files import mapped

SOFFICE = shutil.which("soffice")
pytestmark = pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")

TITLES = "Reference,Consignee,Street,City,State,ZIP,Phone,Commodity,Count,Volume,Delivery date,PO\n"
ROWS = (
    'R-1,"Núñez, José",12 Beale Street,Memphis,TN,38103,901-555-0142,SOFA,2,84.5,12/24/2026,PO-1\n'
    "R-2,Dana Whitfield,4 Elm Court,Boston,MA,02144,617-555-0199,CHAIR,6,36,12/31/2026,12345678901234567890\n"
)
# As when a person opens a CSV file with a double click: commas, UTF-8, American, everything looked at.
OPENED = "Text - txt - csv (StarCalc):44,34,76,1,,1033,false,true"


@pytest.mark.parametrize("suffix", ["xlsx", "xls", "ods"])
def test_what_libreoffice_made_of_a_file_is_read_or_said(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "orders.csv").write_text(TITLES + ROWS, encoding="utf-8")
    home = f"-env:UserInstallation=file://{tmp_path}/profile"
    command = [
        SOFFICE or "",
        home,
        "--headless",
        f"--infilter={OPENED}",
        "--convert-to",
        suffix,
        "--outdir",
        str(tmp_path),
    ]
    subprocess.run([*command, str(tmp_path / "orders.csv")], check=True, capture_output=True, timeout=120)
    sheet, matched = mapped(read_file_now(tmp_path / f"orders.{suffix}", ReadOptions(), Progress()))
    assert matched.missing == ()
    first, second = (sheet.draft(key) for key in sheet.orders)
    assert (first.consignee.consigneeName, first.consignee.zip) == ("Núñez, José", "38103")
    assert (first.freightDetails[0].count, first.freightDetails[0].volume) == ("2", "84.5")
    assert (first.requestedDeliveryDate, second.requestedDeliveryDate) == ("2026-12-24", "2026-12-31")
    assert sheet.orders[0].issues == ()
    # LibreOffice took the ZIP and the PO number of the second row for numbers.
    said = {sheet.titles[each.column]: (each.grade, each.proposal) for each in sheet.orders[1].issues}
    assert said == {"ZIP": ("doubt", "02144"), "PO": ("wrong", "")}
    assert second.consignee.zip == "2144"
