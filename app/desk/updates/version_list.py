"""The list of versions that a company hosts beside its packages: one file of JSON with a text and its signatures.

    {"format": "waybill updates", "list": "…", "signatures": ["…"]}

`list` is JSON too, as a text, so that exactly the bytes that were signed are read, and no form of JSON has to be agreed
on. A signature is Ed25519 over `MARK` and that text, in base64; a key is 32 bytes in base64.

Invariants: `read_list` looks at nothing of the text before a signature is good. `choose` refuses a list that has
expired or is older than one that was seen before: an old list, once signed, would stay good for ever otherwise, and
whoever controls the way to the server could keep a desk on a version with a known fault.
"""

import base64
import binascii
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from app.desk.updates import updates_words as words

FORMAT = "waybill updates"
MARK = b"waybill updates 1\n"  # so that nothing else that the key ever signs can pass for a list
LARGEST = 1024 * 1024  # bytes of the whole file
LARGEST_PACKAGE = 2 * 1024**3  # bytes
KEY_BYTES, SIGNATURE_BYTES = 32, 64
_MOST = 1_000  # versions, and packages of one
_LONGEST_NOTES = 20_000  # letters
_VERSION = re.compile(r"\d{1,6}\.\d{1,6}\.\d{1,6}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
# No separator, no drive, no hidden file, no device of Windows with an extension: it becomes a name on this disk.
_NAME = re.compile(r"(?!(?i:con|prn|aux|nul|com\d|lpt\d)\.)[A-Za-z0-9][A-Za-z0-9._+-]{0,120}[A-Za-z0-9]")


class UpdateTrouble(Exception):
    """A step of an update ended here; `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Package:
    """One file: for which system (`this_program.SYSTEMS`), its name beside the list, its bytes and their SHA-256."""

    system: str
    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Release:
    """A version and its packages; `notes` is a text for people."""

    version: str
    notes: str
    packages: tuple[Package, ...]


@dataclass(frozen=True, slots=True)
class VersionList:
    """`number` grows with each list that is signed; `key` is the one whose signature was good."""

    number: int
    expires: date
    releases: tuple[Release, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Newer:
    """A newer version. `package` is None where none is listed for this system: then it is only told."""

    version: str
    notes: str
    package: Package | None


def key_of(text: str) -> str:
    """The key as it is compared and kept. Raises `UpdateTrouble` for a text that is none."""
    plain = "".join(text.split())
    if len(_decoded(plain)) != KEY_BYTES:
        raise UpdateTrouble(words.NO_KEY)
    return plain


def read_list(raw: bytes, keys: Sequence[str]) -> VersionList:
    """The list that one of these keys signed. Raises `UpdateTrouble`."""
    outer = _json(raw)
    text, signatures = outer.get("list"), outer.get("signatures")
    if outer.get("format") != FORMAT or not isinstance(text, str) or not isinstance(signatures, list):
        raise UpdateTrouble(words.NO_LIST)
    signed = MARK + text.encode("utf-8", "surrogatepass")
    given = [_decoded(each) for each in signatures[:_MOST] if isinstance(each, str)]
    key = next((each for each in keys if any(_good(_decoded(each), signed, one) for one in given)), None)
    if key is None:
        raise UpdateTrouble(words.NOT_SIGNED)
    return _read(_json(text.encode("utf-8", "surrogatepass")), key)


def choose(found: VersionList, here: str, systems: Sequence[str], seen: int, today: date) -> Newer | None:
    """The newest version of a list if it is newer than `here`; None if none is. Raises `UpdateTrouble`.

    `seen` is the highest number of a list that was seen before. `systems` are those whose packages this program can
    take, the best first.
    """
    if found.number < seen:
        raise UpdateTrouble(words.OLDER_LIST)
    if found.expires < today:
        raise UpdateTrouble(words.list_expired(found.expires))
    newest = max(found.releases, key=lambda each: _order(each.version), default=None)
    if newest is None or _order(newest.version) <= _order(here):
        return None
    fitting = {each.system: each for each in reversed(newest.packages)}
    package = next((fitting[system] for system in systems if system in fitting), None)
    return Newer(newest.version, newest.notes, package)


def _good(key: bytes, signed: bytes, signature: bytes) -> bool:
    # The library is imported only here: most starts ask for no update.
    from nacl.exceptions import BadSignatureError
    from nacl.signing import VerifyKey

    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        VerifyKey(key).verify(signed, signature)
    except BadSignatureError:
        return False
    return True


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _json(raw: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UpdateTrouble(words.NO_LIST)
    return found


def _read(inner: Mapping[str, Any], key: str) -> VersionList:
    """The signed text as data. It was signed by somebody who is believed, so a mistake in it is said, not tolerated."""
    try:
        number, releases = inner["number"], inner["versions"]
        expires = date.fromisoformat(inner["expires"])
        if type(number) is not int or number < 1 or not isinstance(releases, list) or len(releases) > _MOST:
            raise ValueError
        return VersionList(number, expires, tuple(_release(each) for each in releases), key)
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    raise UpdateTrouble(words.MISTAKE_IN_LIST)


def _release(entry: Mapping[str, Any]) -> Release:
    version, notes = entry["version"], entry.get("notes", "")
    if not _VERSION.fullmatch(version) or not isinstance(notes, str) or len(entry["packages"]) > _MOST:
        raise ValueError
    return Release(version, notes[:_LONGEST_NOTES], tuple(_package(each) for each in entry["packages"]))


def _package(entry: Mapping[str, Any]) -> Package:
    found = Package(entry["system"], entry["name"], entry["size"], entry["sha256"])
    fits = isinstance(found.system, str) and _NAME.fullmatch(found.name) and _DIGEST.fullmatch(found.sha256)
    if not fits or type(found.size) is not int or not 0 < found.size <= LARGEST_PACKAGE:
        raise ValueError
    return found


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
