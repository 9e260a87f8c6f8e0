"""Three hundred mangled files: each row is either what was meant, or has a sentence; nothing is altered silently.

Each file begins as a list of orders with hard values. It is written as programs of several countries write it, and then
one thing goes wrong: a byte, a separator, a quote, a cut, or what a spreadsheet does to its cells.
"""

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.contract.submission import wire_bytes
from app.desk.bulk.files.file_tables import FileTrouble, ReadOptions
from app.desk.bulk.files.read_file import read_file_now
from app.desk.files.stoppable_work import Progress
from tests.support.import_files import mapped

TITLES = ("Reference", "Consignee", "Street", "City", "State", "ZIP", "Phone", "Commodity", "Count", "Volume")
PATHS = (
    "orderReferenceNumber", "consignee.consigneeName", "consignee.streetAddress", "consignee.city", "consignee.state",
    "consignee.zip", "consignee.phone1", "freightDetails.0.commodity", "freightDetails.0.count",
    "freightDetails.0.volume",
)  # fmt: skip
NAMES = (
    "J. Rivera",
    "Núñez, José",
    'Dana "Dee" Whitfield',
    "O'Brien; Sons",
    "Müller\tKG",
    "Søren | Co",
    "-Dash",
    "=Sum",
)
STREETS = ("12 Beale Street", "4, Elm Court", 'Apt 6" left', "Straße 9;2", "1\n2nd line")
CITIES = ("Memphis", "Washington, DC", "Zürich", "St. Paul")

Row = tuple[str, ...]
Write = Callable[[Sequence[Row]], bytes]

orders = st.lists(
    st.builds(
        lambda number, name, street, city, zip_, count, volume: (
            f"R-{number}",
            name,
            street,
            city,
            "TN",
            zip_,
            "901-555-0142",
            f"SOFA{number % 3}",
            str(count),
            volume,
        ),
        st.integers(1, 9_999),
        st.sampled_from(NAMES),
        st.sampled_from(STREETS),
        st.sampled_from(CITIES),
        st.sampled_from(("38103", "02144", "00601-1234")),
        st.integers(1, 99),
        st.sampled_from(("84.5", "0.25", "1234.5", "36", "1.125")),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda row: row[0],
)


def written(separator: str, encoding: str, *, decimal: str = ".", quote_all: bool = False, end: str = "\r\n") -> Write:
    def write(rows: Sequence[Row]) -> bytes:
        text = io.StringIO()
        sheet = csv.writer(
            text, delimiter=separator, quoting=csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL, lineterminator=end
        )
        sheet.writerow(TITLES)
        sheet.writerows([*row[:9], row[9].replace(".", decimal)] for row in rows)
        return text.getvalue().encode(encoding)

    return write


WRITERS: dict[str, Write] = {
    "United States": written(",", "utf-8-sig"),
    "Germany": written(";", "cp1252", decimal=","),
    "France": written(";", "utf-8", decimal=",", quote_all=True),
    "United Kingdom": written(",", "cp1252"),
    "Japan": written(",", "utf-8-sig", end="\n"),
    "Unicode text": written("\t", "utf-16"),
    "pandas": written(",", "utf-8", end="\n"),
}


def cut(data: bytes, at: int) -> bytes:
    return data[: max(1, len(data) * at // 100)]


def lose_a_byte(data: bytes, at: int) -> bytes:
    place = len(data) * at // 100
    return data[:place] + data[place + 1 :]


def flip(data: bytes, at: int) -> bytes:
    place = min(len(data) - 1, len(data) * at // 100)
    return data[:place] + bytes([data[place] ^ 0x20]) + data[place + 1 :]


def quote(data: bytes, at: int) -> bytes:
    place = len(data) * at // 100
    return data[:place] + b'"' + data[place:]


MANGLES: dict[str, Callable[[bytes, int], bytes]] = {
    "whole": lambda data, at: data,
    "cut": cut,
    "a byte lost": lose_a_byte,
    "a bit": flip,
    "a quote": quote,
}
CELLS: dict[str, Callable[[str], str]] = {
    "a zero lost": lambda zip_: zip_.lstrip("0"),
    "shortened": lambda zip_: f"{float(zip_.replace('-', '')):.2E}",
    "with a fraction": lambda zip_: f"{zip_.replace('-', '')}.0",
}


def value(sent: object, path: str) -> str:
    found = sent
    for name in path.split("."):
        found = found[int(name)] if isinstance(found, list) else found.get(name, "")  # type: ignore[attr-defined]
    return f"{found:.15g}" if isinstance(found, float) else str(found)


def silent_changes(path: Path, rows: Sequence[Row]) -> list[str]:
    """The rows that would be sent, with nothing said, and that say something else than was meant."""
    try:
        table = read_file_now(path, ReadOptions(), Progress())
    except FileTrouble as error:
        return [] if error.sentence else ["no sentence"]
    sheet, matched = mapped(table)
    whole = all(each.sure for each in table.findings) and not matched.missing
    meant = {row[0]: row for row in rows}
    found = []
    for key, order in sheet.orders.items():
        submission = sheet.submission(key)
        if submission is None or order.issues or not whole:
            continue
        sent = json.loads(wire_bytes(submission))
        row = meant.get(order.reference)
        if row is None:
            found.append(f"{order.reference} was never meant")
            continue
        found += [
            f"{order.reference}, {title}: {value(sent, path)} for {text}"
            for title, path, text in zip(TITLES, PATHS, row, strict=True)
            if value(sent, path) != text.strip()
        ]
    return found


@settings(
    max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, derandomize=True
)
@given(orders, st.sampled_from(sorted(WRITERS)), st.sampled_from(sorted(MANGLES)), st.integers(20, 99))
def test_a_file_is_read_as_it_was_meant_or_says_so(
    tmp_path: Path, rows: list[Row], country: str, mangle: str, at: int
) -> None:
    data = MANGLES[mangle](WRITERS[country](rows), at)
    (tmp_path / "mangled.csv").write_bytes(data)
    found = silent_changes(tmp_path / "mangled.csv", rows)
    if mangle == "whole":
        assert found == []
    else:
        # What is cut off from the last row, or put into a cell, is a text like any other: the other rows are untouched.
        assert len({each.split(",")[0] for each in found}) <= 2


@settings(
    max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, derandomize=True
)
@given(orders, st.sampled_from(sorted(WRITERS)), st.sampled_from(sorted(CELLS)), st.data())
def test_what_a_spreadsheet_did_to_a_cell_is_never_silent(
    tmp_path: Path, rows: list[Row], country: str, damage: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    damaged = [(*row[:5], CELLS[damage](row[5]), *row[6:]) if place == at else row for place, row in enumerate(rows)]
    (tmp_path / "damaged.csv").write_bytes(WRITERS[country](damaged))
    assert [each for each in silent_changes(tmp_path / "damaged.csv", rows) if "ZIP" in each] == []
