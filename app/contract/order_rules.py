"""The rules that span several fields of an order, and `Issue`, the form in which a broken rule is reported.

The rules of a single field stand at its type in `submission`. The models and the check both call these functions, so
each rule is stated once (services.md, "Order submission request" and "Order submit").
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

REFERENCE = "orderReferenceNumber"
FACILITY_CODE = "providerFacilityCode"
USE_ADDRESS = "useConsigneeAddressToDetermineFaclityCode"  # the provider's own spelling
LOAD_NUMBER = "barcoding.receivingLoadNumber"
FREIGHT = "freightDetails"
BARCODES = "barcoding.barcodeItemDetails"
REFERENCES = "otherReferenceNumbers"


@dataclass(frozen=True, slots=True)
class Issue:
    """One broken rule: its path (`freightDetails[0].count`, empty for the whole order) and a sentence."""

    path: str
    sentence: str


RowIssues = tuple[Issue, ...]  # of one row; each path is the name of a column


def freight_issues(lines: int) -> list[Issue]:
    """An order has freight."""
    return [] if lines else [Issue(FREIGHT, "At least one freight line is required.")]


def facility_issues(code: str, *, by_address: bool) -> list[Issue]:
    """The facility is named, unless the consignee's address determines it."""
    if code or by_address:
        return []
    return [Issue(FACILITY_CODE, "Required unless the consignee address determines the facility.")]


def load_issues(load_number: str, barcodes: int) -> list[Issue]:
    """Barcodes arrive on a load, so the load is named."""
    return [Issue(LOAD_NUMBER, "Required once there are barcodes.")] if barcodes and not load_number else []


def barcode_issues(keys: Sequence[tuple[str, str]], commodities: Iterable[str]) -> dict[int, RowIssues]:
    """Each barcode is of a freight commodity and stands once in an order.

    `keys` holds the barcode and the commodity of each row. The issues are given by row; a row without any is left out.
    """
    found: dict[int, RowIssues] = {}
    # A barcode without a commodity has an issue of its own already, that of the required field.
    known = {"", *commodities}
    first_rows: dict[str, int] = {}
    for index, (barcode, commodity) in enumerate(keys):
        if commodity not in known:
            found[index] = (Issue("commodity", "Not in the freight of this order."),)
        if barcode and first_rows.setdefault(barcode, index) != index:
            repeated = Issue("barcode", f"Already on row {first_rows[barcode] + 1} of this order.")
            found[index] = (*found.get(index, ()), repeated)
    return found


def issue_at(path: str, index: int, issue: Issue) -> Issue:
    """The issue of a row, with its path in the whole order."""
    return Issue(f"{path}[{index}].{issue.path}", issue.sentence)
