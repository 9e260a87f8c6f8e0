"""The form as data: the sections, their fields and columns, and all labels. The order here is the order on screen."""

from dataclasses import dataclass
from typing import Literal

from app.contract.order_rules import BARCODES, FREIGHT, LOAD_NUMBER, REFERENCES, USE_ADDRESS
from app.contract.typed_fields import LIMITS
from app.translation import translate
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
    """A section of the form. `rows` is the path of its list, empty if it has none."""

    title: str
    lines: tuple[tuple[FieldPlan, ...], ...] = ()
    rows: str = ""


DATE_HINT = "+3, fri, 12/24"
SCAN = "scan"  # the path of an issue of the scan field, which is no field of the draft

SECTIONS: tuple[SectionPlan, ...] = (
    SectionPlan(
        translate("Order"),
        (
            (
                FieldPlan("orderReferenceNumber", translate("Order reference")),
                FieldPlan("poNumber", translate("PO number")),
                FieldPlan("deliveryType", translate("Delivery type"), kind="delivery"),
            ),
            (
                FieldPlan("billToCode", translate("Bill-to code")),
                FieldPlan("manufacturerCode", translate("Manufacturer code")),
                FieldPlan("intermediateConsignee", translate("Sold by (company or store)")),
            ),
            (
                FieldPlan(USE_ADDRESS, translate("Facility"), 4, kind="facility"),
                FieldPlan("providerFacilityCode", translate("Facility code")),
            ),
            (
                FieldPlan("shipDate", translate("Ships to the facility"), kind="date"),
                FieldPlan("estimatedReceiveDate", translate("Facility receives it"), kind="date"),
                FieldPlan("requestedDeliveryDate", translate("Requested delivery"), kind="date"),
            ),
        ),
    ),
    SectionPlan(
        translate("Consignee"),
        (
            (FieldPlan("consignee.consigneeName", translate("Name"), 6),),
            (
                FieldPlan("consignee.streetAddress", translate("Street address"), 4),
                FieldPlan("consignee.streetAddress2", translate("Unit, suite, floor")),
            ),
            (
                FieldPlan("consignee.city", translate("City")),
                FieldPlan("consignee.state", translate("State")),
                FieldPlan("consignee.zip", translate("ZIP")),
            ),
            (
                FieldPlan("consignee.phone1", translate("Phone")),
                FieldPlan("consignee.phone2", translate("Second phone")),
                FieldPlan("consignee.email", translate("Email")),
            ),
        ),
    ),
    SectionPlan(translate("Freight"), rows=FREIGHT),
    SectionPlan(
        translate("Barcodes"),
        ((FieldPlan(LOAD_NUMBER, translate("Load number (inbound truck or trailer)"), 4),),),
        rows=BARCODES,
    ),
    SectionPlan(translate("References"), rows=REFERENCES),
    SectionPlan(
        translate("Instructions"),
        ((FieldPlan("deliveryInstructions", translate("Delivery instructions"), 6, kind="lines"),),),
    ),
)

ROW_COLUMNS: dict[str, tuple[RowColumn, ...]] = {
    FREIGHT: (
        RowColumn("commodity", translate("Commodity"), called=("SKU", "Item", "Code", "Product")),
        RowColumn("count", translate("Count"), 90, number=True, called=("Qty", "Quantity", "Pieces", "Pcs")),
        RowColumn(
            "volume",
            translate("Volume, cu ft"),
            120,
            number=True,
            called=("Volume", "Cubic feet", "Cu ft", "Cube", "CF"),
        ),
        RowColumn("weight", translate("Weight, lb"), 120, number=True, called=("Weight", "Pounds", "Lb", "Lbs")),
    ),
    BARCODES: (
        RowColumn(
            "barcode",
            translate("Barcode"),
            limit=LIMITS[f"{BARCODES}.barcode"],
            called=("Barcodes", "Code", "Label", "Serial"),
        ),
        RowColumn("commodity", translate("Commodity"), 120, called=("SKU", "Item", "Product")),
        RowColumn("count", translate("Count"), 70, number=True, called=("Qty", "Quantity", "Pieces", "Pcs")),
        RowColumn(
            "description",
            translate("Description"),
            170,
            limit=LIMITS[f"{BARCODES}.description"],
            called=("Text", "Name"),
        ),
        RowColumn(
            "groupBarcode",
            translate("Group barcode"),
            130,
            limit=LIMITS[f"{BARCODES}.groupBarcode"],
            called=("Group", "Pallet"),
        ),
    ),
    REFERENCES: (
        RowColumn("type", translate("Type"), 180, called=("Kind", "Name")),
        RowColumn("value", translate("Value"), called=("Number", "Reference")),
    ),
}

ROW_WORDS: dict[str, tuple[str, str]] = {
    FREIGHT: (translate("Freight lines"), translate("Add freight line")),
    BARCODES: (translate("Barcodes"), translate("Add barcode")),
    REFERENCES: (translate("References"), translate("Add reference")),
}

DELIVERY_CHOICES = [("", translate("Not given")), ("HOME", "HOME"), ("STORE", "STORE"), ("BUILD", "BUILD")]
FACILITY_CHOICES = [
    ("false", translate("I give the facility code")),
    ("true", translate("The provider finds it by the consignee's address")),
]

LABELS: dict[str, str] = (
    {plan.path: plan.label for section in SECTIONS for line in section.lines for plan in line}
    | {SCAN: translate("Scan field")}
    | {f"{rows}.{each.name}": each.title for rows, columns in ROW_COLUMNS.items() for each in columns}
)
