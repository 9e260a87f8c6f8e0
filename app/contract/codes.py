"""The provider's codes and the words a person reads for them.

Source: services.md, "States and transitions", "Folder types", "Authentication".
Plain data without pydantic, because the first paint of the window needs it.
"""

from enum import StrEnum
from typing import Literal, TypeAlias

Format: TypeAlias = Literal["json", "xml"]  # in which a body goes, or an answer is asked for


class OrderState(StrEnum):
    """`StatusId` of the order information service."""

    STD = "STD"
    AVL = "AVL"
    PLN = "PLN"
    DSO = "DSO"
    CMP = "CMP"
    CAN = "CAN"


ORDER_STATE_WORDS: dict[str, str] = {
    OrderState.STD: "Started",
    OrderState.AVL: "Available",
    OrderState.PLN: "Planned",
    OrderState.DSO: "Dispatched",
    OrderState.CMP: "Completed",
    OrderState.CAN: "Cancelled",
}


class ManagementStatus(StrEnum):
    """The status values that the order status operation reports."""

    IN_IMPORT_QUEUE = "In Import Queue"
    PENDING_RECEIPT = "Pending Receipt"
    RECEIVED = "Received"
    OUT_FOR_DELIVERY = "Out for delivery"
    COMPLETE = "Complete"
    CANCELLED = "Cancelled"


CLOSED_STATUSES = frozenset({ManagementStatus.COMPLETE, ManagementStatus.CANCELLED})


class DeliveryType(StrEnum):
    """`deliveryType` of a submission."""

    HOME = "HOME"
    STORE = "STORE"
    BUILD = "BUILD"


FOLDER_TYPE_WORDS: dict[str, str] = {
    "AT": "Attempt",
    "BOL": "Bill of lading",
    "DAM": "Damaged",
    "DMB": "Damaged bulk item",
    "DML": "Damaged item at loading",
    "DMR": "Damaged item at receiving",
    "DOC": "Miscellaneous document",
    "INB": "Inbound",
    "LD": "Loading",
    "LFF": "Load feedback form",
    "LS": "Load shifted",
    "MAN": "Manifest",
    "OOS": "Out of sequence",
    "ORD": "Attended delivery",
    "OVR": "Overage",
    "POD": "Proof of delivery",
    "PS": "Packing slips",
    "RF": "Refused freight",
    "RLD": "Receiving load",
    "SOI": "Short on inbound",
    "SV": "Stacking violation",
    "TD": "Trailer defect",
    "UN": "Unattended",
    "UNS": "Manual scan",
}

SCOPE_ORDERS = "order_management_api:orders"
SCOPE_QUOTES = "order_management_api:quotes"
SCOPE_INTEGRATION = "order_management_api:integration"
SCOPE_INFO_ORDERS = "order_information_api:orders"
SCOPE_INFO_AUDITS = "order_information_api:audits"

ALL_SCOPES: tuple[str, ...] = (
    SCOPE_ORDERS,
    SCOPE_QUOTES,
    SCOPE_INTEGRATION,
    SCOPE_INFO_ORDERS,
    SCOPE_INFO_AUDITS,
)
MANAGEMENT_SCOPES: tuple[str, ...] = (SCOPE_ORDERS, SCOPE_QUOTES, SCOPE_INTEGRATION)
