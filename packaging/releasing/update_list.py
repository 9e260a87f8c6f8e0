"""Makes key pairs, and signs the list of versions that a company hosts beside its packages.

Run by `dev.py update-key` and `dev.py update-list` with the Python of `.venv`, which has the library and the program's
own reader: what is written is read again as the program reads it.
"""

import base64
import hashlib
import json
import os
import sys
from datetime import date, timedelta
from pathlib import Path

from devtools.errors import CannotGoOn
from nacl.signing import SigningKey

from app.desk.updates.this_program import ARCHIVE, DEB, MAC, MSI, SETUP, STICK, WHEEL
from app.desk.updates.version_list import FORMAT, MARK, UpdateTrouble, read_list
from releasing import changelog

PRIVATE = "WAYBILL_UPDATE_PRIVATE_KEY"  # the name of a variable
NAME = "waybill-updates.json"
DAYS = 180
# The end of a package's name → the system that takes it; {machine} is in the name.
_ENDINGS = (
    ("-setup.exe", f"{SETUP}-x86_64"),
    ("-x64.msi", f"{MSI}-x86_64"),
    ("-windows.zip", f"{STICK}-x86_64"),
    ("_amd64.deb", f"{DEB}-x86_64"),
    ("_arm64.deb", f"{DEB}-aarch64"),
    ("-linux-x86_64.tar.xz", f"{ARCHIVE}-x86_64"),
    ("-linux-aarch64.tar.xz", f"{ARCHIVE}-aarch64"),
    (".dmg", f"{MAC}-aarch64"),
    ("-py3-none-any.whl", WHEEL),
)


def main(words: list[str]) -> int:
    """`key`, or `sign FOLDER VERSION [--days N]`."""
    try:
        if words == ["key"]:
            print(new_pair())
        else:
            print(sign(Path(words[1]), words[2], os.environ.get(PRIVATE, ""), int(words[3])))
    except CannotGoOn as reason:
        print(reason, file=sys.stderr)
        return reason.status
    return 0


def new_pair() -> str:
    """A new pair of keys, with what each is for."""
    private = SigningKey.generate()
    return (
        f"{PRIVATE}={_text(bytes(private))}\n"
        "signs lists of versions: keep it where nobody reads it, and not beside the packages.\n\n"
        f"WAYBILL_UPDATE_KEYS={_text(bytes(private.verify_key))}\n"
        "is the key to give away: set it while packing, or write it into the administrator's file."
    )


def sign(folder: Path, version: str, private: str, days: int = DAYS) -> str:
    """Write the signed list of the packages of `version` in `folder`; a line about it. Raises `CannotGoOn`.

    A list that is there already is followed: its number grows by one.
    """
    key = _private(private)
    public = _text(bytes(key.verify_key))
    target = folder / NAME
    packages = [_package(path, system) for path, system in _found(folder, version)]
    if not packages:
        raise CannotGoOn(f"There is no package of version {version} in {folder}.")
    number = _number(target, public) + 1
    expires = date.today() + timedelta(days=days)
    notes = changelog.notes(version)
    inner = {
        "number": number,
        "expires": expires.isoformat(),
        "versions": [{"version": version, "notes": notes, "packages": packages}],
    }
    text = json.dumps(inner, ensure_ascii=False, indent=1)
    signature = _text(key.sign(MARK + text.encode()).signature)
    whole = json.dumps({"format": FORMAT, "list": text, "signatures": [signature]}, indent=1) + "\n"
    read_list(whole.encode(), [public])
    unfinished = target.with_suffix(".new")
    unfinished.write_text(whole, encoding="utf-8", newline="\n")
    unfinished.replace(target)  # whole or not at all: people fetch it meanwhile
    return f"{target}: list {number}, version {version}, {len(packages)} packages, good until {expires.isoformat()}"


def _private(text: str) -> SigningKey:
    if not text:
        raise CannotGoOn(f"The key to sign with is read from {PRIVATE}, which is not set; dev.py update-key makes one.")
    try:
        return SigningKey(base64.b64decode(text, validate=True))
    except ValueError:
        pass
    raise CannotGoOn(f"{PRIVATE} holds no key.")


def _number(target: Path, public: str) -> int:
    if not target.exists():
        return 0
    try:
        return read_list(target.read_bytes(), [public]).number
    except UpdateTrouble as trouble:
        # Its number would be unknown, and programs that saw it would refuse a list that begins with 1 again.
        raise CannotGoOn(f"{target} is there and cannot be followed: {trouble.sentence}") from trouble


def _found(folder: Path, version: str) -> list[tuple[Path, str]]:
    listed = sorted(path for path in folder.iterdir() if path.is_file() and version in path.name)
    return [(path, system) for path in listed for ending, system in _ENDINGS if path.name.endswith(ending)]


def _package(path: Path, system: str) -> dict[str, object]:
    with path.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    return {"system": system, "name": path.name, "size": path.stat().st_size, "sha256": digest}


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
