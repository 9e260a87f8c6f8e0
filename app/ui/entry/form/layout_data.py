"""The form as data: which field stands in which section and row, with the words beside it."""

from dataclasses import dataclass
from typing import Literal

from app.contract.order_rules import BARCODES, FREIGHT, LOAD_NUMBER, REFERENCES, USE_ADDRESS
from app.contract.typed_fields import LIMITS
from app.ui.widgets.grid.grid_model import RowColumn

Kind = Literal["text", "date", "lines", "delivery", "facility"]


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """One field: the draft's path, its label, its width in sixths of the form."""

    path: str
    label: str
    share: int = 2
    hint: str = ""
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """A section of the form; `rows` names the list that it holds, if it holds one."""

    title: str
    lines: tuple[tuple[FieldPlan, ...], ...] = ()
    rows: str = ""


DATE_HINT = "+3, fri, 12/24"
SCAN = "scan"  # the path of an issue of the scan field, which is no field of the draft

SECTIONS: tuple[SectionPlan, ...] = (
    SectionPlan(
        "Order",
        (
            (
                FieldPlan("orderReferenceNumber", "Order reference"),
                FieldPlan("poNumber", "PO number"),
                FieldPlan("deliveryType", "Delivery type", kind="delivery"),
            ),
            (
                FieldPlan("billToCode", "Bill-to code"),
                FieldPlan("manufacturerCode", "Manufacturer code"),
                FieldPlan("intermediateConsignee", "Sold by (company or store)"),
            ),
            (
                FieldPlan(USE_ADDRESS, "Facility", 4, kind="facility"),
                FieldPlan("providerFacilityCode", "Facility code"),
            ),
            (
                FieldPlan("shipDate", "Ships to the facility", kind="date"),
                FieldPlan("estimatedReceiveDate", "Facility receives it", kind="date"),
                FieldPlan("requestedDeliveryDate", "Requested delivery", kind="date"),
            ),
        ),
    ),
    SectionPlan(
        "Consignee",
        (
            (FieldPlan("consignee.consigneeName", "Name", 6),),
            (
                FieldPlan("consignee.streetAddress", "Street address", 4),
                FieldPlan("consignee.streetAddress2", "Unit, suite, floor"),
            ),
            (
                FieldPlan("consignee.city", "City"),
                FieldPlan("consignee.state", "State"),
                FieldPlan("consignee.zip", "ZIP"),
            ),
            (
                FieldPlan("consignee.phone1", "Phone"),
                FieldPlan("consignee.phone2", "Second phone"),
                FieldPlan("consignee.email", "Email"),
            ),
        ),
    ),
    SectionPlan("Freight", rows=FREIGHT),
    SectionPlan(
        "Barcodes",
        ((FieldPlan(LOAD_NUMBER, "Load number (inbound truck or trailer)", 4),),),
        rows=BARCODES,
    ),
    SectionPlan("References", rows=REFERENCES),
    SectionPlan(
        "Instructions",
        ((FieldPlan("deliveryInstructions", "Delivery instructions", 6, kind="lines"),),),
    ),
)

ROW_COLUMNS: dict[str, tuple[RowColumn, ...]] = {
    FREIGHT: (
        RowColumn("commodity", "Commodity", called=("SKU", "Item", "Code", "Product")),
        RowColumn("count", "Count", 90, number=True, called=("Qty", "Quantity", "Pieces", "Pcs")),
        RowColumn("volume", "Volume, cu ft", 120, number=True, called=("Volume", "Cubic feet", "Cu ft", "Cube", "CF")),
        RowColumn("weight", "Weight, lb", 120, number=True, called=("Weight", "Pounds", "Lb", "Lbs")),
    ),
    BARCODES: (
        RowColumn(
            "barcode", "Barcode", limit=LIMITS[f"{BARCODES}.barcode"], called=("Barcodes", "Code", "Label", "Serial")
        ),
        RowColumn("commodity", "Commodity", 120, called=("SKU", "Item", "Product")),
        RowColumn("count", "Count", 70, number=True, called=("Qty", "Quantity", "Pieces", "Pcs")),
        RowColumn("description", "Description", 170, limit=LIMITS[f"{BARCODES}.description"], called=("Text", "Name")),
        RowColumn(
            "groupBarcode", "Group barcode", 130, limit=LIMITS[f"{BARCODES}.groupBarcode"], called=("Group", "Pallet")
        ),
    ),
    REFERENCES: (
        RowColumn("type", "Type", 180, called=("Kind", "Name")),
        RowColumn("value", "Value", called=("Number", "Reference")),
    ),
}

ROW_WORDS: dict[str, tuple[str, str]] = {
    FREIGHT: ("Freight lines", "Add freight line"),
    BARCODES: ("Barcodes", "Add barcode"),
    REFERENCES: ("References", "Add reference"),
}

DELIVERY_CHOICES = [("", "Not given"), ("HOME", "HOME"), ("STORE", "STORE"), ("BUILD", "BUILD")]
FACILITY_CHOICES = [
    ("false", "I give the facility code"),
    ("true", "The provider finds it by the consignee's address"),
]

LABELS: dict[str, str] = (
    {plan.path: plan.label for section in SECTIONS for line in section.lines for plan in line}
    | {SCAN: "Scan field"}
    | {f"{rows}.{each.name}": each.title for rows, columns in ROW_COLUMNS.items() for each in columns}
)
