"""Longest texts, in characters, by the field's path without row indexes (services.md, "Resources").

Plain data, so that a form can show a counter without loading the models; a test holds it to them.
"""

LIMITS: dict[str, int] = {
    "orderReferenceNumber": 30,
    "poNumber": 30,
    "providerFacilityCode": 6,
    "intermediateConsignee": 30,
    "deliveryInstructions": 254,
    "consignee.consigneeName": 100,
    "consignee.streetAddress": 100,
    "consignee.streetAddress2": 100,
    "consignee.city": 18,
    "consignee.state": 2,
    "consignee.zip": 10,
    "consignee.phone1": 20,
    "consignee.phone2": 20,
    "consignee.email": 30,
    "barcoding.receivingLoadNumber": 50,
    "barcoding.barcodeItemDetails.barcode": 50,
    "barcoding.barcodeItemDetails.description": 80,
    "barcoding.barcodeItemDetails.groupBarcode": 50,
}
