"""CSV files as Excel writes them in five countries: separator, letters, decimal sign, thousands, order of dates."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.desk.bulk.mapping.match_columns import find_forms
from app.desk.files.stoppable_work import Progress
from tests.support.import_files import mapped, said, table_of

# The same two orders, by hand: the titles, then the rows, in the letters of the country's Windows.
FILES = {
    "United States": (
        "cp1252",
        "Reference,Consignee,Street,City,State,ZIP,Phone,Commodity,Count,Volume,Delivery date",
        'R-1,"Núñez, José",12 Beale Street,Memphis,TN,38103,901-555-0142,SOFA,2,"1,284.50",12/24/2026',
        "R-2,Dana Whitfield,4 Elm Court,Boston,MA,2144,617-555-0199,CHAIR,6,36.25,1/4/2027",
    ),
    "United Kingdom": (
        "cp1252",
        "Reference,Consignee,Street,City,State,Postcode,Phone,Commodity,Quantity,Volume,Delivery date",
        'R-1,"Núñez, José",12 Beale Street,Memphis,TN,38103,901-555-0142,SOFA,2,"1,284.50",24/12/2026',
        "R-2,Dana Whitfield,4 Elm Court,Boston,MA,2144,617-555-0199,CHAIR,6,36.25,04/01/2027",
    ),
    "Germany": (
        "cp1252",
        "Auftragsnummer;Kunde;Straße;Ort;State;PLZ;Telefon;Artikel;Menge;Volumen;Lieferdatum",
        "R-1;Núñez, José;12 Beale Street;Memphis;TN;38103;901-555-0142;SOFA;2;1.284,50;24.12.2026",
        "R-2;Dana Whitfield;4 Elm Court;Boston;MA;2144;617-555-0199;CHAIR;6;36,25;04.01.2027",
    ),
    "France": (
        "cp1252",
        "Commande;Destinataire;Adresse;Ville;État;Code postal;Téléphone;Article;Quantité;Volume;Date de livraison",
        "R-1;Núñez, José;12 Beale Street;Memphis;TN;38103;901-555-0142;SOFA;2;1\u00a0284,50;24/12/2026",
        "R-2;Dana Whitfield;4 Elm Court;Boston;MA;2144;617-555-0199;CHAIR;6;36,25;04/01/2027",
    ),
    "Japan": (
        "cp932",
        "注文番号,お名前,住所,市,State,郵便番号,電話番号,商品,数量,Volume,配達希望日",
        'R-1,"Nunez, Jose",12 Beale Street,Memphis,TN,38103,901-555-0142,SOFA,2,"1,284.50",2026/12/24',
        "R-2,Dana Whitfield,4 Elm Court,Boston,MA,2144,617-555-0199,CHAIR,6,36.25,2027/1/4",
    ),
}


@pytest.mark.parametrize("country", sorted(FILES))
def test_a_file_of_excel_is_read_as_its_country_writes(tmp_path: Path, country: str) -> None:
    encoding, *text = FILES[country]
    table = table_of(tmp_path, "\r\n".join([*text, ""]).encode(encoding))
    sheet, matched = mapped(table)
    assert (table.read_with.encoding, matched.missing) == (encoding, ())
    first, second = (sheet.draft(key) for key in sheet.orders)
    name = "Nunez, Jose" if country == "Japan" else "Núñez, José"
    assert (first.consignee.consigneeName, first.freightDetails[0].count) == (name, "2")
    assert [each.freightDetails[0].volume for each in (first, second)] == ["1284.50", "36.25"]
    assert [each.requestedDeliveryDate for each in (first, second)] == ["2026-12-24", "2027-01-04"]
    assert said(sheet, 0) == {}
    zip_title = sheet.titles[5]
    assert said(sheet, 1) == {zip_title: ["A zero in front may be lost: 2144 may be 02144."]}


@pytest.mark.parametrize("country", ["United States", "United Kingdom"])
def test_dates_that_leave_their_order_open_are_asked_about(tmp_path: Path, country: str) -> None:
    encoding, titles, _, open_row = FILES[country]
    table = table_of(tmp_path, f"{titles}\r\n{open_row}\r\n".encode(encoding))
    sheet, matched = mapped(table)
    assert sheet.orders[0].wrong == 1
    assert "Delivery date" in said(sheet, 0)
    order = "mdy" if country == "United States" else "dmy"
    sheet.set_mapping(find_forms(table, replace(matched.mapping, dates=order)).mapping)  # type: ignore[arg-type]
    sheet.check_all(Progress())
    assert sheet.draft(0).requestedDeliveryDate == "2027-01-04"
