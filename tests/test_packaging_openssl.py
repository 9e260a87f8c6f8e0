"""One OpenSSL in the packed Windows program: the newer one stays, and everybody asks for it by its name."""

from pathlib import Path

import pytest
from devtools.errors import CannotGoOn
from releasing import one_openssl

MARK = "0123456789abcdef0123456789abcdef"
CRYPTO, SSL = f"libcrypto-3-x64-{MARK}.dll", f"libssl-3-x64-{MARK}.dll"


def library(version: str, *linked: str) -> bytes:
    """A library of this version that is linked to these, as far as a program can see that looks for texts."""
    said = f"OpenSSL {version} 29 Sep 2026\0".encode() if version else b""
    return b"MZ\0" + said + b"".join(b"\x07\x01" + name.encode() + b"\0" for name in linked) + b"\xff" * 8


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A packed program with two of them; psycopg's is the newer one."""
    inside = tmp_path / "_internal"
    (inside / "psycopg_binary").mkdir(parents=True)
    made = {
        "libcrypto-3.dll": library("3.0.15"),
        "libssl-3.dll": library("", "libcrypto-3.dll"),
        "_ssl.pyd": library("", "libssl-3.dll", "libcrypto-3.dll"),
        CRYPTO: library("3.6.5"),
        SSL: library("", CRYPTO, "KERNEL32.dll"),
        "libpq-1.dll": library("", SSL, CRYPTO, "WS2_32.dll"),
        "psycopg_binary/pq.pyd": library("", "libpq-1.dll"),
    }
    for name, content in made.items():
        (inside / name).write_bytes(content)
    return tmp_path


def libraries(folder: Path) -> dict[str, bytes]:
    """What is inside, by its path."""
    inside = folder / "_internal"
    return {path.relative_to(inside).as_posix(): path.read_bytes() for path in inside.rglob("*.*")}


def test_psycopgs_takes_the_place_of_an_older_one(folder: Path) -> None:
    before = libraries(folder)
    one_openssl.share(folder)
    after = libraries(folder)
    assert set(after) == set(before) - {CRYPTO, SSL}
    assert after["libcrypto-3.dll"] == before[CRYPTO]
    for name, was in (("libssl-3.dll", SSL), ("libpq-1.dll", "libpq-1.dll")):
        assert len(after[name]) == len(before[was]), "nothing in a library may move"
        assert MARK.encode() not in after[name]
    assert b"\x01libcrypto-3.dll\0" in after["libssl-3.dll"]
    assert b"\x01libssl-3.dll\0" in after["libpq-1.dll"]
    assert b"\x01libcrypto-3.dll\0" in after["libpq-1.dll"]
    for name in ("_ssl.pyd", "psycopg_binary/pq.pyd"):
        assert after[name] == before[name]


def test_pythons_stays_where_it_is_the_newer_one(folder: Path) -> None:
    (folder / "_internal" / "libcrypto-3.dll").write_bytes(library("3.6.10"))
    before = libraries(folder)
    one_openssl.share(folder)
    after = libraries(folder)
    assert set(after) == set(before) - {CRYPTO, SSL}
    assert all(after[name] == before[name] for name in ("libcrypto-3.dll", "libssl-3.dll", "_ssl.pyd"))
    assert MARK.encode() not in after["libpq-1.dll"]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        (SSL, None, "should have one libssl-3-x64-"),
        ("psycopg_binary/libcrypto-3-x64-another.dll", b"", "should have one libcrypto-3-x64-"),
        (CRYPTO, library("4.0.0"), "does not say which version of OpenSSL 3"),
        ("libcrypto-3.dll", library(""), "does not say which version of OpenSSL 3"),
        ("libpq-1.dll", library("", f"{CRYPTO}.local"), "in a way that is not known here"),
    ],
)
def test_what_is_not_as_expected_is_refused(folder: Path, name: str, content: bytes | None, sentence: str) -> None:
    """A new version of Python or psycopg may bring something else: nobody should ship a guess."""
    file = folder / "_internal" / name
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    with pytest.raises(CannotGoOn, match=sentence):
        one_openssl.share(folder)
