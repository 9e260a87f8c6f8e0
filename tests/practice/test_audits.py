"""Audits, their photos, the documents of orders, and the overage of loads."""

from collections import Counter
from datetime import date, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from app.contract.codes import FOLDER_TYPE_WORDS
from app.practice.photos.document_files import PAPERS, PHOTOS
from app.practice.photos.painter import KINDS
from app.practice.world.made_audits import made_audit, photo_name
from app.practice.world.name_tables import audit_tables
from app.practice.world.photo_subjects import SCENES, audit_photo, audit_shot
from app.practice.world.record import PHOTO_FOLDERS
from tests.practice.conftest import Submit, order
from tests.support.practice_calls import INFORMATION, Caller

AUDIT = f"{INFORMATION}/audit"
LIST_FIELDS = {"auditId", "auditFacility", "auditType", "auditVendor", "auditScore", "auditDate"}
DETAIL_FIELDS = {
    *("auditId", "auditType", "auditorName", "auditorEmail", "orderNumber", "cmpAWCDomicle", "auditDate"),
    *("auditScore", "detailName", "detailDescription", "detailValue", "imageUrl"),
}
Record = dict[str, Any]


def audits(caller: Caller, days: int = 300) -> list[Record]:
    today = date.today()
    rows: list[Record] = caller.get(AUDIT, StartDate=today - timedelta(days=days), EndDate=today).json()
    return rows


def questions(caller: Caller, number: int) -> list[Record]:
    rows: list[Record] = caller.get(f"{AUDIT}/{number}").json()
    return rows


def test_the_list_holds_the_audits_of_its_days(caller: Caller) -> None:
    rows = audits(caller)
    assert len(rows) == 24
    assert all(set(each) == LIST_FIELDS for each in rows)
    days = [datetime.fromtimestamp(each["auditDate"] / 1000).date() for each in rows]
    assert days == sorted(days)
    day = days[10]
    same = caller.get(AUDIT, StartDate=day, EndDate=day).json()
    assert [each["auditId"] for each in same] == [
        each["auditId"] for each, at in zip(rows, days, strict=True) if at == day
    ]


def test_the_default_is_the_last_seven_days(caller: Caller) -> None:
    assert caller.get(AUDIT).json() == audits(caller, 7)


@pytest.mark.parametrize(
    "query",
    [
        {"StartDate": "2026-01-01T00:00:00"},
        {"StartDate": "yesterday"},
        {"StartDate": "2026-02-01", "EndDate": "2026-01-31"},
        {"StartDate": "2024-01-01", "EndDate": "2025-01-02"},
    ],
)
def test_an_unreadable_inverted_or_too_long_range_is_refused(caller: Caller, query: dict[str, str]) -> None:
    assert caller.get(AUDIT, None, **query).status == 400
    assert caller.get(AUDIT, StartDate="2024-01-01", EndDate="2025-01-01").status == 200


def test_the_detail_is_a_row_a_question(caller: Caller) -> None:
    scores, photos = set(), 0
    for audit in audits(caller):
        rows = questions(caller, audit["auditId"])
        assert len(rows) >= 7
        assert all(set(each) <= DETAIL_FIELDS for each in rows)
        assert {each["auditId"] for each in rows} == {audit["auditId"]}
        assert {each["auditScore"] for each in rows} == {audit["auditScore"]}
        assert {each["cmpAWCDomicle"] for each in rows} == {audit["auditFacility"]}
        assert all(each["auditScore"] == 100 for each in rows if {row["detailValue"] for row in rows} == {"Yes"})
        assert caller.get(f"{INFORMATION}/orders/{rows[0]['orderNumber']}").status == 200
        scores.add(audit["auditScore"])
        photos += sum("imageUrl" in each for each in rows)
    assert len(scores) > 8
    assert photos > 48


def test_an_audit_that_is_none_of_the_clients_is_a_404(caller: Caller, other: Caller) -> None:
    theirs = audits(other)
    assert len(theirs) == 5
    for number in (theirs[0]["auditId"], 1, "x", "99999999999"):
        assert caller.get(f"{AUDIT}/{number}").status == 404


def test_a_photo_is_a_jpeg_that_is_drawn_once(caller: Caller, other: Caller) -> None:
    urls = [each["imageUrl"] for each in questions(caller, audits(caller)[0]["auditId"]) if "imageUrl" in each]
    assert urls[0].startswith("/OrderInformationApi/download/audit/")
    reply = caller.get(urls[0])
    assert (reply.status, reply.kind) == (200, "image/jpeg")
    with Image.open(BytesIO(reply.body)) as picture:
        assert picture.format == "JPEG"
        assert picture.width * picture.height > 1_500_000
    assert caller.get(urls[0]).body == reply.body
    assert other.get(urls[0]).status == 404


@pytest.mark.parametrize("name", ["audit-1-1.jpg", "x.jpg", "..%2F..%2Fpractice.sqlite", "audit-4001-99.jpg", "%00"])
def test_a_file_that_is_no_photo_of_an_audit_is_a_404(caller: Caller, name: str) -> None:
    assert caller.get(f"{INFORMATION}/download/audit/{name}").status == 404


def test_a_document_lies_at_its_address(caller: Caller, other: Caller) -> None:
    rows = caller.get(f"{INFORMATION}/orders/completed", IncludePOD=True).json()
    papers = [paper for each in rows for paper in each["ProofOfDelivery"]]
    for kind in (".pdf", ".jpg"):
        paper = next(each for each in papers if each["Filename"].endswith(kind))
        assert paper["Url"].startswith(caller.facts["info_base_url"])
        reply = caller.get(paper["Url"])
        assert (reply.status, reply.kind) == (200, "application/pdf" if kind == ".pdf" else "image/jpeg")
        assert reply.body.startswith(b"%PDF" if kind == ".pdf" else b"\xff\xd8")
        assert other.get(paper["Url"]).status == 404
    number = rows[0]["OrderNumber"]
    for name in (f"{number}-XX.pdf", f"{number}-TDX.jpg", "1-POD.pdf", "nothing"):
        assert caller.get(f"{INFORMATION}/download/order/{name}").status == 404


def test_names_of_documents_say_what_they_are() -> None:
    assert set(PHOTOS) == PHOTO_FOLDERS
    assert set(PHOTOS) | set(PAPERS) == set(FOLDER_TYPE_WORDS)


def test_cameras_differ_in_size_and_in_how_they_were_held() -> None:
    shots = [audit_shot(7, kind, photo_name(number, 1)) for kind in SCENES for number in range(100)]
    assert Counter(shot.megapixels for shot in shots)[12.0] > 50
    assert {1, 3, 6, 8} < {shot.orientation for shot in shots} <= set(range(1, 9))


def test_a_photo_says_how_the_camera_was_held() -> None:
    audit = made_audit(7, 4_001, 1_795_000_000)
    names = [photo_name(4_001, index) for index in range(60)]
    name = next(each for each in names if audit_shot(7, audit.kind, each)[1:] == (2.0, 6))
    with Image.open(BytesIO(audit_photo(7, audit, name))) as picture:
        assert picture.getexif()[0x0112] == 6


def test_every_type_of_audit_has_scenes_to_show() -> None:
    assert set(SCENES) == set(audit_tables()["types"])
    assert {scene for scenes in SCENES.values() for scene in scenes} <= set(KINDS)


class TestOverage:
    def test_some_loads_have_items_over_by_path_and_by_query(self, caller: Caller) -> None:
        found = {}
        for load in range(29_167, 29_180):
            reply = caller.get(f"{INFORMATION}/overage/L-{load}")
            assert reply.status == 200
            assert caller.get(f"{INFORMATION}/overage", LoadId=f"L-{load}").json() == reply.json()
            found[load] = reply.json()
        assert any(found.values())
        assert not all(found.values())
        for item in [item for items in found.values() for item in items]:
            assert {"commodity", "description", "barcode", "count"} <= set(item)
            assert item.get("orderNumber") is None or (
                caller.get(f"{INFORMATION}/orders/{item['orderNumber']}").status == 200
            )

    def test_a_load_that_a_submission_named_may_have_some(self, owner: Caller, submit: Submit) -> None:
        found = []
        for index in range(8):
            body = order("order_full.json")
            body["barcoding"]["receivingLoadNumber"] = f"TRAILER {index}"
            number = submit(body)
            items = owner.get(f"{INFORMATION}/overage", LoadId=f"TRAILER {index}").json()
            assert owner.get(f"{INFORMATION}/overage/TRAILER%20{index}").json() == items
            assert {item.get("orderNumber", number) for item in items} <= {number}
            found.append(bool(items))
        assert any(found)

    def test_an_unknown_load_has_none(self, caller: Caller, other: Caller) -> None:
        assert caller.get(f"{INFORMATION}/overage/nothing").json() == []
        assert other.get(f"{INFORMATION}/overage/L-29170").json() == []

    def test_a_load_must_be_named(self, caller: Caller) -> None:
        assert caller.get(f"{INFORMATION}/overage").status == 400
