"""An order with every property that the provider announced, of the kind that it announced."""

from typing import Any

RECORD: dict[str, Any] = {
    "OrderNumber": 771002,
    "CRN": "CRN-20481",
    "PO": ["PO-1", "PO-2"],
    "BOL": "BOL-9",
    "Consignee": {
        "Id": "C-1",
        "Name": "J. Rivera",
        "Phone": "901-555-0142",
        "Address": {
            "StreetAddress1": "12 Beale Street",
            "StreetAddress2": "",
            "StreetAddress3": "Dock 4",
            "City": "Memphis",
            "State": "TN",
            "ZipCode": "38103",
        },
    },
    "Manufacturer": {"Id": "M-1", "Name": "Maker"},
    "Carrier": {"Name": "Blue Ridge"},
    "ReceivedById": "R. Cole",
    "LoadedById": "L. Ode",
    "DeliveredBy": "Crew 4",
    "Facility": {"Id": "F-1", "Name": "Memphis"},
    "DeliveryType": "HOME",
    "DateImported": "2026-11-20T08:00:00",
    "DateEstimatedReceive": "2026-11-21T00:00:00",
    "DateReceived": "2026-11-21T09:30:00",
    "DateRequestedDelivery": "2026-11-24T00:00:00",
    "DateScheduledDelivery": "2026-11-25T00:00:00",
    "DateLoaded": "2026-11-25T06:00:00",
    "DateActualDelivery": "2026-11-25T14:02:00",
    "StatusId": "CMP",
    "Status": "Completed",
    "Brand": "Brand",
    "Remarks": "Call first.",
    "IsReceived": True,
    "IsDelivered": True,
    "Unheard": {"of": 1},
}
