"""The address that a record's text means (notes.md, `imageUrl` and `Url`)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.errors import BadAddress
from app.api.links import places_meant

ROOT = "https://info.example:8443/OrderInformationApi"


def meant(text: str, root: str = ROOT) -> list[str]:
    return [str(each) for each in places_meant(text, root)]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("https://info.example:8443/pod/1.pdf", ["https://info.example:8443/pod/1.pdf"]),
        ("http://cdn.example/a.jpg?sig=1%2F2", ["http://cdn.example/a.jpg?sig=1%2F2"]),
        ("//cdn.example/a.jpg", ["https://cdn.example/a.jpg"]),
        (
            "/download/audit/a.jpg",
            [f"{ROOT}/download/audit/a.jpg", "https://info.example:8443/download/audit/a.jpg"],
        ),
        ("/OrderInformationApi/download/audit/a.jpg", [f"{ROOT}/download/audit/a.jpg"]),
        ("/files/a.jpg", ["https://info.example:8443/files/a.jpg"]),
        ("download/audit/a.jpg", [f"{ROOT}/download/audit/a.jpg"]),
        ("a b#1.jpg", [f"{ROOT}/download/audit/a%20b%231.jpg"]),
        (" a.jpg ", [f"{ROOT}/download/audit/a.jpg"]),
        ("HTTPS://INFO.example:8443/x", ["https://info.example:8443/x"]),
        ("https://info.example:8443@evil.example/x", ["https://evil.example/x"]),
        ("https://me:pw@info.example:8443/x#part", ["https://info.example:8443/x"]),
    ],
)
def test_each_way_of_writing_it(text: str, places: list[str]) -> None:
    assert meant(text) == places


def test_without_a_prefix_a_download_path_is_meant_once() -> None:
    assert meant("/download/audit/a.jpg", "https://info.example") == ["https://info.example/download/audit/a.jpg"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "file:///etc/passwd",
        "FILE:/etc/passwd",
        "data:image/png;base64,AAAA",
        "javascript:alert(1)",
        "ftp://host/a.jpg",
        "C:\\photos\\a.jpg",
        "C:/photos/a.jpg",
        "\\\\host\\share\\a.jpg",
        "/\\evil.example/a.jpg",
        "https:a.jpg",
        "https://",
        "http:///a.jpg",
        "https://[::1/a.jpg",
        "a\njpg",
        "https://host\r\nX: y/",
        "https://host:99999/",
        "smb://host/a",
    ],
)
def test_what_is_never_opened(text: str) -> None:
    with pytest.raises(BadAddress):
        places_meant(text, ROOT)


@given(st.text(max_size=60))
def test_any_text_means_web_addresses_or_nothing(text: str) -> None:
    try:
        places = places_meant(text, ROOT)
    except BadAddress:
        return
    for place in places:
        assert place.scheme in ("http", "https")
        assert place.host
        assert not place.userinfo
