"""The fields of an order that a column can hold, with their titles and the names by which files call them.

Invariant: the fields are those of `contract/draft`, and every one of them is here.
"""

from dataclasses import dataclass
from typing import Literal

from app.contract.order_rules import BARCODES, FACILITY_CODE, FREIGHT, LOAD_NUMBER, REFERENCE, REFERENCES, USE_ADDRESS
from app.translation import translate

Shape = Literal["text", "number", "date", "choice", "flag"]
Sort = Literal["", "zip", "phone", "state", "code"]


@dataclass(frozen=True, slots=True)
class OrderField:
    """A field by its path without row indexes (`consignee.city`, `freightDetails.count`).

    `line` is the path of the list that it is part of, empty for a field that an order has once. `names` are what files
    call it, as `letters` writes them. `sort` says what else is known of its texts: `code` is a text of which every sign
    counts. `sample` are values for the sample file.
    """

    path: str
    title: str
    shape: Shape
    names: tuple[str, ...]
    line: str = ""
    required: bool = False
    sort: Sort = ""
    sample: tuple[str, ...] = ()


def letters(text: str) -> str:
    """A title without case, blanks and signs: `Cu. Ft` and `cuft` are the same title."""
    return "".join(each for each in text.casefold() if each.isalnum())


def _names(text: str) -> tuple[str, ...]:
    return tuple(letters(each) for each in text.split(","))


_C = "consignee"
FIELDS: tuple[OrderField, ...] = (
    OrderField(
        REFERENCE,
        translate("Reference"),
        "text",
        _names(
            "reference, order reference number, order reference, reference number, reference no, ref, ref no, ref nr, "
            "order number, order no, order nr, order id, order, crn, customer reference, customer reference number, "
            "customer order number, customer order, sales order, sales order number, so number, order ref, "
            "shipment id, shipment number, auftragsnummer, auftrag, bestellnummer, referenz, commande, "
            "numéro de commande, référence, pedido, número de pedido, referencia, ordine, numero ordine, "
            "ordernummer, referentie, 注文番号"
        ),
        required=True,
        sort="code",
        sample=("WB-1001", "WB-1002"),
    ),
    OrderField(
        "poNumber",
        translate("PO number"),
        "text",
        _names("po number, po, po no, po nr, purchase order, purchase order number, customer po, p.o. number, p.o."),
        sort="code",
        sample=("PO-77120", "PO-77121"),
    ),
    OrderField(
        "billToCode",
        translate("Bill-to"),
        "text",
        _names("bill to code, bill to, billto, bill-to account, bill to account, billing code, account code, account"),
        sort="code",
        sample=("ACME", "ACME"),
    ),
    OrderField(
        "manufacturerCode",
        translate("Manufacturer"),
        "text",
        _names("manufacturer code, manufacturer, mfr, mfg, mfg code, vendor code, vendor, hersteller, fabricant"),
        sort="code",
        sample=("NORTHWOOD", "NORTHWOOD"),
    ),
    OrderField(
        FACILITY_CODE,
        translate("Facility"),
        "text",
        _names("provider facility code, facility code, facility, hub, terminal, warehouse, depot, branch, site code"),
        sort="code",
        sample=("MEM01", ""),
    ),
    OrderField(
        USE_ADDRESS,
        translate("Facility by address"),
        "flag",
        _names(
            "use consignee address to determine faclity code, use consignee address to determine facility code, "
            "facility by address, use address, by address"
        ),
        sample=("false", "true"),
    ),
    OrderField(
        f"{_C}.consigneeName",
        translate("Consignee"),
        "text",
        _names(
            "consignee name, consignee, name, customer name, customer, recipient, recipient name, receiver, ship to, "
            "ship to name, deliver to, delivery name, contact name, full name, empfänger, kunde, kundenname, "
            "destinataire, client, nom, destinatario, cliente, nombre, naam, klant, お名前, 届け先"
        ),
        required=True,
        sample=("J. Rivera", "Dana Whitfield"),
    ),
    OrderField(
        f"{_C}.streetAddress",
        translate("Street"),
        "text",
        _names(
            "street address, street, address, address 1, address line 1, address1, street 1, addr, addr1, "
            "ship to address, ship to address 1, ship to street, delivery address, delivery address 1, straße, "
            "strasse, adresse, adresse 1, rue, dirección, calle, indirizzo, via, adres, straat, 住所"
        ),
        required=True,
        sample=("12 Beale Street", "4 Elm Court"),
    ),
    OrderField(
        f"{_C}.streetAddress2",
        translate("Unit, floor"),
        "text",
        _names(
            "street address 2, street 2, address 2, address line 2, address2, addr2, apt, apartment, unit, suite, "
            "ship to address 2, delivery address 2, adresse 2, adresszusatz, complément d'adresse"
        ),
        sample=("Suite 4", ""),
    ),
    OrderField(
        f"{_C}.city",
        translate("City"),
        "text",
        _names("city, town, ship to city, delivery city, ort, stadt, ville, ciudad, città, stad, plaats, 市"),
        required=True,
        sample=("Memphis", "Boston"),
    ),
    OrderField(
        f"{_C}.state",
        translate("State"),
        "text",
        _names("state, st, province, region, state province, ship to state, delivery state, état, estado, provincia"),
        required=True,
        sort="state",
        sample=("TN", "MA"),
    ),
    OrderField(
        f"{_C}.zip",
        translate("ZIP"),
        "text",
        _names(
            "zip, zip code, zipcode, postal code, post code, postcode, postal, ship to zip, delivery zip, plz, "
            "postleitzahl, code postal, cp, código postal, cap, 郵便番号"
        ),
        required=True,
        sort="zip",
        sample=("38103", "02144"),
    ),
    OrderField(
        f"{_C}.phone1",
        translate("Phone"),
        "text",
        _names(
            "phone 1, phone, phone number, telephone, tel, mobile, cell, contact phone, ship to phone, telefon, "
            "téléphone, teléfono, telefono, telefoon, 電話番号"
        ),
        required=True,
        sort="phone",
        sample=("901-555-0142", "617-555-0199"),
    ),
    OrderField(
        f"{_C}.phone2",
        translate("Phone 2"),
        "text",
        _names("phone 2, phone number 2, telephone 2, tel 2, alternate phone, other phone, mobile 2, second phone"),
        sort="phone",
        sample=("", "617-555-0100"),
    ),
    OrderField(
        f"{_C}.email",
        translate("Email"),
        "text",
        _names("email, e-mail, email address, mail, ship to email, courriel, correo"),
        sample=("j.rivera@example.com", ""),
    ),
    OrderField(
        "deliveryType",
        translate("Delivery type"),
        "choice",
        _names("delivery type, delivery, service, service type, service level, lieferart, type de livraison"),
        sample=("HOME", "STORE"),
    ),
    OrderField(
        "shipDate",
        translate("Ship date"),
        "date",
        _names("ship date, shipped, date shipped, shipping date, dispatch date, versanddatum, date d'expédition"),
        sample=("2026-12-01", "2026-12-01"),
    ),
    OrderField(
        "estimatedReceiveDate",
        translate("Estimated receive"),
        "date",
        _names("estimated receive date, estimated receive, receive date, eta, expected, expected date, arrival date"),
        sample=("2026-12-03", "2026-12-03"),
    ),
    OrderField(
        "requestedDeliveryDate",
        translate("Requested delivery"),
        "date",
        _names(
            "requested delivery date, requested delivery, delivery date, deliver by, requested date, due date, "
            "lieferdatum, liefertermin, wunschtermin, date de livraison, fecha de entrega, data di consegna, "
            "leverdatum, 配達希望日"
        ),
        sample=("2026-12-08", "2026-12-09"),
    ),
    OrderField(
        "intermediateConsignee",
        translate("Sold by"),
        "text",
        _names("intermediate consignee, sold by, store, store name, seller, dealer, retailer, sold by store"),
        sample=("Beale Furniture", "Elm Interiors"),
    ),
    OrderField(
        "deliveryInstructions",
        translate("Delivery instructions"),
        "text",
        _names(
            "delivery instructions, instructions, notes, note, comments, comment, remarks, special instructions, "
            "delivery notes, hinweise, bemerkung, instructions de livraison, observaciones"
        ),
        sample=("Call ahead.", ""),
    ),
    OrderField(
        f"{FREIGHT}.commodity",
        translate("Commodity"),
        "text",
        _names(
            "commodity, commodity code, item, item code, sku, product, product code, article, article number, item no, "
            "item number, artikel, artikelnummer, article, producto, articolo, 商品"
        ),
        FREIGHT,
        required=True,
        sort="code",
        sample=("SOFA", "CHAIR"),
    ),
    OrderField(
        f"{FREIGHT}.count",
        translate("Count"),
        "number",
        _names(
            "count, quantity, qty, pieces, pcs, units, no of pieces, number of pieces, menge, anzahl, quantité, qté, "
            "cantidad, quantità, aantal, 数量"
        ),
        FREIGHT,
        required=True,
        sample=("2", "6"),
    ),
    OrderField(
        f"{FREIGHT}.volume",
        translate("Volume"),
        "number",
        _names("volume, cubic feet, cu ft, cuft, cube, cubes, cft, total volume, volumen"),
        FREIGHT,
        required=True,
        sample=("84.5", "36"),
    ),
    OrderField(
        f"{FREIGHT}.weight",
        translate("Weight"),
        "number",
        _names("weight, lbs, lb, pounds, total weight, weight lbs, gewicht, poids, peso"),
        FREIGHT,
        sample=("310", "96"),
    ),
    OrderField(
        LOAD_NUMBER,
        translate("Load number"),
        "text",
        _names("receiving load number, load number, load, load no, load id, trailer, trailer number, truck"),
        sort="code",
        sample=("LOAD-9", ""),
    ),
    OrderField(
        f"{BARCODES}.barcode",
        translate("Barcode"),
        "text",
        _names("barcode, bar code, upc, ean, serial, serial number, label, carton id, piece id, lpn"),
        BARCODES,
        required=True,
        sort="code",
        sample=("0490001", ""),
    ),
    OrderField(
        f"{BARCODES}.commodity",
        translate("Barcode commodity"),
        "text",
        _names("barcode commodity, barcode commodity code, barcode item"),
        BARCODES,
        required=True,
        sort="code",
        sample=("SOFA", ""),
    ),
    OrderField(
        f"{BARCODES}.count",
        translate("Barcode count"),
        "number",
        _names("barcode count, barcode quantity, barcode qty"),
        BARCODES,
        required=True,
        sample=("2", ""),
    ),
    OrderField(
        f"{BARCODES}.description",
        translate("Barcode description"),
        "text",
        _names("barcode description, description, item description, product description, beschreibung"),
        BARCODES,
        sample=("Sofa, grey", ""),
    ),
    OrderField(
        f"{BARCODES}.groupBarcode",
        translate("Group barcode"),
        "text",
        _names("group barcode, group bar code, pallet barcode, pallet id, pallet, sscc"),
        BARCODES,
        sort="code",
        sample=("", ""),
    ),
    OrderField(
        f"{REFERENCES}.type",
        translate("Other reference type"),
        "text",
        _names("other reference type, reference type, other reference numbers type, ref type"),
        REFERENCES,
        required=True,
        sort="code",
        sample=("Invoice", ""),
    ),
    OrderField(
        f"{REFERENCES}.value",
        translate("Other reference"),
        "text",
        _names("other reference, other reference value, reference value, other reference numbers value, ref value"),
        REFERENCES,
        required=True,
        sort="code",
        sample=("INV-20045", ""),
    ),
)
BY_PATH: dict[str, OrderField] = {each.path: each for each in FIELDS}
# In reverse, so that of two fields with one synonym the first one above has it: "article" is the commodity.
BY_NAME: dict[str, str] = {name: each.path for each in reversed(FIELDS) for name in (letters(each.title), *each.names)}
LINES = {
    FREIGHT: translate("Freight lines"),
    BARCODES: translate("Barcodes"),
    REFERENCES: translate("References"),
}
# The states as files write them in full; an order takes the two letters.
STATE_NAMES = {
    "alabama": "AL", "alaska": "AK", "arizona": "AZ", "arkansas": "AR", "california": "CA", "colorado": "CO",
    "connecticut": "CT", "delaware": "DE", "district of columbia": "DC", "florida": "FL", "georgia": "GA",
    "hawaii": "HI", "idaho": "ID", "illinois": "IL", "indiana": "IN", "iowa": "IA", "kansas": "KS", "kentucky": "KY",
    "louisiana": "LA", "maine": "ME", "maryland": "MD", "massachusetts": "MA", "michigan": "MI", "minnesota": "MN",
    "mississippi": "MS", "missouri": "MO", "montana": "MT", "nebraska": "NE", "nevada": "NV", "new hampshire": "NH",
    "new jersey": "NJ", "new mexico": "NM", "new york": "NY", "north carolina": "NC", "north dakota": "ND",
    "ohio": "OH", "oklahoma": "OK", "oregon": "OR", "pennsylvania": "PA", "puerto rico": "PR", "rhode island": "RI",
    "south carolina": "SC", "south dakota": "SD", "tennessee": "TN", "texas": "TX", "utah": "UT", "vermont": "VT",
    "virginia": "VA", "washington": "WA", "west virginia": "WV", "wisconsin": "WI", "wyoming": "WY",
}  # fmt: skip


def title_of(path: str) -> str:
    """The title of the field or the list at a path, with or without row indexes; the path itself of any other."""
    plain = "".join(part.partition("]")[2] if at else part for at, part in enumerate(path.split("[")))
    found = BY_PATH.get(plain)
    return LINES.get(path, path) if found is None else found.title
